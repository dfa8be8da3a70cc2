import { generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fromHex } from '../../../plugins/protocol/codecs.ts'
import { isAdmissibleKey } from '../../../plugins/protocol/key-admission.ts'
import { createNativeEd25519 } from '../../../plugins/sync/api/native-crypto.ts'
import { nativeSha256 } from '../../../plugins/sync/store-sqlite/native-sha256.ts'
import { createPortableCrypto } from '../../../plugins/sync/store-sqljs/portable-crypto.ts'
import { testUnless } from '../../support/skip.ts'
import { noVectors, vectorCases } from '../../support/vectors.ts'

const native = createNativeEd25519()
const portable = createPortableCrypto()

interface Row {
  name: string
  pk_hex: string
  msg_hex?: string
  msg_utf8?: string
  sig_hex: string
  result?: string
  strict_accepts?: boolean
}

/** The verdict of both engines under the rule for keys. Fails if the engines differ. */
async function decide(row: Row): Promise<boolean> {
  const [key, signature] = [fromHex(row.pk_hex)!, fromHex(row.sig_hex)!]
  const message = row.msg_hex === undefined ? new TextEncoder().encode(row.msg_utf8) : fromHex(row.msg_hex)!
  const admitted = isAdmissibleKey(key)
  const verdicts: boolean[] = []
  for (const engine of [native, portable.ed25519])
    verdicts.push(admitted && (await engine.verify(signature, message, key)))
  assert.is(verdicts[0], verdicts[1], `${row.name}: native and portable differ`)
  return verdicts[0]!
}

testUnless(test, noVectors, 'Wycheproof: exactly the valid signatures are accepted', async () => {
  for (const row of vectorCases<Row>('ed25519/wycheproof_ed25519.json'))
    assert.is(await decide(row), row.result === 'valid', row.name)
})

testUnless(
  test,
  noVectors,
  'CCTV: the engines agree on every row, and accept no row that a strict verifier refuses',
  async () => {
    const rows = vectorCases<Row>('ed25519/cctv_ed25519vectors.json')
    let accepted = 0
    for (const row of rows) {
      const verdict = await decide(row)
      if (verdict) {
        accepted++
        assert.ok(row.strict_accepts, row.name)
      } else if (row.strict_accepts) {
        // The strict column accepts keys with a torsion part; the rule of the service does not.
        assert.not(isAdmissibleKey(fromHex(row.pk_hex)!), row.name)
      }
    }
    console.log(`CCTV: ${accepted} of ${rows.length} accepted`)
  },
)

testUnless(test, noVectors, 'speccheck: 6 and 7 refused, small order refused', async () => {
  const rows = vectorCases<Row>('ed25519/speccheck.json')
  const verdicts = await Promise.all(rows.map((row) => decide(row)))
  for (const at of [0, 1, 2, 6, 7, 8, 9, 10, 11]) assert.is(verdicts[at], false, rows[at]!.name)
})

testUnless(test, noVectors, 'RFC 8032 section 7.1', async () => {
  for (const row of vectorCases<Row>('ed25519/rfc8032_7_1.json')) assert.ok(await decide(row), row.name)
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
