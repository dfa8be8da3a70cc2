import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import { canonicalText, toCanonical } from '../../../plugins/protocol/canonical.ts'
import { fromBase64, fromHex, toBase64, toHex } from '../../../plugins/protocol/codecs.ts'
import { admitJson, isExactInteger } from '../../../plugins/sync/engine/admission/json-admission.ts'
import { nativeSha256 } from '../../../plugins/sync/store-sqlite/native-sha256.ts'
import { canonicalCases, jsonCases } from '../../support/vectors/json.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The code of the refusal, or the canonical text. */
function verdict(bytes: Uint8Array): string {
  try {
    return `ok ${canonicalText(admitJson(bytes))}`
  } catch (error) {
    if (isSvcError(error)) return error.code
    throw error
  }
}

/**
 * A second reader with another approach: the platform's parser checks the syntax, and a walk of the tokens checks the
 * rules.
 */
function reference(bytes: Uint8Array): string {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    JSON.parse(text)
  } catch {
    return 'malformed_json'
  }
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? []
  const frames: { names: Set<string>; object: boolean }[] = []
  for (const [i, token] of tokens.entries()) {
    if (token === '{' || token === '[') {
      frames.push({ names: new Set(), object: token === '{' })
      if (frames.length > 16) return 'canonicalization_failed'
    } else if (token === '}' || token === ']') {
      frames.pop()
    } else if (token.startsWith('"')) {
      const value = JSON.parse(token) as string
      if (encodeURIComponentFails(value)) return 'canonicalization_failed'
      if (tokens[i + 1] === ':') {
        const { names } = frames[frames.length - 1]!
        if (names.has(value)) return 'canonicalization_failed'
        names.add(value)
      }
    } else if (/^[-\d]/.test(token) && !isWhole(token)) {
      return 'canonicalization_failed'
    }
  }
  return `ok ${canonicalText(JSON.parse(text))}`
}

/** encodeURIComponent throws if the text has a lone surrogate. */
function encodeURIComponentFails(value: string): boolean {
  try {
    encodeURIComponent(value)
    return false
  } catch {
    return true
  }
}

/** The rule for numbers with exact arithmetic: mantissa and power of ten as big integers. */
function isWhole(literal: string): boolean {
  const [mantissa, exponent = '0'] = literal.toLowerCase().split('e') as [string, string?]
  const [whole, fraction = ''] = mantissa.replace('-', '').split('.') as [string, string?]
  const digits = BigInt(whole + fraction)
  if (digits === 0n) return !literal.startsWith('-')
  const power = Number(exponent) - fraction.length
  // A power with a very large exponent would take too long to compute; no such number is a whole number in range.
  if (Math.abs(power) > whole.length + fraction.length + 16) return false
  if (power < 0 && digits % 10n ** BigInt(-power) !== 0n) return false
  const value = power < 0 ? digits / 10n ** BigInt(-power) : digits * 10n ** BigInt(power)
  return value <= BigInt(Number.MAX_SAFE_INTEGER)
}

const member = fc.constantFrom('a', 'b', '\\u0061', '__proto__', 'constructor', '\\ud83d\\ude00', '\\ud800', 'é', '')
const spacing = fc.constantFrom('', '', ' ', '\n\t')
const number = fc.oneof(
  fc.integer().map(String),
  fc.constantFrom(
    '-0',
    '0',
    '-0.0e5',
    '1e3',
    '1.0',
    '9007199254740991',
    '9007199254740992',
    '-9007199254740991',
    '01',
    '+1',
    '1.',
  ),
  fc
    .tuple(
      fc.constantFrom('', '-'),
      fc.nat(99999),
      fc.option(fc.nat(999)),
      fc.option(fc.integer({ min: -20, max: 20 })),
    )
    .map(
      ([sign, whole, part, exp]) => `${sign}${whole}${part === null ? '' : `.${part}`}${exp === null ? '' : `E${exp}`}`,
    ),
)
const { text: jsonText } = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    number,
    fc.constantFrom(
      'true',
      'false',
      'null',
      '""',
      '"\\n"',
      '"\\ud800x"',
      '"\\udc00"',
      '"\\ud83d\\ude00"',
      '"\\x"',
      'nul',
    ),
    fc.string().map((s) => JSON.stringify(s)),
    fc.tuple(fc.array(tie('text'), { maxLength: 4 }), spacing).map(([items, s]) => `[${s}${items.join(`${s},`)}${s}]`),
    fc
      .tuple(fc.array(fc.tuple(member, tie('text')), { maxLength: 4 }), spacing)
      .map(([pairs, s]) => `{${s}${pairs.map(([k, v]) => `"${k}"${s}:${s}${v}`).join(`,${s}`)}${s}}`),
  ),
}))

