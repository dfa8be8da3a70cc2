/** The store on a database of the host: what else an app, a second engine or a medium can do to it. */
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import initSqlJs from 'sql.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createBoards } from '../../../plugins/kbd/engine/embedded-boards.ts'
import { createDeviceKey, signCommand } from '../../../plugins/protocol/sign/index.ts'
import type { HostDatabase } from '../../../plugins/sync/store-host/database.ts'
import { countOf } from '../../support/count.ts'
import { createHostRig, databaseOf, type HostRig, outcomeOf } from './host-rig.ts'
import { createFolder, START_MS } from './platforms.ts'

const empty = { expectedFrontier: { heads: [] } }

function rigOn(database: HostDatabase, over: Parameters<typeof createHostRig>[0] = () => ({})): HostRig {
  const rig = createHostRig(over)
  rig.database = database
  return rig
}

test('a push is refused while the app has a transaction open, and the app keeps its transaction', async () => {
  const sqlite = new DatabaseSync(':memory:')
  sqlite.exec('CREATE TABLE app (a)')
  const timers = { setTimeout: (run: () => void) => setImmediate(run), clearTimeout: () => undefined }
  const rig = rigOn(databaseOf(sqlite), () => ({ timers }))
  const engine = await rig.start()
  sqlite.exec("BEGIN; INSERT INTO app VALUES ('draft')")
  const body = rig.push(empty)
  const refused = await engine.sync.submit(body).catch((error: unknown) => error as { code: string; message: string })
  assert.match((refused as { message: string }).message, /The app has a transaction open/)
  assert.ok(sqlite.isTransaction)
  sqlite.exec('COMMIT')
  assert.is(sqlite.prepare('SELECT count(*) AS n FROM app').get()!['n'], 1)
  assert.is(await outcomeOf(engine.sync.submit(body)), '201')
  assert.is(rig.applied.length, 1)
  await engine.close()
})

test('an engine is not started inside a transaction of the app', async () => {
  const sqlite = new DatabaseSync(':memory:')
  sqlite.exec('BEGIN')
  assert.is(await outcomeOf(rigOn(databaseOf(sqlite)).start()), 'receipt_store_unavailable')
  sqlite.exec('COMMIT')
  assert.is(sqlite.prepare('SELECT count(*) AS n FROM sqlite_schema').get()!['n'], 0)
})

test('of two engines on one database only the last one writes', async () => {
  const path = join(createFolder(), 'app.db')
  const rig = rigOn(databaseOf(new DatabaseSync(path)))
  const first = await rig.start()
  const [before, after] = [rig.push(empty), rig.push()]
  assert.is(await outcomeOf(first.sync.submit(before)), '201')
  rig.database = databaseOf(new DatabaseSync(path))
  const second = await rig.start()
  assert.is(await outcomeOf(first.sync.submit(after)), 'receipt_store_unavailable < ERR_DATABASE_TAKEN')
  assert.is(await outcomeOf(first.sync.submit(before)), '200', 'a replay is only read')
  assert.is(await outcomeOf(second.sync.submit(after)), '201')
  assert.is(rig.applied.length, 2)
  await first.close()
  await second.close()
})

test('another connection that holds the database is waited for', async () => {
  const path = join(createFolder(), 'app.db')
  const other = new DatabaseSync(path)
  const rig = rigOn(databaseOf(new DatabaseSync(path, { timeout: 0 })))
  const engine = await rig.start()
  other.exec('BEGIN IMMEDIATE')
  const pushed = outcomeOf(engine.sync.submit(rig.push(empty)))
  setTimeout(() => other.exec('COMMIT'), 20)
  assert.is(await pushed, '201')
  await engine.close()
})

