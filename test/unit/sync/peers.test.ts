import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { PeerState, PeerTransport, PushReceipt } from '../../../plugins/sync/api.ts'
import { createFeed } from '../../../plugins/sync/engine/receipts/feed.ts'
import { countOf } from '../../support/count.ts'
import { rejection } from '../../support/throws.ts'
import { createHosted, createServer, createSigner, settleLoop, signed } from './platforms.ts'

const alice = createSigner()
const peers = [createSigner(), createSigner(), createSigner()]
const SCOPES = ['kbd-control:demo']

/** Timers that run when the test calls `next`. */
function createTimers(clock: () => { nowMs: number }) {
  let planned: { run: () => void; atMs: number; id: number }[] = []
  let next = 0
  return {
    setTimeout: (run: () => void, delayMs: number) => {
      planned.push({ run, atMs: clock().nowMs + delayMs, id: ++next })
      return next
    },
    clearTimeout: (id: unknown) => {
      planned = planned.filter((timer) => timer.id !== id)
    },
    /** Sets the clock to the time of the next timer, and runs the timer. */
    async next() {
      const [first, ...rest] = planned.toSorted((a, b) => a.atMs - b.atMs)
      planned = rest
      clock().nowMs = Math.max(clock().nowMs, first!.atMs)
      first!.run()
      await settleLoop()
    },
  }
}

function checkReceipt(receipt: PushReceipt): void {
  for (const [i, event] of receipt.events.entries()) assert.is(event.sequence, i + 1, 'gapless')
  const locals = receipt.events.flatMap(({ localState }) => localState ?? [])
  assert.is(locals[locals.length - 1], receipt.localState, 'the last local event is the state')
  assert.is(new Set(locals).size, locals.length, 'no state twice')
  for (const [peer, record] of Object.entries(receipt.perPeer)) {
    const states = receipt.events.filter((event) => event.peer === peer).flatMap(({ peerState }) => peerState ?? [])
    assert.is(states[states.length - 1], record.state)
    assert.ok(['received', 'applied', 'rejected', 'received applied', 'received rejected'].includes(states.join(' ')))
    assert.is(record.failure === null, record.state !== 'rejected')
  }
  if (Object.keys(receipt.perPeer).length > 0) assert.is(receipt.localState, 'broadcast')
}

test('a peer that is away is retried with growing delays, and the outbox survives a restart', async () => {
  let away = true
  const attempts: number[] = []
  let server!: ReturnType<typeof createServer>
  const timers = createTimers(() => server.clock)
  const transport: PeerTransport = {
    async deliver() {
      attempts.push(server.clock.nowMs)
      if (away) throw Object.assign(new Error('away'), { code: 'unreachable' })
      return undefined
    },
  }
  server = createServer({ transport, timers })
  await server.enrol(alice, SCOPES)
  const { receipt } = await server.submit(signed(alice, { targetEndpointIds: [peers[0]!.hex] }))
  await settleLoop()
  while (attempts.length < 13) await timers.next()
  const delays = attempts.slice(1).map((at, i) => (at - attempts[i]!) / 1000)
  assert.equal(delays.slice(0, 10), [1, 2, 4, 8, 16, 32, 64, 128, 256, 300])
  let now = await server.receipt(receipt!.pushId)
  assert.is(now.localState, 'applied_locally')
  assert.is(
    now.events.filter(({ kind }) => kind === 'peer_delivery_failed').length,
    1,
    'the same failure is recorded once',
  )
  assert.equal(now.events[3]!.failure, { code: 'unreachable', message: 'away', retryable: true })

  await server.engine.stop()
  away = false
  const before = attempts.length
  const again = createServer({ path: server.path, transport, timers })
  again.clock.nowMs = server.clock.nowMs + 300_000
  again.engine.start()
  await settleLoop()
  assert.is(attempts.length, before + 1)
  now = await again.receipt(receipt!.pushId)
  assert.is(now.localState, 'broadcast')
  checkReceipt(now)
  await again.close()
  await server.close()
})

test('a push fails if every peer is unreachable for good, and settles 24 hours after the broadcast', async () => {
  let server!: ReturnType<typeof createServer>
  const timers = createTimers(() => server.clock)
  const transport: PeerTransport = {
    async deliver(_envelope, endpointId) {
      if (endpointId !== peers[0]!.hex) throw Object.assign(new Error('no'), { code: 'unknown_peer', retryable: false })
      return undefined
    },
  }
  server = createServer({ transport, timers })
  await server.enrol(alice, SCOPES)
  const lost = await server.submit(signed(alice, { targetEndpointIds: [peers[1]!.hex, peers[2]!.hex] }))
  const half = await server.submit(signed(alice, { targetEndpointIds: [peers[0]!.hex, peers[2]!.hex] }))
  await settleLoop()
  const failed = await server.receipt(lost.receipt!.pushId)
  assert.is(failed.localState, 'failed')
  checkReceipt(failed)
  assert.is((await server.engine.events(failed.pushId, 0)).ended, true)
  assert.is((await server.recordPeer(failed.pushId, peers[1]!.hex, 'applied')).localState, 'failed')
  assert.is((await server.receipt(half.receipt!.pushId)).localState, 'broadcast')
  assert.is((await server.engine.events(half.receipt!.pushId, 99)).ended, false)
  server.clock.nowMs += 86_400_000
  assert.is((await server.engine.events(half.receipt!.pushId, 99)).ended, true)
  await server.close()
})

