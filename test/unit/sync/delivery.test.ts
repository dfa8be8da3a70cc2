/**
 * Deliveries that hang, fail for hours, or meet a changed clock: no other delivery is delayed, and the receipt stays
 * readable.
 */

import { sign } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { acknowledgedText } from '../../../plugins/protocol/acknowledgement.ts'
import type { Acknowledgement, Envelope, PeerTransport } from '../../../plugins/sync/api.ts'
import { createFeed } from '../../../plugins/sync/engine/receipts/feed.ts'
import { countContents } from '../../../plugins/sync/engine/store/contents.ts'
import { HeldClock } from '../../support/held-clock.ts'
import { storeParts } from '../../support/store-parts.ts'
import { createHosted, createServer, createSigner, type Signer, START_MS, settleLoop, signed } from './platforms.ts'

const alice = createSigner()
const SCOPES = ['kbd-control:demo']
const MAX_RECEIPT_BYTES = 262_144
const many = Array.from({ length: 256 }, createSigner)

function acknowledge(
  peer: Signer,
  envelope: Pick<Envelope, 'pushId' | 'canonicalPayloadHash'>,
  over: Partial<Acknowledgement>,
): Acknowledgement {
  const ack = {
    context: 'svc-peer-ack-1' as const,
    pushId: envelope.pushId,
    endpointId: peer.hex,
    canonicalPayloadHash: envelope.canonicalPayloadHash,
    state: 'received' as const,
    failure: null,
    appliedFrontier: null,
    auditHead: 'b'.repeat(64),
    ...over,
  }
  return { ...ack, signature: sign(null, Buffer.from(acknowledgedText(ack)), peer.privateKey).toString('base64') }
}

/** An engine whose timers use a clock that the test controls. */
async function withClock(transport: PeerTransport, limits = {}) {
  const held = new HeldClock(START_MS)
  const server = createServer({ transport, timers: held, limits, now: held.now })
  await server.enrol(alice, SCOPES)
  const advance = async (ms: number): Promise<void> => {
    await held.advance(ms)
    await settleLoop()
  }
  return { held, server, advance }
}

test('while 4 pushes wait for 256 hanging peers, a push to a healthy peer is delivered at once', async () => {
  const healthy = createSigner()
  const waiting: string[] = []
  const transport: PeerTransport = {
    async deliver(envelope, endpointId) {
      if (endpointId === healthy.hex) return acknowledge(healthy, envelope, { state: 'applied' })
      waiting.push(endpointId)
      return new Promise(() => {})
    },
  }
  const { server } = await withClock(transport)
  const targetEndpointIds = many.map(({ hex }) => hex)
  for (let i = 0; i < 4; i++) assert.is((await server.submit(signed(alice, { targetEndpointIds }))).status, 201)
  await settleLoop()
  assert.is(new Set(waiting).size, 256)
  assert.is(waiting.length, 256, 'one delivery at a time to each peer, however many envelopes wait')
  const { receipt } = await server.submit(signed(alice, { targetEndpointIds: [healthy.hex] }))
  await settleLoop()
  assert.is((await server.receipt(receipt!.pushId)).perPeer[healthy.hex]!.state, 'applied')
  await server.close()
})

test('a peer with a long queue gets its envelopes one after the other, the oldest first', async () => {
  const peer = createSigner()
  let active = 0
  let maxActive = 0
  const order: string[] = []
  const transport: PeerTransport = {
    async deliver({ pushId }) {
      maxActive = Math.max(maxActive, ++active)
      await new Promise((resolve) => setImmediate(resolve))
      active--
      order.push(pushId)
      return undefined
    },
  }
  const { server, advance } = await withClock(transport)
  const sent: string[] = []
  for (let i = 0; i < 12; i++) {
    sent.push((await server.submit(signed(alice, { targetEndpointIds: [peer.hex] }))).receipt!.pushId)
    await advance(1)
  }
  for (let i = 0; i < 5; i++) await settleLoop()
  assert.equal(order, sent)
  assert.is(maxActive, 1)
  await server.close()
})

