/** The keys of several nodes in one PostgreSQL: several stores on one database, as several nodes have them. */
import postgres from 'postgres'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../core/kernel/environment.ts'
import type { KeyRecord } from '../../../plugins/auth/api-keys/store/key-store.ts'
import type { Database } from '../../../plugins/cluster/postgres/database.ts'
import { kindOf } from '../../../plugins/cluster/postgres/errors.ts'
import { SharedKeyStore } from '../../../plugins/cluster/postgres/key-store.ts'
import { migrate } from '../../../plugins/cluster/postgres/migrations.ts'
import { type Engine, noPostgres, startPostgres } from '../../../scripts/cluster/engines.ts'
import { testUnless } from '../../support/skip.ts'
import { databaseAt } from './database.ts'

const test = suite('cluster: keys on PostgreSQL')
const it = (name: string, work: () => Promise<void>): void => testUnless(test, noPostgres, name, work)
const bounds = { maxKeys: 1_000, maxKeysPerTenant: 1_000, maxKeysPerOwner: 3, maxBytesPerOwner: 100_000 }

interface Node {
  readonly store: SharedKeyStore
  readonly database: Database
  /** Advances the clock of this node only. */
  advance(ms: number): void
  /** Codes of refused writes of last uses. */
  readonly refusedUses: unknown[]
}

let engine: Engine
const nodes: Node[] = []

function node(options: { maxReads?: number; url?: string; timeoutMs?: number } = {}): Node {
  let ahead = 0
  const { url = engine.url, timeoutMs = 5_000 } = options
  const database = databaseAt(url, { timeoutMs })
  const refusedUses: unknown[] = []
  const clock = { ...systemClock, monotonic: () => performance.now() + ahead }
  const store = new SharedKeyStore({
    database,
    clock,
    maxRecords: 100,
    maxReads: options.maxReads ?? 100,
    offlineMs: 60_000,
    alsoRead: async () => undefined,
    onLost: () => undefined,
    onUsesRefused: (error) => refusedUses.push((error as { code?: unknown }).code),
  })
  const made = { store, database, refusedUses, advance: (ms: number) => void (ahead += ms) }
  nodes.push(made)
  return made
}

let count = 0
function record(given: Partial<KeyRecord> = {}): KeyRecord {
  const id = String(++count).padStart(16, '0')
  const now = Date.now()
  return {
    id,
    name: id,
    owner: { user: `user ${id}`, tenant: 't' },
    scopes: ['a', 'b'],
    hash: '$argon2id$…',
    createdAtMs: now,
    expiresAtMs: now + 3_600_000,
    lastUsedAtMs: null,
    revokedAtMs: null,
    ...given,
  }
}

const codeOf = async (work: () => unknown): Promise<string> => {
  try {
    await work()
  } catch (error) {
    return String((error as { code?: unknown }).code)
  }
  return 'none'
}

test.before(async () => {
  if (noPostgres === undefined) engine = await startPostgres()
})
test.after(async () => {
  for (const { database } of nodes) database.reset()
  await engine?.stop()
})

it('nodes that migrate at the same time create the schema once', async () => {
  const both = [node(), node(), node()]
  await Promise.all(both.map(({ database }) => database.run(migrate)))
  for (const { store } of both) await store.follow()
})

it('a key that one node stores is read by another node, with any characters in its texts', async () => {
  const [a, b] = [node(), node()]
  await Promise.all([a.store.follow(), b.store.follow()])
  for (const text of [
    'plain',
    "o'hara",
    'a.b',
    '*',
    '>',
    '\u0000',
    '\ud800',
    '\r\n',
    '\u202e',
    '💥',
    '%_\\',
    'x'.repeat(9_000),
  ]) {
    const owner = { user: text, tenant: `${text}2` }
    const made = record({ name: text, owner, scopes: [text] })
    assert.ok(await a.store.add(made, bounds), JSON.stringify(text))
    const { hash: _, ...seen } = (await b.store.get(made.id))!
    const { hash: __, ...given } = made
    assert.equal(seen, given)
    assert.equal(
      (await b.store.list(owner)).map(({ id }) => id),
      [made.id],
    )
    // An owner whose parts give the same text when joined is another owner.
    assert.equal(await b.store.list({ user: `${text}2`, tenant: text }), [])
  }
})

