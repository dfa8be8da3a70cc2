/**
 * `/readyz` of a node while NATS is away, frozen or full: a row fails at once, and unless NATS is only full, the status
 * is 503 after 30 s.
 */
import { connect } from '@nats-io/transport-node'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { feature as nats } from '../../../plugins/cluster/nats/feature.ts'
import { logOf } from '../../../plugins/cluster/nats/names.ts'
import { feature as probes } from '../../../plugins/probes/feature.ts'
import { type Engine, noNats, startNats } from '../../../scripts/cluster/engines.ts'
import { until } from '../../../scripts/until.ts'
import { HeldClock } from '../../support/held-clock.ts'
import { compose, keepLog, make } from '../../support/kernels.ts'
import { bodyOf, makeRequest } from '../../support/requests.ts'
import { testUnless } from '../../support/skip.ts'

const test = suite('cluster: readiness and NATS')

/** The smallest stream of runs: it holds twice as many bytes. */
const RUNS_MAX_BYTES = 65_536

/** A plugin that has runs in the store, as `realtime.runs` has. */
const runs = make('runs', {
  requires: ['RunStore'],
  setup: (ctx) =>
    ctx
      .use('RunStore')
      ?.watch(
        { begin: () => undefined, head: () => undefined, complete: () => undefined, oldest: Number.POSITIVE_INFINITY },
        RUNS_MAX_BYTES,
      ),
})

/** What `/readyz` answers: its status, and the rows of NATS. */
type Report = readonly [status: number, nats: string, run_appends: string]

/** A node, its NATS and the clock of its kernel. */
interface Scene {
  readonly engine: Engine
  readonly clock: HeldClock
  readonly report: () => Promise<Report>
  /** Waits until appends are said to work or not. */
  readonly untilAppends: (status: 'ok' | 'failed') => Promise<void>
}

function it(name: string, work: (scene: Scene) => Promise<void>): void {
  testUnless(test, noNats, name, async () => {
    const engine = await startNats()
    const clock = new HeldClock()
    const kernel = compose([probes, nats, runs], {
      ...{ environment: { clock }, log: keepLog() },
      given: { cluster: { nats_url: engine.url } },
    })
    const report = async (): Promise<Report> => {
      const reply = await kernel.surface('runtime').handle(makeRequest('/readyz'))
      const { checks } = bodyOf(reply) as { checks: Record<string, { status: string }> }
      return [reply.status, checks['nats']!.status, checks['run_appends']!.status]
    }
    const untilAppends = async (status: 'ok' | 'failed'): Promise<void> => {
      const isSaid = async (): Promise<boolean> => {
        // The node asks for the state of the stream every 2 s of this clock, and waits 2 s of the real one for an
        // answer.
        await clock.advance(100)
        return (await report())[2] === status
      }
      await until(`run_appends ${status}`, isSaid, 20_000)
    }
    await kernel.start()
    try {
      assert.equal(await report(), [200, 'ok', 'ok'])
      await work({ engine, clock, report, untilAppends })
    } finally {
      await kernel.stop()
      await engine.stop()
    }
  })
}

it('NATS away is reported at once, and makes a node not ready after 30 s', async ({ engine, clock, report }) => {
  await engine.kill()
  // The held clock stands still here, so the node reports NATS without any wait.
  await until('the node reports it', async () => (await report())[1] === 'failed', 60_000)
  await clock.advance(29_000)
  assert.equal(await report(), [200, 'failed', 'failed'])
  await clock.advance(2_000)
  assert.equal(await report(), [503, 'failed', 'failed'])
})

it('a NATS that is connected and frozen fails run_appends alone, which makes a node not ready after 30 s', async ({
  engine,
  clock,
  report,
  untilAppends,
}) => {
  process.kill(engine.pid, 'SIGSTOP')
  try {
    await untilAppends('failed')
    assert.equal(await report(), [200, 'ok', 'failed'])
    await clock.advance(29_000)
    assert.is((await report())[0], 200)
    await clock.advance(2_000)
    assert.equal(await report(), [503, 'ok', 'failed'])
  } finally {
    process.kill(engine.pid, 'SIGCONT')
  }
  await untilAppends('ok')
  assert.equal(await report(), [200, 'ok', 'ok'])
})

it('a full stream fails run_appends, and leaves a node ready', async ({ engine, clock, report, untilAppends }) => {
  const client = await connect({ servers: engine.url })
  try {
    const subject = logOf({ owner: { user_id: 'ann', tenant_id: 'acme' }, run_id: 'large' })
    const isRefused = async (): Promise<boolean> =>
      'error' in (await client.request(subject, 'x'.repeat(500))).json<object>()
    await until('the stream refuses more', isRefused, 60_000)
  } finally {
    await client.close()
  }
  await untilAppends('failed')
  await clock.advance(60_000)
  assert.equal(await report(), [200, 'ok', 'failed'])
})

test.run()
