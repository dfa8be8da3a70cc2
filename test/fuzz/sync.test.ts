/** The readers of pushes: no input throws anything but a refusal, and every accepted input has only one reading. */
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../core/declare/errors.ts'
import { readCursor } from '../../plugins/sync/api/push-handlers.ts'
import { readPushRequest } from '../../plugins/sync/engine/admission/push-request.ts'
import { anyCharacter } from '../support/any-character.ts'
import { makeRequest } from '../support/requests.ts'
import { runs } from './runs.ts'

const test = suite('fuzz: sync')

/** The value, or the code of the refusal. Any other error fails the test. */
function reading<T>(work: () => T): { value: T } | { code: string } {
  try {
    return { value: work() }
  } catch (error) {
    if (!isSvcError(error)) throw error
    return { code: error.code }
  }
}

const HEX = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEFxg'), minLength: 60, maxLength: 68 })
const member = fc.oneof(fc.anything({ maxDepth: 2 }), HEX, fc.uuid(), fc.integer(), fc.constant(null))
const pushLike = fc
  .record(
    {
      schemaVersion: fc.oneof(fc.constant('1.7'), member),
      requestId: fc.oneof(fc.uuid(), member),
      domain: fc.oneof(fc.constant('kbd-control:demo'), member),
      targetEndpointIds: fc.oneof(fc.array(HEX, { maxLength: 3 }), member),
      expectedFrontier: fc.oneof(fc.constant(null), fc.record({ heads: fc.array(HEX, { maxLength: 3 }) }), member),
      issuedAtMs: fc.oneof(fc.integer(), member),
      signerKeyId: fc.oneof(
        HEX.map((hex) => `ed25519:${hex}`),
        fc.constant(`ed25519:${'a'.repeat(64)}`),
        member,
      ),
      signature: fc.oneof(
        fc.constant(`${'A'.repeat(86)}==`),
        fc.base64String({ minLength: 84, maxLength: 92 }),
        member,
      ),
      toString: member,
      __proto__: member,
    },
    { requiredKeys: [] },
  )
  .map((value) => value as unknown)

test('push requests: any value is refused, or read as a request of the right shape', () => {
  fc.assert(
    fc.property(fc.oneof(pushLike, fc.anything()), (value) => {
      const read = reading(() => readPushRequest(value, 64))
      if ('code' in read) return assert.ok(['malformed_request', 'unsupported_schema_version'].includes(read.code))
      const { request, pushId, publicKey, signature } = read.value
      assert.is(pushId, request.requestId.toLowerCase())
      assert.equal([publicKey.length, signature.length], [32, 64])
      assert.ok(Number.isInteger(request.issuedAtMs))
    }),
    runs(),
  )
})

test('cursors: a text is refused, or is a non-negative integer', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 12 }),
    fc.bigInt({ min: -10n, max: 10n ** 30n }).map(String),
    fc.constantFrom('0', '00', '+1', '1e3', '0x1', '-0', ' 1', '1 ', '١', '1.0', '', 'Infinity'),
  )
  fc.assert(
    fc.property(text, fc.boolean(), (cursor, inHeader) => {
      const request = makeRequest(
        inHeader ? '/' : `/?after=${encodeURIComponent(cursor.replace(/[\ud800-\udfff]/g, '?'))}`,
        {
          headers: inHeader ? { 'last-event-id': cursor } : {},
        },
      )
      const read = reading(() => readCursor(request))
      if ('code' in read) return assert.is(read.code, 'malformed_request')
      assert.ok(/^\d+$/.test(cursor))
      assert.ok(Number.isSafeInteger(read.value) && read.value! >= 0)
    }),
    runs(),
  )
})

test.run()
