/**
 * A run of a cluster in memory: the check of a batch has no effect, and a saved point restores the same state on
 * another node.
 */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../core/kernel/environment.ts'
import { preludeEvents } from '../../../plugins/realtime/runs/agui-spec/prelude-events.ts'
import type { AgUiEvent } from '../../../plugins/realtime/runs/event-shape.ts'
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
    record: { run_id: 'r', thread_id: 't', owner, created_at_ms: 0, epoch: 'aaaaaaaa', agent: null },
    ...{ runMaxEvents, runMaxBytes, soon, slices, startedAt: 0, runCheckpointEvents: 512 },
    inTurn: (work) => work(),
    toldBytes: 0,
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

/** A value with sorted object members, because an undo may change their order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)).map(([k, v]) => [k, sorted(v)]))
}

/** The comparable state of a run. Open items are sorted, because their order has no meaning. */
const stateOf = (point: RunPoint): unknown => [
  textsOf(preludeEvents(point).map(sorted)).sort(),
  toJson([point.sizes, point.order.phase, point.order.counts]),
  point.order.maps.map((map) => textsOf([...map].map(sorted)).sort()),
]

const headPoint = (run: SharedRun): RunPoint => (run as unknown as { head: RunPoint }).head

test('the check of a batch does not change the run, whether it accepts the batch or not', async () => {
  await fc.assert(
    fc.asyncProperty(wholeRun, fc.nat(), async (events, at) => {
      const run = makeRun()
      const cut = at % events.length
      run.follow(headOf(run, cut), textsOf(events.slice(0, cut)), [], 0)
      await run.understand(slices)
      const before = stateOf(headPoint(run))
      const { over } = run.check(events.slice(cut), 0, { left: Number.POSITIVE_INFINITY })
      assert.is(over, true)
      assert.equal(stateOf(headPoint(run)), before)
      assert.throws(() => run.check([...events.slice(cut), events[0]!], 0, { left: Number.POSITIVE_INFINITY }))
      assert.equal(stateOf(headPoint(run)), before)
    }),
    { numRuns: 100 },
  )
})

test('a run that is parsed on demand has the same state as a run that was parsed from the start', async () => {
  await fc.assert(
    fc.asyncProperty(
      wholeRun,
      fc.nat(),
      fc.nat(),
      fc.integer({ min: 1, max: 40 }),
      async (events, at, to, retained) => {
        const [run, eager] = [makeRun(retained), makeRun(retained)]
        await eager.understand(slices)
        const first = at % (events.length + 1)
        const second = first + (to % (events.length + 1 - first))
        const follow = (one: SharedRun, from: number, until: number): void => {
          for (let n = from; n < until; n++) one.follow(headOf(one, n + 1), textsOf([events[n]]), [], 0)
        }
        for (const one of [run, eager]) follow(one, 0, first)
        assert.ok(run.bytes > 0)
        const understood = run.understand(slices)
        // Events that arrive in the meantime are not lost.
        for (const one of [run, eager]) follow(one, first, second)
        await understood
        assert.equal(stateOf(headPoint(run)), stateOf(headPoint(eager)))
        for (const one of [run, eager]) follow(one, second, events.length)
        assert.equal(stateOf(headPoint(run)), stateOf(headPoint(eager)))
        assert.equal(stateOf(run.beginning), stateOf(eager.beginning))
        assert.is(run.bytes, eager.bytes)
      },
    ),
    { numRuns: 200 },
  )
})

test('a run that was not parsed counts with the size that its writer reported', () => {
  const run = makeRun()
  run.follow(
    { ...headOf(run, 1), bytes: 1_000_000 },
    textsOf([{ type: 'RUN_STARTED', threadId: 't', runId: 'r' }]),
    [],
    0,
  )
  assert.is(run.bytes, 1_000_000)
})

test('a node that starts from a saved point has the same state as a node that read all events, then and later', async () => {
  await fc.assert(
    fc.asyncProperty(wholeRun, fc.nat(), async (events, at) => {
      const cut = at % events.length
      const point = new RunPoint(8_388_608)
      for (const event of toJson(events.slice(0, cut)) as AgUiEvent[]) point.replay(event)
      let text = ''
      for await (const piece of savePoint(point, slices)) text += piece
      const loaded = new RunPoint(8_388_608)
      loadPoint(loaded, { point: text })
      assert.equal(stateOf(loaded), stateOf(point))
      for (const event of toJson(events.slice(cut)) as AgUiEvent[]) {
        point.replay(event)
        loaded.replay(event)
      }
      assert.equal(stateOf(loaded), stateOf(point))
    }),
    { numRuns: 100 },
  )
})

test('`firstAfter` predicts the oldest event that will be retained', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(300), { minLength: 1, maxLength: 4 }), { maxLength: 20 }), (batches) => {
      const run = makeRun(8, 4_096)
      run.follow(headOf(run, 1), textsOf([{ type: 'RUN_STARTED', threadId: 't', runId: 'r' }]), [], 0)
      for (const sizes of batches) {
        const texts = textsOf(sizes.map((size) => ({ type: 'CUSTOM', name: 'n', value: 'ä'.repeat(size) })))
        const predicted = run.firstAfter(texts)
        run.follow(headOf(run, run.record.last_seq + texts.length), texts, [], 0)
        assert.is(run.record.first_seq, predicted)
      }
    }),
    { numRuns: 200 },
  )
})

test.run()