test('a peer that is back gets all that has failed at once; one that only calls gets one attempt', async () => {
  const peer = createSigner()
  let isAway = true
  const tried: string[] = []
  const transport: PeerTransport = {
    async deliver({ pushId }) {
      tried.push(pushId)
      if (isAway) throw Object.assign(new Error('away'), { code: 'unreachable' })
      return undefined
    },
  }
  const { server, advance } = await withClock(transport, { retryFirstMs: 60_000 })
  const sent: string[] = []
  for (let i = 0; i < 4; i++) {
    sent.push((await server.submit(signed(alice, { targetEndpointIds: [peer.hex] }))).receipt!.pushId)
    await advance(1_000)
  }
  assert.equal(tried.splice(0), sent)
  server.engine.resume(peer.hex)
  for (let i = 0; i < 8; i++) await settleLoop()
  assert.is(tried.splice(0).length, 1, 'still away: one attempt shows it')
  isAway = false
  server.engine.resume(peer.hex)
  for (let i = 0; i < 8; i++) await settleLoop()
  assert.equal([...tried].sort(), [...sent].sort())
  await server.close()
})

test('a call of a peer counts, although an attempt from before it fails later', async () => {
  const peer = createSigner()
  const tried: string[] = []
  let fail: (() => void) | undefined
  let isAway = true
  const transport: PeerTransport = {
    async deliver({ pushId }) {
      tried.push(pushId)
      if (!isAway) return undefined
      await new Promise<void>((resolve) => (fail = resolve))
      throw Object.assign(new Error('away'), { code: 'unreachable' })
    },
  }
  const { server, advance } = await withClock(transport, { retryFirstMs: 60_000 })
  for (let i = 0; i < 3; i++) await server.submit(signed(alice, { targetEndpointIds: [peer.hex] }))
  for (let i = 0; i < 3; i++) {
    await advance(1_000)
    if (i < 2) fail!()
  }
  assert.is(tried.splice(0).length, 3, 'the third attempt hangs')
  isAway = false
  server.engine.resume(peer.hex)
  fail!()
  for (let i = 0; i < 8; i++) await settleLoop()
  assert.is(new Set(tried).size, 3, 'all are delivered without a pause')
  await server.close()
})

test('a peer that fails for 24 hours with changing errors causes few events, and the receipt stays readable', async () => {
  let attempts = 0
  const transport: PeerTransport = {
    async deliver(_envelope, endpointId) {
      attempts++
      const text = `${'long reason '.repeat(200)}\u0007\n${endpointId}`
      throw Object.assign(new Error(text), { code: `code-${attempts % 7}-${'x'.repeat(500)}` })
    },
  }
  const { server, advance, held } = await withClock(transport, { retryFirstMs: 600_000, retryMaxMs: 3_600_000 })
  const targetEndpointIds = many.map(({ hex }) => hex)
  const { receipt } = await server.submit(signed(alice, { targetEndpointIds }))
  const few = await server.submit(signed(alice, { targetEndpointIds: targetEndpointIds.slice(0, 2) }))
  for (let hours = 0; hours < 25; hours++) await advance(3_600_000)
  assert.ok(attempts > 256 * 20, `${attempts} attempts`)
  const end = await server.receipt(receipt!.pushId)
  assert.is(end.localState, 'failed')
  assert.ok(Buffer.byteLength(JSON.stringify(end)) <= MAX_RECEIPT_BYTES)
  const failureEvents = (await server.receipt(few.receipt!.pushId)).events.filter(
    ({ kind }) => kind === 'peer_delivery_failed',
  )
  assert.ok(failureEvents.length >= 2 && failureEvents.length <= 16, `${failureEvents.length} events for two peers`)
  for (const { failure } of failureEvents) {
    assert.ok(Buffer.byteLength(failure!.message) <= 256 && Buffer.byteLength(failure!.code) <= 64)
    assert.not.match(failure!.message, /[\u0000-\u001f]/)
  }
  assert.is(held.pending, 1, 'only the upkeep timer is pending')
  await server.close()
})

