/** A run of a cluster in memory: what a trial leaves, and where a saved beginning puts another node. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../core/environment.ts'
import type { AgUiEvent } from '../../../plugins/realtime/runs/event-shape.ts'
import { preludeEvents } from '../../../plugins/realtime/runs/prelude.ts'
import { RunPoint } from '../../../plugins/realtime/runs/run-point.ts'
import { loadPoint, savePoint } from '../../../plugins/realtime/runs/shared/saved-point.ts'
import { SharedRun } from '../../../plugins/realtime/runs/shared/shared-run.ts'
import { Slices } from '../../../plugins/realtime/runs/slices.ts'
import { wholeRun } from './run-events.ts'

const soon = (run: () => void): void => void setImmediate(run)
const slices = new Slices(systemClock, soon, 5)

function makeRun(runMaxEvents = 4_096, runMaxBytes = 8_388_608): SharedRun {
  const owner = { user_id: 'u', tenant_id: 't' }
  return new SharedRun({
    record: { run_id: 'r', thread_id: 't', owner, created_at_ms: 0, epoch: 'aaaaaaaa' },
    ...{ runMaxEvents, runMaxBytes, soon, slices, startedAt: 0, runCheckpointEvents: 512 },
    inTurn: (work) => work(),
  })
}

const headOf = (run: SharedRun, last_seq: number, status: 'running' | 'finished' = 'running') => ({
  id: 'x',
  record: { ...run.record, status, ended_at_ms: status === 'running' ? null : 1, last_seq },
  bytes: 0,
  gone: false,
})

const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown
const textsOf = (events: readonly unknown[]): string[] => events.map((event) => JSON.stringify(event))

/** A value with the members of its objects in one order: taken back, they may stand in another. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)).map(([k, v]) => [k, sorted(v)]))
}

/** All that a run would tell, and refuse; what is open has no order. */
const standOf = (point: RunPoint): unknown => [
  textsOf(preludeEvents(point, null).map(sorted)).sort(),
  toJson([point.sizes, point.order.phase, point.order.counts]),
  point.order.maps.map((map) => textsOf([...map].map(sorted)).sort()),
]

const headPoint = (run: SharedRun): RunPoint => (run as unknown as { head: RunPoint }).head

test('a batch that is judged leaves the run as it was, whether it is let through or not', () => {
  fc.assert(
    fc.property(wholeRun, fc.nat(), (events, at) => {
      const run = makeRun()
      const cut = at % events.length
      run.follow(headOf(run, cut), textsOf(events.slice(0, cut)), 0)
      const before = standOf(headPoint(run))
      const over = run.check(events.slice(cut), { left: Number.POSITIVE_INFINITY })
      assert.is(over, true)
      assert.equal(standOf(headPoint(run)), before)
      assert.throws(() => run.check([...events.slice(cut), events[0]!], { left: Number.POSITIVE_INFINITY }))
      assert.equal(standOf(headPoint(run)), before)
    }),
    { numRuns: 100 },
  )
})

test('a node that begins at a saved place stands where one does that saw all, now and later', async () => {
  await fc.assert(
    fc.asyncProperty(wholeRun, fc.nat(), async (events, at) => {
      const cut = at % events.length
      const point = new RunPoint(8_388_608)
      for (const event of toJson(events.slice(0, cut)) as AgUiEvent[]) point.replay(event)
      let text = ''
      for await (const piece of savePoint(point, slices)) text += piece
      const loaded = new RunPoint(8_388_608)
      loadPoint(loaded, { point: text })
      assert.equal(standOf(loaded), standOf(point))
      for (const event of toJson(events.slice(cut)) as AgUiEvent[]) {
        point.replay(event)
        loaded.replay(event)
      }
      assert.equal(standOf(loaded), standOf(point))
    }),
    { numRuns: 100 },
  )
})

test('the oldest event that will be retained is foretold', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(300), { minLength: 1, maxLength: 4 }), { maxLength: 20 }), (batches) => {
      const run = makeRun(8, 4_096)
      run.follow(headOf(run, 1), textsOf([{ type: 'RUN_STARTED', threadId: 't', runId: 'r' }]), 0)
      for (const sizes of batches) {
        const texts = textsOf(sizes.map((size) => ({ type: 'CUSTOM', name: 'n', value: 'ä'.repeat(size) })))
        const foretold = run.firstAfter(texts)
        run.follow(headOf(run, run.record.last_seq + texts.length), texts, 0)
        assert.is(run.record.first_seq, foretold)
      }
    }),
    { numRuns: 200 },
  )
})

test.run()
