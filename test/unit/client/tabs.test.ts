/** Tabs that share a stream: a failing token, and a refused leader. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { EventStream, StateListener, StreamState } from '../../../plugins/client/event-stream.ts'
import { shareAcrossTabs, type Tab } from '../../../plugins/client/tabs.ts'
import { waitFor } from '../../support/wait-for.ts'

/** The Web Locks of an origin: each name has one holder and a queue. */
function locks(): { request: LockManager['request'] } {
  const held = new Map<string, Promise<unknown>>()
  const request = async (
    name: string,
    { signal }: { signal: AbortSignal },
    work: () => Promise<void>,
  ): Promise<void> => {
    const before = held.get(name) ?? Promise.resolve()
    const turn = before.then(() => (signal.aborted ? undefined : work()))
    held.set(name, turn)
    await turn
  }
  return { request: request as unknown as LockManager['request'] }
}

/** A tab with a stream that the test controls. */
function openTab(key: () => Promise<string>): {
  tab: Tab
  states: StreamState[]
  reasons: unknown[]
  events: unknown[]
  stream: () => { say: (event: unknown) => void; move: StateListener } | undefined
} {
  const states: StreamState[] = []
  const reasons: unknown[] = []
  const events: unknown[] = []
  let stream: { say: (event: unknown) => void; move: StateListener } | undefined
  const tab = shareAcrossTabs({
    key,
    schedule: { firstMs: 5, maxMs: 5, jitter: 0, maxAttempts: 3 },
    open: (say, move) => {
      stream = { say, move }
      return { close: () => undefined } as unknown as EventStream
    },
    onEvent: (event) => events.push(event),
    onState: (state, reason) => {
      states.push(state)
      reasons.push(reason)
    },
  })
  return { tab, states, reasons, events, stream: () => stream }
}

/** Long enough for several attempts. */
const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 40))

async function withLocks(work: () => Promise<void>): Promise<void> {
  const before = Object.getOwnPropertyDescriptor(navigator, 'locks')
  Object.defineProperty(navigator, 'locks', { value: locks(), configurable: true })
  try {
    await work()
  } finally {
    if (before === undefined) delete (navigator as { locks?: unknown }).locks
    else Object.defineProperty(navigator, 'locks', before)
  }
}

test('a tab retries a failing token, and gives up after its last attempt', () =>
  withLocks(async () => {
    let asked = 0
    const one = openTab(async () => {
      if (++asked < 3) throw new Error('offline')
      return 'k'
    })
    await waitFor('the first tab leads', () => one.stream() !== undefined)
    assert.is(asked, 3)
    assert.equal(one.states, ['waiting', 'waiting'])
    one.tab.close()

    const never = openTab(() => Promise.reject(new Error('never')))
    await waitFor('it has stopped', () => never.states.at(-1) === 'stopped')
    assert.equal(never.states, ['waiting', 'waiting', 'waiting', 'stopped'])
    assert.equal(never.reasons.at(-1), { text: 'gave up: never' })
    never.tab.close()

    let calls = 0
    const left = openTab(() => {
      calls++
      return Promise.reject(new Error('offline'))
    })
    left.tab.close()
    await soon()
    assert.is(calls, 1)
  }))

test('a refused leader gives up the lock and follows the next leader', () =>
  withLocks(async () => {
    const key = async (): Promise<string> => `k${Math.floor(performance.now())}`
    const name = await key()
    const [one, two] = [openTab(async () => name), openTab(async () => name)]
    await waitFor('the first tab leads', () => one.stream() !== undefined)
    assert.is(two.stream(), undefined)
    const reason = { text: '503 overloaded', status: 503, code: 'overloaded' }
    one.stream()!.move('waiting', reason)
    await waitFor('the second tab waits', () => two.states.at(-1) === 'waiting')
    assert.equal([one.reasons.at(-1), two.reasons.at(-1)], [reason, reason])
    one.stream()!.move('stopped')
    await waitFor('the second tab leads', () => two.stream() !== undefined)
    two.stream()!.move('open')
    two.stream()!.say('news')
    await waitFor('both have news', () => one.events.length > 0 && two.events.length > 0)
    assert.equal([one.events, two.events], [['news'], ['news']])
    await waitFor('the first tab follows', () => one.states.at(-1) === 'open')
    one.tab.close()
    two.tab.close()
  }))

test.run()
