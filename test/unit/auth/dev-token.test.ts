/** `svc/dev`: creates tokens that a runtime with the same settings accepts, and refuses other requests. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import { createDevToken } from '../../../plugins/auth/token/dev-token.ts'

const SECRET = 'dev-token-secret-of-at-least-32-bytes!!'

test('a token has the issuer, audience and tenant claim of the settings', async () => {
  const security = {
    jwt_secret: SECRET,
    jwt_issuer: 'https://issuer.example',
    jwt_audience: 'svc',
    tenant_claims: ['org'],
  }
  const token = await createDevToken({
    settings: { security },
    sub: 'ada',
    tenant: 'acme',
    scopes: ['a', 'b'],
    ttlSeconds: 60,
  })
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>
  const { iat, exp, ...rest } = claims as { iat: number; exp: number }
  assert.equal(rest, { iss: 'https://issuer.example', aud: 'svc', sub: 'ada', org: 'acme', scope: 'a b' })
  assert.is(exp - iat, 60)
})

test('production, unsuitable settings and an empty user name are refused with a code', async () => {
  const settings = { security: { jwt_secret: SECRET } }
  const codeOf = async (options: Parameters<typeof createDevToken>[0]): Promise<string> => {
    const error = await createDevToken(options).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (!isSvcError(error)) throw error ?? new Error('it was not refused')
    assert.not.match(error.message, SECRET)
    return `${error.code}: ${error.message}`
  }
  for (const [given, reason] of [
    [{ settings: {}, sub: 'ada' }, /built-in fallback/],
    [{ settings: undefined, sub: 'ada' }, /built-in fallback/],
    [{ settings: { security: { jwt_secret: 'short' } }, sub: 'ada' }, /shorter than the 32 bytes/],
    [{ settings: { security: { jwt_secret: 7 } }, sub: 'ada' }, /security\.jwt_secret: expected/],
    [{ settings: { security: { jwt_secret: SECRET, jwks_url: 'https://a.example' } }, sub: 'ada' }, /jwks_url is set/],
    [{ settings, sub: '' }, /sub is not/],
    [{ settings, sub: 'ada', ttlSeconds: 0 }, /ttlSeconds/],
    [{ settings, sub: 'ada', ttlSeconds: 1.5 }, /ttlSeconds/],
    [
      { settings, sub: 'ada', ttlSeconds: 1_000_000_000 },
      /ttlSeconds is no whole number of seconds from 1 to 999999999/,
    ],
    [{ settings, sub: 'ada', ttlSeconds: Number.MAX_SAFE_INTEGER }, /ttlSeconds/],
    [{ settings: { security: { jwt_secret: `${SECRET}\n` } }, sub: 'ada' }, /without the line end/],
  ] as const)
    assert.match(await codeOf(given), new RegExp(`^ERR_DEV_TOKEN_SETTINGS: .*${reason.source}`))
  const before = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'production'
  try {
    assert.match(await codeOf({ settings, sub: 'ada' }), /^ERR_DEV_TOKEN_PRODUCTION: /)
  } finally {
    if (before === undefined) Reflect.deleteProperty(process.env, 'NODE_ENV')
    else process.env['NODE_ENV'] = before
  }
})

test.run()
