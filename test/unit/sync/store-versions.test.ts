/** A file of every earlier version opens with all its data. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { StorePart } from '../../../core/declare/capabilities.ts'
import { storePart as boards } from '../../../plugins/kbd/engine/store-part.ts'
import { createPeerRegistry } from '../../../plugins/peer/registry/peer-registry.ts'
import { findMisfit } from '../../../plugins/sync/engine/admission/json-schema.ts'
import { pushReceiptSchema } from '../../../plugins/sync/engine/admission/schemas.ts'
import { newestVersion, toSchema } from '../../../plugins/sync/engine/store/schema.ts'
import { projectNames } from '../../../plugins/sync/engine/store/statements.ts'
import { createFileStore } from '../../../plugins/sync/store-sqlite/file-store.ts'
import { checkStore, storeInfo } from '../../../plugins/sync/store-sqlite/maintenance.ts'
import { execOn } from '../../support/sqlite.ts'
import { storeParts } from '../../support/store-parts.ts'
import { createFolder, createHosted, createServer } from './platforms.ts'

/** The version of a store with migrations that have only an id. */
const STORE_VERSION = newestVersion(toSchema(storeParts))
/** The number of versions before migrations had ids. */
const NUMBERED = 5
const VERSIONS = join(import.meta.dirname, 'versions')
const FIRST = '11111111-2222-4333-8444-000000000001'
const SECOND = '11111111-2222-4333-8444-000000000002'

/** A file as written by that version. */
function fileOf(version: number): string {
  const path = join(createFolder(), 'sync.db')
  execOn(path, `PRAGMA journal_mode = WAL; ${readFileSync(join(VERSIONS, `${version}.sql`), 'utf8')}`)
  return path
}

const tables = (path: string): unknown => {
  const database = new DatabaseSync(path, { readOnly: true })
  const found = database
    .prepare(`SELECT type, name, replace(replace(sql, char(10), ''), ' ', '') AS sql FROM sqlite_schema ORDER BY name`)
    .all()
  database.close()
  return found
}

test('every numbered version has a file in the folder', () => {
  assert.is(STORE_VERSION, NUMBERED + 1)
  assert.equal(
    readdirSync(VERSIONS).sort(),
    Array.from({ length: NUMBERED }, (_, i) => `${i + 1}.sql`),
  )
})

for (let version = 1; version <= NUMBERED; version++) {
  test(`a file of version ${version} opens without loss, every row gets a sum, and the schema equals the schema of a new file`, async () => {
    const path = fileOf(version)
    const before = storeInfo(path, storeParts)
    assert.equal([before.version, before.newest], [version, STORE_VERSION])
    assert.equal(checkStore(path, storeParts), { receipts: before.counts.receipts, damaged: [] })
    const raw = new DatabaseSync(path)
    const events = raw.prepare('SELECT event FROM events ORDER BY receipt_no, sequence').all()
    raw.close()

    const server = createServer({ path })
    const receipts = [await server.receipt(FIRST), await server.receipt(SECOND)]
    assert.equal(
      receipts.flatMap((receipt) => receipt.events),
      events.map(({ event }) => JSON.parse(String(event))),
    )
    for (const receipt of receipts) assert.is(findMisfit(receipt, pushReceiptSchema), undefined)
    assert.equal(
      receipts.map(({ frontier, revision, origin }) => [frontier, revision, origin]),
      [
        [null, null, null],
        [null, null, null],
      ],
    )
    const records = Object.values(receipts[1]!.perPeer)
    assert.equal(records.map(({ state }) => state).sort(), ['received', 'rejected'])
    for (const { appliedFrontier, ack } of records) {
      assert.is(appliedFrontier, null)
      if (ack !== null) assert.equal(Object.keys(ack).sort(), ['auditHead', 'signature', 'signerKeyId'])
    }
    const contents = await server.store.read((ledger) => ({
      devices: ledger.devices().map(({ status }) => status),
      projects: projectNames(ledger),
      outbox: ledger.outboxOf(2).map(({ attempts, told, toldCode }) => [attempts, told, toldCode]),
    }))
    assert.equal(contents.devices.toSorted(), ['active', 'revoked'])
    assert.equal(contents.projects, ['demo', 'old'])
    assert.equal(contents.outbox, [[1, 0, null]])
    // Peers exist since version 4.
    const entered = await createPeerRegistry(server.store, [], Date.now).list()
    assert.equal(
      entered.map(({ label }) => label),
      version < 4 ? [] : ['desk'],
    )
    await server.close()

    const after = storeInfo(path, storeParts)
    assert.equal(after.counts, before.counts)
    assert.is(after.version, STORE_VERSION)
    assert.equal(checkStore(path, storeParts), { receipts: before.counts.receipts, damaged: [] })
    const fresh = createServer()
    fresh.store.open()
    await fresh.store.read(() => undefined)
    assert.equal(tables(path), tables(fresh.path))
    await fresh.close()
  })

  test(`embedded: bytes of version ${version} open`, async () => {
    const hosted = await createHosted({
      saved: readFileSync(fileOf(version)),
      saves: 0,
      failSave: false,
      failApply: false,
    })
    assert.is((await hosted.receipt(SECOND)).events.length, 7)
    await hosted.close()
  })
}

