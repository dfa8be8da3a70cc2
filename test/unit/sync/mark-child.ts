/**
 * The process that store-mark.test.ts kills: a service's store that writes all the time, renews its mark often, and
 * sometimes has a reader of an old state. It prints the number of each commit.
 */
import { DatabaseSync } from 'node:sqlite'
import { createFileStore } from '../../../plugins/sync/store-sqlite/file-store.ts'
import { storeParts } from '../../support/store-parts.ts'

// The test has ended.
process.stdout.on('error', () => process.exit())

const path = process.argv[2]!
let nowMs = 0
const store = createFileStore({ path, now: () => nowMs, parts: storeParts })
store.serve()
let browser: DatabaseSync | undefined
for (;;) {
  // A few commits fill the log up to an automatic checkpoint.
  const bytes = Math.random() < 0.1 ? 4_000_000 : 100
  const count = await store.write(({ rows }) => {
    const [[before] = ['0']] = rows<[string]>("SELECT value FROM meta WHERE key = 'commits'")
    const next = Number(before) + 1
    rows("INSERT OR REPLACE INTO meta VALUES ('commits', ?)", `${next}`)
    rows("INSERT OR REPLACE INTO meta VALUES ('bytes', ?)", 'x'.repeat(bytes))
    return next
  })
  process.stdout.write(`${count}\n`)
  const chance = Math.random()
  if (chance < 0.3) {
    nowMs += 60_000
    store.trimLog()
  } else if (chance < 0.4) {
    browser?.close()
    browser = undefined
  } else if (chance < 0.5 && browser === undefined) {
    browser = new DatabaseSync(path)
    browser.exec('BEGIN')
    browser.prepare('SELECT count(*) FROM meta').get()
  }
  await new Promise((resolve) => setImmediate(resolve))
}
