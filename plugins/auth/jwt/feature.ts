/** Bearer tokens: signed with the shared secret or, if a JWKS is configured, with a key of that JWKS only. */
import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import type { Clock } from '../../../core/kernel/environment.ts'
import type { Logger } from '../../../core/kernel/log.ts'
import type {} from '../../transport/node-http/capabilities.ts'
import type {} from '../capabilities.ts'
import type { HmacKey } from '../crypto/provider.ts'
import type { ClaimPolicy } from '../token/claims.ts'
import { contract } from './contract.ts'
import { readJwtSecrets, refuseJwtSecret, refuseOtherSecrets } from './secret.ts'
import { createSecretKeys } from './secret-keys.ts'
import { jwtSettings } from './settings.ts'
import { createJwksVerifier, createSecretVerifier, type VerifierParts } from './verifier.ts'

declare const __PROGRAM__: boolean

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'auth.jwt': true
  }
}

/** Feature `auth.jwt`. */
export const feature: FeatureValue<'auth.jwt', never, 'ClaimPolicy'> = defineFeature({
  id: 'auth.jwt',
  about: described({
    at: import.meta.url,
    summary: 'Bearer tokens signed with a shared secret (HS256), and the command that makes them',
    stability: 'stable',
    since: '0.1.0',
    requires: ['auth.guard'],
    platform: 'web',
    commands: () => import('./commands.ts'),
    contract,
  }),
  needs: {
    Authentication: 'required',
    Delegation: 'required',
    JwksKeys: 'optional',
    RevokedUsers: 'optional',
    HttpServer: 'optional later',
  },
  provides: ['ClaimPolicy'],
  settings: jwtSettings,
  // No secret is needed where tokens come from a JWKS, where no credential is required, or where no runtime surface is
  // served.
  checkSettings: (settings, all) => [
    ...(all['security.jwks_url'] == null && all['security.oidc_issuer'] == null
      ? refuseJwtSecret(
          settings['security.jwt_secret'],
          all['security.jwt_required'] === true && all['server.mode'] !== 'sync',
        )
      : []),
    ...refuseOtherSecrets(settings['security.jwt_secret_previous'], all),
  ],
  setup(ctx) {
    const { settings } = ctx
    const { now } = ctx.clock
    const authentication = ctx.get('Authentication')
    const jwks = ctx.get('JwksKeys')
    const policy: ClaimPolicy = {
      get issuer() {
        return jwks?.issuer ?? settings['security.jwt_issuer'] ?? undefined
      },
      audience: settings['security.jwt_audience'] ?? undefined,
      validateNbf: settings['security.jwt_validate_nbf'],
      leewaySeconds: settings['security.jwt_leeway_seconds'],
      tenantClaims: settings['security.tenant_claims'],
      delegation: ctx.get('Delegation').enabled,
      onMismatch: createMismatchLog(ctx.log, ctx.clock),
    }
    ctx.provide('ClaimPolicy', policy)
    if (readJwtSecrets(settings).length === 0 && jwks?.cache == null) {
      const http = ctx.get('HttpServer')
      ctx.onStart(() => {
        if (http()?.mode !== 'sync')
          ctx.log.warn('Neither a secret nor a JWKS is configured: no bearer token is accepted.')
      })
    }
    const toKey = (secret: Uint8Array<ArrayBuffer>): HmacKey => authentication.crypto().hmacKey(secret)
    const secrets = createSecretKeys('secret', toKey, readJwtSecrets(settings))
    if (typeof __PROGRAM__ === 'undefined' || __PROGRAM__)
      ctx.onReload((reloaded) => {
        const removed = secrets.replace(readJwtSecrets(reloaded))
        if (removed.length > 0) authentication.forgetVerdicts()
        for (const id of removed) authentication.announceRevoked(id)
      })
    const parts: VerifierParts = { policy, now, revoked: ctx.get('RevokedUsers'), watch: authentication.watch }
    const bySecret = createSecretVerifier(secrets.all, parts)
    const byJwks = createJwksVerifier({ find: (kid) => jwks!.cache!.find(kid) }, parts)
    // Chosen for each token: another URL after SIGHUP is another cache.
    authentication.onToken(undefined, (jws) => (jwks?.cache == null ? bySecret : byJwks)(jws))
  },
})

/** At most one line for each claim in this time, in milliseconds, because each request with such a token causes one. */
const QUIET_MS = 10_000

/**
 * Creates the function that logs the `iss` or `aud` of refused tokens beside the configured value. The caller does not
 * get them, because the configuration is not the caller's business.
 */
export function createMismatchLog(log: Logger, { monotonic }: Clock): NonNullable<ClaimPolicy['onMismatch']> {
  const counts = new Map<string, { refused: number; quietUntilMs: number }>()
  return (claim, expected, received) => {
    const count = counts.get(claim) ?? { refused: 0, quietUntilMs: -Infinity }
    counts.set(claim, count)
    count.refused++
    if (monotonic() < count.quietUntilMs) return
    const { refused } = count
    log.warn(`A token is refused because of its ${claim} claim.`, { expected, received: received ?? null, refused })
    counts.set(claim, { refused: 0, quietUntilMs: monotonic() + QUIET_MS })
  }
}
