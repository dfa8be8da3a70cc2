/** Each state of the store's files has a separate error code, and only damage is reported as damage. */

import { spawn } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from 'esbuild'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import { countContents } from '../../../plugins/sync/engine/store/contents.ts'
import { makeFolder } from '../../../plugins/sync/store-sqlite/durable-files.ts'
import { createFileStore } from '../../../plugins/sync/store-sqlite/file-store.ts'
import { backupStore, restoreStore, storeInfo } from '../../../plugins/sync/store-sqlite/maintenance.ts'
import { countOf } from '../../support/count.ts'
import { execOn } from '../../support/sqlite.ts'
import { storeParts } from '../../support/store-parts.ts'
import { failure, rejection } from '../../support/throws.ts'
import { createFolder, createServer, createSigner, type Signer, signed } from './platforms.ts'

const alice = createSigner()

const BIRTHS = countOf({ quick: 12, deep: 40 })

/** A store with one push, as after a kill of the service: the last commits are only in the log. */
async function killedStore(): Promise<{ path: string; body: Uint8Array }> {
  const folder = createFolder()
  const live = join(folder, 'live', 'sync.db')
  const server = createServer({ path: live })
  await server.enrol(alice, ['kbd-control:demo'])
  const body = signed(alice)
  assert.is((await server.submit(body)).status, 201)
  const path = join(folder, 'sync.db')
  for (const tail of ['', '-wal', '.mark']) copyFileSync(live + tail, path + tail)
  await server.close()
  return { path, body }
}

/** The result of opening a store. A failed opening must not change the files. */
async function openingResult(path: string): Promise<string> {
  const contents = (): string[] =>
    ['', '-wal', '.mark'].map((tail) => (existsSync(path + tail) ? readFileSync(path + tail, 'base64') : 'none'))
  const before = contents()
  const store = createFileStore({ path, now: () => performance.now(), parts: storeParts })
  try {
    store.open()
    await store.read((ledger) => ledger.push(''))
    return 'opened'
  } catch (error) {
    assert.ok(isSvcError(error), String(error))
    assert.equal(contents(), before, 'nothing was changed')
    return error.code
  } finally {
    await store.close()
  }
}

test('a file that is removed or emptied while its log or mark remains counts as missing, and is never created again', async () => {
  const faults: Readonly<Record<string, (path: string) => void>> = {
    'removed, log and mark remain': (path) => unlinkSync(path),
    'emptied, log and mark remain': (path) => truncateSync(path),
    'removed, the log remains': (path) => remove(path, `${path}.mark`),
    'emptied, the log remains': (path) => {
      truncateSync(path)
      unlinkSync(`${path}.mark`)
    },
    'removed, the mark remains': (path) => remove(path, `${path}-wal`),
    'emptied, the mark remains': (path) => {
      truncateSync(path)
      unlinkSync(`${path}-wal`)
    },
    'replaced by an empty database': (path) => {
      for (const file of [path, `${path}-wal`]) unlinkSync(file)
      new DatabaseSync(path).exec('PRAGMA user_version = 1; PRAGMA user_version = 0')
    },
  }
  for (const [name, fault] of Object.entries(faults)) {
    const { path } = await killedStore()
    fault(path)
    assert.is(await openingResult(path), 'store_missing', name)
  }
})

test('a missing store that is put back works again; if its mark is removed too, a new store is created', async () => {
  const { path, body } = await killedStore()
  renameSync(path, `${path}.away`)
  assert.is(await openingResult(path), 'store_missing')
  renameSync(`${path}.away`, path)
  let server = createServer({ path })
  assert.is((await server.submit(body)).status, 200)
  await server.close()
  for (const tail of ['', '.mark']) unlinkSync(path + tail)
  server = createServer({ path })
  await server.enrol(alice, ['kbd-control:demo'])
  assert.is((await server.submit(body)).status, 201)
  await server.close()
})

test('an unused empty file becomes a store with its application id in the first page and with its mark', async () => {
  const path = join(createFolder(), 'sync.db')
  closeSync(openSync(path, 'w'))
  assert.is(await openingResult(path), 'opened')
  assert.is(readFileSync(path).readUInt32BE(68), 0x73766352)
  assert.is(statSync(`${path}.mark`).mode & 0o777, 0o600)
  // A store of an earlier version has no mark.
  unlinkSync(`${path}.mark`)
  assert.is(await openingResult(path), 'opened')
  assert.ok(existsSync(`${path}.mark`))
  assert.equal(
    readdirSync(join(path, '..')).filter((name) => !name.startsWith('sync.db')),
    [],
  )
})