test('the receipt contains the largest acknowledgements of 256 peers within 256 KiB', async () => {
  let take!: (ack: Acknowledgement) => Promise<void>
  const transport: PeerTransport = {
    deliver: async () => {
      throw Object.assign(new Error('m'.repeat(256)), { code: 'c'.repeat(64) })
    },
    onAcknowledgement: (listener) => (take = listener),
  }
  const { server } = await withClock(transport)
  const { receipt } = await server.submit(signed(alice, { targetEndpointIds: many.map(({ hex }) => hex) }))
  await settleLoop()
  const failure = { code: 'c'.repeat(64), message: '"'.repeat(256), retryable: false }
  for (const peer of many) await take(acknowledge(peer, receipt!, { state: 'received' }))
  for (const peer of many) await take(acknowledge(peer, receipt!, { state: 'rejected', failure }))
  const end = await server.receipt(receipt!.pushId)
  const bytes = Buffer.byteLength(JSON.stringify(end))
  assert.ok(bytes <= MAX_RECEIPT_BYTES, `${bytes} bytes`)
  assert.ok(bytes > MAX_RECEIPT_BYTES * 0.9, `${bytes} bytes: nearly all of the room is used`)
  for (const [i, { hex }] of many.entries()) {
    const record = end.perPeer[hex]!
    const size = JSON.stringify({ [hex]: { ...record, failure: { code: '', message: '', retryable: false } } }).length
    assert.ok(size <= 560, `an entry without texts takes ${size}`)
    const { failure: _, ...event } = end.events.findLast(({ peer }) => peer === hex)!
    const eventSize = JSON.stringify({ ...event, sequence: 99_999 }).length + 1
    assert.ok(eventSize <= 165, `an event without a failure takes ${eventSize} (${i})`)
    assert.is(end.perPeer[hex]!.state, 'rejected')
    assert.is(end.perPeer[hex]!.ack!.signature.length, 88)
  }
  assert.equal(end.perPeer[many[0]!.hex]!.failure, failure, 'the failures of the first peers are complete')
  const acknowledgementEvents = end.events.filter(({ kind }) => kind.startsWith('peer_re'))
  assert.is(acknowledgementEvents.length, 512)
  assert.is((await server.engine.events(end.pushId, end.events.length)).ended, true)
  await server.close()
})

test('an acknowledgement with a failure longer than the wire format allows is refused', async () => {
  let take!: (ack: Acknowledgement) => Promise<void>
  const peer = createSigner()
  const { server } = await withClock({
    deliver: () => new Promise(() => {}),
    onAcknowledgement: (listener) => (take = listener),
  })
  const { receipt } = await server.submit(signed(alice, { targetEndpointIds: [peer.hex] }))
  for (const failure of [
    { code: 'c'.repeat(65), message: '', retryable: false },
    { code: 'c', message: 'ü'.repeat(129), retryable: false },
    { code: 'c', message: 'a\nb', retryable: false },
  ]) {
    const refused = await take(acknowledge(peer, receipt!, { state: 'rejected', failure })).catch((error) => error)
    assert.is(refused?.code, 'signature_invalid')
  }
  const other = { ...acknowledge(peer, receipt!, {}), context: 'svc-audit-checkpoint-1' as never }
  assert.is((await take(other).catch((error) => error))?.code, 'signature_invalid')
  assert.equal((await server.receipt(receipt!.pushId)).perPeer, {})
  await server.close()
})

test('24 hours after the broadcast a waiting feed ends, and the envelope is deleted', async () => {
  const { server, advance } = await withClock({ deliver: async () => undefined })
  server.engine.start()
  const peer = createSigner()
  const { receipt } = await server.submit(signed(alice, { targetEndpointIds: [peer.hex] }))
  await settleLoop()
  const kinds: string[] = []
  let over = false
  const reading = (async () => {
    for await (const event of createFeed(server.engine, receipt!.pushId, 0)) kinds.push(event.kind)
    over = true
  })()
  await advance(86_400_000 - 1_000)
  assert.is(over, false)
  assert.ok((await server.store.read((ledger) => ledger.push(receipt!.pushId)))!.envelope !== null)
  await advance(2_000)
  assert.is(over, true)
  await reading
  assert.equal(kinds, ['accepted', 'prepared', 'applied_locally', 'broadcast'])
  assert.is((await server.store.read((ledger) => ledger.push(receipt!.pushId)))!.envelope, null)
  await server.close()
})

