/** Tokens of a real identity provider, verified with its JWKS, before and after a key rotation. */
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startService } from '../../unit/auth/service.ts'

const RESOURCE = 'https://svc.test/api'

type PrivateJwk = Readonly<Record<string, unknown>>

function newKey(kid: string): PrivateJwk {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' }
}

function configure(keys: readonly PrivateJwk[]): Readonly<Record<string, unknown>> {
  return {
    jwks: { keys },
    formats: {
      customizers: {
        // As Duende writes the scopes, and as mappers of Keycloak write an attribute that the user does not have.
        jwt: (_context: unknown, _token: unknown, { payload }: { payload: Record<string, unknown> }) => {
          payload['scope'] = String(payload['scope']).split(' ')
          payload['org_id'] = null
        },
      },
    },
    clients: [
      {
        client_id: 'robot',
        client_secret: 'the secret of the robot',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope: 'read write',
          audience: RESOURCE,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 600,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  }
}

test('tokens of an identity provider are accepted for the right audience only, also after a key rotation', async () => {
  let handle: ReturnType<Provider['callback']> | undefined
  const server = createServer((request, response) => void handle!(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [first, second] = [newKey('first'), newKey('second')]
  const use = (...keys: readonly PrivateJwk[]): void => {
    handle = new Provider(issuer, configure(keys)).callback()
  }
  const fetchToken = (): Promise<string> => fetchTokenOf(issuer)
  const settings = {
    'security.jwks_url': `${issuer}/jwks`,
    'security.jwt_issuer': issuer,
    'security.jwt_audience': RESOURCE,
  }
  use(first)
  const service = await startService(settings, undefined, Date.now())
  const elsewhere = await startService({ ...settings, 'security.jwt_audience': 'https://other' }, undefined, Date.now())
  try {
    const token = await fetchToken()
    const who = await service.send('/whoami', { as: token })
    assert.is(who.status, 200, who.text)
    assert.is(who.body['user'], 'robot')
    assert.equal(who.body['scopes'], ['read'])
    assert.is((await elsewhere.send('/whoami', { as: token })).code, 'token_audience_mismatch')
    const logged = elsewhere.records.find(({ message }) => message.includes('aud claim'))
    assert.equal(logged?.fields, { expected: 'https://other', received: RESOURCE, refused: 1 })

    use(second, first)
    const rotated = await fetchToken()
    assert.is((await service.send('/whoami', { as: rotated })).status, 200)
    assert.is((await service.send('/whoami', { as: token })).status, 200)

    use(second)
    service.advance(600_000 - 5_000)
    assert.is((await service.send('/whoami', { as: rotated })).status, 200)
    service.advance(1_000_000)
    assert.is((await service.send('/whoami', { as: rotated })).code, 'token_expired')
  } finally {
    await service.stop()
    await elsewhere.stop()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

test('an issuer is enough: its discovery document says where the keys are, and iss is checked', async () => {
  let handle: ReturnType<Provider['callback']> | undefined
  const server = createServer((request, response) => void handle!(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  handle = new Provider(issuer, configure([newKey('first')])).callback()
  const service = await startService(
    { 'security.oidc_issuer': issuer, 'security.jwt_secret': null, 'security.jwt_audience': RESOURCE },
    undefined,
    Date.now(),
  )
  // The provider names itself without the slash, and the texts must be equal.
  const slash = await startService({ 'security.oidc_issuer': `${issuer}/` }, undefined, Date.now())
  try {
    const token = await fetchTokenOf(issuer)
    const who = await service.send('/whoami', { as: token })
    assert.is(who.status, 200, who.text)
    assert.is(who.body['user'], 'robot')
    const refused = await slash.send('/whoami', { as: token })
    assert.is(refused.code, 'jwks_unavailable')
    assert.is((refused.body['error'] as { reason?: string }).reason, 'not_discovered')
  } finally {
    await service.stop()
    await slash.stop()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function fetchTokenOf(issuer: string): Promise<string> {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('robot:the+secret+of+the+robot')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource: RESOURCE, scope: 'read' }),
  })
  const body = (await response.json()) as { access_token?: string }
  assert.is(response.status, 200, JSON.stringify(body))
  return body.access_token!
}

test.run()
