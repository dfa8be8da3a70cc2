/** Input of unauthenticated callers: texts of API keys, tokens, key sets. */
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../core/declare/errors.ts'
import { clientAddress, networkOf, readAddress, toIsTrusted } from '../../core/http/client-address.ts'
import { decodeBase64url, encodeBase64url } from '../../core/kernel/base64url.ts'
import { createKeyText, hasRightChecksum, readKeyId } from '../../plugins/auth/api-keys/key-text/key-text.ts'
import { readKeyRequest } from '../../plugins/auth/api-keys/managing/key-request.ts'
import { createNodeCryptoProvider } from '../../plugins/auth/crypto/node.ts'
import { isSameKey, readKeySet } from '../../plugins/auth/jwks/key-set.ts'
import { checkRegisteredClaims, parseClaims, readSubject } from '../../plugins/auth/token/claims.ts'
import { readCompactJws } from '../../plugins/auth/token/compact-jws.ts'
import { parseJsonObject } from '../../plugins/auth/token/json-object.ts'
import { anyCharacter } from '../support/any-character.ts'
import { makeRequest } from '../support/requests.ts'
import { runs } from './runs.ts'

const test = suite('fuzz: auth')
const utf8 = new TextEncoder()

/** Any text, texts of the given alphabet, and texts of the alphabet with one arbitrary character. */
function near(alphabet: string): fc.Arbitrary<string> {
  const inside = fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 200 })
  const spoilt = fc.tuple(inside, fc.nat(200), fc.string({ unit: anyCharacter, minLength: 1, maxLength: 2 }))
  return fc.oneof(
    inside,
    spoilt.map(([text, at, other]) => text.slice(0, at) + other + text.slice(at + 1)),
    fc.string({ unit: anyCharacter, maxLength: 100 }),
  )
}

/** Runs `work`. Returns undefined if `work` refuses with a 4xx error, and rethrows every other error. */
function orRefused<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (isSvcError(error) && error.status >= 400 && error.status < 500) return undefined
    throw error
  }
}

const KEY_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const bytesOf = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length })

test('key text: every created key is read, and a change of any character is detected', () => {
  const keyText = fc
    .tuple(bytesOf(24), bytesOf(32))
    .map(([id, secret]) => createKeyText((n) => (n === 24 ? id : secret)))
  const change = fc.tuple(
    fc.nat(69),
    fc.oneof(fc.constantFrom(...KEY_DIGITS), fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 })),
  )
  fc.assert(
    fc.property(keyText, change, ({ text, id }, [at, other]) => {
      assert.is(readKeyId(text), id)
      assert.ok(hasRightChecksum(text))
      const changed = text.slice(0, at) + other + text.slice(at + 1)
      // The checksum always detects one wrong character, because a character changes at most 8 adjacent bits.
      if (changed !== text) assert.ok(readKeyId(changed) === null || !hasRightChecksum(changed), changed)
    }),
    runs(),
  )
})

test('key text: no other text has an id', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        near(`svc_${KEY_DIGITS}`),
        near(KEY_DIGITS).map((text) => `svc_${text}`),
      ),
      (text) => {
        const id = readKeyId(text)
        assert.is(id !== null, /^svc_[0-9A-Za-z]{16}_[0-9A-Za-z]{49}$/.test(text) && !text.endsWith('\n'))
      },
    ),
    runs(),
  )
})

test('base64url: each accepted text is the only encoding of its bytes, and the platform decodes it to the same bytes', () => {
  fc.assert(
    fc.property(near('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'), (text) => {
      const bytes = decodeBase64url(text)
      if (bytes === null) {
        // The platform never produces a text that is refused.
        assert.is.not(Buffer.from(text, 'base64url').toString('base64url'), text)
        return
      }
      assert.is(encodeBase64url(bytes), text)
      assert.equal(Buffer.from(bytes), Buffer.from(text, 'base64url'))
    }),
    runs(),
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      assert.equal(decodeBase64url(encodeBase64url(bytes)), new Uint8Array(bytes))
    }),
    runs(),
  )
})

const jsonText = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value)),
  fc
    .dictionary(fc.constantFrom('alg', 'kid', 'typ', 'crit', 'sub', 'exp', '__proto__'), fc.jsonValue({ maxDepth: 1 }))
    .map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '{"alg":"HS256","alg":"none"}',
    '{"alg":"HS256","\\u0061lg":"none"}',
    '{}',
    '[]',
    '\ufeff{}',
    '{"a":":","b":{"c":1}}',
  ),
  near('{}[]":,\\ualg0123'),
)

test('JSON objects: an accepted text has unique member names and the value that JSON.parse gives', () => {
  fc.assert(
    fc.property(jsonText, (text) => {
      const found = parseJsonObject(utf8.encode(text))
      if (found === null) return
      assert.equal(found, JSON.parse(text))
      // Another parser may read a text with a duplicate name differently.
      const names: string[] = []
      JSON.parse(text, function (this: unknown, name, value: unknown) {
        if (this === undefined) names.push(name)
        return value
      })
      assert.is(new Set(names).size, names.length)
    }),
    runs(),
  )
  assert.is(parseJsonObject(utf8.encode('{"alg":"HS256","\\u0061lg":"none"}')), null)
})