test('admission decides like the reference on generated JSON', () => {
  fc.assert(
    fc.property(jsonText, (text) => assert.is(verdict(bytesOf(text)), reference(bytesOf(text)))),
    { numRuns: 3000 },
  )
})

test('an exponent of many digits is refused at once, by the scanner and by the reference', () => {
  const bytes = bytesOf('-9E07199254740991')
  assert.is(verdict(bytes), reference(bytes))
})

test('admission decides like the reference on damaged JSON and on bytes', () => {
  const damaged = fc.tuple(jsonText, fc.nat(), fc.nat(255)).map(([text, at, byte]) => {
    const bytes = bytesOf(text)
    if (bytes.length > 0) bytes[at % bytes.length] = byte
    return bytes
  })
  fc.assert(
    fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 12 })), (bytes) =>
      assert.is(verdict(bytes), reference(bytes)),
    ),
    { numRuns: 3000 },
  )
})

test('16 levels of nesting are accepted, 17 are refused, and a hundred thousand do not overflow the stack', () => {
  const nested = (levels: number): Uint8Array => bytesOf('['.repeat(levels) + ']'.repeat(levels))
  assert.match(verdict(nested(16)), /^ok /)
  assert.is(verdict(nested(17)), 'canonicalization_failed')
  assert.is(verdict(nested(100_000)), 'canonicalization_failed')
  assert.is(verdict(bytesOf('['.repeat(100_000))), 'malformed_json')
})

test('numbers with huge exponents are decided quickly', () => {
  assert.ok(isExactInteger(`0e${'9'.repeat(400)}`))
  assert.not(isExactInteger(`1e${'9'.repeat(400)}`))
  assert.not(isExactInteger(`1e-${'9'.repeat(400)}`))
  assert.ok(isExactInteger(`1${'0'.repeat(200_000)}e-200000`))
  assert.not(isExactInteger(`0.${'0'.repeat(200_000)}1`))
})

test('texts that a reader of I-JSON refuses are refused, and others have the canonical form', () => {
  for (const row of jsonCases()) {
    const input = new Uint8Array(Buffer.from(row.b64, 'base64'))
    const got = verdict(input)
    if (row.jcs === 'reject') assert.not(got.startsWith('ok '), row.name)
    if (row.jcs === 'accept' && !got.startsWith('ok ')) {
      // Only the rules for numbers and depth are stricter than the RFC.
      assert.is(got, 'canonicalization_failed', row.name)
      assert.match(input.length > 40 ? 'deep' : Buffer.from(input).toString(), /deep|[-\d]/, row.name)
    }
    if (got.startsWith('ok ') && row.canonical_b64 !== undefined)
      assert.is(got.slice(3), Buffer.from(row.canonical_b64, 'base64').toString(), row.name)
  }
})

test('the canonical form and its hash', () => {
  for (const row of canonicalCases()) {
    const value: unknown = JSON.parse(Buffer.from(row.input_b64, 'base64').toString())
    const form = toCanonical(value, nativeSha256)
    assert.is(form.text, Buffer.from(row.output_b64, 'base64').toString(), row.name)
    assert.is(form.hash, row.output_sha256, row.name)
  }
})

test('the codecs round-trip exactly, and accept one text per value', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      assert.is(toBase64(bytes), Buffer.from(bytes).toString('base64'))
      assert.equal(fromBase64(toBase64(bytes)), bytes)
      assert.equal(fromBase64(toBase64(bytes).replace(/=+$/, '')), bytes)
      assert.equal(fromHex(toHex(bytes)), bytes)
    }),
  )
  for (const bad of ['A', 'AB', 'AAB=A', 'AA=', 'A===', '====', 'AA-_', 'AA AA', 'AAB', 'AA==\n', 'é===']) {
    const decoded = fromBase64(bad)
    if (decoded !== undefined) assert.is(toBase64(decoded).replace(/=+$/, ''), bad.replace(/=+$/, ''), bad)
    else assert.is(decoded, undefined)
  }
  assert.is(fromBase64('AB=='), undefined)
  assert.is(fromBase64('AAB='), undefined)
  assert.is(fromBase64('AA='), undefined)
  for (const bad of ['a', 'AA', 'g0', ' 0']) assert.is(fromHex(bad), undefined, bad)
})

test.run()
