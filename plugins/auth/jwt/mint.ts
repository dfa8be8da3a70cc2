/** Tokens for development, signed with the secret of the settings. */
import type { CommandIo } from '../../../core/declare/command.ts'
import type { Secret } from '../../../core/declare/secret.ts'
import type { TokenMint } from '../api.ts'
import { createWebCryptoProvider } from '../crypto/web.ts'
import { splitScope } from '../token/claims.ts'
import { devClaims, mintToken } from '../token/mint.ts'
import { readJwtSecret, refuseJwtSecret } from './secret.ts'

/** The mint of a command. */
export function createTokenMint(io: CommandIo): TokenMint {
  const secretOf = (): Secret | null => io.setting('security.jwt_secret') as Secret | null
  return {
    refusal() {
      for (const key of ['security.jwks_url', 'security.oidc_issuer'])
        if (typeof io.setting(key) === 'string')
          return {
            code: 'issuer_elsewhere',
            message: `${key} is set, so the service accepts only tokens of that issuer.`,
          }
      const [refused] = refuseJwtSecret(secretOf(), true)
      return refused === undefined
        ? undefined
        : { code: 'secret_unusable', message: `${refused.key}: ${refused.message}`, hint: refused.hint }
    },
    async mint({ sub, tenant, scope, ttlSeconds }) {
      const secret = readJwtSecret(secretOf())
      if (secret === null) throw new Error('There is no secret to sign a token with.')
      const claims = devClaims(
        { sub, tenant, scopes: scope === undefined ? undefined : splitScope(scope) },
        {
          issuer: io.setting('security.jwt_issuer') as string | null,
          audience: io.setting('security.jwt_audience') as string | null,
          tenantClaims: io.setting('security.tenant_claims') as readonly string[],
          nowSeconds: Math.floor(Date.now() / 1000),
          ttlSeconds,
        },
      )
      return mintToken(createWebCryptoProvider().hmacKey(secret), { typ: 'JWT' }, claims)
    },
  }
}
