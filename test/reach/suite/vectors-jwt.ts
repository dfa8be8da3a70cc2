/** The conformance vectors of tokens and key sets, with WebCrypto. */
import { isSvcError } from '../../../core/errors.ts'
import type { HmacKey } from '../../../plugins/auth/crypto/provider.ts'
import { createWebCryptoProvider } from '../../../plugins/auth/crypto/web.ts'
import { createJwksCache } from '../../../plugins/auth/jwks/jwks-cache.ts'
import { readKeySet } from '../../../plugins/auth/jwks/key-set.ts'
import { createJwksVerifier, createSecretVerifier } from '../../../plugins/auth/jwt/verifier.ts'
import { decodeBase64url } from '../../../plugins/auth/token/base64url.ts'
import { readCompactJws } from '../../../plugins/auth/token/compact-jws.ts'
import { ok, type Step, same } from './runner.ts'
import type { Vectors } from './vectors.ts'

/** The files that the steps read. */
export const jwtFiles: readonly string[] = [
  ...['jwt/rfc7515', 'jwt/wycheproof_jws', 'jwt/wycheproof_jwk', 'jwt/wycheproof_jwcrypto_jws'],
  'jwt/malicious_authored',
]

type Jwk = Readonly<Record<string, string>>

interface Policy {
  readonly now: number
  readonly iss: string
  readonly aud: string
  readonly verifier_rs: { readonly jwks: object }
  readonly verifier_hs: { readonly jwks: { readonly keys: readonly Jwk[] } }
}

/** The steps, one for each file. */
export function jwtSteps(vectors: Vectors): Step[] {
  const provider = createWebCryptoProvider()
  const keyOf = async (jwk: Jwk): Promise<Pick<HmacKey, 'verify'> | undefined> => {
    if (jwk['kty'] === 'oct') {
      const secret = decodeBase64url(jwk['k'] ?? '')
      // RFC 7518 section 3.2 requires at least 32 bytes.
      return secret === null || secret.length < 32 ? undefined : provider.hmacKey(secret)
    }
    const document = JSON.stringify({ keys: [{ ...jwk, kid: jwk['kid'] ?? 'only' }] })
    const set = await readKeySet(document, { importKey: provider.rsaKey, maxKeys: 1, known: new Map() })
    return [...set.values()][0]?.key
  }
  /** Whether a token verifies with the only key that it names, by the algorithm of that key. */
  const accepts = async (token: unknown, keys: readonly Jwk[], alg?: string): Promise<boolean> => {
    try {
      const jws = readCompactJws(String(token))
      const named = keys.filter(({ kid }) => kid === jws.header.kid)
      const wanted = alg ?? named[0]?.['alg']
      if (named.length !== 1 || jws.header.alg !== wanted) return false
      return (await (await keyOf(named[0]!))?.verify(jws)) === true
    } catch (error) {
      if (isSvcError(error)) return false
      throw error
    }
  }
  return [
    {
      name: 'RFC 7515',
      work: async () => {
        for (const { name, result, jws, jwk } of vectors['jwt/rfc7515']!.cases) {
          const key = jwk as Jwk | null
          const found = key !== null && (await accepts(jws, [key], key['kty'] === 'RSA' ? 'RS256' : 'HS256'))
          same(String(name), found, result === 'valid')
        }
      },
    },
    ...jwtFiles.slice(1, -1).map((file) => ({ name: file, work: () => wycheproof(vectors, file, accepts) })),
    { name: 'malicious tokens', work: () => malicious(vectors) },
  ]
}

/**
 * Checks the rows of a file. Some rows are skipped: those without a definite result, those that have lost their padding
 * error, and those with a secret in a key set.
 */
async function wycheproof(
  vectors: Vectors,
  file: string,
  accepts: (token: unknown, keys: readonly Jwk[]) => Promise<boolean>,
): Promise<void> {
  const rows = vectors[file]!.cases.filter(({ rs256_hs256, note }) => rs256_hs256 === true && note === undefined)
  const valid = new Set(rows.filter(({ result }) => result === 'valid').map(({ jws }) => jws))
  let judged = 0
  for (const { name, jws, result, comment, verify_key } of rows) {
    const { keys, ...one } = verify_key as Jwk & { readonly keys?: readonly Jwk[] }
    if (result !== 'valid' && valid.has(jws) && /padding/i.test(String(comment))) continue
    if (keys?.some(({ kty }) => kty === 'oct') === true) continue
    judged++
    const isAccepted = typeof jws === 'string' && (await accepts(jws, keys ?? [one as Jwk]))
    same(String(name), isAccepted, result === 'valid')
  }
  ok(`${file} has rows`, judged > 0)
}

async function malicious(vectors: Vectors): Promise<void> {
  const provider = createWebCryptoProvider()
  const { policy, cases } = vectors['jwt/malicious_authored'] as Vectors[string] & { readonly policy: Policy }
  const claims = {
    ...{ issuer: policy.iss, audience: policy.aud, validateNbf: true, leewaySeconds: 0, tenantClaims: ['tenant_id'] },
  }
  const now = (): number => policy.now * 1_000
  const cache = createJwksCache({
    url: 'https://issuer.test/jwks.json',
    fetch: async () => new Response(JSON.stringify(policy.verifier_rs.jwks)),
    ...{ timeoutMs: 1_000, maxBytes: 10_000, maxKeys: 4, cooldownMs: 10_000, maxUnknownKids: 16 },
    ...{ refreshAfterMs: 600_000, maxAgeMs: 86_400_000 },
    importKey: provider.rsaKey,
    monotonic: () => 0,
    onKeysLost: () => {},
    onFailure: () => {},
  })
  const secret = provider.hmacKey(decodeBase64url(policy.verifier_hs.jwks.keys[0]!['k']!)!)
  const verifiers = { rs: createJwksVerifier(cache, claims, now), hs: createSecretVerifier(() => secret, claims, now) }
  for (const { name, verifier, expected, token } of cases) {
    let isAccepted = true
    try {
      await verifiers[verifier as 'rs' | 'hs'](readCompactJws(String(token)))
    } catch (error) {
      if (!isSvcError(error)) throw error
      isAccepted = false
    }
    if (expected !== 'either') same(String(name), isAccepted, expected === 'accept')
  }
}
