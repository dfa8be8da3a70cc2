/** Discovery of the keys of an issuer (OpenID Connect Discovery 1.0), with what goes wrong there. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createIssuerKey } from '../../e2e/auth/key-endpoint.ts'
import { rejection } from '../../support/throws.ts'
import { type Service, START_MS, startService } from './service.ts'

const claims = { sub: 'ada', exp: START_MS / 1_000 + 200_000 }
const [first, second] = [createIssuerKey('first'), createIssuerKey('second')]

interface Issuer {
  readonly url: string
  /** Answers by path; a path without an answer is 404. */
  readonly answers: Record<string, (request: IncomingMessage, response: ServerResponse) => void>
  readonly asked: string[]
  stop(): Promise<void>
}

const DISCOVERY = '/.well-known/openid-configuration'

async function startIssuer(): Promise<Issuer> {
  const asked: string[] = []
  const answers: Issuer['answers'] = {}
  const server = createServer((request, response) => {
    asked.push(request.url!)
    const answer = answers[request.url!]
    if (answer === undefined) response.writeHead(404).end()
    else answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    asked,
    answers,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const answer = (value: unknown) => (_: IncomingMessage, response: ServerResponse) =>
  void response.end(typeof value === 'string' ? value : JSON.stringify(value))

const ask = async (service: Service, issuer: string, key = first): Promise<string | undefined> =>
  (await service.send('/whoami', { as: key.token({ iss: issuer, ...claims }) })).code

test('the keys come from the jwks_uri, which is read anew with every refresh; iss is checked', async () => {
  const issuer = await startIssuer()
  issuer.answers[DISCOVERY] = answer({ issuer: issuer.url, jwks_uri: `${issuer.url}/one` })
  issuer.answers['/one'] = answer({ keys: [first.jwk] })
  issuer.answers['/two'] = answer({ keys: [second.jwk] })
  const service = await startService({ 'security.oidc_issuer': issuer.url, 'security.jwt_secret': null })
  assert.is(await ask(service, issuer.url), undefined)
  assert.is(await ask(service, 'https://other.example'), 'token_issuer_mismatch')
  const hs256 = await service.token({ iss: issuer.url })
  assert.is((await service.send('/whoami', { as: hs256 })).code, 'token_algorithm_rejected')
  issuer.answers[DISCOVERY] = answer({ issuer: issuer.url, jwks_uri: `${issuer.url}/two` })
  service.advance(10_000)
  assert.is(await ask(service, issuer.url, second), undefined)
  assert.equal(issuer.asked, [DISCOVERY, '/one', DISCOVERY, '/two'])
  await service.stop()
  await issuer.stop()
})

test('one slash at the end of an issuer is not doubled, and is part of its name', async () => {
  const issuer = await startIssuer()
  const name = `${issuer.url}/realm/`
  issuer.answers[`/realm${DISCOVERY}`] = answer({ issuer: name, jwks_uri: `${issuer.url}/keys` })
  issuer.answers['/keys'] = answer({ keys: [first.jwk] })
  const service = await startService({ 'security.oidc_issuer': name })
  assert.is(await ask(service, name), undefined)
  assert.is(await ask(service, name.slice(0, -1)), 'token_issuer_mismatch')
  await service.stop()
  await issuer.stop()
})

test('a document that cannot be used is jwks_unavailable, and quotes nothing to the caller', async () => {
  const issuer = await startIssuer()
  issuer.answers['/keys'] = answer({ keys: [first.jwk] })
  const keys = `${issuer.url}/keys`
  for (const [document, reason] of [
    [answer({ issuer: `${issuer.url}/`, jwks_uri: keys }), 'not_discovered'],
    [answer({ jwks_uri: keys }), 'not_discovered'],
    [answer({ issuer: issuer.url }), 'not_discovered'],
    [answer({ issuer: issuer.url, jwks_uri: 'http://keys.example/' }), 'not_discovered'],
    [answer({ issuer: issuer.url, jwks_uri: 'file:///etc/passwd' }), 'not_discovered'],
    [answer({ issuer: issuer.url, jwks_uri: ['x'] }), 'not_discovered'],
    [answer([]), 'not_discovered'],
    [answer('<html>'), 'not_discovered'],
    [answer(`{"x": "${'x'.repeat(300_000)}"}`), 'not_readable'],
    [
      (_: IncomingMessage, response: ServerResponse) => void response.writeHead(302, { location: '/x' }).end(),
      'not_readable',
    ],
    [(_: IncomingMessage, response: ServerResponse) => void response.destroy(), 'not_reached'],
  ] as const) {
    issuer.answers[DISCOVERY] = document
    const service = await startService({ 'security.oidc_issuer': issuer.url })
    const refused = await service.send('/whoami', { as: first.token({ iss: issuer.url, ...claims }) })
    assert.is(refused.code, 'jwks_unavailable')
    assert.is((refused.body['error'] as { reason?: string }).reason, reason)
    assert.not.match(refused.text, issuer.url)
    await service.stop()
  }
  await issuer.stop()
})

test('while the document fails the last jwks_uri counts, for a day', async () => {
  const issuer = await startIssuer()
  issuer.answers[DISCOVERY] = answer({ issuer: issuer.url, jwks_uri: `${issuer.url}/keys` })
  issuer.answers['/keys'] = answer({ keys: [first.jwk] })
  const service = await startService({ 'security.oidc_issuer': issuer.url })
  assert.is(await ask(service, issuer.url), undefined)
  delete issuer.answers[DISCOVERY]
  issuer.answers['/keys'] = answer({ keys: [second.jwk] })
  service.advance(10_000)
  assert.is(await ask(service, issuer.url, second), undefined, 'keys of the last jwks_uri')
  assert.ok(service.records.some(({ message }) => message.startsWith('The discovery document could not be read')))
  service.advance(86_400_000)
  assert.is(await ask(service, issuer.url, second), 'jwks_unavailable')
  await service.stop()
  await issuer.stop()
})

test('an issuer is refused at the start beside a jwks_url, with another jwt_issuer, and if it is no https URL', async () => {
  const key = 'security.oidc_issuer'
  const issuer = 'https://issuer.example'
  for (const [settings, message] of [
    [{ [key]: issuer, 'security.jwks_url': `${issuer}/keys` }, /oidc_issuer: set beside security\.jwks_url/],
    [{ [key]: issuer, 'security.jwt_issuer': `${issuer}/` }, /oidc_issuer: another issuer than security\.jwt_issuer/],
    [{ [key]: 'http://issuer.example' }, /oidc_issuer: plain http to another host/],
    [{ [key]: 'issuer.example' }, /oidc_issuer: not an absolute/],
    [{ [key]: `${issuer}?a=b` }, /oidc_issuer: a URL with a query/],
  ] as const)
    assert.match((await rejection('ERR_SETTINGS_INVALID', startService(settings))).message, message)
  const service = await startService({ [key]: issuer, 'security.jwt_issuer': issuer, 'security.jwt_secret': null })
  await service.stop()
})

test.run()