test('a store that was killed in its first milliseconds opens', async () => {
  const partialStores: Readonly<Record<string, (path: string) => void>> = {
    'an empty file': (path) => writeFileSync(path, ''),
    'the mark of the application alone': (path) => execOn(path, `PRAGMA application_id = ${0x73766352}`),
    'WAL mode alone': (path) => execOn(path, 'PRAGMA journal_mode = WAL'),
    'WAL mode, and a transaction that did not end': (path) => {
      const other = join(path, '..', 'other.db')
      const database = new DatabaseSync(other)
      database.exec('PRAGMA journal_mode = WAL; PRAGMA cache_size = 1; BEGIN; CREATE TABLE t (x)')
      for (let i = 0; i < 50; i++) database.exec(`INSERT INTO t VALUES (zeroblob(4000))`)
      for (const tail of ['', '-wal']) copyFileSync(other + tail, path + tail)
      database.close()
      for (const tail of ['', '-wal', '-shm']) rmSync(other + tail, { force: true })
    },
    'a rollback that was not ended': (path) => {
      const other = join(path, '..', 'other.db')
      const database = new DatabaseSync(other)
      database.exec(`PRAGMA application_id = ${0x73766352}; PRAGMA cache_size = 1; PRAGMA cache_spill = 1`)
      database.exec('BEGIN; CREATE TABLE t (x)')
      for (let i = 0; i < 50; i++) database.exec(`INSERT INTO t VALUES (zeroblob(4000))`)
      for (const tail of ['', '-journal']) copyFileSync(other + tail, path + tail)
      database.close()
      rmSync(other)
    },
  }
  for (const [name, createPartial] of Object.entries(partialStores)) {
    const path = join(createFolder(), 'sync.db')
    createPartial(path)
    // Not `openingResult`, because the opening may change the log of WAL mode.
    const store = createFileStore({ path, now: () => performance.now(), parts: storeParts })
    try {
      store.open()
      assert.is(await store.read((ledger) => countContents(ledger.driver, [])['receipts']), 0, name)
    } catch (error) {
      assert.unreachable(`${name}: ${error}`)
    } finally {
      await store.close()
    }
  }
})

