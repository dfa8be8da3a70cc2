import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createNodeCryptoProvider } from '../../../plugins/auth/crypto/node.ts'
import { FALLBACK_JWT_SECRET } from '../../../plugins/auth/jwt/secret.ts'
import { mintToken } from '../../../plugins/auth/token/mint.ts'
import { rejection } from '../../support/throws.ts'
import { START_MS, startService, within } from './service.ts'

const NOW = START_MS / 1000

/** The error message of a start that these settings make fail: the problem and the remedy. */
async function refusal(settings: Record<string, unknown>): Promise<string> {
  const { message } = await rejection('ERR_SETTINGS_INVALID', startService(settings))
  assert.match(message, /\n {4}→ /)
  return message
}

test('a token with valid claims gives user, tenant and scopes', () =>
  within({}, async ({ send, token }) => {
    const answer = await send('/whoami', { as: await token({ tenant_id: 'acme', scope: 'a b  a' }) })
    assert.is(answer.status, 200)
    assert.equal(answer.body, {
      kind: 'user',
      user: 'ada',
      tenant: 'acme',
      scopes: ['a', 'b'],
      credential: { id: 'token', expiresAtMs: START_MS + 3_600_000, signedBy: 'secret:1' },
    })
  }))

/** Claims that are refused, beside those of the contract, with the code, or with what `token_claims_invalid` says. */
const refused: readonly [claims: Record<string, unknown>, says: string][] = [
  [{ iss: 'HTTPS://issuer' }, 'token_issuer_mismatch'],
  [{ aud: 'api,x' }, 'token_audience_mismatch'],
  [{ exp: undefined }, 'the exp claim is missing'],
  [{ iat: '0' }, 'the iat claim is not a number'],
  [{ nbf: 'x' }, 'the nbf claim is not a number'],
  [{ sub: '' }, 'the sub claim is missing or not a name'],
  [{ sub: 7 }, 'the sub claim is missing or not a name'],
  [{ tenant_id: 7, org_id: 'acme' }, 'the tenant_id claim is not a name'],
  [{ tid: '' }, 'the tid claim is not a name'],
  [{ tid: 7 }, 'the tid claim is not a name'],
  [{ scope: ['a', 1] }, 'the scope claim is neither a text nor a list of texts'],
  [{ scope: { a: 1 } }, 'the scope claim is neither a text nor a list of texts'],
  [{ scp: 1 }, 'the scp claim is neither a text nor a list of texts'],
  [{ scp: [1] }, 'the scp claim is neither a text nor a list of texts'],
]

test('the refusal of a token that has expired or is not valid yet gives the time difference and which clock may be wrong', () =>
  within({ 'security.jwt_issuer': 'https://issuer', 'security.jwt_audience': 'api' }, async ({ send, token }) => {
    const good = { iss: 'https://issuer', aud: 'api' }
    const ahead = await send('/whoami', { as: await token({ ...good, nbf: NOW + 90 }) })
    assert.match(ahead.text, 'The token becomes valid in 90 s.')
    assert.match(ahead.text, 'If it was issued just now, the clock of the issuer is ahead, or ours behind.')
    const late = await send('/whoami', { as: await token({ ...good, exp: NOW - 3_600 }) })
    assert.match(late.text, 'The token expired 3600 s ago.')
    assert.match(late.text, 'If it was issued just now, the clock of the issuer is behind, or ours ahead.')
  }))

test('every wrong claim is refused with its code and the challenge, and the refusal names it', () =>
  within({ 'security.jwt_issuer': 'https://issuer', 'security.jwt_audience': 'api' }, async ({ send, token }) => {
    const good = { iss: 'https://issuer', aud: ['x', 'api'] }
    assert.is((await send('/whoami', { as: await token(good) })).status, 200)
    for (const [claims, says] of refused) {
      const name = JSON.stringify(claims)
      const answer = await send('/whoami', { as: await token({ ...good, ...claims }) })
      assert.is(answer.code, says.startsWith('token_') ? says : 'token_claims_invalid', name)
      assert.match(answer.text, `"${says}"`)
      assert.is(answer.status, 401, name)
      assert.is(answer.headers.get('www-authenticate'), 'Bearer realm="svc", error="invalid_token"')
    }
  }))