it('a key revoked on one node is refused on another node after it follows, and its listeners are called', async () => {
  const [a, b] = [node(), node()]
  await Promise.all([a.store.follow(), b.store.follow()])
  const made = record()
  await a.store.add(made, bounds)
  await b.store.follow()
  assert.is((await b.store.get(made.id))?.revokedAtMs, null)
  const kept = b.store.get(made.id)
  assert.not.instance(kept, Promise, 'a cached record is returned without a query')
  const revoked: string[] = []
  b.store.onRevoked((id) => revoked.push(id))
  await a.store.revoke(made.id, 77)
  assert.is((await a.store.get(made.id))?.revokedAtMs, 77)
  await b.store.follow()
  assert.is(((await b.store.get(made.id)) as KeyRecord).revokedAtMs, 77)
  assert.equal(revoked, [made.id])
})

it('a record that was not confirmed for a second is read again, so that no node is behind for longer', async () => {
  const [a, b] = [node(), node()]
  await Promise.all([a.store.follow(), b.store.follow()])
  const made = record()
  await a.store.add(made, bounds)
  await b.store.follow()
  await b.store.get(made.id)
  await a.store.revoke(made.id, 5)
  b.advance(1_001)
  assert.is((await b.store.get(made.id))?.revokedAtMs, 5)
})

it('a read that a change overtakes is not cached', async () => {
  const [a, b] = [node(), node()]
  await Promise.all([a.store.follow(), b.store.follow()])
  const made = record()
  await a.store.add(made, bounds)
  const reading = b.store.get(made.id)
  await a.store.revoke(made.id, 9)
  await b.store.follow()
  await reading
  await b.store.follow()
  assert.is((await b.store.get(made.id))?.revokedAtMs, 9)
})

it('three nodes that add keys at the same time store no more than an owner may have', async () => {
  const three = [node(), node(), node()]
  await Promise.all(three.map(({ store }) => store.follow()))
  const owner = { user: 'greedy', tenant: 't' }
  const added = await Promise.all(
    Array.from({ length: 12 }, (_, index) => three[index % 3]!.store.add(record({ owner }), bounds)),
  )
  assert.is(added.filter((kept) => kept).length, 3)
  const [one] = await three[0]!.store.list(owner)
  assert.not.ok(await three[1]!.store.hasRoom(record({ owner }), bounds))
  await three[0]!.store.revoke(one!.id, Date.now())
  assert.ok(await three[1]!.store.hasRoom(record({ owner }), bounds), 'a revoked key makes room')
})

it('the keys of a tenant are limited over its users and nodes, whatever its name; other tenants have room', async () => {
  const two = [node(), node()]
  await Promise.all(two.map(({ store }) => store.follow()))
  for (const tenant of ['evil', '"tenant":"other",\\"\\', '\u0000\ud800']) {
    const limited = { ...bounds, maxKeysPerTenant: 3 }
    const keyOf = (user: string): KeyRecord => record({ name: '"tenant":"other"', owner: { user, tenant } })
    const added: boolean[] = []
    for (let user = 0; user < 5; user++)
      added.push(await two[user % 2]!.store.add(keyOf(`"tenant":"${user}"`), limited))
    assert.equal(added, [true, true, true, false, false], tenant)
  }
  const other = record({ owner: { user: 'ann', tenant: 'other' } })
  assert.ok(await two[0]!.store.add(other, { ...bounds, maxKeysPerTenant: 1 }))
})

it('an invalid id is not looked up', async () => {
  const { store } = node()
  await store.follow()
  for (const id of ['', '\u0000', "' or 1=1 --", 'x'.repeat(100_000)]) assert.is(store.get(id), undefined)
  for (const id of ['', '\u0000']) await store.revoke(id, 1)
  assert.not.ok(store.away, 'a caller cannot make PostgreSQL count as away')
})

it('reads beyond the maximum at a time are refused and not queued', async () => {
  const { store } = node({ maxReads: 2 })
  await store.follow()
  const ids = ['A', 'B', 'C'].map((letter) => letter.repeat(16))
  const codes = await Promise.all(ids.map((id) => codeOf(() => store.get(id))))
  assert.equal(codes, ['none', 'none', 'overloaded'])
})

it('the latest use of all nodes is written to the database', async () => {
  const [a, b] = [node(), node()]
  await Promise.all([a.store.follow(), b.store.follow()])
  const made = record()
  await a.store.add(made, bounds)
  a.store.touch(made.id, 2_000)
  b.store.touch(made.id, 1_000)
  await a.store.flush()
  await b.store.flush()
  const [listed] = await a.store.list(made.owner)
  assert.is(listed?.lastUsedAtMs, 2_000)
})

/** Does work as the superuser, over a connection of its own. */
async function asSuperuser(work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(engine.url, {
    max: 1,
    onnotice: () => undefined,
    connection: { options: '-c default_transaction_read_only=off' },
  })
  try {
    await work(sql)
  } finally {
    await sql.end()
  }
}