test('a push whose time to settle passed while the service was stopped settles at the next start', async () => {
  const first = await withClock({ deliver: async () => undefined })
  const { receipt } = await first.server.submit(signed(alice, { targetEndpointIds: [createSigner().hex] }))
  await settleLoop()
  await first.server.close()
  const held = new HeldClock(START_MS + 90_000_000)
  const again = createServer({ path: first.server.path, timers: held, now: held.now })
  again.engine.start()
  await settleLoop()
  assert.is((await again.store.read((ledger) => ledger.push(receipt!.pushId)))!.envelope, null)
  await again.close()
})

test('without timers an embedded engine settles due pushes at the next operation, and ends their feeds', async () => {
  const platform = await createHosted(undefined, async () => {})
  await platform.enrol(alice, SCOPES)
  const { receipt } = await platform.submit(signed(alice, { targetEndpointIds: [createSigner().hex] }))
  await settleLoop()
  const feed = platform.embedded.sync.events(receipt!.pushId, 4)
  const ended = feed.next()
  await settleLoop()
  platform.clock.nowMs += 86_400_000
  await platform.submit(signed(alice, { issuedAtMs: platform.clock.nowMs }))
  assert.is((await ended).done, true)
  await platform.close()
})

test('a clock that is set back does not delay retries', async () => {
  for (const setMs of [-3_600_000, -120_000]) {
    const attempts: number[] = []
    const held = new HeldClock(START_MS)
    let offMs = 0
    const server = createServer({
      transport: {
        async deliver() {
          attempts.push(held.monotonic())
          throw new Error('away')
        },
      },
      timers: held,
      now: () => held.now() + offMs,
    })
    await server.enrol(alice, SCOPES)
    await server.submit(signed(alice, { targetEndpointIds: [createSigner().hex] }))
    await settleLoop()
    for (let i = 0; i < 12; i++) {
      await held.advance(250)
      await settleLoop()
    }
    assert.equal(attempts, [0, 1_000, 3_000])
    offMs = setMs
    for (let i = 0; i < 60; i++) {
      await held.advance(250)
      await settleLoop()
    }
    assert.equal(attempts, [0, 1_000, 3_000, 7_000, 15_000], `set by ${setMs} ms`)
    await server.close()
  }
})

test('settled receipts older than the retention are deleted with all their data, in slices', async () => {
  const DAY = 86_400_000
  const { server, held, advance } = await withClock(
    { deliver: () => new Promise(() => {}) },
    {
      retentionDays: 8,
      settleAfterMs: 100 * DAY,
      retryFirstMs: DAY,
      retryMaxMs: DAY,
    },
  )
  const old: string[] = []
  for (let i = 0; i < 150; i++) old.push((await server.submit(signed(alice))).receipt!.pushId)
  const peer = createSigner()
  const open = (await server.submit(signed(alice, { targetEndpointIds: [peer.hex] }))).receipt!.pushId
  await advance(5 * DAY)
  const young = (await server.submit(signed(alice, { issuedAtMs: held.now() }))).receipt!.pushId
  await advance(3 * DAY + 1)
  server.engine.start()
  for (let i = 0; i < 5; i++) await settleLoop()
  for (const pushId of old) assert.is(await server.store.read((ledger) => ledger.push(pushId)), undefined)
  assert.is((await server.receipt(young)).events.length, 3)
  assert.is((await server.receipt(open)).events.length > 0, true, 'a receipt that is not settled stays')
  const counts = await server.store.read((ledger) => countContents(ledger.driver, storeParts))
  assert.is(counts.receipts, 2)
  assert.ok((counts.events ?? Infinity) <= 3 + 4, `${counts.events} events`)
  assert.is((await server.submit(signed(alice))).code, 'request_stale')
  await server.close()
})

test('receipts are kept for ever if no retention is set', async () => {
  const { server, advance } = await withClock({ deliver: async () => undefined })
  const { receipt } = await server.submit(signed(alice))
  server.engine.start()
  await advance(400 * 86_400_000)
  assert.is((await server.receipt(receipt!.pushId)).events.length, 3)
  await server.close()
})

test.run()
