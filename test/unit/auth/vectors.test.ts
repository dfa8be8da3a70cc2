/** The public JWS, JWK and JWT vectors, with every crypto provider. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/errors.ts'
import { createNodeCryptoProvider } from '../../../plugins/auth/crypto/node.ts'
import type { CryptoProvider, HmacKey } from '../../../plugins/auth/crypto/provider.ts'
import { createWebCryptoProvider } from '../../../plugins/auth/crypto/web.ts'
import { createJwksCache } from '../../../plugins/auth/jwks/jwks-cache.ts'
import { readKeySet } from '../../../plugins/auth/jwks/key-set.ts'
import { createJwksVerifier, createSecretVerifier } from '../../../plugins/auth/jwt/verifier.ts'
import { decodeBase64url } from '../../../plugins/auth/token/base64url.ts'
import type { ClaimPolicy } from '../../../plugins/auth/token/claims.ts'
import { readCompactJws } from '../../../plugins/auth/token/compact-jws.ts'
import { testUnless } from '../../support/skip.ts'
import { noVectors, readVectors } from '../../support/vectors.ts'

interface Jwk {
  readonly kty?: string
  readonly alg?: string
  readonly use?: string
  readonly k?: string
  readonly kid?: string
}

type Verifies = Pick<HmacKey, 'verify'>

interface JwsCase {
  readonly name: string
  readonly result: string
  readonly rs256_hs256: boolean
  readonly note?: string
  readonly comment: string
  readonly jws: unknown
  readonly verify_key: Jwk & { readonly keys?: readonly Jwk[] }
}

interface MaliciousFile {
  readonly policy: {
    readonly now: number
    readonly iss: string
    readonly aud: string
    readonly verifier_rs: { readonly jwks: object }
    readonly verifier_hs: { readonly jwks: { readonly keys: readonly Jwk[] } }
  }
  readonly cases: readonly { name: string; verifier: 'rs' | 'hs'; expected: string; token: string }[]
}

const providers: readonly [string, CryptoProvider][] = [
  ['node', createNodeCryptoProvider()],
  ['web', createWebCryptoProvider()],
]

/** The minimum of RFC 7518 section 3.2. The settings check it at the start, not the key. */
const MIN_SECRET_BYTES = 32

for (const [name, provider] of providers) {
  for (const file of ['wycheproof_jws', 'wycheproof_jwk', 'wycheproof_jwcrypto_jws']) {
    testUnless(test, noVectors, `${file} on ${name}`, () => runWycheproof(file, provider))
  }
  testUnless(test, noVectors, `rfc7515 on ${name}`, () => runRfc7515(provider))
  testUnless(test, noVectors, `malicious tokens on ${name}`, () => runMalicious(provider))
}

async function runWycheproof(file: string, provider: CryptoProvider): Promise<void> {
  const cases = readVectors<{ cases: readonly JwsCase[] }>(`jwt/${file}.json`).cases.filter((row) => row.rs256_hs256)
  assert.ok(cases.length > 10)
  const validTexts = new Set(cases.filter((row) => row.result === 'valid').map((row) => row.jws))
  const seen = { valid: 0, invalid: 0 }
  for (const row of cases) {
    const accepted = await accepts(row.jws, row.verify_key, provider)
    // Rows with a note have no definite result. A strict reader of base64url refuses them.
    if (row.note !== undefined) continue
    // Two rows have lost the padding that they test, so that their text equals that of a valid row.
    if (row.result !== 'valid' && validTexts.has(row.jws) && /padding/i.test(row.comment)) continue
    // The service never reads secrets from a key set, so rows with such sets do not apply.
    if (row.verify_key.keys?.some((key) => key.kty === 'oct')) continue
    seen[row.result === 'valid' ? 'valid' : 'invalid']++
    assert.is(accepted, row.result === 'valid', `${file} ${row.name}`)
  }
  assert.ok(seen.valid > 0 && seen.invalid > 0)
}

