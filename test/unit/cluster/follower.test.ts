/** A node whose PostgreSQL stops and starts: what the node notices without a timer. */
import postgres from 'postgres'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Follower } from '../../../plugins/cluster/postgres/follower.ts'
import { SharedKeyStore } from '../../../plugins/cluster/postgres/key-store.ts'
import { LOCK } from '../../../plugins/cluster/postgres/migrations.ts'
import { type Engine, noPostgres, startPostgres } from '../../../scripts/cluster/engines.ts'
import { until } from '../../../scripts/until.ts'
import { HeldClock } from '../../support/held-clock.ts'
import { testUnless } from '../../support/skip.ts'
import { databaseAt } from './database.ts'

const test = suite('cluster: following PostgreSQL')
const it = (name: string, work: () => Promise<void>): void => testUnless(test, noPostgres, name, work)

let engine: Engine
const followers: Follower[] = []

test.before(async () => {
  if (noPostgres === undefined) engine = await startPostgres()
})
test.after.each(async () => {
  await migration?.end()
  migration = undefined
  await Promise.all(followers.splice(0).map((node) => node.stop()))
})
test.after(() => engine?.stop())

/** A node with a clock that does not move, so that no query is caused by a timer. */
function node({ timeoutMs = 5_000 } = {}) {
  const clock = new HeldClock()
  const events: string[] = []
  const database = databaseAt(engine.url, {
    timeoutMs,
    onNotify: () => follower.look(),
    onBroken: () => follower.doubt(),
  })
  const store: SharedKeyStore = new SharedKeyStore({
    ...{ database, clock, maxRecords: 100, maxReads: 100, offlineMs: 60_000 },
    alsoRead: async () => undefined,
    onLost: () => follower.look(),
    onUsesRefused: () => undefined,
  })
  const follower: Follower = new Follower({
    ...{ database, store, clock, mayMigrate: true, onSchema: () => undefined, onLook: () => undefined },
    onMigration: ({ version }) => events.push(`migrating ${version}`),
    onHere: () => events.push('here'),
    onAway: () => events.push('away'),
  })
  followers.push(follower)
  const started = follower.start()
  return { clock, store, told: events, follower, started }
}

/** A migration of another process. It lasts until `end` is called. */
async function longMigration() {
  const sql = postgres(engine.url, { max: 1, fetch_types: false })
  await sql`select pg_advisory_lock(${LOCK})`
  return {
    /** The number of nodes that have waited for the lock longer than for an answer. */
    async waiting(): Promise<number> {
      const [row] = await sql<{ nodes: number }[]>`
        select count(*)::int as nodes from pg_locks
        where locktype = 'advisory' and not granted and waitstart < clock_timestamp() - interval '1500 ms'`
      return row!.nodes
    },
    end: () => sql.end(),
  }
}

let migration: Awaited<ReturnType<typeof longMigration>> | undefined

// This test is the first, because afterwards the schema exists.
it('a node waits for a migration longer than for an answer, its start does not wait, and a stop ends the wait', async () => {
  migration = await longMigration()
  const stopped = node({ timeoutMs: 1_000 })
  await stopped.follower.stop()
  assert.equal(stopped.told, [], 'a node that stops begins no migration, and says nothing of PostgreSQL')
  const one = node({ timeoutMs: 1_000 })
  const other = node({ timeoutMs: 1_000 })
  await until('both wait', async () => (await migration!.waiting()) === 2, 60_000)
  assert.equal([one.told, other.told], [['migrating 0'], ['migrating 0']], 'PostgreSQL is not away')
  for (const { follower } of [one, other]) assert.match(follower.problem ?? '', 'is being migrated')
  await one.clock.advance(5_000)
  await one.started
  await one.follower.stop()
  await migration.end()
  await until('the schema is made', () => !other.store.away, 60_000)
  await other.started
  assert.equal([one.store.away, other.told, other.follower.problem], [true, ['migrating 0', 'here'], undefined])
})

it('a node knows that PostgreSQL has ended as soon as its connections break', async () => {
  const { clock, store, told, started } = node()
  await started
  assert.equal([store.away, told], [false, ['here']])
  await engine.kill()
  await until('it is away', () => store.away, 60_000)
  assert.equal(told, ['here', 'away'])
  const asked = clock.pending
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.is(clock.pending, asked, 'PostgreSQL is not polled in a loop')
  await engine.start()
  await clock.advance(500)
  await until('it is here', () => told.length === 3, 60_000)
  assert.equal([store.away, told], [false, ['here', 'away', 'here']])
})

it('after an immediate restart a node queries PostgreSQL after at most one pause', async () => {
  const { clock, store, started } = node()
  await started
  await engine.kill()
  await engine.start()
  await clock.advance(500)
  await until('it is here', () => !store.away, 60_000)
  assert.equal(await store.list({ user: 'ada', tenant: 'acme' }), [])
})

test.run()