test('tenant claims are read in order, and the tenant is "default" without any', () =>
  within({}, async ({ send, token }) => {
    const tenant = async (claims: Record<string, unknown>): Promise<unknown> =>
      (await send('/whoami', { as: await token(claims) })).body['tenant']
    assert.is(await tenant({}), 'default')
    assert.is(await tenant({ tid: 't', org_id: 'o' }), 'o')
    assert.is(await tenant({ tid: 't', org_id: 'o', tenant_id: 'i' }), 'i')
    assert.is(await tenant({ tid: 't', org_id: null }), 't', 'a mapper of Keycloak for a user without the attribute')
    assert.is(await tenant({ tid: null, org_id: null, tenant_id: null }), 'default')
  }))

test('scope and scp are texts or lists, and null counts as absent', () =>
  within({}, async ({ send, token }) => {
    const scopes = async (claims: Record<string, unknown>): Promise<unknown> =>
      (await send('/whoami', { as: await token(claims) })).body['scopes']
    // Duende and IdentityServer, whose EmitScopesAsSpaceDelimitedStringInJwt is off by default.
    assert.equal(await scopes({ scope: ['openid', 'api.read', 'api.read'] }), ['openid', 'api.read'])
    assert.equal(await scopes({ scope: ['a b', 'c'] }), ['a', 'b', 'c'])
    assert.equal(await scopes({ scp: ['a', 'b'] }), ['a', 'b'], 'Okta')
    assert.equal(await scopes({ scp: 'a b' }), ['a', 'b'], 'Entra ID')
    assert.equal(await scopes({ scope: null, scp: 'a' }), ['a'])
    assert.equal(await scopes({ scope: null, scp: null }), [])
    assert.equal(await scopes({ scope: '', scp: 'a' }), [])
    assert.equal(await scopes({ scope: [] }), [])
  }))

test('the log says which issuer or audience was expected and which came, and the caller is not told', () =>
  within({ 'security.jwt_issuer': 'https://issuer', 'security.jwt_audience': 'api' }, async (service) => {
    const refuse = async (claims: Record<string, unknown>): Promise<void> => {
      const answer = await service.send('/whoami', { as: await service.token(claims) })
      assert.is(answer.status, 401)
      assert.not.match(answer.text, /https:|"api"|account/)
    }
    const lines = (): unknown[] =>
      service.records.filter(({ message }) => message.startsWith('A token is refused')).map(({ fields }) => fields)
    // A trailing slash, as of Auth0.
    await refuse({ iss: 'https://issuer/', aud: 'api' })
    await refuse({ iss: 'https://issuer', aud: ['account', 'realm-management'] })
    await refuse({ iss: 'https://issuer' })
    assert.equal(lines(), [
      { expected: 'https://issuer', received: 'https://issuer/', refused: 1 },
      { expected: 'api', received: ['account', 'realm-management'], refused: 1 },
    ])
    service.advance(10_000)
    await refuse({ iss: 'https://issuer' })
    assert.equal(lines().at(-1), { expected: 'api', received: null, refused: 2 })
  }))

test('start-up refuses the fallback, short secrets and wrong JWKS URLs, with a remedy', async () => {
  const fallback = /security(?:\.|__)jwt_secret: .*built-in fallback/i
  const short = /security.jwt_secret: shorter than the 32 bytes/
  const noUrl = /security.jwks_url: not an absolute/
  const key = 'security.jwt_secret'
  assert.match(await refusal({ [key]: null }), fallback)
  assert.match(await refusal({ [key]: FALLBACK_JWT_SECRET }), fallback)
  assert.match(await refusal({ [key]: 'x'.repeat(31) }), short)
  assert.match(await refusal({ [key]: 'x'.repeat(31), 'security.jwt_required': false }), short)
  assert.match(await refusal({ 'security.jwks_url': 'http://issuer.example/jwks' }), /security.jwks_url: plain http/)
  for (const url of ['ftp://issuer.example/jwks', 'https://a:b@issuer.example/', 'jwks.json']) {
    assert.match(await refusal({ 'security.jwks_url': url }), noUrl)
  }
  for (const settings of [
    { [key]: null, 'security.jwks_url': 'https://issuer.example/jwks' },
    { [key]: 'é'.repeat(16) },
  ])
    await within(settings, async () => {})
})

test('the fallback secret verifies no token, even if no credential is required', async () => {
  for (const secret of [null, FALLBACK_JWT_SECRET]) {
    const service = await startService({ 'security.jwt_required': false, 'security.jwt_secret': secret })
    const fallback = createNodeCryptoProvider().hmacKey(new TextEncoder().encode(FALLBACK_JWT_SECRET))
    const as = await mintToken(fallback, {}, { sub: 'eve', exp: NOW + 60 })
    assert.is((await service.send('/whoami', { as })).body['kind'], 'anonymous')
    await service.stop()
  }
})

test.run()
