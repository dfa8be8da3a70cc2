/** A node and a PostgreSQL that goes and comes: what it notices without a timer. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Database } from '../../../plugins/cluster/postgres/database.ts'
import { Follower } from '../../../plugins/cluster/postgres/follower.ts'
import { SharedKeyStore } from '../../../plugins/cluster/postgres/key-store.ts'
import { CHANNEL } from '../../../plugins/cluster/postgres/statements.ts'
import { type Engine, noPostgres, startPostgres } from '../../../scripts/cluster/engines.ts'
import { HeldClock } from '../../support/held-clock.ts'
import { testUnless } from '../../support/skip.ts'

const test = suite('cluster: following PostgreSQL')
const it = (name: string, work: () => Promise<void>): void => testUnless(test, noPostgres, name, work)

let engine: Engine
const followers: Follower[] = []

test.before(async () => {
  if (noPostgres === undefined) engine = await startPostgres()
})
test.after.each(async () => {
  await Promise.all(followers.splice(0).map((one) => one.stop()))
})
test.after(() => engine?.stop())

/** A node whose clock stands still: nothing is asked because time has passed. */
async function node() {
  const clock = new HeldClock()
  const told: string[] = []
  const database = new Database({
    ...{ url: engine.url, connections: 2, timeoutMs: 5_000, channel: CHANNEL },
    onNotify: () => follower.look(),
    onBroken: () => follower.doubt(),
    after: (ms, run) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
  })
  const store: SharedKeyStore = new SharedKeyStore({
    ...{ database, clock, maxRecords: 100, maxReads: 100, offlineMs: 60_000 },
    onLost: () => follower.look(),
  })
  const follower: Follower = new Follower({
    ...{ database, store, clock, isMigrating: true, onSchema: () => undefined, onLook: () => undefined },
    onHere: () => told.push('here'),
    onAway: () => told.push('away'),
  })
  followers.push(follower)
  await follower.start()
  return { clock, store, told }
}

async function until(what: string, holds: () => boolean): Promise<void> {
  for (const since = performance.now(); !holds(); ) {
    assert.ok(performance.now() - since < 10_000, what)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

it('that it has ended is known as soon as its connections break', async () => {
  const { clock, store, told } = await node()
  assert.equal([store.away, told], [false, ['here']])
  await engine.kill()
  await until('it is away', () => store.away)
  assert.equal(told, ['here', 'away'])
  const asked = clock.pending
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.is(clock.pending, asked, 'it is not asked again and again')
  await engine.start()
  await clock.advance(500)
  await until('it is here', () => told.length === 3)
  assert.equal([store.away, told], [false, ['here', 'away', 'here']])
})

it('restarted at once, it is asked again after one pause at most, and answers', async () => {
  const { clock, store } = await node()
  await engine.kill()
  await engine.start()
  await clock.advance(500)
  await until('it is here', () => !store.away)
  assert.equal(await store.list({ user: 'ada', tenant: 'acme' }), [])
})

test.run()
