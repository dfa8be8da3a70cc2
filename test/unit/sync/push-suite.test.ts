import { createHash, randomUUID, sign } from 'node:crypto'
import canonicalize from 'canonicalize'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fail } from '../../../plugins/sync/errors.ts'
import {
  createHosted,
  createServer,
  createSigner,
  draft,
  type Outcome,
  type Platform,
  type Signer,
  START_MS,
  signed,
  toBytes,
} from './platforms.ts'

const alice = createSigner()
const bob = createSigner()
const stranger = createSigner()
const expired = createSigner()
const revoked = createSigner()
const contentOnly = createSigner()
const everywhere = createSigner()

interface Input {
  readonly name: string
  readonly body: Uint8Array
  readonly expect: string
  readonly atMs?: number
}

const first = randomUUID()
const other = randomUUID()
const hashOf = (over: Record<string, unknown>): string =>
  createHash('sha256')
    .update(canonicalize(draft(alice, over))!)
    .digest('hex')
const firstOver = { requestId: first }
const firstHash = hashOf(firstOver)
const chained = { requestId: other, expectedFrontier: { heads: [firstHash] } }
const chainedHash = hashOf(chained)

function tampered(signer: Signer, over: Record<string, unknown>, change: Record<string, unknown>): Uint8Array {
  const request = JSON.parse(new TextDecoder().decode(signed(signer, over))) as Record<string, unknown>
  return toBytes({ ...request, ...change })
}

function without(name: string): Uint8Array {
  const { [name]: _, ...rest } = draft(alice)
  const signature = sign(null, Buffer.from(canonicalize(rest)!), alice.privateKey).toString('base64')
  const full: Record<string, unknown> = { ...rest, signature }
  if (name === 'signature') delete full['signature']
  return toBytes(full)
}

const unpadded = (() => {
  const request = JSON.parse(new TextDecoder().decode(signed(alice))) as { signature: string }
  return toBytes({ ...request, signature: request.signature.replace('==', '') })
})()