/** Checks that changes are refused with `overloaded` and reads work, and that PostgreSQL does not count as away. */
async function onlyReads({ store, refusedUses }: Node, made: KeyRecord, code: string): Promise<void> {
  for (let n = 0; n < 2; n++) {
    assert.is(await codeOf(() => store.add(record(), bounds)), 'overloaded')
    assert.is(await codeOf(() => store.revoke(made.id, 1)), 'overloaded')
    store.touch(made.id, 2_000)
    await store.flush()
    await store.follow()
  }
  assert.is((await store.get(made.id))?.revokedAtMs, null)
  assert.equal(refusedUses, [code], 'reported once')
  assert.not.ok(store.away)
}

it('while the database only reads, as a managed one with a full disk does, changes are refused and keys work', async () => {
  const before = node()
  await before.store.follow()
  const made = record()
  await before.store.add(made, bounds)
  await asSuperuser((sql) => sql`alter database svc set default_transaction_read_only = on`)
  const made2 = node()
  await made2.store.follow()
  await onlyReads(made2, made, '25006')
  await asSuperuser((sql) => sql`alter database svc reset default_transaction_read_only`)
  const after = node()
  await after.store.follow()
  await after.store.revoke(made.id, 1)
})

it('without the right to write, changes are refused and keys work, and uses are written when the right is back', async () => {
  await asSuperuser((sql) =>
    sql.unsafe('create role reader login; grant usage on schema svc to reader; grant select on svc.api_keys to reader'),
  )
  const [owner, reader] = [node(), node({ url: engine.url.replace('svc@', 'reader@') })]
  for (const { store } of [owner, reader]) await store.follow()
  const made = record()
  await owner.store.add(made, bounds)
  await onlyReads(reader, made, '42501')
  await asSuperuser((sql) => sql`grant update on svc.api_keys to reader`)
  await reader.store.flush()
  assert.is((await owner.store.list(made.owner))[0]?.lastUsedAtMs, 2_000)
})

it('while a migration locks the table against changes, many changes at once are refused, and keys work', async () => {
  const locked = node({ timeoutMs: 1_000 })
  await locked.store.follow()
  const made = record()
  await locked.store.add(made, bounds)
  await asSuperuser((sql) =>
    sql.begin(async (tx) => {
      await tx`lock table svc.api_keys in share mode`
      const adding = Promise.all(Array.from({ length: 20 }, () => codeOf(() => locked.store.add(record(), bounds))))
      await onlyReads(locked, made, '55P03')
      assert.equal([...new Set(await adding)], ['overloaded'])
      assert.not.ok(locked.store.away)
    }),
  )
  await locked.store.revoke(made.id, 1)
})

test('an error of PostgreSQL is judged by the class of its SQLSTATE', () => {
  const kinds = (codes: string): string[] =>
    codes.split(' ').map((code) => kindOf(Object.assign(Object.create(postgres.PostgresError.prototype), { code })))
  assert.equal(kinds('08006 08P01 57P01 57P02 57P03'), Array(5).fill('away'))
  assert.equal(
    kinds('25006 42501 42P01 40001 40P01 53100 53200 53300 55P03 57014 58030 XX001 28P01'),
    Array(13).fill('refused'),
  )
  assert.equal(kinds('22021 23505 42601 42703'), Array(4).fill('fault'))
  assert.is(kindOf(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })), 'away')
})

it('a use whose write failed is written the next time', async () => {
  const { store, database } = node()
  await store.follow()
  const made = record()
  await store.add(made, bounds)
  store.touch(made.id, 2_000)
  const { change } = database
  database.change = () => Promise.reject(new Error('away'))
  assert.match(String(await store.flush().catch(String)), /away/)
  database.change = change
  await store.flush()
  const [listed] = await store.list(made.owner)
  assert.is(listed?.lastUsedAtMs, 2_000)
})

