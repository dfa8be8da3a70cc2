import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fromHex } from '../../../plugins/protocol/codecs.ts'
import { isAdmissibleKey } from '../../../plugins/protocol/keys.ts'
import { createNativeEd25519 } from '../../../plugins/sync/api/native-crypto.ts'
import { createPortableCrypto } from '../../../plugins/sync/embedded/embedded-parts.ts'
import { nativeSha256 } from '../../../plugins/sync/store-sqlite/native-sha256.ts'
import { type SignatureCase, signatureCases } from '../../support/vectors/ed25519.ts'

const native = createNativeEd25519()
const portable = createPortableCrypto()

/** The verdict of both engines under the rule for keys. Fails if the engines differ. */
async function decide({ name, pk_hex, msg_hex, sig_hex }: SignatureCase): Promise<boolean> {
  const [key, signature, message] = [fromHex(pk_hex)!, fromHex(sig_hex)!, fromHex(msg_hex)!]
  const admitted = isAdmissibleKey(key)
  const verdicts: boolean[] = []
  for (const engine of [native, portable.ed25519])
    verdicts.push(admitted && (await engine.verify(signature, message, key)))
  assert.is(verdicts[0], verdicts[1], `${name}: native and portable differ`)
  return verdicts[0]!
}

test('both engines accept exactly the signatures of the one rule', async () => {
  for (const row of signatureCases()) {
    const verdict = await decide(row)
    if (row.expect === 'unless torsion') assert.is(verdict, isAdmissibleKey(fromHex(row.pk_hex)!), row.name)
    else if (row.expect !== 'either') assert.is(verdict, row.expect === 'valid', row.name)
  }
})

test('the keys and the signatures of RFC 8032 section 7.1 come from their seeds', () => {
  const examples = signatureCases().filter(({ seed_hex }) => seed_hex !== undefined)
  assert.is(examples.length, 5)
  for (const { name, seed_hex, pk_hex, msg_hex, sig_hex } of examples) {
    const der = Buffer.from(`302e020100300506032b657004220420${seed_hex}`, 'hex')
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    assert.is(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'), pk_hex, name)
    assert.is(sign(null, Buffer.from(msg_hex, 'hex'), key).toString('hex'), sig_hex, name)
  }
})

test('a fresh signature is valid, a changed byte makes it invalid, and the identity key is refused', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(12))
  const message = new TextEncoder().encode('a push')
  const signature = new Uint8Array(sign(null, message, privateKey))
  for (const engine of [native, portable.ed25519]) {
    assert.ok(await engine.verify(signature, message, key))
    for (const at of [0, 31, 32, 63]) {
      const changed = signature.slice()
      changed[at]! ^= 1
      assert.not(await engine.verify(changed, message, key))
    }
    assert.not(await engine.verify(signature.subarray(0, 63), message, key))
  }
  const identity = new Uint8Array(32)
  identity[0] = 1
  assert.not(isAdmissibleKey(identity))
  assert.not(isAdmissibleKey(new Uint8Array(31)))
})

test('each signature of a batch has its own verdict, wherever it is verified', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32))
  const messages = Array.from({ length: 20 }, (_, n) => new TextEncoder().encode(`push ${n}`))
  const signatures = messages.map((message) => new Uint8Array(sign(null, message, privateKey)))
  for (const count of [1, 2, 3, 20])
    for (const more of [true, false]) {
      // Every third signature is checked against the previous message.
      const verdicts = messages.slice(0, count).map((message, n) => {
        const checkedMessage = n % 3 === 2 ? messages[n - 1]! : message
        return native.verify(signatures[n]!, checkedMessage, key, more)
      })
      const expected = messages.slice(0, count).map((_, n) => n % 3 !== 2)
      assert.equal(await Promise.all(verdicts), expected, `${count} at once`)
    }
  const verdicts = [31, 32].map((bytes) => native.verify(signatures[0]!, messages[0]!, key.subarray(0, bytes)))
  assert.equal(await Promise.all(verdicts), [false, true], 'an invalid key does not affect other verdicts')
})

test('SHA-256 of both platforms', () => {
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  for (const sha256 of [nativeSha256, portable.sha256]) assert.is(sha256(new Uint8Array()), empty)
  const large = new Uint8Array(70_000).fill(7)
  assert.is(portable.sha256(large), nativeSha256(large))
})

test.run()