const refusal = (path: string, parts = storeParts): unknown => {
  try {
    createFileStore({ path, now: Date.now, parts }).open()
    return undefined
  } catch (error) {
    return (error as { code?: unknown }).code
  }
}

test('a new store records its version and the ids of its migrations; a second opening does not write', async () => {
  const path = join(createFolder(), 'sync.db')
  assert.is(refusal(path), undefined)
  assert.is(storeInfo(path, storeParts).version, STORE_VERSION)
  const database = new DatabaseSync(path)
  const rows = database.prepare("SELECT key, value FROM meta WHERE key LIKE 'migration:%' ORDER BY key").all()
  assert.equal(
    rows.filter(({ value }) => value === 'needed').map(({ key }) => key),
    [
      'kbd.audit-users',
      'kbd.boards',
      'kbd.claim-spans',
      'kbd.content-ways',
      'peer.outbox',
      'peer.pairings',
      'peer.registry',
      'sync.receipts',
      'sync.sums',
    ].map((id) => `migration:${id}`),
  )
  const changes = (): unknown => database.prepare('PRAGMA data_version').get()
  const before = changes()
  assert.is(refusal(path), undefined)
  assert.equal(changes(), before)
  database.close()
})

test('a build without a feature creates a store of an older version; a build with it migrates the store, for good', () => {
  const path = join(createFolder(), 'sync.db')
  assert.is(refusal(path, []), undefined)
  assert.is(storeInfo(path, []).version, 2)
  assert.is(refusal(path, [boards]), undefined)
  assert.is(storeInfo(path, [boards]).version, STORE_VERSION)
  assert.is(refusal(path, []), 'store_newer')
  assert.is(refusal(path), undefined)
  assert.is(refusal(path, [boards]), 'store_newer')
  assert.is(storeInfo(path, storeParts).version, STORE_VERSION)
})

test('a store with id-only migrations is too new for programs without ids, also if its version was 5', () => {
  const path = join(createFolder(), 'sync.db')
  assert.is(refusal(path), undefined)
  // As left by programs that gave version 5 to every store with boards and peers.
  execOn(path, 'PRAGMA user_version = 5')
  assert.is(refusal(path), undefined)
  const { version } = storeInfo(path, storeParts)
  assert.ok(version > NUMBERED)
})

test('an unknown migration makes a build refuse the store, unless the migration is independent', () => {
  const path = join(createFolder(), 'sync.db')
  const own = (id: string, independent?: true): StorePart => ({
    migrations: [{ id, up: `CREATE TABLE ${id.replace('.', '_')} (a)`, ...(independent && { independent }) }],
  })
  assert.is(refusal(path, [...storeParts, own('other.notes', true)]), undefined)
  assert.is(refusal(path), undefined)
  assert.is(refusal(path, [...storeParts, own('other.shared')]), undefined)
  assert.is(refusal(path), 'store_newer')
  execOn(path, "DELETE FROM meta WHERE key = 'migration:other.shared'")
  assert.is(refusal(path), undefined)
})

test('migrations run after the migrations that they require, whatever the order of the features', () => {
  const ids = (parts: readonly StorePart[]): string[] => toSchema(parts).map(({ id }) => id)
  assert.equal(ids(storeParts.toReversed()).toSorted(), ids(storeParts).toSorted())
  for (const order of [storeParts, storeParts.toReversed()]) {
    const before = new Set<string>()
    for (const { id, requires = [] } of toSchema(order)) {
      for (const required of requires) assert.ok(before.has(required), `${id} before ${required}`)
      before.add(id)
    }
  }
  const tables = 'CREATE TABLE a (a)'
  assert.throws(() => toSchema([{ migrations: [{ id: 'a', requires: ['b'], up: tables }] }]), /a requires b/)
  assert.throws(() => toSchema([{ migrations: [{ id: 'sync.sums', up: tables }] }]), /two migrations sync\.sums/)
})

test('a migration that fails leaves the file at its version', async () => {
  const path = fileOf(1)
  const raw = new DatabaseSync(path)
  // The column of the second version exists already, so its first statement fails.
  raw.exec('ALTER TABLE outbox ADD COLUMN told INTEGER')
  raw.close()
  const server = createServer({ path })
  const refused = await server.store.read(() => 1).catch((error: unknown) => error)
  assert.instance(refused, Error)
  await server.close()
  const info = storeInfo(path, storeParts)
  assert.is(info.version, 1)
  const columns = new DatabaseSync(path, { readOnly: true }).prepare('PRAGMA table_info(receipts)').all()
  assert.not(columns.some(({ name }) => name === 'sum'))
})

test.run()
