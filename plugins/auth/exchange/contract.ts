/** The contract of the exchange of API keys for tokens. */
import { type Contract, defineContract, type Target } from '../../../core/testing/contract.ts'
import { createKey } from '../api-keys/contract.ts'
import { expectAnswer, mint, withToken } from '../contract-tokens.ts'

const EXCHANGE = '/api/svc/auth/exchange'

async function exchange(target: Target, key: string): Promise<string> {
  const answer = await target.request({ method: 'POST', path: EXCHANGE, headers: { 'x-api-key': key } })
  expectAnswer(answer, 200)
  return String((answer.json() as Record<string, unknown>)['access_token'])
}

/** Makes a key that may act for other users. */
async function createActingKey(target: Target): Promise<string> {
  const send = { method: 'POST', path: '/api/svc/auth/keys', body: { name: 'x' } }
  const made = await withToken(target, await mint({ sub: 'backend', scope: 'a svc:act' }), send)
  expectAnswer(made, 201)
  return (made.json() as { key: string }).key
}

/** The contract of feature `auth.exchange`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'a key in the header or in the body gives a short-lived token',
      steps: async (target) => {
        const { key } = await createKey(target, { scopes: ['a'] })
        const sends = [{ headers: { 'x-api-key': key } }, { body: { api_key: key } }]
        for (const send of sends) {
          const answer = await target.request({ method: 'POST', path: EXCHANGE, ...send })
          expectAnswer(answer, 200)
          const { access_token: token, ...rest } = answer.json() as Record<string, unknown>
          const expected = {
            issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
            token_type: 'Bearer',
            expires_in: 900,
            scope: 'a',
          }
          if (JSON.stringify(rest) !== JSON.stringify(expected)) throw new Error(`got ${JSON.stringify(rest)}`)
          if (answer.headers['cache-control'] !== 'no-store') throw new Error('the answer may be stored')
          expectAnswer(await withToken(target, String(token)), 404, 'not_found')
        }
      },
    },
    {
      name: 'the token passes the configured issuer and audience',
      given: { 'security.jwt_issuer': 'https://issuer.example', 'security.jwt_audience': 'svc-contract' },
      steps: async (target) => {
        const claims = { iss: 'https://issuer.example', aud: 'svc-contract' }
        const send = { method: 'POST', path: '/api/svc/auth/keys', body: { name: 'x' } }
        const made = await withToken(target, await mint(claims), send)
        expectAnswer(made, 201)
        const token = await exchange(target, (made.json() as { key: string }).key)
        expectAnswer(await withToken(target, token), 404)
      },
    },
    {
      name: 'revoking the key ends the token at once',
      steps: async (target) => {
        const { key, record } = await createKey(target)
        const token = await exchange(target, key)
        expectAnswer(await withToken(target, token), 404)
        const send = { method: 'DELETE', path: `/api/svc/auth/keys/${record.id}` }
        expectAnswer(await withToken(target, await mint(), send), 204)
        expectAnswer(await withToken(target, token), 401, 'api_key_invalid')
      },
    },
    {
      name: 'a key with svc:act gives a token of another user, with no scope beyond the key and none that is reserved',
      given: { 'security.delegation': true },
      steps: async (target) => {
        const key = await createActingKey(target)
        const body = { subject: 'bo', scope: 'a c svc:act', expires_in: 60 }
        const answer = await target.request({ method: 'POST', path: EXCHANGE, headers: { 'x-api-key': key }, body })
        expectAnswer(answer, 200)
        const { access_token: token, scope, expires_in } = answer.json() as Record<string, unknown>
        if (scope !== 'a' || expires_in !== 60) throw new Error(answer.text)
        expectAnswer(await withToken(target, String(token)), 404, 'not_found')
        const keys = { path: '/api/svc/auth/keys' }
        expectAnswer(await withToken(target, String(token), keys), 403, 'forbidden')
      },
    },
    {
      name: 'acting needs svc:act',
      given: { 'security.delegation': true },
      steps: async (target) => {
        const { key } = await createKey(target)
        const body = { subject: 'bo' }
        const answer = await target.request({ method: 'POST', path: EXCHANGE, headers: { 'x-api-key': key }, body })
        expectAnswer(answer, 403, 'forbidden')
      },
    },
    {
      name: 'nobody acts while security.delegation is off',
      steps: async (target) => {
        const headers = { 'x-api-key': await createActingKey(target) }
        const answer = await target.request({ method: 'POST', path: EXCHANGE, headers, body: { subject: 'bo' } })
        expectAnswer(answer, 403, 'forbidden')
      },
    },
    {
      name: 'a subject, a scope or a life of another shape is 400',
      given: { 'security.delegation': true },
      steps: async (target) => {
        const headers = { 'x-api-key': await createActingKey(target) }
        const bodies = [
          { subject: '' },
          { subject: '*' },
          { scope: 7 },
          { expires_in: 0 },
          { expires_in: 901 },
          { x: 1 },
        ]
        for (const body of bodies) {
          const answer = await target.request({ method: 'POST', path: EXCHANGE, headers, body })
          expectAnswer(answer, 400, 'malformed_request')
        }
      },
    },
    {
      name: 'a token of the shared secret that looks like an exchanged one is refused',
      steps: async (target) => {
        const { record } = await createKey(target)
        const token = await mint({ svc_key: record.id }, { typ: 'svc-exchange+jwt', kid: 'svc-x1' })
        expectAnswer(await withToken(target, token), 401, 'token_signature_invalid')
      },
    },
    {
      name: 'two keys are 400',
      send: { method: 'POST', path: EXCHANGE, headers: { 'x-api-key': 'x' }, body: { api_key: 'y' } },
      expect: { status: 400, body: { error: { code: 'malformed_request' } } },
    },
    {
      name: 'a wrong key is 401, in anonymous mode too',
      given: { 'security.jwt_required': false },
      send: { method: 'POST', path: EXCHANGE, body: { api_key: 'rubbish' } },
      expect: {
        status: 401,
        headers: { 'www-authenticate': 'Bearer realm="svc", error="invalid_token"' },
        body: { error: { code: 'api_key_invalid' } },
      },
    },
    {
      name: 'a bearer token is not exchanged',
      steps: async (target) => {
        const answer = await withToken(target, await mint(), { method: 'POST', path: EXCHANGE })
        expectAnswer(answer, 401, 'credential_missing')
      },
    },
  ],
  absent: [
    {
      name: 'there is nothing to exchange a key at',
      send: { method: 'POST', path: EXCHANGE, body: { api_key: 'rubbish' } },
      expect: { status: 401, body: { error: { code: 'credential_missing' } } },
    },
  ],
})
