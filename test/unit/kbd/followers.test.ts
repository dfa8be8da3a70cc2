/** Many readers of a board, fast and slow, while commands arrive: no reader gets a state that never existed. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { runStarted } from '../../../plugins/kbd/agent-ui/events.ts'
import { createFollowers, type Followers } from '../../../plugins/kbd/agent-ui/followers.ts'
import type { Applied, Command, Project } from '../../../plugins/kbd/api.ts'
import type { PatchOperation } from '../../../plugins/realtime/runs/patch/json-patch.ts'
import { Connection } from '../../../plugins/realtime/streams/connection.ts'
import { countOf } from '../../support/count.ts'
import { FakeSink } from '../realtime/fakes.ts'
import { naivePatch } from '../realtime/naive-patch.ts'
import { drivers, openNode, proven, START_MS, snapshotOf, uuidOf } from './boards.ts'

const RUNS = countOf({ quick: 20, deep: 60, variable: 'SVC_FUZZ_RUNS' })

interface Event {
  readonly type: string
  readonly snapshot?: Project
  readonly delta?: readonly PatchOperation[]
}

/** The events that a client has received so far. */
const eventsIn = (sink: FakeSink): readonly Event[] =>
  sink.text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) => JSON.parse(frame.slice(6)) as Event)

/** A board whose followers are notified when the test calls `tell`. */
function board(maxBytes: number, maxHeldBytes = 1_000_000) {
  const { ledger, driver } = openNode(drivers['node:sqlite']!)
  const states = new Map<number, Project>([[0, ledger.snapshot('demo')]])
  const pending: Applied[] = []
  const errors: unknown[] = []
  const failing = { now: false }
  const followers: Followers = createFollowers({
    snapshot: async (project) => {
      await Promise.resolve()
      if (failing.now) throw new Error('the store is away')
      const found = snapshotOf(ledger, project)
      await Promise.resolve()
      return found
    },
    maxBytes,
    maxHeldBytes,
    onError: (error) => errors.push(error),
  })
  let made = 0
  return {
    followers,
    states,
    errors,
    failing,
    close: () => driver.close(),
    /** Enters a command. Followers are not notified yet. */
    enter(): void {
      const { heads } = ledger.standing('demo').frontier
      const command: Command = {
        type: heads.length === 0 ? 'board.create' : 'board.update',
        boardId: uuidOf(1),
        title: `${made++}`,
      }
      pending.push(ledger.enter(proven(command, { parents: heads }), START_MS))
      const state = ledger.snapshot('demo')
      states.set(state.revision, state)
    },
    /** Notifies followers of the next command. */
    tell(): void {
      const applied = pending.shift()
      if (applied !== undefined) followers.applied(applied)
    },
    lose: () => void pending.shift(),
    open(): FakeSink {
      const sink = new FakeSink(400)
      followers.follow('demo', new Connection(sink, () => 0), runStarted('demo', uuidOf(9)))
      return sink
    },
  }
}

/** Compares the events of a client with the states of the board. Returns the last revision of the client. */
function check(sink: FakeSink, states: ReadonlyMap<number, Project>): number {
  const [opening, ...events] = eventsIn(sink)
  assert.is(opening!.type, 'RUN_STARTED')
  let state: Project | undefined
  for (const { type, snapshot, delta } of events) {
    const before = state?.revision ?? -1
    if (type === 'STATE_SNAPSHOT') {
      state = snapshot!
      assert.ok(state.revision >= before, 'revisions do not go back')
    } else {
      assert.is(type, 'STATE_DELTA')
      state = naivePatch(state, delta!)!.value as Project
      assert.is(state.revision, before + 1, 'one delta per command')
    }
    assert.equal(state, states.get(state.revision))
  }
  return state?.revision ?? -1
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}

test('readers that come, leave, stall and continue get every state in order', async () => {
  const action = fc.constantFrom('enter', 'enter', 'tell', 'tell', 'lose', 'open', 'stall', 'drain', 'close', 'wait')
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(action, fc.nat()), { maxLength: 80 }),
      fc.constantFrom(1, 900, 100_000),
      async (actions, maxBytes) => {
        const it = board(maxBytes)
        const sinks: FakeSink[] = []
        for (const [what, which] of actions) {
          const sink = sinks[which % Math.max(1, sinks.length)]
          if (what === 'open') sinks.push(it.open())
          else if (what === 'stall' && sink !== undefined) sink.stalled = true
          else if (what === 'drain' && sink !== undefined && !sink.closed) sink.read()
          else if (what === 'close' && sink !== undefined && !sink.closed) sink.leave()
          else if (what === 'enter' || what === 'tell' || what === 'lose') it[what]()
          else if (what === 'wait') await settled()
        }
        await settled()
        // A lost command is detected with the next command.
        it.enter()
        for (let n = 0; n < actions.length + 1; n++) it.tell()
        await settled()
        for (let turn = 0; turn < 40; turn++) {
          for (const sink of sinks) if (!sink.closed) sink.read()
          await settled()
        }
        for (const sink of sinks) {
          const at = check(sink, it.states)
          if (!sink.closed) assert.is(at, it.states.size - 1)
        }
        for (const sink of sinks) if (!sink.closed) sink.leave()
        assert.is(it.followers.size, 0)
        assert.equal(it.errors, [])
        it.close()
      },
    ),
    { numRuns: RUNS, seed: 12 },
  )
})

test('a failed read of a board ends its readers, and the next reader reads the board again', async () => {
  const it = board(1_000)
  it.failing.now = true
  const sink = it.open()
  await settled()
  assert.equal([sink.ended, it.errors.length, it.followers.size], [true, 1, 0])
  it.failing.now = false
  const next = it.open()
  await settled()
  assert.is(check(next, it.states), 0)
  next.leave()
  it.close()
})

test('readers that stall during a snapshot hold a bounded size of former snapshots, and the oldest readers are ended', async () => {
  const it = board(1, 600)
  const sinks: FakeSink[] = []
  for (let n = 0; n < 5; n++) {
    it.enter()
    it.tell()
    const sink = it.open()
    sink.stalled = true
    await settled()
    sinks.push(sink)
  }
  const open = sinks.map(({ ended, closed }) => !ended && !closed)
  assert.is(open.at(-1), true, 'the newest reader continues')
  assert.is(open.at(-2), true, 'one former snapshot fits')
  assert.equal(open.slice(0, 2), [false, false])
  assert.equal(it.errors, [])
  for (const sink of sinks) if (!sink.closed) sink.leave()
  it.close()
})

test.run()
