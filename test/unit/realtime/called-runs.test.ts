/**
 * The lease of a node that calls agents, and the end of runs of nodes that are gone, on a clock that the tests hold.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Callers } from '../../../plugins/realtime/runs/shared/api.ts'
import { CallLease } from '../../../plugins/realtime/runs/shared/call-lease.ts'
import type { Entry } from '../../../plugins/realtime/runs/shared/entry.ts'
import { LostCallers } from '../../../plugins/realtime/runs/shared/lost-callers.ts'
import { HeldClock } from '../../support/held-clock.ts'

/** The nodes that call agents, in memory. */
function createNodes() {
  const marks = new Map<string, number>()
  let mark = 0
  const state = { away: false }
  const of = (own: string): Callers => ({
    own,
    renew: async () => {
      if (state.away) throw new Error('away')
      marks.set(own, ++mark)
    },
    markOf: async (node) => {
      if (state.away) throw new Error('away')
      return marks.get(node) ?? 0
    },
    forget: async (node) => void marks.delete(node),
    readersElsewhere: async () => 'none',
  })
  return { marks, state, of }
}

/** A node that looks at others, and the runs that it ends. */
function createWatcher(clock: HeldClock, callers: Callers, away: { away: boolean }, holds: () => boolean = () => true) {
  const entries = new Map<string, { caller: string | undefined }>()
  const ended: string[] = []
  const watcher = new LostCallers({
    ...{ clock, callers, onError: (error) => assert.unreachable(String(error)) },
    store: {
      get away() {
        return away.away
      },
      lease: async () => holds(),
    },
    directory: {
      get entries() {
        return [...entries.values()] as unknown as Entry[]
      },
    },
    end: async (entry, { code }) => {
      const run = [...entries].find(([, one]) => (one as unknown) === entry)!
      run[1].caller = undefined
      ended.push(`${run[0]} ${code}`)
    },
  })
  return { entries, ended, stop: () => watcher.stop() }
}

test('a node that cannot renew its lease loses its calls before another node ends their runs', async () => {
  const clock = new HeldClock()
  const nodes = createNodes()
  /** The other node has its own connection, which goes on. */
  const other = createNodes()
  const lease = new CallLease({ clock, callers: nodes.of('a') })
  const others = createWatcher(
    clock,
    { ...other.of('b'), markOf: async (node) => nodes.marks.get(node) ?? 0 },
    other.state,
  )
  const lost: number[] = []
  await lease.hold(() => lost.push(clock.monotonic()))
  others.entries.set('r', { caller: 'a' })
  await clock.advance(120_000)
  assert.equal([lost, others.ended], [[], []], 'it is renewed for as long as there are calls')
  nodes.state.away = true
  const since = clock.monotonic()
  while (others.ended.length === 0 && clock.monotonic() - since < 120_000) await clock.advance(100)
  assert.is(lost.length, 1)
  assert.ok(lost[0]! - since <= 30_000, `lost after ${lost[0]! - since} ms`)
  assert.equal(others.ended, ['r svc.run.orphaned'])
  assert.ok(clock.monotonic() - lost[0]! >= 5_000, 'the other node waits longer')
  assert.is(nodes.marks.has('a'), true)
  const refused = await lease.hold(() => undefined).catch((error: Error) => error.message)
  assert.is(refused, 'away')
  nodes.state.away = false
  await lease.hold(() => assert.unreachable('it is held again'))
  await clock.advance(60_000)
  lease.stop()
  others.stop()
  assert.is(clock.pending, 0)
})

test('a lease without calls is not renewed', async () => {
  const clock = new HeldClock()
  const nodes = createNodes()
  const lease = new CallLease({ clock, callers: nodes.of('a') })
  const release = await lease.hold(() => assert.unreachable('it is given back'))
  release()
  await clock.advance(20_000)
  const mark = nodes.marks.get('a')
  assert.is(clock.pending, 0)
  nodes.state.away = true
  await clock.advance(60_000)
  assert.is(nodes.marks.get('a'), mark)
})

test('runs of a silent node are ended by the holder of the lease alone, those of other nodes and of no node are not', async () => {
  const clock = new HeldClock()
  const nodes = createNodes()
  let holds = false
  const watcher = createWatcher(clock, nodes.of('a'), nodes.state, () => holds)
  for (const [run, caller] of [
    ['own', 'a'],
    ['lively', 'b'],
    ['silent', 'c'],
    ['never-there', 'd'],
    ['of-nobody', undefined],
  ] as const)
    watcher.entries.set(run, { caller })
  nodes.marks.set('c', 1_000)
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 5_000) {
      await nodes.of('b').renew()
      await clock.advance(5_000)
    }
  }
  await pass(120_000)
  assert.equal(watcher.ended, [])
  holds = true
  await pass(5_000)
  assert.equal([...watcher.ended].sort(), ['never-there svc.run.orphaned', 'silent svc.run.orphaned'])
  assert.not.ok(nodes.marks.has('c'), 'nothing is left of it')
  watcher.stop()
})

test('time without the store does not count as silence of others', async () => {
  const clock = new HeldClock()
  const nodes = createNodes()
  const watcher = createWatcher(clock, nodes.of('a'), nodes.state)
  watcher.entries.set('r', { caller: 'b' })
  await nodes.of('b').renew()
  await clock.advance(40_000)
  nodes.state.away = true
  await clock.advance(300_000)
  nodes.state.away = false
  // The other node renews soon after the store is back.
  await clock.advance(10_000)
  await nodes.of('b').renew()
  await clock.advance(40_000)
  assert.equal(watcher.ended, [])
  await clock.advance(10_000)
  assert.equal(watcher.ended, ['r svc.run.orphaned'])
  watcher.stop()
})

test.run()
