/** Uses of an invitation by the vectors: what is signed, and what each request is answered. */
import { createPublicKey, verify } from 'node:crypto'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import { isAdmissibleKey } from '../../../plugins/protocol/keys.ts'
import {
  createDeviceKey,
  signInvitation,
  verifyAcknowledgement,
  verifyCommand,
} from '../../../plugins/protocol/sign/index.ts'
import { verifySignature } from '../../../plugins/protocol/verify-signature.ts'
import { admitJson } from '../../../plugins/sync/engine/admission/json-admission.ts'
import { createInvitations } from '../../../plugins/sync/remote/invitations/invitations.ts'
import { createRedeem } from '../../../plugins/sync/remote/invitations/redeem.ts'
import { createFileStore } from '../../../plugins/sync/store-sqlite/file-store.ts'
import { nativeSha256 } from '../../../plugins/sync/store-sqlite/native-sha256.ts'
import { storeParts } from '../../support/store-parts.ts'
import { given, invitationCases, signed } from '../../support/vectors/invitations.ts'
import { createFolder } from './platforms.ts'

const test = suite('vectors of invitations')
const encoder = new TextEncoder()
const { id, secret, publicKey } = given

/** The route over a new store with one invitation. */
async function openRoute() {
  const path = join(createFolder(), 'sync.db')
  const store = createFileStore({ path, now: () => performance.now(), parts: storeParts })
  const invitations = createInvitations({ store, sha256: nativeSha256, now: Date.now, uuid: () => 'a-device' })
  const draft = { scopes: ['kbd-control:demo'], label: null, deviceSeconds: null, codeSeconds: 600 }
  await invitations.create({ id, secret }, draft)
  const caller = {
    tenant: 'default',
    user: 'ada',
    name: 'user:ada',
    actingKey: null,
    sending: () => {},
    verifying: () => {},
  }
  const redeem = createRedeem({
    callers: { enabled: true, ownerOf: async () => undefined, admit: () => caller },
    invitations,
    shared: {
      admitJson,
      isAdmissibleKey,
      verify: async (signature, message, key) => verifySignature(signature, message, key),
    },
    monotonic: () => performance.now(),
  })
  const use = async (body: string): Promise<{ readonly answer: string; readonly message: string }> => {
    try {
      const { status } = await redeem({ body: async () => encoder.encode(body) } as unknown as SvcRequest)
      return { answer: String(status), message: '' }
    } catch (error) {
      if (!isSvcError(error)) throw error
      return { answer: `${error.status} ${error.code}`, message: error.message }
    }
  }
  const devices = (): Promise<number> => store.read((ledger) => ledger.devices().length)
  return { use, devices, stateOf: async () => (await invitations.list())[0]!, close: () => store.close() }
}

test('svc/sign signs exactly the text of the vector, and OpenSSL verifies it', async () => {
  const key = await createDeviceKey(Uint8Array.from(Buffer.from(given.seedHex, 'hex')))
  const { code, ...rest } = await signInvitation(key, `svcd1-${id}-${secret}`)
  assert.equal([code, rest], [`svcd1-${id}-${secret}`, { publicKey, signature: signed.signature }])
  const x = Buffer.from(publicKey, 'hex').toString('base64url')
  const native = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  assert.ok(verify(null, Buffer.from(signed.text), native, Buffer.from(signed.signature, 'base64')))
})

for (const { name, body, answer, member } of invitationCases)
  test(`${answer}: ${name}`, async () => {
    const route = await openRoute()
    const seen = await route.use(body)
    assert.is(seen.answer, answer, seen.message)
    if (member !== undefined) assert.match(seen.message, member)
    const isMade = answer === '201'
    const { state, wrongSecrets } = await route.stateOf()
    // What has no right signature counts no wrong secret, because anybody could send it.
    assert.equal([await route.devices(), state, wrongSecrets], [isMade ? 1 : 0, isMade ? 'used' : 'open', 0])
    if (isMade) assert.is((await route.use(body)).answer, '200')
    await route.close()
  })

test('what is signed for an invitation is no command and no acknowledgement', async () => {
  const statement = { ...(JSON.parse(signed.text) as object), signature: signed.signature }
  assert.is(await verifyCommand({ ...statement, signerKeyId: `ed25519:${publicKey}` }), false)
  assert.is(await verifyAcknowledgement({ ...statement, endpointId: publicKey }), false)
})

test.run()
