/** Snapshots for late readers: correct at every position, created once for all readers of a position, in slices. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../core/kernel/environment.ts'
import { type Prelude, writePrelude } from '../../../plugins/realtime/runs/agui-spec/prelude-cache.ts'
import { preludeEvents } from '../../../plugins/realtime/runs/agui-spec/prelude-events.ts'
import type { AgUiEvent } from '../../../plugins/realtime/runs/event-shape.ts'
import { jsonPieces } from '../../../plugins/realtime/runs/json-pieces.ts'
import { Run } from '../../../plugins/realtime/runs/run.ts'
import { RunPoint } from '../../../plugins/realtime/runs/run-point.ts'
import { Slices } from '../../../plugins/realtime/runs/slices.ts'
import type { StreamClock } from '../../../plugins/realtime/streams/soon.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { countOf } from '../../support/count.ts'
import { startRig } from './rig.ts'
import { wholeRun } from './run-events.ts'

const soon = (run: () => void): void => void setImmediate(run)

function makeRun(runSliceMs = 5, runCheckpointEvents = 512): Run {
  let tail: Promise<unknown> = Promise.resolve()
  return new Run({
    record: {
      run_id: 'r',
      thread_id: 't',
      owner: { user_id: 'u', tenant_id: 't' },
      created_at_ms: 0,
      epoch: 'aaaaaaaa',
      agent: null,
    },
    runMaxEvents: 4_096,
    runMaxBytes: 8_388_608,
    soon,
    startedAt: 0,
    slices: new Slices(systemClock, soon, runSliceMs),
    inTurn: (work) => {
      const done = tail.then(work)
      tail = done.catch(() => undefined)
      return done
    },
    runCheckpointEvents,
  })
}

const append = (run: Run, events: readonly AgUiEvent[]): void =>
  run.append(events, 0, 0, { left: Number.POSITIVE_INFINITY })

function events(prelude: Prelude): unknown[] {
  const parts: Uint8Array[] = []
  writePrelude(prelude, 'id', null, (bytes) => void parts.push(bytes))
  return Buffer.concat(parts)
    .toString()
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => JSON.parse(/^data: (.*)$/m.exec(block)![1]!))
}

test('the prelude at every position equals a fresh replay of the log up to it, with and without checkpoints', async () => {
  await fc.assert(
    fc.asyncProperty(wholeRun, fc.integer({ min: 1, max: 20 }), async (all, every) => {
      const run = makeRun(1_000, every)
      for (const event of all) append(run, [event])
      // From the last to the first, twice: in the second pass checkpoints exist.
      for (const at of [...all.keys(), ...all.keys()].map((index) => all.length - 1 - (index % all.length))) {
        const point = new RunPoint(8_388_608)
        for (const event of all.slice(0, at)) point.replay(structuredClone(event))
        run.preludes.bytes > 50_000 && run.preludes.clear()
        assert.equal(events(await run.preludes.at(at)), JSON.parse(JSON.stringify(preludeEvents(point))), `at ${at}`)
      }
    }),
    { numRuns: 20 },
  )
})

test('creating a large prelude does not block the event loop, and readers of one position share it', async () => {
  // Each place to pause is used, however fast the machine is.
  const run = makeRun(0)
  append(run, [{ type: 'RUN_STARTED', threadId: 't', runId: 'r' }])
  const snapshot = Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`member${i}`, [i]]))
  append(run, [{ type: 'STATE_SNAPSHOT', snapshot }])
  for (let i = 0; i < 4_000; i++)
    append(run, [{ type: 'STATE_DELTA', delta: [{ op: 'replace', path: `/member${i}/0`, value: -1 }] }])
  // Processor time, because other processes may delay this process for any time.
  const used = (): number => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
  const gaps: number[] = []
  let last = used()
  let over = false
  const watch = (): void => {
    gaps.push(used() - last)
    last = used()
    if (!over) setImmediate(watch)
  }
  const places = [3_900, 2_000, 3_900, 3_900, 500]
  const making = places.map((place) => run.preludes.at(place))
  for (const made of making) assert.instance(made, Promise)
  last = used()
  setImmediate(watch)
  const made = await Promise.all(making)
  over = true
  assert.is(made[0], made[2])
  assert.is(made[0], made[3])
  assert.is(Object.keys((events(made[1]!)[1] as { snapshot: object }).snapshot).length, 60_000)
  gaps.sort((a, b) => a - b)
  const all = gaps.reduce((sum, gap) => sum + gap, 0)
  // Each replayed event is a turn, and each piece of the state that is copied or written: 6 391 in all.
  assert.ok(gaps.length > 6_300, `only ${gaps.length} turns`)
  // No turn has much of the work. One may have a collection of garbage.
  assert.ok(gaps.at(-2)! < all / 4, `longest but one ${gaps.at(-2)} of ${all} ms`)
})

test('a slice is over after its time, and callers that wait get one each, in order', async () => {
  let nowMs = 0
  const runs: (() => void)[] = []
  const slices = new Slices({ monotonic: () => nowMs } as StreamClock, (run) => void runs.push(run), 5)
  const order: string[] = []
  void slices.turn().then(() => order.push('first'))
  void slices.turn().then(() => order.push('second'))
  for (const expected of [['first'], ['first', 'second']]) {
    runs.shift()!()
    await Promise.resolve()
    assert.equal(order, expected)
    assert.not.ok(slices.over)
    nowMs += 4
    assert.not.ok(slices.over)
    nowMs += 1
    assert.ok(slices.over)
  }
  assert.equal(runs, [])
})

test('a snapshot shows its position, even if events arrive while it is created', async () => {
  // Each place to pause is used, however fast the machine is.
  const run = makeRun(0)
  append(run, [{ type: 'RUN_STARTED', threadId: 't', runId: 'r' }])
  append(run, [
    { type: 'STATE_SNAPSHOT', snapshot: { list: Array.from({ length: 50_000 }, (_, i) => ({ i })), mark: 'then' } },
    { type: 'TEXT_MESSAGE_START', messageId: 'm' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'then' },
  ])
  const making = run.preludes.at(4)
  let done = false
  void Promise.resolve(making).then(() => {
    done = true
  })
  const change: AgUiEvent = {
    type: 'STATE_DELTA',
    delta: [
      { op: 'replace', path: '/mark', value: 'now' },
      { op: 'remove', path: '/list/0' },
    ],
  }
  for (let came = 0; came < 5; came++) {
    assert.is(done, false, 'it is still being created')
    append(run, [change, { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: ' and now' }])
    await new Promise((resolve) => setImmediate(resolve))
  }
  const [, state, messages] = events(await making) as [
    unknown,
    { snapshot: { list: unknown[]; mark: string } },
    { messages: { content: string }[] },
  ]
  assert.equal([state.snapshot.list.length, state.snapshot.mark], [50_000, 'then'])
  assert.is(messages.messages[0]!.content, 'then')
})

test('the pieces of a JSON text join to the same value', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.array(
        fc.string({ unit: anyCharacter, maxLength: 20 }).map((text) => text.repeat(2_000)),
        { maxLength: 3 },
      ),
      (value, long) => {
        const all = { value, long, undefined: undefined, list: Array.from({ length: 3_000 }, () => value) }
        assert.equal(JSON.parse([...jsonPieces(all)].join('')), JSON.parse(JSON.stringify(all)))
      },
    ),
    { numRuns: countOf({ quick: 40, deep: 400 }) },
  )
})

test('after a foreign position the gap event follows RUN_STARTED, and nothing is sent before the first event', async () => {
  const rig = await startRig()
  const owner = { user_id: 'ann', tenant_id: 'acme' }
  for (const [id, first] of [
    ['r', { type: 'RUN_STARTED', threadId: 't', runId: 'r' }],
    ['e', { type: 'RUN_ERROR', message: 'no' }],
  ] as const) {
    await rig.runs.create(owner, { run_id: id })
    const stream = await rig.listen(`/api/svc/runs/${id}/stream?stream_mode=agui_spec&last_event_id=bbbbbbbb-9`, {
      as: 'acme/ann',
    })
    assert.is(stream.response.headers.get('svc-last-event-id'), 'earliest')
    await new Promise((resolve) => setTimeout(resolve, 20))
    assert.equal(stream.events(), [])
    await rig.runs.append(owner, id, [first])
    if (id === 'r') await rig.runs.append(owner, id, [{ type: 'RUN_FINISHED', threadId: 't', runId: 'r' }])
    await stream.ended
    const types = stream.events().map(({ data }) => data['name'] ?? data['type'])
    assert.equal(
      types,
      id === 'r'
        ? ['RUN_STARTED', 'STATE_SNAPSHOT', 'MESSAGES_SNAPSHOT', 'svc.stream.gap', 'RUN_FINISHED']
        : ['RUN_ERROR'],
    )
  }
  await rig.stop()
})

test('streams whose preludes do not fit into memory are refused with 429', async () => {
  const rig = await startRig({ 'realtime.runs_max_bytes': 4_000_000 })
  const owner = { user_id: 'ann', tenant_id: 'acme' }
  await rig.runs.create(owner, { run_id: 'r' })
  await rig.runs.append(owner, 'r', [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'STATE_SNAPSHOT', snapshot: 'x'.repeat(400_000) },
  ])
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => rig.fetch('/api/svc/runs/r/stream?stream_mode=agui_spec', { as: 'acme/ann' })),
  )
  const statuses = answers.map(({ status }) => status)
  assert.ok(
    statuses.every((status) => status === 429),
    `${statuses}`,
  )
  const raw = await rig.listen('/api/svc/runs/r/stream', { as: 'acme/ann' })
  await raw.take(2)
  raw.close()
  await rig.stop()
})

test.run()
