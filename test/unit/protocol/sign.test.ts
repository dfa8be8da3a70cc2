import { createPrivateKey, createPublicKey, sign as signNatively, verify } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readBody } from '../../../plugins/kbd/engine/commands/envelope.ts'
import { canonicalText } from '../../../plugins/protocol/canonical.ts'
import { fromKeyId } from '../../../plugins/protocol/keys.ts'
import {
  createDeviceKey,
  type DeviceKey,
  signCommand,
  signPush,
  verifyAcknowledgement,
} from '../../../plugins/protocol/sign/index.ts'
import { fakeCodecs } from '../kbd/boards.ts'
import { createServer, createSigner, START_MS, toBytes } from '../sync/platforms.ts'

const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')
const secret = new Uint8Array(32).fill(7)

/** Whether Node's Ed25519 accepts the signature of a signed shape. */
function isSignedBy(keyId: string, { signature, ...shape }: { readonly signature: string }): boolean {
  const key = createPublicKey({ key: Buffer.concat([SPKI_HEAD, fromKeyId(keyId)!]), format: 'der', type: 'spki' })
  return verify(null, Buffer.from(canonicalText(shape)), key, Buffer.from(signature, 'base64'))
}

test('a key is restored from its secret, and equals the key that Node derives from the secret', async () => {
  const key = await createDeviceKey(secret)
  const native = createPublicKey(
    createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, secret]), format: 'der', type: 'pkcs8' }),
  )
  const raw = native.export({ format: 'der', type: 'spki' }).subarray(-32)
  assert.is(key.keyId, `ed25519:${raw.toString('hex')}`)
  assert.equal((await createDeviceKey(key.secret)).keyId, key.keyId)
  assert.is.not((await createDeviceKey()).keyId, (await createDeviceKey()).keyId)
  assert.is(await createDeviceKey(new Uint8Array(31)).catch((error) => error.name), 'RangeError')
  const held = secret.slice()
  const careful = await createDeviceKey(held)
  held.fill(0)
  assert.equal(
    await careful.sign(new Uint8Array(3)),
    await key.sign(new Uint8Array(3)),
    'later changes to the given bytes have no effect',
  )
})

test('the service accepts a signed push', async () => {
  const server = createServer()
  const key = await createDeviceKey()
  await server.enrol({ ...createSigner(), keyId: key.keyId, publicKey: key.publicKey, hex: key.keyId.slice(8) }, [
    'kbd-control:demo',
  ])
  const push = await signPush(key, { domain: 'kbd-control:demo' }, { now: () => START_MS })
  assert.ok(isSignedBy(key.keyId, push))
  assert.is((await server.submit(toBytes(push))).status, 201)
  assert.is((await server.submit(toBytes(push))).status, 200)
  await server.close()
})

test('a signed command contains the given values; parents are sorted, without duplicates', async () => {
  const key = await createDeviceKey(secret)
  const parents = ['b'.repeat(64), 'a'.repeat(64), 'b'.repeat(64)]
  const command = { type: 'card.archive', cardId: '00000000-0000-4000-8000-000000000001' } as const
  const envelope = await signCommand(key, { project: 'demo', command, parents })
  assert.ok(isSignedBy(key.keyId, envelope))
  assert.ok(Math.abs(envelope.issuedAtMs - Date.now()) < 60_000)
  const read = readBody(toBytes(envelope), 65_536, fakeCodecs)
  assert.equal(
    [read.project, read.envelope.expectedFrontier.heads, read.envelope.concurrency],
    ['demo', [parents[1], parents[0]], 'merge'],
  )
})

test('a command is never older than its newest parent, whose clock may be ahead', async () => {
  const key = await createDeviceKey(secret)
  const clock = { now: () => 1_000 }
  const draft = {
    project: 'demo',
    command: { type: 'card.archive', cardId: '00000000-0000-4000-8000-000000000001' },
    parents: [],
  } as const
  assert.is((await signCommand(key, draft, clock)).issuedAtMs, 1_000)
  assert.is((await signCommand(key, { ...draft, issuedAtMs: 40_000 }, clock)).issuedAtMs, 40_000)
})

test('another signer may hold the key', async () => {
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, secret]), format: 'der', type: 'pkcs8' })
  const { keyId, publicKey } = await createDeviceKey(secret)
  const native: DeviceKey = { keyId, publicKey, sign: (message) => signNatively(null, message, privateKey) }
  const options = { now: () => START_MS, uuid: () => '00000000-0000-4000-8000-000000000009' }
  const draft = { domain: 'kbd-control:demo', expectedFrontier: { heads: [] } }
  assert.equal(await signPush(native, draft, options), await signPush(await createDeviceKey(secret), draft, options))
})

test('an acknowledgement holds for its eight members, its signer and its push, and for nothing else', async () => {
  const key = await createDeviceKey(secret)
  const shape = {
    context: 'svc-peer-ack-1',
    pushId: '00000000-0000-4000-8000-000000000001',
    endpointId: key.keyId.slice(8),
    canonicalPayloadHash: 'a'.repeat(64),
    state: 'applied',
    failure: null,
    appliedFrontier: { heads: ['b'.repeat(64)] },
    auditHead: 'c'.repeat(64),
  }
  const sign = async (value: object): Promise<object> => ({
    ...value,
    signature: Buffer.from(await key.sign(Buffer.from(canonicalText(value)))).toString('base64'),
  })
  const ack = await sign(shape)
  const { pushId, canonicalPayloadHash } = shape
  assert.is(await verifyAcknowledgement(ack), true)
  assert.is(await verifyAcknowledgement(ack, { pushId, canonicalPayloadHash }), true)
  assert.is(await verifyAcknowledgement(ack, { pushId, canonicalPayloadHash: 'd'.repeat(64) }), false)
  for (const name of Object.keys(shape)) {
    assert.is(await verifyAcknowledgement({ ...ack, [name]: 'x' }), false, `${name} changed`)
    const { [name]: _, ...less } = shape as Record<string, unknown>
    assert.is(await verifyAcknowledgement(await sign(less)), false, `${name} missing`)
  }
  assert.is(await verifyAcknowledgement(await sign({ ...shape, more: 1 })), false)
  assert.is(await verifyAcknowledgement(await sign({ ...shape, context: 'svc-audit-checkpoint-1' })), false)
  const small = { ...shape, endpointId: `01${'0'.repeat(62)}` }
  assert.is(await verifyAcknowledgement({ ...small, signature: Buffer.alloc(64).toString('base64') }), false)
  for (const value of [null, 'x', [], { ...ack, signature: 3 }, { ...ack, signature: 'AA==' }])
    assert.is(await verifyAcknowledgement(value), false)
})

test.run()