test(`after kill -9 in the first milliseconds of the first start the next start works, ${BIRTHS} times`, async () => {
  const folder = createFolder()
  const script = join(folder, 'child.mjs')
  await build({
    stdin: {
      contents: `import { createFileStore } from './plugins/sync/store-sqlite/file-store.ts'
        import { storeParts } from './test/support/store-parts.ts'
        console.log('begins')
        createFileStore({ path: process.argv[2], now: () => performance.now(), parts: storeParts }).open()
        setInterval(() => {}, 1000)`,
      resolveDir: join(import.meta.dirname, '../../..'),
    },
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  let unfinished = 0
  for (let i = 0; i < BIRTHS; i++) {
    const path = join(folder, `born-${i}`, 'sync.db')
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = new Promise((done) => child.once('exit', done))
    await new Promise((done) => child.stdout.once('data', done))
    await sleep((i % 20) * 0.75)
    child.kill('SIGKILL')
    await exited
    if (!existsSync(`${path}.mark`)) unfinished++
    assert.is(await openingResult(path), 'opened', `round ${i}`)
  }
  assert.ok(unfinished > 0, 'some were killed while the store was being created')
})

test('a lock of another process is not damage, at the opening and for a waiting commit', async () => {
  const { path } = await killedStore()
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  const server = createServer({ path })
  server.store.open()
  setTimeout(() => other.exec('COMMIT'), 1_000)
  assert.is((await server.submit(signed(alice))).status, 201, 'after a second')
  other.exec('BEGIN IMMEDIATE')
  const write = server.store.write(() => 1)
  const refused = await rejection('receipt_store_unavailable', write)
  assert.match(refused.message, 'Another process')
  assert.is(refused.headers!['retry-after'], '1')
  other.exec('ROLLBACK')
  other.close()
  assert.is((await server.submit(signed(alice))).status, 201)
  await server.close()
})

test('a store that is emptied while the service runs gives 503, and no database with holes', async () => {
  const { path } = await killedStore()
  const server = createServer({ path })
  assert.is((await server.submit(signed(alice))).status, 201)
  truncateSync(path)
  const write = server.store.write(() => 1)
  const refused = await rejection('receipt_store_unavailable', write)
  assert.match(refused.message, 'emptied')
  await server.close().catch(() => {})
})

test('each new folder above a store, and the parent of the topmost, is synced to disk', () => {
  const top = createFolder()
  const synced: string[] = []
  makeFolder(join(top, 'a', 'b', 'c'), (folder) => synced.push(folder))
  assert.equal(synced, [join(top, 'a', 'b', 'c'), join(top, 'a', 'b'), join(top, 'a'), top])
  makeFolder(join(top, 'a', 'b', 'c'), () => assert.unreachable('nothing is new'))
  assert.is(statSync(join(top, 'a')).mode & 0o777, 0o700)
})

test('on macOS a commit reaches the medium, because fullfsync is on', () => {
  const path = join(createFolder(), 'sync.db')
  const statements: string[] = []
  const { exec: original } = DatabaseSync.prototype
  DatabaseSync.prototype.exec = function (sql: string) {
    statements.push(sql)
    return original.call(this, sql)
  }
  const store = createFileStore({ path, now: () => performance.now(), parts: storeParts })
  try {
    store.open()
  } finally {
    DatabaseSync.prototype.exec = original
    void store.close()
  }
  assert.match(statements.join(), /PRAGMA fullfsync = ON;\s+PRAGMA checkpoint_fullfsync = ON/)
})

function remove(...files: readonly string[]): void {
  for (const file of files) unlinkSync(file)
}

/**
 * A store of a served session that was killed: its newest commits, and with `born` all of them, are in the log alone.
 */
async function killedService(): Promise<{ readonly path: string; readonly earlier: string; readonly backup: string }> {
  const folder = createFolder()
  const [live, path] = [join(folder, 'live', 'sync.db'), join(folder, 'sync.db')]
  const [earlier, backup] = [join(folder, 'earlier.db'), join(folder, 'backup.db')]
  const enrol = async (signer: Signer): Promise<void> => {
    const server = createServer({ path: live })
    await server.enrol(signer, ['kbd-control:demo'])
    await server.close()
  }
  await enrol(createSigner())
  copyFileSync(live, earlier)
  const service = createFileStore({ path: live, now: () => performance.now(), parts: storeParts })
  service.serve()
  backupStore(live, backup, storeParts)
  await enrol(alice)
  await service.read((ledger) => ledger.push(''))
  for (const tail of ['', '-wal', '.mark']) copyFileSync(live + tail, path + tail)
  await service.close()
  return { path, earlier, backup }
}

test('a copy in the place of a store with a log is refused, and the log is not applied to it', async () => {
  const killed = await killedService()
  assert.is(await openingResult(killed.path), 'opened', 'the store itself')
  for (const kind of ['earlier', 'backup'] as const) {
    const found = await killedService()
    copyFileSync(found[kind], found.path)
    assert.is(await openingResult(found.path), 'store_replaced', kind)
    failure('store_replaced', () => storeInfo(found.path, storeParts))
    const { keptAt } = restoreStore(found.path, found.backup, 1, storeParts)
    assert.is(readFileSync(keptAt!, 'base64'), readFileSync(found[kind], 'base64'), 'kept as it was')
    assert.ok(existsSync(`${keptAt}-wal`))
    assert.is(await openingResult(found.path), 'opened')
    assert.is(storeInfo(found.path, storeParts).counts['devices'], 1, 'the backup')
  }
})

test('a store is opened as before if a service is killed anywhere while it renews the mark', async () => {
  const { path } = await killedService()
  const folder = dirname(path)
  const steps: Readonly<Record<string, (driver: DatabaseSync, id: string, ids: readonly string[]) => void>> = {
    'the mark file has the new id': (_, id, ids) => writeIds([id, ...ids]),
    'the log has the new id': (driver, id, ids) => {
      writeIds([id, ...ids])
      driver.exec(`UPDATE meta SET value = '${id}' WHERE key = 'mark'`)
    },
    'the file has the new id': (driver, id, ids) => {
      writeIds([id, ...ids])
      driver.exec(`UPDATE meta SET value = '${id}' WHERE key = 'mark'; PRAGMA wal_checkpoint(FULL)`)
    },
  }
  const writeIds = (ids: readonly string[]): void => writeFileSync(`${path}.mark`, `A store.\n${ids.join('\n')}\n`)
  for (const [name, step] of Object.entries(steps)) {
    const ids = readFileSync(`${path}.mark`, 'utf8').match(/^[0-9a-f]{32}$/gm) ?? []
    const driver = new DatabaseSync(path)
    step(driver, '0'.repeat(32), ids)
    const killedAt = join(folder, name.replaceAll(' ', '-'))
    for (const tail of ['', '-wal', '.mark']) copyFileSync(path + tail, killedAt + tail)
    driver.close()
    assert.is(await openingResult(killedAt), 'opened', name)
  }
})

test('a log that another process holds is reported, and given back when that process has ended', async () => {
  const path = join(createFolder(), 'sync.db')
  const store = createFileStore({ path, now: () => performance.now(), parts: storeParts })
  store.serve()
  const grow = (): Promise<void> =>
    store.write(({ rows }) => {
      for (let i = 0; i < 9_000; i++) rows("INSERT OR REPLACE INTO meta VALUES ('t' || ?, ?)", i, 'x'.repeat(8_000))
    })
  const browser = new DatabaseSync(path)
  browser.exec('BEGIN')
  browser.prepare('SELECT count(*) FROM meta').get()
  await grow()
  const held = store.trimLog()
  assert.ok(held.held && held.bytes > 64 * 1024 * 1024, JSON.stringify(held))
  browser.close()
  assert.equal(store.trimLog(), { bytes: 0, held: false })
  assert.is(statSync(`${path}-wal`).size, 0)
  await store.write(({ rows }) => void rows("DELETE FROM meta WHERE key LIKE 't%'"))
  await store.close()
})

test.run()