test('values that SQLite did not store are refused at the start', async () => {
  const sqlite = new DatabaseSync(':memory:')
  const asTexts = databaseOf(sqlite, ({ all }) => ({
    all: (sql, params) =>
      all(sql, params).map((row) =>
        Object.values(row as object).map((value) => (value === null ? null : String(value))),
      ),
  }))
  assert.is(await outcomeOf(rigOn(asTexts).start()), 'ERR_HOST_VALUE')
  assert.is(
    await outcomeOf(rigOn(databaseOf(sqlite, () => ({ run: async () => undefined }))).start()),
    'ERR_HOST_VALUE',
  )
})

/** The columns of tables, without the prefix of their names. */
const COLUMNS = `SELECT replace(t.name, 'svc_', '') AS "table", c.name AS "column"
  FROM sqlite_schema t, pragma_table_xinfo(t.name) c
  WHERE t.type = 'table' AND t.name NOT GLOB 'sqlite_*' ORDER BY 1, 2`

test('boards move with their store', async () => {
  const rig = createHostRig()
  const key = await createDeviceKey()
  const ids: string[] = []
  /** Enters the commands before, which are known, and one more. */
  const enter = async (): Promise<void> => {
    const engine = await rig.start()
    const boards = createBoards(undefined, engine)
    const known = await boards.read((reads) => reads.commands('demo', undefined, 9)?.commands.map(({ id }) => id) ?? [])
    assert.equal(known, ids)
    const command = { type: 'board.create', boardId: randomUUID(), title: `Board ${ids.length}` } as const
    const draft = { project: 'demo', command, parents: ids.slice(-1) }
    const envelope = await signCommand(key, draft, { now: () => START_MS })
    const { status, id } = await boards.enter('demo', new TextEncoder().encode(JSON.stringify(envelope)))
    assert.is(status, 201)
    ids.push(id)
    assert.is((await boards.audit((chain) => chain.verify())).firstBad, null)
    await engine.close()
  }
  const path = join(createFolder(), 'moved.db')
  await enter()
  for (let round = 0; round < 2; round++) {
    writeFileSync(path, rig.saved!)
    const sqlite = new DatabaseSync(path)
    rig.database = databaseOf(sqlite)
    await enter()
    sqlite.close()
    rig.saved = new Uint8Array(readFileSync(path))
    delete rig.database
    await enter()
  }
  assert.is(ids.length, 5)
})

test('a column that has the name of a table keeps it, whichever variant made the store', async () => {
  const SQL = await initSqlJs()
  const columns = (sqlite: DatabaseSync): unknown[] =>
    sqlite
      .prepare(COLUMNS)
      .all()
      .map((row) => ({ ...row }))
  const rig = createHostRig()
  const onBytes = await rig.start()
  assert.is(await outcomeOf(onBytes.sync.submit(rig.push())), '201')
  await onBytes.close()
  const expected = new SQL.Database(rig.saved).exec(COLUMNS)[0]!.values.map(([table, column]) => ({ table, column }))
  assert.ok(expected.some(({ table, column }) => table === 'peers' && column === 'projects'))

  const made = new DatabaseSync(':memory:')
  rig.database = databaseOf(made)
  await (await rig.start()).close()
  assert.equal(columns(made), expected)
  made.close()

  const moved = join(createFolder(), 'moved.db')
  writeFileSync(moved, rig.saved!)
  const sqlite = new DatabaseSync(moved)
  rig.database = databaseOf(sqlite)
  await (await rig.start()).close()
  assert.equal(columns(sqlite), expected)
  sqlite.close()
})

