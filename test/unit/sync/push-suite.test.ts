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

/** Bodies with the same answer, by name. */
const answered = (expect: string, bodies: Readonly<Record<string, Uint8Array>>): readonly Input[] =>
  Object.entries(bodies).map(([name, body]) => ({ name, body, expect }))

/** Submitted in this order, to one store per platform. `200` and `201` mean success. */
const inputs: readonly Input[] = [
  ...answered('400 malformed_json', {
    'empty body': toBytes(''),
    'byte order mark': toBytes('\ufeff{}'),
    'not UTF-8': new Uint8Array([0x7b, 0xff, 0x7d]),
  }),
  ...answered('400 canonicalization_failed', {
    'twice the same member': toBytes('{"a":1,"\\u0061":1}'),
    fraction: toBytes('{"issuedAtMs":1.5}'),
  }),
  ...answered('400 malformed_request', {
    'not an object': toBytes('[]'),
    null: toBytes('null'),
    'no version': without('schemaVersion'),
    'version as a number': toBytes({ schemaVersion: 2 }),
  }),
  ...answered('400 unsupported_schema_version', {
    'other version': toBytes({ schemaVersion: '1.8' }),
    'other version, bad shape': toBytes({ schemaVersion: '', x: 1 }),
  }),
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
  ...answered('400 malformed_request', {
    'target not a text': signed(alice, { targetEndpointIds: [1] }),
    'heads descending': signed(alice, { expectedFrontier: { heads: ['b'.repeat(64), 'a'.repeat(64)] } }),
    'head twice': signed(alice, { expectedFrontier: { heads: ['a'.repeat(64), 'a'.repeat(64)] } }),
    'heads of 65': signed(alice, {
      expectedFrontier: { heads: Array.from({ length: 65 }, (_, i) => i.toString(16).padStart(64, '0')) },
    }),
    'frontier with more': signed(alice, { expectedFrontier: { heads: [], x: 1 } }),
    'time as a text': signed(alice, { issuedAtMs: String(START_MS) }),
    'key id of another algorithm': signed(alice, { signerKeyId: `p256:${alice.hex}` }),
    'key id in upper case': signed(alice, { signerKeyId: `ed25519:${'A'.repeat(64)}` }),
    'signature too short': tampered(alice, {}, { signature: 'AAAA' }),
    'signature of the URL alphabet': tampered(alice, {}, { signature: `-${'A'.repeat(85)}==` }),
    'signature with trailing bits': tampered(alice, {}, { signature: `${'A'.repeat(85)}B==` }),
  }),
  ...answered('403 signer_unknown', {
    stranger: signed(stranger),
    'stranger, bad signature': tampered(stranger, {}, { domain: 'x' }),
  }),
  ...answered('401 signature_invalid', {
    'bad signature': tampered(alice, {}, { domain: 'kbd-control:other' }),
    "another's signature": tampered(alice, {}, { signerKeyId: bob.keyId }),
    'revoked, bad signature': tampered(revoked, {}, { domain: 'x' }),
  }),
  ...answered('403 signer_revoked', {
    revoked: signed(revoked),
    expired: signed(expired),
  }),
  ...answered('403 domain_prohibited', {
    prohibited: signed(alice, { domain: 'system:demo' }),
    'prohibited, empty project': signed(alice, { domain: 'kbd-device:' }),
    audit: signed(alice, { domain: 'audit:x', issuedAtMs: 0 }),
  }),
  ...answered('404 domain_not_found', {
    'no family': signed(alice, { domain: 'kbd-control' }),
    'empty domain': signed(alice, { domain: '' }),
    'other family': signed(alice, { domain: 'toString:demo' }),
  }),
  ...answered('404 scope_not_found', {
    'no such project': signed(alice, { domain: 'kbd-control:nowhere' }),
    'project of a wrong form': signed(alice, { domain: 'kbd-control:Demo' }),
    'star as a project': signed(everywhere, { domain: 'kbd-control:*' }),
  }),
  ...answered('403 signer_not_in_scope', {
    'out of scope': signed(bob),
    'other family of the project': signed(alice, { domain: 'kbd-content:demo' }),
  }),
  ...answered('422 frontier_not_supported', {
    'frontier on content': signed(contentOnly, {
      domain: 'kbd-content:demo',
      expectedFrontier: { heads: [] },
      issuedAtMs: 0,
    }),
  }),
  ...answered('422 request_stale', {
    'stale by one': signed(alice, { issuedAtMs: START_MS - 300_001, targetEndpointIds: ['x'] }),
  }),
  ...answered('422 request_from_future', { 'ahead by one': signed(alice, { issuedAtMs: START_MS + 30_001 }) }),
  ...answered('422 target_invalid', {
    'no endpoint id': signed(alice, { targetEndpointIds: ['x'] }),
    'endpoint id in upper case': signed(alice, { targetEndpointIds: [bob.hex.toUpperCase().replace(/^\d/, 'A')] }),
    'identity point': signed(alice, { targetEndpointIds: [`01${'0'.repeat(62)}`] }),
    'bad and twice': signed(alice, { targetEndpointIds: ['x', 'x'] }),
    '257 targets': signed(alice, { targetEndpointIds: Array.from({ length: 257 }, () => bob.hex) }),
  }),
  ...answered('422 target_duplicate', { twice: signed(alice, { targetEndpointIds: [bob.hex, bob.hex] }) }),
  ...answered('503 transport_unavailable', {
    'target without a transport': signed(alice, {
      targetEndpointIds: [bob.hex],
      expectedFrontier: { heads: ['a'.repeat(64)] },
    }),
  }),
  ...answered('409 frontier_mismatch', {
    'frontier of an empty project, wrong': signed(alice, { expectedFrontier: { heads: ['a'.repeat(64)] } }),
  }),
  ...answered('201', { first: signed(alice, firstOver) }),
  ...answered('200', {
    'first again': signed(alice, firstOver),
    'first again, pretty': toBytes(
      JSON.stringify(JSON.parse(new TextDecoder().decode(signed(alice, firstOver))), null, 2),
    ),
  }),
  { name: 'first again, after ten minutes', body: signed(alice, firstOver), expect: '200', atMs: START_MS + 600_000 },
  ...answered('409 request_id_conflict', {
    'first with another payload': signed(alice, { ...firstOver, issuedAtMs: START_MS + 1 }),
    'first in upper case is another payload': signed(alice, { requestId: first.toUpperCase() }),
  }),
  ...answered('401 signature_invalid', {
    'first with a broken signature': tampered(alice, firstOver, { signature: `${'A'.repeat(86)}==` }),
  }),
  ...answered('409 request_id_conflict', {
    'conflict wins over domain': signed(alice, { ...firstOver, domain: 'system:x' }),
  }),
  ...answered('409 frontier_mismatch', { 'expects empty, is not': signed(alice, { expectedFrontier: { heads: [] } }) }),
  ...answered('201', { chained: signed(alice, chained) }),
  ...answered('200', { 'chained again: a replay wins over its frontier': signed(alice, chained) }),
  ...answered('201', {
    'at the new head': signed(alice, { expectedFrontier: { heads: [chainedHash] } }),
    'window, oldest': signed(alice, { issuedAtMs: START_MS - 300_000 }),
    'window, newest': signed(alice, { issuedAtMs: START_MS + 30_000 }),
    'requestId in upper case': signed(alice, { requestId: randomUUID().toUpperCase() }),
    'signature without padding': unpadded,
    content: signed(contentOnly, { domain: 'kbd-content:demo' }),
    'star scope': signed(everywhere),
    'number written otherwise': toBytes(
      new TextDecoder().decode(signed(alice, { issuedAtMs: 1_793_491_200_000 })).replace('1793491200000', '17934912e5'),
    ),
  }),
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
