/** The readers of pushes: no input throws anything but a refusal, and every accepted input has only one reading. */
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../core/errors.ts'
import { fromBase64, toBase64 } from '../../plugins/protocol/codecs.ts'
import { readCursor } from '../../plugins/sync/api/cursor.ts'
import { admitJson } from '../../plugins/sync/engine/admission/json-admission.ts'
import { readPushRequest } from '../../plugins/sync/engine/admission/push-request.ts'
import { makeRequest } from '../support/requests.ts'
import { runs } from './runs.ts'

const test = suite('fuzz: sync')
const encoder = new TextEncoder()

/** The value, or the code of the refusal. Any other error fails the test. */
function reading<T>(work: () => T): { value: T } | { code: string } {
  try {
    return { value: work() }
  } catch (error) {
    if (!isSvcError(error)) throw error
    return { code: error.code }
  }
}

/** Pieces of JSON and of almost valid JSON, so that the parser gets far in most texts. */
const piece = fc.oneof(
  fc.constantFrom(
    ...'{}[]:,"\\ \n\t0-1',
    'true',
    'null',
    '"a"',
    '"\\u0061"',
    '"\\ud800"',
    '1e3',
    '1.5',
    '-0',
    '1e400',
    '\u0000',
  ),
  fc.constantFrom('9007199254740991', '9007199254740993', '1E-2', '100e-2', '\ufeff', '"\\ud83d\\ude00"', '\u2028'),
  fc.string({ unit: 'binary', maxLength: 4 }).map((text) => JSON.stringify(text)),
  fc.json({ maxDepth: 4 }),
)
const jsonLike = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''))

test('admission: an accepted text has the value that JSON.parse gives, and is accepted again in its canonical form', () => {
  fc.assert(
    fc.property(fc.oneof(jsonLike, fc.json({ maxDepth: 6 })), (text) => {
      const read = reading(() => admitJson(encoder.encode(text)))
      if ('code' in read) {
        assert.ok(['malformed_json', 'canonicalization_failed'].includes(read.code))
        if (read.code === 'malformed_json') assert.throws(() => JSON.parse(text))
        return
      }
      assert.equal(read.value, JSON.parse(text))
      const canonical = canonicalize(read.value)!
      const again = reading(() => admitJson(encoder.encode(canonical)))
      assert.ok('value' in again, 'the canonical form of an accepted text is accepted')
      assert.is(canonicalize(again.value), canonical)
    }),
    runs(),
  )
})

test('admission: accepted bytes are valid UTF-8 without additional bytes before or after the JSON text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      const read = reading(() => admitJson(bytes))
      if ('value' in read) assert.equal(read.value, JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
    }),
    runs(),
  )
})

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

test('base64: each value has one text, with or without padding', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'AQgwZz09+/=-_ \n\u0141'), maxLength: 12 }), (text) => {
      const bytes = fromBase64(text)
      if (bytes === undefined) return
      const whole = toBase64(bytes)
      assert.ok(text === whole || text === whole.replace(/=+$/, ''), `${text} stands for ${whole}`)
    }),
    runs(),
  )
})

test('cursors: a text is refused, or is a non-negative integer', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
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
