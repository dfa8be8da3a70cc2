/**
 * Upgrades: the shipped program starts with a store of every earlier set of migrations, and serves the data that was
 * acknowledged then. Each file of `upgrades/` is such a store, written by the program of the commit in its name.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { toSchema } from '../../../plugins/sync/engine/store/schema.ts'
import { storeInfo } from '../../../plugins/sync/store-sqlite/maintenance.ts'
import { until } from '../../../scripts/until.ts'
import { tokenFor } from '../../conformance/caller.ts'
import { folderWith } from '../../support/folder.ts'
import { commentsOf, restoreDump } from '../../support/old-stores/dump.ts'
import * as old from '../../support/old-stores/fill.ts'
import { testUnless } from '../../support/skip.ts'
import { storeParts } from '../../support/store-parts.ts'
import { readRun } from '../cluster/run-reader.ts'
import { sendTo } from './daemon.ts'
import { program, unbuilt } from './shipped.ts'

const test = suite('upgrades of a store')
const files = readdirSync(join(import.meta.dirname, 'upgrades')).sort(
  (one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10),
)
const pathOf = (file: string): string => join(import.meta.dirname, 'upgrades', file)

/** A folder with an old store, and the data that was acknowledged when it was written. */
function placeOf(file: string): { readonly folder: string; readonly path: string; readonly known: old.Known } {
  const folder = folderWith()
  mkdirSync(join(folder, 'state'), { mode: 0o700 })
  const path = join(folder, 'state', 'sync.db')
  restoreDump(pathOf(file), path)
  return { folder, path, known: JSON.parse(commentsOf(pathOf(file))['known']!) as old.Known }
}

/** The ids of the migrations of a store. */
function idsOf(path: string): string[] {
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = database.prepare("SELECT substr(key, 11) AS id FROM meta WHERE key GLOB 'migration:*'").all()
  database.close()
  return rows.map(({ id }) => String(id)).sort()
}

test('the newest file has the migrations of this program; a new migration needs a new file (test/support/old-stores/make.ts)', () => {
  const newest = idsOf(placeOf(files.at(-1)!).path)
  const now = toSchema(storeParts).map(({ id }) => id)
  assert.equal(newest, now.sort())
  const sets = files.map((file) =>
    JSON.stringify([storeInfo(placeOf(file).path, storeParts).version, idsOf(placeOf(file).path)]),
  )
  assert.is(new Set(sets).size, files.length, 'each file has a different set')
})

/** Checks the data that the local surface shows. */
async function checkBoard({ socketPath }: old.Running, { push, receipt, frontier }: old.Known): Promise<void> {
  const read = async (path: string): Promise<Record<string, unknown>> => (await sendTo({ socketPath }, { path })).json()
  assert.equal(await read(`/api/v2/sync/pushes/${push}`), receipt)
  const project = await read('/api/v1/kbd/projects/demo')
  assert.equal(project['frontier'], frontier)
  const { conflicts } = (await read('/api/v1/kbd/projects/demo/conflicts')) as { conflicts: { kind: string }[] }
  assert.is(conflicts.length, 1)
  const hash = createHash('sha256').update(old.TEXT).digest('hex')
  assert.is((await sendTo({ socketPath }, { path: `/api/v1/kbd/content/${hash}` })).text, old.TEXT)
  const gone = createHash('sha256').update('This goes away.').digest('hex')
  assert.is(
    (await sendTo({ socketPath }, { path: `/api/v1/kbd/content/${gone}` })).status,
    404,
    'the text was redacted',
  )
  await old.enter(socketPath, { type: 'card.update', cardId: old.CARD, title: 'A new title' })
  const after = (await read('/api/v1/kbd/projects/demo/conflicts')) as { conflicts: unknown[] }
  assert.is(after.conflicts.length, 0, 'a command that has seen both ends the conflict')
}

async function checkRuntime({ origin }: old.Running, { key, run, revoked }: old.Known): Promise<void> {
  if (revoked !== undefined) {
    const headers = { authorization: `Bearer ${tokenFor({ user: revoked })}` }
    assert.is((await fetch(`${origin}/api/svc/runs`, { headers })).status, 401, 'the user is still revoked')
  }
  if (key !== undefined) {
    const answer = await fetch(`${origin}/api/svc/auth/keys`, { headers: { 'x-api-key': key } })
    assert.is.not(answer.status, 401, 'the key is valid')
  }
  if (run !== undefined) {
    const record = JSON.parse(await old.askRuntime(origin, `/api/svc/runs/${old.RUN}`))
    assert.equal(record, { ...run, agent: null, error: null })
    const { epoch, last_seq } = run as { epoch: string; last_seq: number }
    const reading = await readRun(origin, old.RUN, { as: tokenFor({ user: 'ada' }) })
    await until('its events', async () => reading.ids.length === last_seq, 60_000)
    reading.close()
    assert.equal(reading.ids, [`${epoch}-1`, `${epoch}-2`])
    assert.equal(reading.events, old.EVENTS)
  }
}

for (const file of files) {
  testUnless(test, unbuilt, `a store of ${file.replace('.sql', '')} is upgraded and served`, async () => {
    const { folder, path, known } = placeOf(file)
    const before = storeInfo(path, storeParts).counts
    const env = await old.environmentOf(program, folder)
    const running = await old.start(program, env)
    try {
      await checkBoard(running, known)
      await checkRuntime(running, known)
    } finally {
      assert.is((await running.child.stop()).code, 0, running.child.err)
    }
    const after = storeInfo(path, storeParts).counts
    for (const kind of ['receipts', 'devices', 'boards', 'peers', 'keys', 'runs'])
      assert.is(after[kind], before[kind] ?? 0, kind)
    assert.equal(
      idsOf(path),
      toSchema(storeParts)
        .map(({ id }) => id)
        .sort(),
    )
    assert.match((await old.svc(program, env, 'store', 'check')).err, 'nothing is damaged')
  })
}

test.run()
