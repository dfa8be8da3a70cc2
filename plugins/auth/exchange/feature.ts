/** Short-lived bearer tokens for API keys. The answer has the members of RFC 8693 section 2.2.1. */

import { described, documented } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { closed } from '../../../core/declare/json-schema.ts'
import { refusal } from '../../../core/declare/operation.ts'
import { deprecated, integer } from '../../../core/declare/settings.ts'
import { json, type Reply } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import type { Authentication, ExchangeSecret } from '../api.ts'
import { toKeyIdentity } from '../api-keys/key-identity.ts'
import type {} from '../capabilities.ts'
import { contract } from './contract.ts'
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

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'auth.exchange': true
  }
}

/** Feature `auth.exchange`. */
export const feature: FeatureValue<'auth.exchange'> = defineFeature({
  id: 'auth.exchange',
  about: described({
    at: import.meta.url,
    summary: 'Short-lived bearer tokens in exchange for an API key',
    stability: 'stable',
    since: '0.1.0',
    requires: ['auth.jwt', 'auth.api-keys'],
    platform: 'web',
    contract,
  }),
  needs: {
    Authentication: 'required',
    Delegation: 'required',
    ApiKeys: 'required',
    ClaimPolicy: 'required',
    ExchangeSecrets: 'optional',
    RevokedUsers: 'optional',
  },
  settings: {
    'security.exchange_max_body_bytes': deprecated(
      integer({
        default: 4_096,
        min: 256,
        unit: 'bytes',
        summary: documented('Largest body of a request for an exchange.'),
      }),
      documented('The body is two tokens of fixed form.'),
    ),
    'security.exchange_ttl_seconds': integer({
      default: 900,
      min: 1,
      max: 86_400,
      unit: 's',
      summary: documented('Life of a token that an API key is exchanged for.'),
    }),
  },
  setup(ctx) {
    const authentication = ctx.get('Authentication')
    const keys = ctx.get('ApiKeys')
    const delegation = ctx.get('Delegation')
    const revoked = ctx.get('RevokedUsers')
    const shared = ctx.get('ExchangeSecrets')
    // Without shared secrets the process creates its own, and its tokens end with the process, as keys in memory do.
    const secrets = (): [ExchangeSecret] => [{ kid: 'svc-x1', bytes: new Uint8Array(ctx.random.bytes(SECRET_BYTES)) }]
    const ring = createExchangeRing(shared?.current ?? secrets, (secret) => authentication.crypto().hmacKey(secret))
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
      policy: ctx.get('ClaimPolicy'),
      lifeSeconds: ctx.settings['security.exchange_ttl_seconds'],
      now: ctx.clock.now,
      random: ctx.random.bytes,
    }
    authentication.onToken(EXCHANGE_TYPE, createExchangeVerifier(options))
    return { ...options, crypto: authentication.crypto }
  },
  routes: (route) => [
    route('POST /api/svc/auth/exchange', {
      about: described({
        summary: 'Exchanges an API key, in X-API-Key or as api_key in the body, for a short-lived bearer token.',
        id: 'exchangeKey',
        access: { credential: 'key', others: { in: 'body', name: 'subject', scopes: ['svc:act'] } },
        request: {
          title: 'ExchangeRequest',
          type: 'object',
          additionalProperties: false,
          properties: {
            api_key: { type: 'string', description: 'The key, if it is not in `X-API-Key`.' },
            subject: {
              type: 'string',
              description:
                'The user of the tenant for whom the token is. The key needs the scope `svc:act`, and `security.delegation` must be true.',
            },
            scope: {
              type: 'string',
              description:
                'Scopes, separated by blanks. Those that the key lacks are left out, and with `subject` the reserved ones.',
            },
            expires_in: {
              type: 'integer',
              minimum: 1,
              description: 'Seconds, at most `security.exchange_ttl_seconds`.',
            },
          },
        },
        answers: {
          200: {
            description: 'A short-lived bearer token.',
            schema: closed('ExchangedToken', {
              access_token: { type: 'string' },
              issued_token_type: { const: 'urn:ietf:params:oauth:token-type:access_token' },
              token_type: { const: 'Bearer' },
              expires_in: { type: 'integer', description: 'Seconds.' },
              scope: { type: 'string' },
            }),
          },
          401: refusal('api_key_invalid'),
        },
      }),
      auth: 'handler',
      body: { type: 'application/json', limit: 'security.exchange_max_body_bytes', optional: true },
      handler: ({ request }, state) => exchange(request, state),
    }),
  ],
})

/** What the handler works with. */
interface State extends ExchangeOptions {
  readonly crypto: Authentication['crypto']
}

async function exchange(request: SvcRequest, state: State): Promise<Reply> {
  const { keys, delegation, revoked } = state
  const { key, ...wish } = await readExchange(request, state.lifeSeconds, delegation.userId)
  state.crypto()
  const record = await keys.verify(key, request)
  const { subject } = wish
  const caller = toKeyIdentity(record)
  if (subject !== undefined) delegation.demand(caller, 'svc:act')
  // Nothing is awaited since the key was found valid: a revocation from now on ends the token.
  const marks = revoked?.marks(subjectOfToken(record, subject)) ?? [0, 0]
  const { token, expiresIn, scopes } = await issueExchangeToken(record, wish, marks, state)
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
}