/** Submitted in this order, to one store per platform. `200` and `201` mean success. */
const inputs: readonly Input[] = [
  { name: 'empty body', body: toBytes(''), expect: '400 malformed_json' },
  { name: 'byte order mark', body: toBytes('\ufeff{}'), expect: '400 malformed_json' },
  { name: 'not UTF-8', body: new Uint8Array([0x7b, 0xff, 0x7d]), expect: '400 malformed_json' },
  { name: 'twice the same member', body: toBytes('{"a":1,"\\u0061":1}'), expect: '400 canonicalization_failed' },
  { name: 'fraction', body: toBytes('{"issuedAtMs":1.5}'), expect: '400 canonicalization_failed' },
  { name: 'not an object', body: toBytes('[]'), expect: '400 malformed_request' },
  { name: 'null', body: toBytes('null'), expect: '400 malformed_request' },
  { name: 'no version', body: without('schemaVersion'), expect: '400 malformed_request' },
  { name: 'other version', body: toBytes({ schemaVersion: '1.8' }), expect: '400 unsupported_schema_version' },
  {
    name: 'other version, bad shape',
    body: toBytes({ schemaVersion: '', x: 1 }),
    expect: '400 unsupported_schema_version',
  },
  { name: 'version as a number', body: toBytes({ schemaVersion: 2 }), expect: '400 malformed_request' },
  ...['requestId', 'domain', 'targetEndpointIds', 'expectedFrontier', 'issuedAtMs', 'signerKeyId', 'signature'].map(
    (name) => ({ name: `no ${name}`, body: without(name), expect: '400 malformed_request' }),
  ),
  ...['toString', 'constructor', '__proto__', 'extra'].map((name) => ({
    name: `unknown member ${name}`,
    body: signed(alice, JSON.parse(`{"${name}":1}`) as Record<string, unknown>),
    expect: '400 malformed_request',
  })),
  ...[
    '00000000-0000-0000-0000-000000000000',
    'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
    'urn:uuid:0d9b0c3e-5f3b-4f43-9a55-0a4c5e7d8f11',
    '{0d9b0c3e-5f3b-4f43-9a55-0a4c5e7d8f11}',
    '0d9b0c3e5f3b4f439a550a4c5e7d8f11',
    '0d9b0c3e-5f3b-4f43-9a55-0a4c5e7d8f1g',
    `${randomUUID()}\n`,
    7,
  ].map((requestId) => ({
    name: `requestId ${requestId}`,
    body: signed(alice, { requestId }),
    expect: '400 malformed_request',
  })),
  { name: 'target not a text', body: signed(alice, { targetEndpointIds: [1] }), expect: '400 malformed_request' },
  {
    name: 'heads descending',
    body: signed(alice, { expectedFrontier: { heads: ['b'.repeat(64), 'a'.repeat(64)] } }),
    expect: '400 malformed_request',
  },
  {
    name: 'head twice',
    body: signed(alice, { expectedFrontier: { heads: ['a'.repeat(64), 'a'.repeat(64)] } }),
    expect: '400 malformed_request',
  },
  {
    name: 'heads of 65',
    body: signed(alice, {
      expectedFrontier: { heads: Array.from({ length: 65 }, (_, i) => i.toString(16).padStart(64, '0')) },
    }),
    expect: '400 malformed_request',
  },
  {
    name: 'frontier with more',
    body: signed(alice, { expectedFrontier: { heads: [], x: 1 } }),
    expect: '400 malformed_request',
  },
  { name: 'time as a text', body: signed(alice, { issuedAtMs: String(START_MS) }), expect: '400 malformed_request' },
  {
    name: 'key id of another algorithm',
    body: signed(alice, { signerKeyId: `p256:${alice.hex}` }),
    expect: '400 malformed_request',
  },
  {
    name: 'key id in upper case',
    body: signed(alice, { signerKeyId: `ed25519:${'A'.repeat(64)}` }),
    expect: '400 malformed_request',
  },
  { name: 'signature too short', body: tampered(alice, {}, { signature: 'AAAA' }), expect: '400 malformed_request' },
  {
    name: 'signature of the URL alphabet',
    body: tampered(alice, {}, { signature: `-${'A'.repeat(85)}==` }),
    expect: '400 malformed_request',
  },
  {
    name: 'signature with trailing bits',
    body: tampered(alice, {}, { signature: `${'A'.repeat(85)}B==` }),
    expect: '400 malformed_request',
  },
  { name: 'stranger', body: signed(stranger), expect: '403 signer_unknown' },
  { name: 'stranger, bad signature', body: tampered(stranger, {}, { domain: 'x' }), expect: '403 signer_unknown' },
  {
    name: 'bad signature',
    body: tampered(alice, {}, { domain: 'kbd-control:other' }),
    expect: '401 signature_invalid',
  },
  {
    name: "another's signature",
    body: tampered(alice, {}, { signerKeyId: bob.keyId }),
    expect: '401 signature_invalid',
  },
  { name: 'revoked, bad signature', body: tampered(revoked, {}, { domain: 'x' }), expect: '401 signature_invalid' },
  { name: 'revoked', body: signed(revoked), expect: '403 signer_revoked' },
  { name: 'expired', body: signed(expired), expect: '403 signer_revoked' },
  { name: 'prohibited', body: signed(alice, { domain: 'system:demo' }), expect: '403 domain_prohibited' },
  {
    name: 'prohibited, empty project',
    body: signed(alice, { domain: 'kbd-device:' }),
    expect: '403 domain_prohibited',
  },
  { name: 'audit', body: signed(alice, { domain: 'audit:x', issuedAtMs: 0 }), expect: '403 domain_prohibited' },
  { name: 'no family', body: signed(alice, { domain: 'kbd-control' }), expect: '404 domain_not_found' },
  { name: 'empty domain', body: signed(alice, { domain: '' }), expect: '404 domain_not_found' },
  { name: 'other family', body: signed(alice, { domain: 'toString:demo' }), expect: '404 domain_not_found' },
  { name: 'no such project', body: signed(alice, { domain: 'kbd-control:nowhere' }), expect: '404 scope_not_found' },
  {
    name: 'project of a wrong form',
    body: signed(alice, { domain: 'kbd-control:Demo' }),
    expect: '404 scope_not_found',
  },
  { name: 'star as a project', body: signed(everywhere, { domain: 'kbd-control:*' }), expect: '404 scope_not_found' },
  { name: 'out of scope', body: signed(bob), expect: '403 signer_not_in_scope' },
  {
    name: 'other family of the project',
    body: signed(alice, { domain: 'kbd-content:demo' }),
    expect: '403 signer_not_in_scope',
  },
  {
    name: 'frontier on content',
    body: signed(contentOnly, { domain: 'kbd-content:demo', expectedFrontier: { heads: [] }, issuedAtMs: 0 }),
    expect: '422 frontier_not_supported',
  },
  {
    name: 'stale by one',
    body: signed(alice, { issuedAtMs: START_MS - 300_001, targetEndpointIds: ['x'] }),
    expect: '422 request_stale',
  },
  { name: 'ahead by one', body: signed(alice, { issuedAtMs: START_MS + 30_001 }), expect: '422 request_from_future' },
  { name: 'no endpoint id', body: signed(alice, { targetEndpointIds: ['x'] }), expect: '422 target_invalid' },
  {
    name: 'endpoint id in upper case',
    body: signed(alice, { targetEndpointIds: [bob.hex.toUpperCase().replace(/^\d/, 'A')] }),
    expect: '422 target_invalid',
  },
  {
    name: 'identity point',
    body: signed(alice, { targetEndpointIds: [`01${'0'.repeat(62)}`] }),
    expect: '422 target_invalid',
  },
  { name: 'bad and twice', body: signed(alice, { targetEndpointIds: ['x', 'x'] }), expect: '422 target_invalid' },
  { name: 'twice', body: signed(alice, { targetEndpointIds: [bob.hex, bob.hex] }), expect: '422 target_duplicate' },
  {
    name: '257 targets',
    body: signed(alice, { targetEndpointIds: Array.from({ length: 257 }, () => bob.hex) }),
    expect: '422 target_invalid',
  },
  {
    name: 'target without a transport',
    body: signed(alice, { targetEndpointIds: [bob.hex], expectedFrontier: { heads: ['a'.repeat(64)] } }),
    expect: '503 transport_unavailable',
  },
  {
    name: 'frontier of an empty project, wrong',
    body: signed(alice, { expectedFrontier: { heads: ['a'.repeat(64)] } }),
    expect: '409 frontier_mismatch',
  },
  { name: 'first', body: signed(alice, firstOver), expect: '201' },
  { name: 'first again', body: signed(alice, firstOver), expect: '200' },
  {
    name: 'first again, pretty',
    body: toBytes(JSON.stringify(JSON.parse(new TextDecoder().decode(signed(alice, firstOver))), null, 2)),
    expect: '200',
  },
  { name: 'first again, after ten minutes', body: signed(alice, firstOver), expect: '200', atMs: START_MS + 600_000 },
  {
    name: 'first with another payload',
    body: signed(alice, { ...firstOver, issuedAtMs: START_MS + 1 }),
    expect: '409 request_id_conflict',
  },
  {
    name: 'first in upper case is another payload',
    body: signed(alice, { requestId: first.toUpperCase() }),
    expect: '409 request_id_conflict',
  },
  {
    name: 'first with a broken signature',
    body: tampered(alice, firstOver, { signature: `${'A'.repeat(86)}==` }),
    expect: '401 signature_invalid',
  },
  {
    name: 'conflict wins over domain',
    body: signed(alice, { ...firstOver, domain: 'system:x' }),
    expect: '409 request_id_conflict',
  },
  {
    name: 'expects empty, is not',
    body: signed(alice, { expectedFrontier: { heads: [] } }),
    expect: '409 frontier_mismatch',
  },
  { name: 'chained', body: signed(alice, chained), expect: '201' },
  { name: 'chained again: a replay wins over its frontier', body: signed(alice, chained), expect: '200' },
  { name: 'at the new head', body: signed(alice, { expectedFrontier: { heads: [chainedHash] } }), expect: '201' },
  { name: 'window, oldest', body: signed(alice, { issuedAtMs: START_MS - 300_000 }), expect: '201' },
  { name: 'window, newest', body: signed(alice, { issuedAtMs: START_MS + 30_000 }), expect: '201' },
  { name: 'requestId in upper case', body: signed(alice, { requestId: randomUUID().toUpperCase() }), expect: '201' },
  { name: 'signature without padding', body: unpadded, expect: '201' },
  { name: 'content', body: signed(contentOnly, { domain: 'kbd-content:demo' }), expect: '201' },
  { name: 'star scope', body: signed(everywhere), expect: '201' },
  {
    name: 'number written otherwise',
    body: toBytes(
      new TextDecoder().decode(signed(alice, { issuedAtMs: 1_793_491_200_000 })).replace('1793491200000', '17934912e5'),
    ),
    expect: '201',
  },
]