test('compact JWS: a text is refused, or it has three parts and is their only encoding', () => {
  const part = fc.oneof(
    jsonText.map((text) => Buffer.from(text).toString('base64url')),
    near('AZaz09-_.='),
  )
  const token = fc.oneof(
    fc.tuple(part, part, part).map((parts) => parts.join('.')),
    near('eyJhbGciOi.IUz1NiJ9-_='),
  )
  const policy = { issuer: undefined, audience: undefined, validateNbf: true, leewaySeconds: 0, tenantClaims: ['tid'] }
  fc.assert(
    fc.property(token, (text) => {
      const jws = orRefused(() => readCompactJws(text))
      if (jws === undefined) return
      const [header, payload, signature, ...more] = text.split('.')
      assert.equal(more, [])
      assert.is(typeof jws.header.alg, 'string')
      assert.is(text.slice(jws.signatureAt), signature)
      assert.is(encodeBase64url(jws.payload), payload)
      assert.is(encodeBase64url(jws.signature), signature)
      assert.not.ok(Object.hasOwn(JSON.parse(Buffer.from(header!, 'base64url').toString()) as object, 'crit'))
      // The payload may be anything, as if it had a correct signature.
      const subject = orRefused(() => {
        const claims = parseClaims(jws.payload)
        checkRegisteredClaims(claims, policy, 0)
        return readSubject(claims, policy)
      })
      if (subject !== undefined) assert.ok(subject.user !== '' && subject.tenant !== '')
    }),
    runs(),
  )
})

test('JWKS documents: a document is refused with a reason, or gives keys that verify RS256 and nothing else', async () => {
  const { rsaKey } = createNodeCryptoProvider()
  const modulus = bytesOf(256).map((bytes) => {
    bytes[0]! |= 0x80
    bytes[255]! |= 1
    return encodeBase64url(bytes)
  })
  const member = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom('RSA', 'sig', 'RS256', 'AQAB', 'one', 'AQ', ['verify']),
  )
  const jwk = fc
    .tuple(
      fc.record({
        kty: fc.constant('RSA'),
        n: modulus,
        e: fc.constantFrom('AQAB', 'Aw'),
        kid: fc.constantFrom('one', 'two'),
      }),
      fc.dictionary(fc.constantFrom('kty', 'n', 'e', 'kid', 'use', 'alg', 'key_ops', 'd', '__proto__'), member, {
        maxKeys: 2,
      }),
    )
    .map(([good, spoilt]) => ({ ...good, ...spoilt }))
  const document = fc.oneof(
    fc.array(fc.oneof(jwk, fc.jsonValue({ maxDepth: 2 })), { maxLength: 6 }).map((keys) => JSON.stringify({ keys })),
    jsonText,
    jsonText.map((text) => `{"keys":${text}}`),
  )
  await fc.assert(
    fc.asyncProperty(document, async (text) => {
      const options = { importKey: rsaKey, maxKeys: 4, oldKeys: new Map() }
      const keys = await readKeySet(text, options).catch((error: unknown) => {
        // A TypeError would mean that the document broke the reader.
        assert.ok(isSvcError(error, 'jwks_unavailable'), String(error))
        return null
      })
      for (const [kid, { jwk }] of keys ?? []) {
        const entries = (JSON.parse(text) as { keys: Record<string, unknown>[] }).keys.filter(
          (entry) => entry?.['kid'] === kid,
        )
        const isUsable = ({ kty, n, e, d, alg }: Record<string, unknown>): boolean =>
          isSameKey(jwk, { n, e } as never) && kty === 'RSA' && d == null && (alg == null || alg === 'RS256')
        assert.ok(entries.some(isUsable), text)
      }
    }),
    runs(),
  )
})

test('requests for a key: a body is refused, or has the promised shape', () => {
  const request = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.dictionary(fc.constantFrom('name', 'scopes', 'expires_in', '__proto__', 'x'), fc.jsonValue({ maxDepth: 1 })),
    fc.record(
      { name: fc.string(), scopes: fc.array(fc.string({ unit: anyCharacter })), expires_in: fc.double() },
      { requiredKeys: [] },
    ),
  )
  fc.assert(
    fc.property(request, (body) => {
      const found = orRefused(() => readKeyRequest(body))
      if (found === undefined) return
      assert.ok(found.name.length >= 1 && found.name.length <= 100)
      for (const scope of found.scopes ?? []) assert.not.match(scope, /[\s"\\]/)
      assert.ok(found.expires_in === undefined || (Number.isInteger(found.expires_in) && found.expires_in >= 1))
    }),
    runs(),
  )
})

test('addresses: each address has one text form with or without a port, and a text without one counts as the address of the proxy', () => {
  const port = fc.option(fc.nat(65_535), { nil: undefined })
  const written = fc.oneof(
    fc.tuple(fc.ipV4(), port).map(([ip, n]) => [ip, n === undefined ? ip : `${ip}:${n}`] as const),
    fc.tuple(fc.ipV6(), port).map(([ip, n]) => [ip, n === undefined ? ip : `[${ip}]:${n}`] as const),
  )
  fc.assert(
    fc.property(written, ([ip, text]) => {
      const address = readAddress(text)
      assert.ok(address !== null, text)
      assert.is(address, readAddress(ip))
      assert.is(readAddress(address), address)
      assert.match(networkOf(address), /^(?:\d+\.\d+\.\d+\.\d+|[\da-f]+(?::[\da-f]+){3})$/)
    }),
    runs(),
  )
  const peer = { transport: 'tcp', address: '10.0.0.1' } as const
  fc.assert(
    fc.property(near('0123456789abcdef.:[]%, '), (text) => {
      const client = clientAddress(
        makeRequest('/', { peer, headers: { 'x-forwarded-for': text } }),
        toIsTrusted(['10.0.0.0/24']),
      )
      assert.is(readAddress(client), client)
    }),
    runs(),
  )
})

test.run()
