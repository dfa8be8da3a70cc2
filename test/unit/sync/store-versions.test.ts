/** A file of every version there has been opens, with everything in it. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createPeerBook } from '../../../plugins/peer/registry/peer-registry.ts'
import { findMisfit } from '../../../plugins/sync/engine/admission/json-schema.ts'
import { pushReceiptSchema } from '../../../plugins/sync/engine/admission/schemas.ts'
import { migrations } from '../../../plugins/sync/engine/store/migrations/migrations.ts'
import { STORE_VERSION } from '../../../plugins/sync/engine/store/schema.ts'
import { projectNames } from '../../../plugins/sync/engine/store/walks.ts'
import { checkStore, storeInfo } from '../../../plugins/sync/store-sqlite/maintenance.ts'
import { createFolder, createHosted, createServer } from './platforms.ts'

const VERSIONS = join(import.meta.dirname, 'versions')
const FIRST = '11111111-2222-4333-8444-000000000001'
const SECOND = '11111111-2222-4333-8444-000000000002'

/** A file as that version wrote it. */
function fileOf(version: number): string {
  const path = join(createFolder(), 'sync.db')
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = WAL; ${readFileSync(join(VERSIONS, `${version}.sql`), 'utf8')}`)
  database.close()
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

test('every version but the present one has a file here', () => {
  assert.is(STORE_VERSION, migrations.length)
  assert.equal(
    readdirSync(VERSIONS).sort(),
    Array.from({ length: STORE_VERSION - 1 }, (_, i) => `${i + 1}.sql`),
  )
})

for (let version = 1; version < STORE_VERSION; version++) {
  test(`a file of version ${version} opens: nothing is lost, every row has its sum, the schema is that of a new file`, async () => {
    const path = fileOf(version)
    const before = storeInfo(path)
    assert.equal([before.version, before.newest], [version, STORE_VERSION])
    assert.equal(checkStore(path), { receipts: before.counts.receipts, damaged: [] })
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
    const words = Object.values(receipts[1]!.perPeer)
    assert.equal(words.map(({ state }) => state).sort(), ['received', 'rejected'])
    for (const { appliedFrontier, ack } of words) {
      assert.is(appliedFrontier, null)
      if (ack !== null) assert.equal(Object.keys(ack).sort(), ['auditHead', 'signature', 'signerKeyId'])
    }
    const left = await server.store.read((ledger) => ({
      devices: ledger.devices().map(({ status }) => status),
      projects: projectNames(ledger),
      outbox: ledger.outboxOf(2).map(({ attempts, told, toldCode }) => [attempts, told, toldCode]),
    }))
    assert.equal(left.devices.toSorted(), ['active', 'revoked'])
    assert.equal(left.projects, ['demo', 'old'])
    assert.equal(left.outbox, [[1, 0, null]])
    // Peers came with version 4.
    const entered = await createPeerBook(server.store, [], Date.now).list()
    assert.equal(
      entered.map(({ label }) => label),
      version < 4 ? [] : ['desk'],
    )
    await server.close()

    const after = storeInfo(path)
    assert.equal(after.counts, before.counts)
    assert.is(after.version, STORE_VERSION)
    assert.equal(checkStore(path), { receipts: before.counts.receipts, damaged: [] })
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

test('a migration that fails leaves the file at its version', async () => {
  const path = fileOf(1)
  const raw = new DatabaseSync(path)
  // What the second version adds is there already, so that its first statement fails.
  raw.exec('ALTER TABLE outbox ADD COLUMN told INTEGER')
  raw.close()
  const server = createServer({ path })
  const refused = await server.store.read(() => 1).catch((error: unknown) => error)
  assert.instance(refused, Error)
  await server.close()
  const info = storeInfo(path)
  assert.is(info.version, 1)
  const columns = new DatabaseSync(path, { readOnly: true }).prepare('PRAGMA table_info(receipts)').all()
  assert.not(columns.some(({ name }) => name === 'sum'))
})

test.run()