async function runRfc7515(provider: CryptoProvider): Promise<void> {
  const { cases } = readVectors<{
    cases: readonly { name: string; result: string; jws: string; alg: string; jwk: Jwk }[]
  }>('jwt/rfc7515.json')
  assert.ok(cases.length === 5)
  for (const { name, result, jws, alg, jwk } of cases) {
    const key = jwk === null ? undefined : await keyOf(jwk, provider)
    // A key is only used for the algorithm of its kind.
    const own = jwk?.kty === 'RSA' ? 'RS256' : 'HS256'
    const accepted = alg === own && (await verifiesAs(jws, own, key))
    assert.is(accepted, result === 'valid', name)
  }
}

async function runMalicious(provider: CryptoProvider): Promise<void> {
  const { policy, cases } = readVectors<MaliciousFile>('jwt/malicious_authored.json')
  const claims: ClaimPolicy = {
    issuer: policy.iss,
    audience: policy.aud,
    validateNbf: true,
    leewaySeconds: 0,
    tenantClaims: ['tenant_id'],
  }
  const now = (): number => policy.now * 1000
  const fetched: string[] = []
  const globalFetch = globalThis.fetch
  globalThis.fetch = (input) => {
    fetched.push(String(input))
    throw new Error('no request may leave')
  }
  const cache = createJwksCache({
    url: 'https://issuer.test/jwks.json',
    fetch: async () => new Response(JSON.stringify(policy.verifier_rs.jwks)),
    timeoutMs: 1_000,
    maxBytes: 10_000,
    maxKeys: 4,
    cooldownMs: 10_000,
    refreshAfterMs: 600_000,
    maxAgeMs: 86_400_000,
    maxUnknownKids: 16,
    importKey: provider.rsaKey,
    monotonic: () => 0,
    onKeysLost: () => assert.unreachable(),
    onFailure: (reason) => assert.unreachable(String(reason)),
  })
  const secret = provider.hmacKey(decodeBase64url(policy.verifier_hs.jwks.keys[0]!.k!)!)
  const verifiers = { rs: createJwksVerifier(cache, claims, now), hs: createSecretVerifier(() => secret, claims, now) }
  const seen = { accept: 0, reject: 0, either: 0 }
  try {
    for (const { name, verifier, expected, token } of cases) {
      let accepted = false
      try {
        await verifiers[verifier](readCompactJws(token))
        accepted = true
      } catch (error) {
        if (!isSvcError(error) || error.status !== 401) throw error
      }
      if (expected === 'accept' || expected === 'reject') assert.is(accepted, expected === 'accept', name)
      seen[expected as keyof typeof seen]++
    }
    assert.ok(seen.accept >= 5 && seen.reject >= 90 && seen.either >= 5)
    assert.equal(fetched, [])
  } finally {
    globalThis.fetch = globalFetch
  }
}

/** Whether a token verifies, by the rules of the service, with the key of the set that it names. */
async function accepts(token: unknown, keys: JwsCase['verify_key'], provider: CryptoProvider): Promise<boolean> {
  if (typeof token !== 'string') return false
  const all = keys.keys ?? [keys]
  let kid: string | undefined
  try {
    kid = readCompactJws(token).header.kid
  } catch {
    return false
  }
  const named = all.filter((key) => key.kid === kid)
  const [jwk] = named
  if (named.length !== 1 || jwk?.alg === undefined) return false
  return verifiesAs(token, jwk.alg, await keyOf(jwk, provider))
}

async function verifiesAs(token: string, alg: string, key: Verifies | undefined): Promise<boolean> {
  try {
    const jws = readCompactJws(token)
    return key !== undefined && jws.header.alg === alg && (await key.verify(jws))
  } catch (error) {
    if (isSvcError(error)) return false
    throw error
  }
}

async function keyOf(jwk: Jwk, provider: CryptoProvider): Promise<Verifies | undefined> {
  if (jwk.kty === 'oct') {
    const secret = decodeBase64url(jwk.k ?? '')
    return secret === null || secret.length < MIN_SECRET_BYTES ? undefined : provider.hmacKey(secret)
  }
  const document = JSON.stringify({ keys: [{ ...jwk, kid: jwk.kid ?? 'only' }] })
  const set = await readKeySet(document, { importKey: provider.rsaKey, maxKeys: 1, known: new Map() })
  return [...set.values()][0]?.key
}

test.run()
