import { sign } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { acknowledgedText } from '../../../plugins/protocol/acknowledgement.ts'
import type { EntityEvent } from '../../../plugins/realtime/live/api.ts'
import type { LiveHub } from '../../../plugins/realtime/live/hub.ts'
import type { Acknowledgement, Envelope, PeerState, PushReceipt } from '../../../plugins/sync/api.ts'
import { findMisfit } from '../../../plugins/sync/engine/admission/json-schema.ts'
import { pushReceiptSchema, receiptEventSchema } from '../../../plugins/sync/engine/admission/schemas.ts'
import { until } from '../../../scripts/until.ts'
import { createFolder, createSigner, signed, toBytes } from '../../unit/sync/platforms.ts'
import { startDaemon, stopDaemons } from './daemon.ts'

test.after.each(stopDaemons)

const alice = createSigner()
const peers = [createSigner(), createSigner()]
const now = (): number => Date.now()
const body = (over: Record<string, unknown> = {}): Uint8Array => signed(alice, { issuedAtMs: now(), ...over })

/** Reads a stream to its end, or until `enough` returns true. */
async function readStream(
  stream: AsyncIterable<unknown>,
  enough: (text: string) => boolean = () => false,
): Promise<string> {
  let text = ''
  for await (const chunk of stream) {
    text += String(chunk)
    if (enough(text)) break
  }
  return text
}

