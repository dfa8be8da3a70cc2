/** Cases of tokens and key sets, with a crypto provider. */

import { isSvcError } from '../../../core/declare/errors.ts'
import { decodeBase64url } from '../../../core/kernel/base64url.ts'
import type { CryptoProvider, HmacKey } from '../../../plugins/auth/crypto/provider.ts'
import { createWebCryptoProvider } from '../../../plugins/auth/crypto/web.ts'
import { createJwksCache } from '../../../plugins/auth/jwks/jwks-cache.ts'
import { readKeySet } from '../../../plugins/auth/jwks/key-set.ts'
import { createJwksVerifier, createSecretVerifier } from '../../../plugins/auth/jwt/verifier.ts'
import { readCompactJws } from '../../../plugins/auth/token/compact-jws.ts'
import type { JoseCases, JwsCase } from '../../support/vectors/jose.ts'
import type { Jwk } from '../../support/vectors/make-token.ts'
import type { TokenFile } from '../../support/vectors/tokens.ts'
import { ok, type Step, same } from './runner.ts'

/** The minimum of RFC 7518 section 3.2. The settings check it at the start, not the key. */
const MIN_SECRET_BYTES = 32

/** The steps, one for each kind of cases. */
export function jwtSteps(
  { jws, jwk, tokens }: JoseCases,
  provider: CryptoProvider = createWebCryptoProvider(),
): Step[] {
  const each = async (cases: readonly JwsCase[]): Promise<void> => {
    for (const { name, jws, keys, valid } of cases) same(name, await accepts(jws, keys, provider), valid)
  }
  return [
    { name: 'signatures', work: () => each(jws) },
    { name: 'key sets', work: () => each(jwk) },
    {
      name: 'tokens',
      work: async () => {
        for (const file of tokens) await judgeTokens(file, provider)
      },
    },
  ]
}

/** Whether a token verifies with the only key that it names, by the algorithm of that key. */
async function accepts(token: unknown, keys: readonly Jwk[], provider: CryptoProvider): Promise<boolean> {
  if (typeof token !== 'string') return false
  try {
    const jws = readCompactJws(token)
    const [key, ...others] = keys.filter(({ kid }) => kid === jws.header.kid)
    if (key === undefined || others.length > 0 || jws.header.alg !== key['alg']) return false
    return (await (await keyOf(key, provider))?.verify(jws)) === true
  } catch (error) {
    if (isSvcError(error)) return false
    throw error
  }
}

async function keyOf(jwk: Jwk, provider: CryptoProvider): Promise<Pick<HmacKey, 'verify'> | undefined> {
  if (jwk['kty'] === 'oct') {
    const secret = decodeBase64url(String(jwk['k'] ?? ''))
    return secret === null || secret.length < MIN_SECRET_BYTES ? undefined : provider.hmacKey(secret)
  }
  const document = JSON.stringify({ keys: [{ ...jwk, kid: jwk['kid'] ?? 'only' }] })
  const set = await readKeySet(document, { importKey: provider.rsaKey, maxKeys: 1, oldKeys: new Map() })
  return [...set.values()][0]?.key
}

async function judgeTokens({ policy, cases }: TokenFile, provider: CryptoProvider): Promise<void> {
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
  const key = provider.hmacKey(decodeBase64url(String(policy.verifier_hs.jwks.keys[0]!['k']))!)
  const parts = { policy: claims, now, revoked: undefined, watch: () => undefined }
  const verifiers = {
    rs: createJwksVerifier(cache, parts),
    hs: createSecretVerifier(() => [{ id: 'one', key }], parts),
  }
  for (const { name, verifier, expected, token } of cases) {
    let isAccepted = true
    try {
      await verifiers[verifier](readCompactJws(token))
    } catch (error) {
      if (!isSvcError(error)) throw error
      same(`${name}: the status`, error.status, 401)
      isAccepted = false
    }
    if (expected === 'accept' || expected === 'reject')
      ok(`${name}: ${expected}`, isAccepted === (expected === 'accept'))
  }
}
