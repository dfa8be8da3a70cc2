/**
 * A copy in the place of a store with a log is noticed also if it was made while the service ran, and no kill looks
 * like such a copy.
 */
import { spawn } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { backup, DatabaseSync } from 'node:sqlite'
import { build } from 'esbuild'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import { createFileStore, type FileStore } from '../../../plugins/sync/store-sqlite/file-store.ts'
import { countOf } from '../../support/count.ts'
import { storeParts } from '../../support/store-parts.ts'
import { createFolder } from './platforms.ts'

const KILLS = countOf({ quick: 15, deep: 200, variable: 'SVC_MARK_KILLS' })

const MINUTE_MS = 60_000

/** A service's store and its clock. */
function serve(path: string): { readonly store: FileStore; readonly pass: (ms: number) => void } {
  let nowMs = 0
  const store = createFileStore({ path, now: () => nowMs, parts: storeParts })
  store.serve()
  return {
    store,
    pass(ms) {
      nowMs += ms
      store.trimLog()
    },
  }
}

const note = (store: FileStore, text: string): Promise<void> =>
  store.write(({ rows }) => void rows("INSERT OR REPLACE INTO meta VALUES ('note', ?)", text))

/** The note of a store, or the code of the error of its opening. */
async function noteIn(path: string): Promise<unknown> {
  const store = createFileStore({ path, now: () => 0, parts: storeParts })
  try {
    store.open()
    return await store.read(({ driver }) => driver.prepare("SELECT value FROM meta WHERE key = 'note'").get()?.[0])
  } catch (error) {
    assert.ok(isSvcError(error), String(error))
    return error.code
  } finally {
    await store.close()
  }
}

/** Copies the files as they are after a kill of the service. */
function kill(live: string, name: string): string {
  const path = join(dirname(live), name)
  for (const tail of ['', '-wal', '.mark']) copyFileSync(live + tail, path + tail)
  return path
}

test('a copy that was made while the service ran is refused in the place of a store with newer commits', async () => {
  const path = join(createFolder(), 'sync.db')
  const { store, pass } = serve(path)
  const copies = { 'by cp': join(dirname(path), 'cp.db'), 'by a tool of SQLite': join(dirname(path), 'tool.db') }
  await note(store, 'early')
  pass(MINUTE_MS)
  copyFileSync(path, copies['by cp'])
  const tool = new DatabaseSync(path)
  await backup(tool, copies['by a tool of SQLite'])
  tool.close()
  await note(store, 'later')
  pass(MINUTE_MS)
  await note(store, 'latest')
  assert.is(await noteIn(kill(path, 'killed.db')), 'latest', 'the store itself')
  for (const [way, copy] of Object.entries(copies)) {
    const killed = kill(path, `${way.replaceAll(' ', '-')}.db`)
    copyFileSync(copy, killed)
    assert.is(await noteIn(killed), 'store_replaced', way)
  }
  await store.close()
})

test('the mark stays while there are no commits, and has few ids while another process holds the log', async () => {
  const path = join(createFolder(), 'sync.db')
  const { store, pass } = serve(path)
  const mark = (): string => readFileSync(`${path}.mark`, 'utf8')
  const ids = (): number => mark().match(/^[0-9a-f]{32}$/gm)!.length
  const before = mark()
  pass(MINUTE_MS)
  assert.is(mark(), before)
  const browser = new DatabaseSync(path)
  browser.exec('BEGIN')
  browser.prepare('SELECT count(*) FROM meta').get()
  for (let i = 0; i < 20; i++) {
    await note(store, `held ${i}`)
    pass(MINUTE_MS)
  }
  assert.ok(ids() > 1 && ids() < 12, mark())
  assert.is(await noteIn(kill(path, 'held.db')), 'held 19')
  browser.close()
  pass(MINUTE_MS)
  assert.is(ids(), 1)
  assert.is(await noteIn(kill(path, 'free.db')), 'held 19')
  await store.close()
})

test(`kill -9 at random moments is never taken for a copy, and loses no commit, ${KILLS} times`, async () => {
  const folder = createFolder()
  const script = join(folder, 'child.mjs')
  await build({
    entryPoints: [resolve(import.meta.dirname, 'mark-child.ts')],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  const path = join(folder, 'sync.db')
  let last = 0
  for (let i = 0; i < KILLS; i++) {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = new Promise<unknown>((done) => child.once('exit', (code, signal) => done(signal ?? code)))
    const killAfter = 1 + Math.floor(Math.random() * 40)
    let lines = 0
    for await (const line of createInterface({ input: child.stdout })) {
      const count = Number(line)
      // A commit without an answer may be there too.
      if (lines++ === 0) assert.ok(count === last + 1 || count === last + 2, `round ${i}: ${last}, then ${count}`)
      last = count
      if (lines === killAfter) child.kill('SIGKILL')
    }
    assert.is(await exited, 'SIGKILL', `round ${i}`)
  }
})

test.run()