test('a push writes as many pages after 5 000 receipts as after 50', async () => {
  const path = join(createFolder(), 'grown.db')
  const sqlite = new DatabaseSync(path)
  sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0')
  const rig = rigOn(databaseOf(sqlite))
  const engine = await rig.start()
  /** Pages in the log after pushes, one after the other. */
  const pages = async (count: number): Promise<number> => {
    sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    for (let i = 0; i < count; i++) assert.is(await outcomeOf(engine.sync.submit(rig.push())), '201')
    return Number(sqlite.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()!['log'])
  }
  await pages(50)
  const few = await pages(100)
  // Copies of the first receipt and its events. Signing and verifying as many pushes would take most of a minute.
  const columns = sqlite
    .prepare("SELECT name FROM pragma_table_info('svc_receipts') WHERE name NOT IN ('no', 'push_id')")
    .all()
  const names = columns.map(({ name }) => name).join()
  sqlite.exec(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4850)
    INSERT INTO svc_receipts (push_id, ${names}) SELECT lower(hex(randomblob(18))), ${names} FROM n, svc_receipts WHERE no = 1;
    INSERT INTO svc_events SELECT r.no, e.sequence, e.event, e.sum FROM svc_receipts r, svc_events e
      WHERE e.receipt_no = 1 AND r.no > 150;
  `)
  const many = await pages(100)
  assert.ok(few > 100, `pages are counted: ${few}`)
  assert.ok(many <= 1.2 * few, `${many} pages after 5 000 receipts, ${few} after 50`)
  await engine.close()
})

test('old receipts are removed at the start and once a day at a submit, in both stores', async () => {
  const DAY_MS = 86_400_000
  for (const store of ['bytes', 'database'] as const) {
    let nowMs = START_MS
    const rig = createHostRig(() => ({ now: () => nowMs }))
    if (store === 'database') rig.database = databaseOf(new DatabaseSync(':memory:'))
    rig.limits = { retentionDays: 8 }
    let engine = await rig.start()
    const first = rig.push()
    const idOf = (body: Uint8Array): string =>
      (JSON.parse(new TextDecoder().decode(body)) as { requestId: string }).requestId
    const code = (body: Uint8Array): Promise<string> =>
      engine.sync.receipt(idOf(body)).then(
        () => 'there',
        (error: { code: string }) => error.code,
      )
    assert.is(await outcomeOf(engine.sync.submit(first)), '201')
    nowMs += 8 * DAY_MS
    const second = rig.push({ issuedAtMs: nowMs })
    assert.is(await outcomeOf(engine.sync.submit(second)), '201')
    assert.is(await code(first), 'there', 'exactly 8 days old')
    nowMs += DAY_MS
    assert.is(await outcomeOf(engine.sync.submit(rig.push({ issuedAtMs: nowMs }))), '201')
    assert.is(await code(first), 'push_not_found', store)
    assert.is(await code(second), 'there')
    await engine.close()
    nowMs += 8 * DAY_MS
    engine = await rig.start()
    assert.is(await code(second), 'push_not_found', store)
    await engine.close()
    rig.limits = { retentionDays: 7 }
    assert.is(await outcomeOf(rig.start()), 'ERR_HOST_INCOMPLETE')
  }
})

test('a process that is killed in a commit has lost no acknowledged push and executed none twice', async () => {
  const folder = createFolder()
  const acknowledged = new Set<string>()
  const child = createRequire(import.meta.url).resolve('./host-database-child.ts')
  const kills = countOf({ quick: 5, deep: 50 })
  for (let round = 0; round < kills; round++) {
    const process = fork(child, [folder], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    const target = 2 + (round % 5)
    await new Promise<void>((resolve, reject) => {
      let taken = 0
      process.on('message', (id: string) => {
        if (id.startsWith('wrong')) return reject(new Error(id))
        acknowledged.add(id)
        // The next commit is under way.
        if (++taken === target) process.kill('SIGKILL')
      })
      process.on('exit', () => resolve())
    })
  }
  const sqlite = new DatabaseSync(join(folder, 'app.db'))
  const rig = rigOn(databaseOf(sqlite))
  const engine = await rig.start()
  for (const id of acknowledged) assert.is((await engine.sync.receipt(id)).localState, 'applied_locally')
  const { most } = sqlite.prepare('SELECT max(n) AS most FROM (SELECT count(*) AS n FROM applied GROUP BY id)').get()!
  assert.is(most, 1)
  assert.ok(acknowledged.size >= kills * 2)
  await engine.close()
})

test.run()
