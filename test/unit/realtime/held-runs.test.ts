/** A removed run counts as memory of its owner for as long as a reader holds it, in memory and in a store. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { LogHub } from '../../../core/kernel/log.ts'
import { RunManager } from '../../../plugins/realtime/runs/manager.ts'
import { openStream } from '../../../plugins/realtime/runs/open-stream.ts'
import type { Run } from '../../../plugins/realtime/runs/run.ts'
import type { SharedRuns } from '../../../plugins/realtime/runs/shared/shared-runs.ts'
import { Keeper } from '../../../plugins/realtime/streams/keeper.ts'
import { HeldClock, settle } from '../../support/held-clock.ts'
import { MemoryRuns } from '../../support/memory-run-store.ts'
import { makeRequest } from '../../support/requests.ts'
import { codeOf } from '../../support/throws.ts'
import { FakeSink } from './fakes.ts'
import { finished, owner, runOptions, said, started, storedRuns } from './stored-runs.ts'

const fill = said('fill', 'x'.repeat(300_000))

const clock = new HeldClock()
const log = new LogHub(clock.now).logger('test')
/** One identity may have a megabyte. */
const options = { runsMaxBytes: 4_000_000, maxFinishedRuns: 0 }

const services = {
  memory: () => new RunManager(runOptions(clock, options)),
  store: () => storedRuns(new MemoryRuns().node(), clock, options),
}

for (const [where, start] of Object.entries(services)) {
  test(`a removed run counts until its reader has gone: ${where}`, async () => {
    const manager: RunManager | SharedRuns = start()
    const streams = new Keeper({
      ...{ clock, random: () => 0.5, heartbeatMs: 15_000, retryMs: 1_000, maxAgeMs: 1_800_000, maxAgeJitter: 0 },
      ...{ stallMs: 30_000, maxStreamsPerIdentity: 9, maxStreams: 9, streamsTenantShare: 1 },
      ownerOf: () => ({ key: 'ann', tenant: 'acme', credentialId: null, expiresAtMs: null }),
    })
    const end = (run_id: string, sink?: FakeSink): Promise<string> =>
      codeOf(async () => {
        await manager.create(owner, { run_id })
        await manager.append(owner, run_id, [started, fill])
        if (sink !== undefined) {
          const run = (await manager.find(owner, run_id, false)) as Run
          const reply = openStream(makeRequest('/'), run, { manager, streams, log })
          assert.ok(reply.stream !== undefined)
          sink.stalled = true
          reply.stream(sink)
        }
        await manager.append(owner, run_id, [finished])
        await settle()
        assert.is(await manager.get(owner, run_id), undefined, 'it is removed')
      })
    const sinks = [new FakeSink(), new FakeSink()]
    for (const [n, sink] of sinks.entries()) assert.is(await end(`held-${n}`, sink), 'taken')
    assert.is(await end('more'), 'rate_limited', 'two removed runs of 300 KB are held')
    for (const sink of sinks) sink.leave()
    for (let n = 0; n < 5; n++) assert.is(await end(`free-${n}`), 'taken')
    streams.drain()
    manager.close()
  })
}

test.run()
