/**
 * Determines when a replay of the heads of all runs is complete, also if the copy of the stream that delivers them
 * lacks some.
 */
import type { NatsConnection } from '@nats-io/transport-node'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Clock, systemClock } from '../../../core/kernel/environment.ts'
import type { Consumer, ConsumerOptions } from '../../../plugins/cluster/nats/consumer.ts'
import { ALL_RUNS, RUNS } from '../../../plugins/cluster/nats/names.ts'
import type { RunConsumers } from '../../../plugins/cluster/nats/run-consumers.ts'
import { RunWatch, type RunWatchOptions } from '../../../plugins/cluster/nats/run-watch.ts'
import { until } from '../../e2e/cluster/rig.ts'
import { HeldClock } from '../../support/held-clock.ts'

const test = suite('cluster: the watch of all runs')

/** What the leader says of a stream that ends at position 10. */
const ofLeader = {
  created: 'once',
  config: { max_bytes: 1 },
  state: { first_seq: 1, last_seq: 10 },
  cluster: { leader: 's1', replicas: [{ name: 's0' }, { name: 's2' }] },
}

/** What a server says that has led, and has begun anew with an empty disk. */
const ofReplaced = {
  ...ofLeader,
  state: { first_seq: 0, last_seq: 0 },
  cluster: { leader: 's1', replicas: [{ name: 's1' }, { name: 's2' }] },
}

const newest = (position: number | undefined): object =>
  position === undefined
    ? { error: { code: 404, err_code: 10_037, description: 'no message found' } }
    : { message: { seq: position } }

/**
 * A watch of a stream that ends at position 10, and functions that simulate its consumer. With `silent` no server
 * says which head is the newest. `replaced` tells whether a server with an empty disk answers too, before the leader.
 */
async function watchOf(newestHead: number | 'silent' | undefined, clock: Clock = systemClock, replaced = false) {
  const answers: Readonly<Record<string, readonly object[]>> = {
    [`$JS.API.STREAM.INFO.${RUNS}`]: replaced ? [ofReplaced, ofLeader] : [ofLeader],
    [`$JS.API.STREAM.MSG.GET.${RUNS}`]: [
      ...(replaced ? [newest(undefined)] : []),
      ...(newestHead === 'silent' ? [] : [newest(newestHead)]),
    ],
  }
  const asked: unknown[] = []
  const nats = {
    request: async (subject: string, body: string) => {
      asked.push(body)
      return { json: () => answers[subject]![0] }
    },
    requestMany: async function* (subject: string, body: string) {
      asked.push(body)
      for (const answer of answers[subject]!) yield { json: () => answer }
    },
  } as unknown as NatsConnection
  let consumerOptions: Omit<ConsumerOptions, 'stream' | 'clock' | 'connection' | 'onError'> | undefined
  let [completed, renewed] = [0, 0]
  const consumers = {
    open: (options: typeof consumerOptions) => {
      consumerOptions = options
      return { renew: () => void renewed++ } as unknown as Consumer
    },
  } as unknown as RunConsumers
  const watch = new RunWatch({
    ...{
      consumers,
      clock,
      connection: () => nats,
      prepare: async () => undefined,
      onReplaced: () => undefined,
    },
    skipped: {
      isFinding: false,
      add: async () => undefined,
      passed: () => undefined,
    } as unknown as RunWatchOptions['skipped'],
    onSkipped: () => undefined,
    watcher: { oldest: 1, begin: () => undefined, head: () => assert.unreachable(), complete: () => void completed++ },
  })
  await consumerOptions!.onBegin!(nats)
  return {
    watch,
    asked,
    deliver: (position: number) =>
      consumerOptions!.onMessage({
        position,
        atMs: 0,
        left: 0,
        message: { headers: undefined, subject: 's' } as never,
      }),
    caughtUp: () => consumerOptions!.onCaughtUp!(),
    completed: () => completed,
    renewed: () => renewed,
  }
}

test('a watch waits for a copy that lacks the newest heads', async () => {
  const { deliver, caughtUp, completed, asked } = await watchOf(10)
  deliver(3)
  caughtUp()
  await until('the watch goes on', async () => asked.includes(JSON.stringify({ last_by_subj: ALL_RUNS })), 60_000)
  assert.is(completed(), 0)
  for (let position = 4; position < 10; position++) deliver(position)
  assert.is(completed(), 0)
  deliver(10)
  assert.is(completed(), 1)
})

test('a replay that makes progress is not begun anew, however many questions wait for it in vain', async () => {
  const clock = new HeldClock()
  const { watch, deliver, completed, renewed, caughtUp } = await watchOf(10, clock)
  const answers: string[] = []
  for (let position = 1; position <= 10; position++) {
    void watch.current().then(
      () => answers.push('current'),
      () => answers.push('refused'),
    )
    await clock.advance(1_500)
    deliver(position)
  }
  caughtUp()
  await clock.advance(0)
  assert.equal([completed(), renewed()], [1, 0])
  assert.ok(answers.includes('refused') && answers.at(-1) === 'current', String(answers))
})

test('a replay that comes to a stop is begun anew', async () => {
  const clock = new HeldClock()
  const { watch, deliver, renewed } = await watchOf(10, clock)
  deliver(3)
  const refused = watch.current().then(
    () => assert.unreachable(),
    () => undefined,
  )
  await clock.advance(2_000)
  await refused
  assert.is(renewed(), 1)
})

test('a watch changes to another copy if its copy never gets the newest heads', async () => {
  const { deliver, caughtUp, completed, renewed } = await watchOf(10)
  deliver(3)
  caughtUp()
  await until('the watch goes on', async () => renewed() === 1, 60_000)
  assert.is(completed(), 0)
})

test('a server with an empty disk that still answers for the stream does not hide what the others have', async () => {
  const { watch, deliver, caughtUp, completed } = await watchOf(10, systemClock, true)
  caughtUp()
  let isCurrent = false
  const current = watch.current().then(() => (isCurrent = true))
  for (let position = 1; position <= 10; position++) {
    assert.equal([completed(), isCurrent], [0, false])
    deliver(position)
  }
  await current
  assert.is(completed(), 1)
})

test('a watch is not complete because no server says which head is the newest', async () => {
  const { deliver, caughtUp, completed, renewed } = await watchOf('silent')
  deliver(3)
  caughtUp()
  await until('the watch changes to another copy', async () => renewed() === 1, 60_000)
  assert.is(completed(), 0)
})

for (const [what, last, delivered] of [
  ['were removed', 7, 7],
  ['and all others were removed', undefined, 0],
] as const)
  test(`a stream whose newest messages ${what} is complete without them`, async () => {
    const { watch, deliver, caughtUp, completed } = await watchOf(last)
    if (delivered > 0) deliver(delivered)
    caughtUp()
    await until('the watch goes on', async () => completed() === 1, 60_000)
    await watch.current()
  })

test.run()
