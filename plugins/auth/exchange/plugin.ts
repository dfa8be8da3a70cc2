import { documented } from '../../../core/documented.ts'
import { json } from '../../../core/http/reply.ts'
import type { RouteSpec } from '../../../core/http/route.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import { integer } from '../../../core/settings/kinds.ts'
import type { ExchangeSecret } from '../api.ts'
import { toKeyIdentity } from '../api-keys/key-identity.ts'
import type {} from '../capabilities.ts'
import { readExchange } from './exchange-request.ts'
import { createExchangeRing } from './exchange-ring.ts'
import {
  createExchangeVerifier,
  EXCHANGE_TYPE,
  type ExchangeOptions,
  issueExchangeToken,
  subjectOfToken,
} from './exchange-tokens.ts'

const SECRET_BYTES = 32

const exchange: RouteSpec = {
  surface: 'runtime',
  method: 'POST',
  path: '/api/svc/auth/exchange',
  auth: 'handler',
  body: { type: 'application/json', limit: 'security.exchange_max_body_bytes', optional: true },
  summary: documented('Exchanges an API key, in X-API-Key or as api_key in the body, for a short-lived bearer token.'),
}

/** Short-lived bearer tokens for API keys. The answer has the members of RFC 8693 section 2.2.1. */
export const plugin: Plugin = definePlugin({
  name: 'auth.exchange',
  feature: 'auth.exchange',
  requires: ['Authentication', 'Delegation', 'ApiKeys', 'ClaimPolicy'],
  wants: ['ExchangeSecrets', 'RevokedUsers'],
  routes: [exchange],
  settings: {
    'security.exchange_max_body_bytes': integer({
      default: 4_096,
      min: 256,
      unit: 'bytes',
      summary: documented('Largest body of a request for an exchange.'),
    }),
    'security.exchange_ttl_seconds': integer({
      default: 900,
      min: 1,
      max: 86_400,
      unit: 's',
      summary: documented('Life of a token that an API key is exchanged for.'),
    }),
  },
  setup(ctx) {
    const authentication = ctx.use('Authentication')
    const keys = ctx.use('ApiKeys')
    const delegation = ctx.use('Delegation')
    const revoked = ctx.find('RevokedUsers')
    const shared = ctx.find('ExchangeSecrets')
    // Without shared secrets the process creates its own, and its tokens end with the process, as keys in memory do.
    const own = (): [ExchangeSecret] => [{ kid: 'svc-x1', bytes: new Uint8Array(ctx.random.bytes(SECRET_BYTES)) }]
    const ring = createExchangeRing(shared?.current ?? own, (secret) => authentication.crypto().hmacKey(secret))
    shared?.onChange(() => {
      const removed = ring.replace(shared.current())
      if (removed.length > 0) authentication.forgetVerdicts()
      for (const id of removed) authentication.announceRevoked(id)
    })
    const options: ExchangeOptions = {
      keys,
      delegation,
      revoked,
      watch: authentication.watch,
      secrets: ring.all,
      policy: ctx.use('ClaimPolicy'),
      lifeSeconds: ctx.settings['security.exchange_ttl_seconds'],
      now: ctx.clock.now,
      random: ctx.random.bytes,
    }
    authentication.onToken(EXCHANGE_TYPE, createExchangeVerifier(options))
    ctx.route(exchange, async (request) => {
      const { key, ...wish } = await readExchange(request, options.lifeSeconds, delegation.userId)
      authentication.crypto()
      const record = await keys.verify(key, request)
      const { subject } = wish
      const caller = toKeyIdentity(record)
      if (subject !== undefined) delegation.demand(caller, 'svc:act')
      // Nothing is awaited since the key was found valid: a revocation from now on ends the token.
      const marks = revoked?.marks(subjectOfToken(record, subject)) ?? [0, 0]
      const { token, expiresIn, scopes } = await issueExchangeToken(record, wish, marks, options)
      if (subject !== undefined)
        delegation.record(caller, 'An API key is exchanged for a token of a user.', {
          tenant: record.owner.tenant,
          user: subject,
          key: record.id,
          scope: scopes.join(' '),
        })
      const reply = {
        access_token: token,
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        token_type: 'Bearer',
        expires_in: expiresIn,
        scope: scopes.join(' '),
      }
      return json(200, reply, { 'cache-control': 'no-store' })
    })
  },
})