test('a receipt stays consistent under random interleavings of acknowledgements, on both platforms', async () => {
  const recordedState = fc.record({
    push: fc.nat(2),
    peer: fc.nat(3),
    state: fc.constantFrom<PeerState>('received', 'applied', 'rejected'),
    waitMs: fc.constantFrom(0, 0, 0, 5, 50_000_000),
  })
  const stranger = createSigner()
  await fc.assert(
    fc.asyncProperty(fc.array(recordedState, { maxLength: 25 }), fc.boolean(), async (records, hosted) => {
      const transport: PeerTransport = { deliver: () => new Promise(() => {}) }
      const platform = hosted ? await createHosted(undefined, () => new Promise(() => {})) : createServer({ transport })
      await platform.enrol(alice, SCOPES)
      const ids: string[] = []
      for (let i = 0; i < 3; i++) {
        const targetEndpointIds = peers.slice(0, i + 1).map(({ hex }) => hex)
        ids.push((await platform.submit(signed(alice, { targetEndpointIds }))).receipt!.pushId)
      }
      for (const { push, peer, state, waitMs } of records) {
        platform.clock.nowMs += waitMs
        const before = await platform.receipt(ids[push]!)
        const endpointId = [...peers, stranger][peer]!.hex
        // A host gets an error for a wrong peer. On the server such a record is ignored and audited.
        if (hosted && !before.targets.includes(endpointId)) {
          await rejection('target_invalid', platform.recordPeer(ids[push]!, endpointId, state))
          continue
        }
        const after = await platform.recordPeer(ids[push]!, endpointId, state)
        assert.equal(after.events.slice(0, before.events.length), before.events, 'earlier events do not change')
        assert.not(stranger.hex in after.perPeer)
      }
      for (const id of ids) checkReceipt(await platform.receipt(id))
      await platform.close()
    }),
    { numRuns: countOf({ quick: 30, deep: 300 }) },
  )
})

test('after random disconnects an event reader resumes at its position, and sees every event once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(3), { minLength: 1, maxLength: 8 }), async (cuts) => {
      const server = createServer({ transport: { deliver: () => new Promise(() => {}) } })
      await server.enrol(alice, SCOPES)
      const { receipt } = await server.submit(signed(alice, { targetEndpointIds: peers.map(({ hex }) => hex) }))
      const records: [number, PeerState][] = [
        [0, 'received'],
        [1, 'rejected'],
        [0, 'applied'],
        [2, 'applied'],
      ]
      const seen: number[] = []
      for (const cut of cuts) {
        const feed = createFeed(server.engine, receipt!.pushId, seen[seen.length - 1] ?? 0)
        const next = records.shift()
        if (next !== undefined) await server.recordPeer(receipt!.pushId, peers[next[0]]!.hex, next[1])
        for (let i = 0; i < cut; i++) {
          const pending = feed.next()
          // No event comes before the next record, so the reader leaves, as after a disconnect.
          const step = await Promise.race([pending, settleLoop().then(() => undefined)])
          if (step === undefined || step.done === true) break
          seen.push(step.value.sequence)
        }
        await feed.return!()
      }
      for (const [peer, state] of records) await server.recordPeer(receipt!.pushId, peers[peer]!.hex, state)
      for await (const event of createFeed(server.engine, receipt!.pushId, seen[seen.length - 1] ?? 0))
        seen.push(event.sequence)
      const all = await server.receipt(receipt!.pushId)
      assert.equal(
        seen,
        all.events.map(({ sequence }) => sequence),
      )
      await server.close()
    }),
    { numRuns: countOf({ quick: 20, deep: 200 }) },
  )
})

test('an embedded engine tries one delivery after a submit, records the failure, and tries again on deliver()', async () => {
  let away = true
  const sent: string[] = []
  const platform = await createHosted(undefined, async (envelope, endpointId) => {
    if (away) throw new Error('offline')
    sent.push(`${envelope.pushId} ${endpointId}`)
  })
  await platform.enrol(alice, SCOPES)
  const { receipt } = await platform.submit(signed(alice, { targetEndpointIds: [peers[0]!.hex] }))
  await settleLoop()
  let now = await platform.receipt(receipt!.pushId)
  assert.equal([now.localState, now.events.length, now.events[3]!.kind], ['applied_locally', 4, 'peer_delivery_failed'])
  platform.clock.nowMs += 3_600_000
  await platform.submit(signed(alice, { issuedAtMs: platform.clock.nowMs }))
  assert.is(sent.length, 0, 'never by itself')
  away = false
  now = await platform.embedded.sync.deliver(receipt!.pushId)
  assert.is(now.localState, 'broadcast')
  assert.equal(sent, [`${receipt!.pushId} ${peers[0]!.hex}`])
  await platform.close()
})

test.run()
