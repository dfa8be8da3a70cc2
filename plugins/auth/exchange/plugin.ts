import { httpFail } from '../../../core/catalogue.ts'
import { documented } from '../../../core/documented.ts'
import { json } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import type { RouteSpec } from '../../../core/http/route.ts'
import { isObject } from '../../../core/is-object.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import { integer } from '../../../core/settings/kinds.ts'
import type { ExchangeSecret } from '../api.ts'
import type {} from '../capabilities.ts'
import { refuse } from '../errors.ts'
import { parseBody } from '../json-body.ts'
import {
  createExchangeVerifier,
  EXCHANGE_TYPE,
  type ExchangeKey,
  type ExchangeOptions,
  issueExchangeToken,
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
  requires: ['Authentication', 'ApiKeys', 'ClaimPolicy'],
  wants: ['ExchangeSecrets'],
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
    const toKey = ({ kid, bytes }: ExchangeSecret): ExchangeKey => ({
      kid,
      key: authentication.crypto().hmacKey(bytes),
    })
    let secrets: readonly [ExchangeKey, ...ExchangeKey[]] | undefined
    const options: ExchangeOptions = {
      keys,
      secrets: () => {
        if (secrets === undefined) {
          // Without shared secrets the process creates its own, and its tokens end with the process, as keys in memory do.
          const own = (): [ExchangeSecret] => [{ kid: 'svc-x1', bytes: new Uint8Array(ctx.random.bytes(SECRET_BYTES)) }]
          const [first, ...others] = ctx.find('ExchangeSecrets') ?? own()
          secrets = [toKey(first), ...others.map(toKey)]
        }
        return secrets
      },
      policy: ctx.use('ClaimPolicy'),
      lifeSeconds: ctx.settings['security.exchange_ttl_seconds'],
      now: ctx.clock.now,
    }
    authentication.onToken(EXCHANGE_TYPE, createExchangeVerifier(options))
    ctx.route(exchange, async (request) => {
      const key = await readKey(request)
      authentication.crypto()
      const record = await keys.verify(key, request)
      const { token, expiresIn } = await issueExchangeToken(record, options)
      const reply = {
        access_token: token,
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        token_type: 'Bearer',
        expires_in: expiresIn,
        scope: record.scopes.join(' '),
      }
      return json(200, reply, { 'cache-control': 'no-store' })
    })
  },
})

/** Reads the key of a request. `Authorization` is ignored, because a token cannot be exchanged. */
async function readKey(request: SvcRequest): Promise<string> {
  const inHeader = request.header('x-api-key')
  const bytes = await request.body()
  const inBody = bytes.length === 0 ? undefined : readApiKey(parseBody(bytes))
  if (inHeader !== undefined && inBody !== undefined) {
    throw httpFail('malformed_request', { message: 'Give the API key in X-API-Key or in the body, not in both.' })
  }
  const key = inHeader ?? inBody
  if (key === undefined) throw refuse('credential_missing', { message: 'There is no API key to exchange.' })
  return key
}

/** @throws SvcError `malformed_request` unless the body is an object with nothing but, at most, the text `api_key` */
function readApiKey(body: unknown): string | undefined {
  const { api_key: key, ...others } = isObject(body) ? body : { body }
  if (Object.keys(others).length === 0 && (key === undefined || typeof key === 'string')) return key
  throw httpFail('malformed_request', {
    message: 'The body is not an object with the text api_key and no other member.',
  })
}