test('a push returns its receipt, a replay returns the same receipt, and the stream returns its events', async () => {
  const daemon = await startDaemon()
  await daemon.enrol(alice, ['kbd-control:demo'])
  const push = body()
  const created = await daemon.push(push)
  assert.is(created.status, 201)
  const receipt = created.json() as unknown as PushReceipt
  assert.is(findMisfit(receipt, pushReceiptSchema), undefined)
  assert.is(created.headers['location'], `/api/v2/sync/pushes/${receipt.pushId}`)
  assert.is(created.headers['idempotent-replayed'], undefined)

  const replayed = await daemon.push(push)
  assert.is(replayed.status, 200)
  assert.is(replayed.headers['idempotent-replayed'], 'true')
  assert.is(replayed.text, created.text, 'the same receipt, byte for byte')

  const read = await daemon.send({ path: `/api/v2/sync/pushes/${receipt.pushId.toUpperCase()}` })
  assert.is(read.text, created.text)
  const stream = await daemon.open({ path: `/api/v2/sync/pushes/${receipt.pushId}/events` })
  assert.is(stream.statusCode, 200)
  assert.is(stream.headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.is(stream.headers['cache-control'], 'no-store, no-transform')
  assert.is(stream.headers['x-accel-buffering'], 'no')
  const text = await readStream(stream)
  const frames = receipt.events.map(
    (event) => `id: ${event.sequence}\nevent: receipt\ndata: ${JSON.stringify(event)}\n\n`,
  )
  assert.is(text, `retry: 1000\n\n${frames.join('')}event: end\ndata: {}\n\n`)

  const path = `/api/v2/sync/pushes/${receipt.pushId}/events`
  assert.is(
    await readStream(await daemon.open({ path: `${path}?after=2` })),
    `retry: 1000\n\n${frames[2]}event: end\ndata: {}\n\n`,
  )
  const wins = await daemon.open({ path: `${path}?after=0`, headers: { 'last-event-id': '2' } })
  assert.ok((await readStream(wins)).startsWith(`retry: 1000\n\nid: 3\n`), 'the header wins over the query')
  for (const send of [
    { path: `${path}?after=3` },
    { path, headers: { 'last-event-id': '3' } },
    { path: `${path}?after=${'9'.repeat(40)}` },
  ])
    assert.is((await daemon.send(send)).status, 204)
  for (const after of ['-1', '1.0', '', 'x', '0x1', '%20'])
    assert.is((await daemon.send({ path: `${path}?after=${after}` })).status, 400, after)
  assert.is((await daemon.send({ path, headers: { 'last-event-id': 'abc' } })).status, 400)
})

test('of 50 concurrent identical requests one gets 201 and 49 get 200, of 50 conflicting ones one gets 201 and 49 get 409', async () => {
  const daemon = await startDaemon()
  await daemon.enrol(alice, ['kbd-control:demo'])
  const same = body()
  const identical = await Promise.all(Array.from({ length: 50 }, () => daemon.push(same)))
  assert.equal(identical.map(({ status }) => status).sort(), [...Array(49).fill(200), 201])
  assert.is(new Set(identical.map(({ text }) => text)).size, 1)
  const requestId = crypto.randomUUID()
  const base = now()
  const conflicting = await Promise.all(
    Array.from({ length: 50 }, (_, i) => daemon.push(body({ requestId, issuedAtMs: base - i }))),
  )
  assert.equal(conflicting.map(({ status }) => status).sort(), [201, ...Array(49).fill(409)])
  const refused = conflicting.find(({ status }) => status === 409)!.json() as {
    error: { code: string; pushId: string }
  }
  assert.equal([refused.error.code, refused.error.pushId], ['request_id_conflict', requestId])
})

test('the stream of a push sends every event of its peers at once, and ends when all peers are settled', async () => {
  let take!: (ack: Acknowledgement) => Promise<void>
  let sent!: Envelope
  const daemon = await startDaemon({
    transport: {
      deliver: async (envelope) => void (sent = envelope) as undefined,
      onAcknowledgement: (listener) => (take = listener),
    },
  })
  await daemon.enrol(alice, ['kbd-control:demo'])
  const created = await daemon.push(body({ targetEndpointIds: peers.map(({ hex }) => hex) }))
  assert.is(created.status, 201)
  const { pushId } = created.json() as unknown as PushReceipt
  const path = `/api/v2/sync/pushes/${pushId}/events`
  const stream = await daemon.open({ path })
  const reading = readStream(stream)
  const cut = await daemon.open({ path: `${path}?after=3` })
  await readStream(cut, (text) => text.includes('broadcast'))
  const records: [number, PeerState][] = [
    [0, 'received'],
    [1, 'rejected'],
    [0, 'applied'],
  ]
  for (const [peer, state] of records) {
    const failure = state === 'rejected' ? { code: 'full', message: 'no room', retryable: false } : null
    const ack = {
      context: 'svc-peer-ack-1' as const,
      pushId,
      endpointId: peers[peer]!.hex,
      canonicalPayloadHash: sent.canonicalPayloadHash,
      state,
      failure,
      appliedFrontier: null,
      auditHead: 'c'.repeat(64),
    }
    await take({
      ...ack,
      signature: sign(null, Buffer.from(acknowledgedText(ack)), peers[peer]!.privateKey).toString('base64'),
    })
  }
  const text = await reading
  const events = [...text.matchAll(/^data: (\{"sequence.*)$/gm)].map(
    ([, data]) => JSON.parse(data!) as { sequence: number; kind: string },
  )
  for (const event of events) assert.is(findMisfit(event, receiptEventSchema), undefined)
  assert.equal(
    events.map(({ kind }) => kind),
    ['accepted', 'prepared', 'applied_locally', 'broadcast', 'peer_received', 'peer_rejected', 'peer_applied'],
  )
  assert.equal(
    events.map(({ sequence }) => sequence),
    [1, 2, 3, 4, 5, 6, 7],
  )
  assert.ok(text.endsWith('event: end\ndata: {}\n\n'))
  const receipt = (await daemon.send({ path: `/api/v2/sync/pushes/${pushId}` })).json()
  assert.is(findMisfit(receipt, pushReceiptSchema), undefined)
})

test('streams have a heartbeat, a maximum age and a limit per process, and end with the service', async () => {
  const daemon = await startDaemon({
    transport: { deliver: () => new Promise(() => {}) },
    given: { 'realtime.heartbeat_ms': 20, 'realtime.max_age_ms': 150, 'realtime.max_streams': 1 },
  })
  await daemon.enrol(alice, ['kbd-control:demo'])
  const { pushId } = (await daemon.push(body({ targetEndpointIds: [peers[0]!.hex] }))).json() as unknown as PushReceipt
  const path = `/api/v2/sync/pushes/${pushId}/events?after=3`
  const stream = await daemon.open({ path })
  const refused = await daemon.send({ path })
  assert.is(refused.status, 503)
  assert.is(refused.json().error!.code, 'overloaded')
  assert.is(refused.headers['retry-after'], '5')
  const text = await readStream(stream)
  assert.match(text, /^retry: 1000\n\n(: hb\n\n)+$/)
  const open = await daemon.open({ path })
  const reading = readStream(open)
  await daemon.stop()
  assert.match(await reading, /^retry: 1000\n\n/)
})

test('v1 accepts unsigned pushes of content domains on the socket, once per requestId, and always sends deprecation headers', async () => {
  const daemon = await startDaemon()
  await daemon.enrol(alice, ['kbd-content:demo'])
  const v1 = (value: unknown) =>
    daemon.send({
      method: 'POST',
      path: '/api/v1/sync/push',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(value),
    })
  const requestId = crypto.randomUUID()
  const push = { domain: 'kbd-content:demo', payload: { any: ['thing'] }, requestId }
  const cases: [unknown, string][] = [
    [push, '202'],
    [push, '202'],
    [{ ...push, payload: 2 }, '409 request_id_conflict'],
    [{ domain: 'kbd-control:demo', payload: 1 }, '403 domain_prohibited'],
    [{ domain: 'kbd-control:nowhere', payload: 1 }, '403 domain_prohibited'],
    [{ domain: 'kbd-content:nowhere', payload: 1 }, '404 scope_not_found'],
    [{ domain: 'kbd-content:demo' }, '400 malformed_request'],
    [{ ...push, requestId: undefined, targetEndpointIds: [peers[0]!.hex] }, '503 transport_unavailable'],
  ]
  for (const [value, expected] of cases) {
    const { status, headers, json } = await v1(value)
    const { error } = json()
    assert.is(error === undefined ? String(status) : `${status} ${error.code}`, expected)
    assert.match(String(headers['deprecation']), /^@\d+$/)
    assert.ok(Date.parse(String(headers['sunset'])) > Date.UTC(2026, 0))
    assert.is(headers['link'], '</api/v2/sync/pushes>; rel="successor-version"')
  }
  assert.equal((await v1(push)).json(), { pushId: requestId, status: 'applied_locally' })
})

test('while the store is missing every route that needs it and /ready give 503, and /health gives 200', async () => {
  const folder = createFolder()
  const daemon = await startDaemon({ folder })
  await daemon.enrol(alice, ['kbd-control:demo'])
  const { pushId } = (await daemon.push(body())).json() as unknown as PushReceipt
  const { renameSync } = await import('node:fs')
  const file = join(folder, 'state', 'sync.db')
  renameSync(file, `${file}.away`)
  await new Promise((resolve) => setTimeout(resolve, 110))
  const refused = await daemon.push(body())
  assert.equal([refused.status, refused.json().error!.code], [503, 'authority_unavailable'])
  assert.is(refused.headers['retry-after'], '1')
  for (const tail of ['', '/events']) {
    const { status, json } = await daemon.send({ path: `/api/v2/sync/pushes/${pushId}${tail}` })
    assert.equal([status, json().error!.code], [503, 'receipt_store_unavailable'])
  }
  const ready = await daemon.send({ path: '/ready' })
  assert.equal([ready.status, ready.json()['status']], [503, 'unavailable'])
  assert.not(ready.text.includes(folder))
  assert.is((await daemon.send({ path: '/health' })).status, 200)
  renameSync(`${file}.away`, file)
  assert.is((await daemon.push(body())).status, 201)
  assert.is((await daemon.send({ path: '/ready' })).status, 200)
})

test('/ready gives 503 from the beginning of a stop, while the socket is still open', async () => {
  const daemon = await startDaemon({ given: { 'server.drain_delay_ms': 300 } })
  assert.is((await daemon.send({ path: '/ready' })).status, 200)
  const stopped = daemon.stop()
  const ready = await daemon.send({ path: '/ready' })
  assert.equal([ready.status, ready.json()['status']], [503, 'unavailable'])
  assert.is((await daemon.send({ path: '/health' })).status, 200)
  await stopped
})

test('receipts appear on the live stream of their tenant', async () => {
  const daemon = await startDaemon({ transport: { deliver: async () => undefined } })
  const seen: EntityEvent[] = []
  const live = daemon.kernel.capability('Live') as LiveHub
  const publish = live.publish.bind(live)
  live.publish = (audience, event) => {
    assert.equal(audience, { tenant: 'default' })
    seen.push(event)
    publish(audience, event)
  }
  assert.ok(live.topics.includes('receipts'))
  await daemon.enrol(alice, ['kbd-control:demo'])
  const unheard = await daemon.push(body())
  assert.equal([unheard.status, seen], [201, []], 'without a reader no event is created')
  // Creates a feed, as a reader would.
  live.feed('default')
  const created = await daemon.push(body({ targetEndpointIds: [peers[0]!.hex] }))
  const { pushId } = created.json() as unknown as PushReceipt
  const path = `/api/v2/sync/pushes/${pushId}/events`
  await readStream(await daemon.open({ path }), (text) => text.includes('"broadcast"'))
  await until('both events', async () => seen.length >= 2, 60_000)
  await daemon.stop()
  assert.equal(
    seen.map(({ topic, identifier, operation }) => [topic, identifier, operation]),
    [
      ['receipts', pushId, 'insert'],
      ['receipts', pushId, 'update'],
    ],
  )
  assert.is((seen[1]!.data as PushReceipt).localState, 'broadcast')
})

test('error messages contain no signature and no key', async () => {
  const daemon = await startDaemon()
  const push = body()
  const { signature } = JSON.parse(new TextDecoder().decode(push)) as { signature: string }
  const answers = [await daemon.push(push)]
  await daemon.enrol(alice, ['kbd-control:demo'])
  answers.push(
    await daemon.push(toBytes(new TextDecoder().decode(push).replace('"kbd-control:demo"', '"kbd-control:x"'))),
  )
  assert.equal(
    answers.map(({ status }) => status),
    [403, 401],
  )
  assert.is(answers[1]!.headers['www-authenticate'], 'Signature realm="svc"')
  for (const { text } of answers) assert.not(text.includes(signature) || text.includes(alice.hex))
})

test.run()