async function prepare(platform: Platform): Promise<void> {
  await platform.enrol(alice, ['kbd-control:demo'])
  await platform.enrol(bob, ['kbd-control:elsewhere'])
  await platform.enrol(revoked, ['kbd-control:demo'])
  await platform.revoke(revoked.keyId)
  await platform.enrol(expired, ['kbd-control:demo'], START_MS)
  await platform.enrol(contentOnly, ['kbd-content:demo'])
  await platform.enrol(everywhere, ['kbd-control:*'])
}

const shown = ({ status, code }: Outcome): string => (code === undefined ? String(status) : `${status} ${code}`)

test('every input gives the same status and code on both platforms, and the expected one', async () => {
  const platforms = [createServer(), await createHosted()]
  const receipts: string[][] = [[], []]
  for (const [at, platform] of platforms.entries()) {
    await prepare(platform)
    for (const input of inputs) {
      platform.clock.nowMs = input.atMs ?? START_MS
      const outcome = await platform.submit(input.body)
      assert.is(shown(outcome), input.expect, `${platform.name}: ${input.name}`)
      if (outcome.code !== undefined) assert.is(fail.rows[outcome.code as 'malformed_json'].status, outcome.status)
      if (outcome.receipt !== undefined) receipts[at]!.push(JSON.stringify(outcome.receipt))
    }
    await platform.close()
  }
  assert.equal(receipts[0], receipts[1], 'the receipts are the same too')
})