it('while PostgreSQL is away, recently used keys count for a minute and others get 503; afterwards a node catches up first', async () => {
  const [a, b] = [node(), node()]
  await Promise.all([a.store.follow(), b.store.follow()])
  const [known, other] = [record(), record()]
  for (const made of [known, other]) await a.store.add(made, bounds)
  await b.store.follow()
  await b.store.get(known.id)
  await engine.kill()
  assert.is(await codeOf(() => b.store.get(other.id)), 'overloaded', 'a cold key')
  assert.ok(b.store.away)
  assert.is((b.store.get(known.id) as KeyRecord).id, known.id)
  assert.is(await codeOf(() => b.store.add(record(), bounds)), 'overloaded')
  b.advance(59_000)
  assert.is((b.store.get(known.id) as KeyRecord).id, known.id)
  b.advance(1_001)
  assert.is(await codeOf(() => b.store.get(known.id)), 'overloaded', 'after a minute')
  await engine.start()
  a.store.lose()
  await a.store.follow()
  await a.store.revoke(known.id, 3)
  assert.is(await codeOf(() => b.store.get(known.id)), 'overloaded', 'no key is served before the node has caught up')
  await b.store.follow()
  assert.is((await b.store.get(known.id))?.revokedAtMs, 3)
})

it('after a database was restored to an earlier state, no cached key is served', async () => {
  const { store, database } = node()
  await store.follow()
  const made = record()
  await store.add(made, bounds)
  await store.follow()
  await store.get(made.id)
  await database.run((sql) => sql`delete from svc.api_keys`)
  await store.follow()
  assert.is(await store.get(made.id), undefined)
})

it('all tenants: a page has the newest keys, and a user is found whatever its name contains', async () => {
  const [a, b] = [node(), node()]
  await Promise.all([a.store.follow(), b.store.follow()])
  const tenant = 'tenant of pages'
  const names = ['plain', 'a"b', '","owner":{"user":"plain",', '\u0000', '\ud800', '%_\\', 'plain2']
  const made: KeyRecord[] = []
  const since = Date.now()
  for (const [at, user] of names.entries()) {
    const one = record({ owner: { user, tenant }, name: '"owner":{"user":"plain",', createdAtMs: since + at })
    made.unshift(one)
    assert.ok(await a.store.add(one, bounds))
  }
  const ids = (found: readonly KeyRecord[]): string[] => found.map(({ id }) => id)
  assert.equal(ids(await b.store.all.page({ tenant }, 100)), ids(made))
  assert.equal(ids(await b.store.all.page({ tenant }, 2, made[1])), ids(made.slice(2, 4)))
  for (const { owner, id } of made) {
    assert.equal(ids(await b.store.all.page(owner, 100)), [id], owner.user)
    assert.ok((await b.store.all.tenantsOf(owner.user)).includes(tenant), owner.user)
  }
  assert.equal(await b.store.all.tenantsOf('nobody at all'), [])
})

it('a key that ends earlier does so on a node that has its record, and is never prolonged', async () => {
  const [a, b] = [node(), node()]
  await Promise.all([a.store.follow(), b.store.follow()])
  const key = record()
  await a.store.add(key, bounds)
  await b.store.follow()
  const seen = await b.store.get(key.id)
  const end = Date.now() + 60_000
  await a.store.all.endBy(key.id, end)
  await a.store.all.endBy(key.id, end + 60_000)
  assert.is((await a.store.get(key.id))?.expiresAtMs, end)
  await b.store.follow()
  assert.is(seen?.expiresAtMs, end, 'streams of the key end with the record that they have')
  assert.is((await b.store.get(key.id))?.expiresAtMs, end)
})

it('erased keys end on every node, and nothing of their owner is left in the database', async () => {
  const [a, b] = [node(), node()]
  await Promise.all([a.store.follow(), b.store.follow()])
  const owner = { user: 'a person with a name', tenant: 'a tenant' }
  const [one, two] = [record({ owner }), record({ owner, revokedAtMs: Date.now() })]
  const other = record({ owner: { ...owner, tenant: 'another' } })
  for (const key of [one, two, other]) await a.store.add(key, bounds)
  await b.store.follow()
  for (const { id } of [one, other]) await b.store.get(id)
  const heard: string[] = []
  b.store.onRevoked((id) => heard.push(id))
  const now = Date.now()
  assert.equal([...(await a.store.all.erase(owner, now))].sort(), [one.id, two.id].sort())
  await b.store.follow()
  assert.ok(heard.includes(one.id))
  for (const { store } of [a, b]) {
    assert.is(await store.get(one.id), undefined)
    assert.is((await store.get(other.id))?.revokedAtMs, null)
    assert.equal(await store.list(owner), [])
    assert.equal(await store.all.page(owner, 10), [])
    assert.equal(await store.all.tenantsOf(owner.user), ['another'])
  }
  const rows = await a.database.run((sql) => sql`select * from svc.api_keys where id in (${one.id}, ${two.id})`)
  assert.is(rows.length, 2, 'nodes that have not seen the change find it')
  assert.not.match(JSON.stringify(rows), /a person|a tenant|argon2/)
})

test.run()
