/**
 * Revocations of several nodes in one PostgreSQL: each node follows them, and none relies on an answer that is too old.
 */
import postgres from 'postgres'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import { systemClock } from '../../../core/kernel/environment.ts'
import { createRevokedList, type RevokedList } from '../../../plugins/auth/revoked/revoked-list.ts'
import type { Database } from '../../../plugins/cluster/postgres/database.ts'
import { SharedKeyStore } from '../../../plugins/cluster/postgres/key-store.ts'
import { migrate } from '../../../plugins/cluster/postgres/migrations.ts'
import { SharedRevocations } from '../../../plugins/cluster/postgres/shared-revocations.ts'
import { type Engine, noPostgres, startPostgres } from '../../../scripts/cluster/engines.ts'
import { testUnless } from '../../support/skip.ts'
import { databaseAt } from './database.ts'

const test = suite('cluster: revocations on PostgreSQL')
const it = (name: string, work: () => Promise<void>): void => testUnless(test, noPostgres, name, work)
const BOUNDS = { maxRevocations: 1_000, maxRevocationsPerTenant: 1_000 }
const OFFLINE_MS = 60_000

interface Node {
  readonly store: SharedKeyStore
  readonly revocations: SharedRevocations
  readonly list: RevokedList
  readonly database: Database
  advance(ms: number): void
}

let engine: Engine
const nodes: Node[] = []

function node(): Node {
  let ahead = 0
  const database = databaseAt(engine.url)
  const store: SharedKeyStore = new SharedKeyStore({
    database,
    clock: { ...systemClock, monotonic: () => performance.now() + ahead },
    maxRecords: 100,
    maxReads: 100,
    offlineMs: OFFLINE_MS,
    alsoRead: () => revocations.read(),
    onLost: () => undefined,
    onUsesRefused: () => undefined,
  })
  const revocations = new SharedRevocations(database, store)
  const list = createRevokedList(Date.now)
  revocations.follow((changed) => changed.forEach(list.apply))
  const made = { store, revocations, list, database, advance: (ms: number) => void (ahead += ms) }
  nodes.push(made)
  return made
}

const draft = (user: string, tenant = 't', jti: string | null = null, endMs = Number.POSITIVE_INFINITY) => ({
  ...{ tenant, user, jti, reason: 'why \u0000' },
  endMs,
})
const numberOf = ({ list }: Node, user: string): number => list.marks({ tenant: 't', user })[0]

const refusal = (work: () => unknown): string => {
  try {
    work()
    return 'none'
  } catch (error) {
    return isSvcError(error) ? error.code : String(error)
  }
}

test.before(async () => {
  if (noPostgres === undefined) {
    engine = await startPostgres()
    const [first] = [node()]
    await first.database.run(migrate, 60_000)
    await first.store.follow()
  }
})
test.after(async () => {
  for (const { database } of nodes) database.reset()
  await engine?.stop()
})

it('a node has a revocation once it has followed the changes, in order, renewed and lifted ones too', async () => {
  const [one, two] = [node(), node()]
  await Promise.all([one.store.follow(), two.store.follow()])
  const now = Date.now()
  const made = await one.revocations.revoke(draft('ada \u0000'), now, BOUNDS)
  assert.equal([made?.user, made?.tenant, made?.reason, made?.notBeforeMs], ['ada \u0000', 't', 'why \u0000', now])
  assert.is(numberOf(one, 'ada \u0000'), made?.number, 'before the answer')
  assert.is(numberOf(two, 'ada \u0000'), 0)
  await two.store.follow()
  assert.is(numberOf(two, 'ada \u0000'), made?.number)

  const back = await two.revocations.revoke(draft('ada \u0000'), now - 3_600_000, BOUNDS)
  assert.ok(back!.number > made!.number, 'numbers grow while the clock goes back')
  assert.is(back!.notBeforeMs, now)
  const lifted = await two.revocations.lift({ tenant: 't', user: 'ada \u0000' }, now + 5)
  assert.equal([lifted?.number, lifted?.liftedAtMs], [back!.number, now + 5])
  assert.is(await two.revocations.lift({ tenant: 't', user: 'nobody' }, now), null)
  await one.store.follow()
  const [row] = one.list.page('t', 1, Infinity)
  assert.equal([row?.number, row?.liftedAtMs], [back!.number, now + 5])
  const late = node()
  await late.store.follow()
  assert.is(numberOf(late, 'ada \u0000'), back!.number, 'a node that starts later reads all')
})

it('a cut-off node accepts tokens until its last answer is too old, and none before its first answer', async () => {
  const cut = node()
  assert.is(refusal(cut.revocations.checkAge), 'overloaded')
  await cut.store.follow()
  assert.is(refusal(cut.revocations.checkAge), 'none')
  cut.store.lose()
  cut.advance(OFFLINE_MS - 1_000)
  assert.is(refusal(cut.revocations.checkAge), 'none')
  cut.advance(1_000)
  assert.is(refusal(cut.revocations.checkAge), 'overloaded')
  await cut.store.follow()
  assert.is(refusal(cut.revocations.checkAge), 'none')
})

it('the limits count for all nodes, also for revocations at once; expired tokens make room', async () => {
  const [one, two] = [node(), node()]
  await Promise.all([one.store.follow(), two.store.follow()])
  const bounds = { maxRevocations: 1_000, maxRevocationsPerTenant: 3 }
  const now = Date.now()
  await one.revocations.revoke(draft('a', 'full', 'j', now + 10), now, bounds)
  const made = await Promise.all(
    ['b', 'c', 'd', 'e'].map((user, index) =>
      (index % 2 === 0 ? one : two).revocations.revoke(draft(user, 'full'), now, bounds),
    ),
  )
  assert.is(made.filter((row) => row !== null).length, 2)
  const [known] = made.flatMap((row) => row ?? [])
  assert.ok(await two.revocations.revoke(draft(known!.user, 'full'), now, bounds), 'a known user needs no room')
  assert.is(await two.revocations.revoke(draft('f', 'full'), now, bounds), null)
  assert.ok(await two.revocations.revoke(draft('f', 'full'), now + 11, bounds))
})

it('a database that was restored from a backup loses nothing on a running node, and numbers grow on', async () => {
  const kept = node()
  await kept.store.follow()
  const before = await kept.revocations.revoke(draft('lost'), Date.now(), BOUNDS)
  const sql = postgres(engine.url, { max: 1 })
  await sql`delete from svc.revocations`
  await sql`alter sequence svc.api_key_changes restart`
  await sql.end()
  await kept.store.follow()
  assert.is(numberOf(kept, 'lost'), before!.number)
  const after = await kept.revocations.revoke(draft('lost'), Date.now(), BOUNDS)
  assert.ok(after!.number > before!.number)
  assert.is(numberOf(kept, 'lost'), after!.number)
})

test.run()