for (const create of [createServer, createHosted]) {
  test(`${create.name}: the receipt of a new push, and details of refusals`, async () => {
    const platform = await create()
    await prepare(platform)
    const requestId = randomUUID()
    const { receipt } = await platform.submit(signed(alice, { requestId }))
    assert.equal(receipt, {
      schemaVersion: '1.7',
      pushId: requestId,
      canonicalPayloadHash: hashOf({ requestId }),
      domain: 'kbd-control:demo',
      targets: [],
      localState: 'applied_locally',
      frontier: null,
      revision: null,
      origin: null,
      perPeer: {},
      createdAtMs: START_MS,
      updatedAtMs: START_MS,
      events: (['accepted', 'prepared', 'applied_locally'] as const).map((kind, i) => ({
        sequence: i + 1,
        kind,
        atMs: START_MS,
        localState: kind,
      })),
    })
    assert.equal(await platform.receipt(requestId.toUpperCase()), receipt)
    const conflict = await platform.submit(signed(alice, { requestId, issuedAtMs: START_MS + 5 }))
    assert.equal(conflict.details, { pushId: requestId })
    const mismatch = await platform.submit(signed(alice, { expectedFrontier: { heads: [] } }))
    assert.equal(mismatch.details, { currentFrontier: { heads: [hashOf({ requestId })] } })
    await platform.close()
  })

  test(`${create.name}: 20 requests at once that expect an empty project: one wins`, async () => {
    const platform = await create()
    await prepare(platform)
    const bodies = Array.from({ length: 20 }, () => signed(alice, { expectedFrontier: { heads: [] } }))
    const outcomes = await Promise.all(bodies.map((body) => platform.submit(body)))
    assert.is(outcomes.filter(({ status }) => status === 201).length, 1)
    assert.is(outcomes.filter(({ code }) => code === 'frontier_mismatch').length, 19)
    await platform.close()
  })

  test(`${create.name}: a replay checks again whether the signer is active`, async () => {
    const platform = await create()
    await prepare(platform)
    const body = signed(alice)
    assert.is((await platform.submit(body)).status, 201)
    await platform.revoke(alice.keyId)
    assert.is(shown(await platform.submit(body)), '403 signer_revoked')
    await platform.close()
  })
}

test.run()
