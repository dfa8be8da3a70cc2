/**
 * The service with an identity provider that rotates keys, hangs, gives wrong answers and fails. Its requests are
 * counted.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../../scripts/until.ts'
import { WAIT_MS } from '../../runner/limit.ts'
import { type Service, START_MS, startService } from '../../unit/auth/service.ts'
import { type Behaviour, createIssuerKey, type KeyEndpoint, serveKeys, startKeyEndpoint } from './key-endpoint.ts'

const one = createIssuerKey('one')
const two = createIssuerKey('two')
const stranger = createIssuerKey('one')
const claims = { sub: 'ada', exp: START_MS / 1000 + 30 * 86_400 }

async function within(
  first: Behaviour,
  run: (service: Service, endpoint: KeyEndpoint) => Promise<void>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const endpoint = await startKeyEndpoint(first)
  const service = await startService({
    'security.jwks_url': endpoint.url,
    // Enough for a good answer on a busy machine.
    'security.jwks_timeout_ms': 1_000,
    ...settings,
  })
  try {
    await run(service, endpoint)
  } finally {
    await service.stop()
    await endpoint.stop()
  }
}

/** The reasons of the failures in `bad`, where it is not `not_readable`. */
const reasons: Readonly<Record<string, string>> = {
  'a hang': 'not_reached',
  'a hang in the body': 'not_reached',
  'an empty set': 'no_usable_key',
  'a reset': 'not_reached',
}

const bad: Readonly<Record<string, Behaviour>> = {
  'a hang': () => {},
  'a hang in the body': (_, response) => void response.writeHead(200).write('{"keys":['),
  'status 500': (_, response) => void response.writeHead(500).end('{"keys":[]}'),
  'an HTML page': (_, response) => void response.setHeader('content-type', 'text/html').end('<!doctype html>'),
  'a redirect to the very set': (request, response) => {
    if (request.url === '/jwks.json') response.writeHead(302, { location: '/moved.json' }).end()
    else serveKeys(one, two)(request, response)
  },
  'ten megabytes': (_, response) => {
    response.writeHead(200)
    const chunk = Buffer.alloc(65_536, 0x20)
    let remaining = 160
    const more = (): void => {
      while (remaining-- > 0) if (!response.write(chunk)) return void response.once('drain', more)
      response.end('{"keys":[]}')
    }
    more()
  },
  'an empty set': (_, response) => void response.end('{"keys":[]}'),
  'a reset': (request) => request.socket.destroy(),
}

test('if the first fetch of the keys fails, tokens get 401, and any number of tokens causes one fetch in 10 s', async () => {
  // Created before, because signing blocks the event loop longer than sending a request may take.
  const burst = Array.from({ length: 30 }, (_, count) => createToken(count % 2 ? 'one' : `other${count}`))
  for (const [name, behaviour] of Object.entries(bad)) {
    await within(behaviour, async (service, endpoint) => {
      const answers = await Promise.all(burst.map((as) => service.send('/whoami', { as })))
      for (const { code } of answers) assert.is(code, 'jwks_unavailable', name)
      for (let count = 0; count < 20; count++) {
        assert.is((await service.send('/whoami', { as: one.token(claims) })).code, 'jwks_unavailable', name)
      }
      assert.is(endpoint.fetches, 1, name)
      const logged = service.records.find(({ message }) => message === 'The JWKS could not be read.')
      assert.is(logged?.fields?.['reason'], reasons[name] ?? 'not_readable', name)
      endpoint.behave(serveKeys(one))
      assert.is((await service.send('/whoami', { as: one.token(claims) })).status, 401, `${name}: still within 10 s`)
      service.advance(10_000)
      assert.is((await service.send('/whoami', { as: one.token(claims) })).status, 200, name)
      assert.is(endpoint.fetches, 2, name)
    })
  }
})

test('with a cached key a failure of the endpoint has no effect for a day', async () => {
  for (const [name, behaviour] of Object.entries(bad)) {
    await within(serveKeys(one), async (service, endpoint) => {
      assert.is((await service.send('/whoami', { as: one.token(claims) })).status, 200)
      endpoint.behave(behaviour)
      const failures = (): number =>
        service.records.filter(({ message }) => message === 'The JWKS could not be read.').length
      for (const minutes of [11, 60, 600]) {
        const before = failures()
        service.advance(minutes * 60_000)
        // A new token each time, so that no cached verdict is used.
        const as = one.token({ ...claims, jti: minutes })
        assert.is((await service.send('/whoami', { as })).status, 200, `${name} after ${minutes} min`)
        await until('the keys are read', () => failures() > before, 60_000)
      }
      service.advance(86_400_000)
      assert.is((await service.send('/whoami', { as: one.token(claims) })).code, 'jwks_unavailable', name)
    })
  }
})

test('after a rotation the new key works at once, and the old key works until it is withdrawn', () =>
  within(serveKeys(one), async (service, endpoint) => {
    const old = one.token(claims)
    assert.is((await service.send('/whoami', { as: old })).status, 200)
    endpoint.behave(serveKeys(one, two))
    assert.is((await service.send('/whoami', { as: two.token(claims) })).status, 200)
    assert.is((await service.send('/whoami', { as: old })).status, 200)
    assert.is(endpoint.fetches, 2)
    endpoint.behave(serveKeys(two))
    service.advance(600_000)
    await service.send('/whoami', { as: two.token(claims) })
    await until('the keys are read', () => endpoint.fetches === 3, WAIT_MS)
    // A cached verdict ends with its key, once the answer has been read.
    await until(
      'the cached verdict ends',
      async () => (await service.send('/whoami', { as: old })).code === 'jwks_key_unknown',
      30_000,
    )
  }))

test('after the clock is set back by an hour, a new key works within 10 s and a withdrawn key does not', () =>
  within(serveKeys(one), async (service, endpoint) => {
    const old = one.token(claims)
    assert.is((await service.send('/whoami', { as: old })).status, 200)
    assert.is((await service.send('/whoami', { as: two.token(claims) })).code, 'jwks_key_unknown')
    assert.is(endpoint.fetches, 2)
    service.setClock(-3_600_000)
    endpoint.behave(serveKeys(two))
    service.advance(10_000)
    assert.is((await service.send('/whoami', { as: two.token(claims) })).status, 200)
    assert.is(endpoint.fetches, 3)
    assert.is((await service.send('/whoami', { as: old })).code, 'jwks_key_unknown')
    const before = endpoint.fetches
    service.setClock(-3_600_000)
    service.advance(600_000)
    await service.send('/whoami', { as: two.token(claims) })
    await until('the keys are read', () => endpoint.fetches === before + 1, 60_000)
  }))

test('another key under the same id ends the tokens of the first', () =>
  within(serveKeys(one), async (service, endpoint) => {
    assert.is((await service.send('/whoami', { as: one.token(claims) })).status, 200)
    assert.is((await service.send('/whoami', { as: stranger.token(claims) })).code, 'token_signature_invalid')
    endpoint.behave(serveKeys(stranger))
    service.advance(600_000)
    await service.send('/whoami', { as: one.token(claims) })
    await until('the keys are read', () => endpoint.fetches === 2, WAIT_MS)
    await until(
      'the cached verdict ends',
      async () => (await service.send('/whoami', { as: one.token(claims) })).code === 'token_signature_invalid',
      30_000,
    )
    assert.is((await service.send('/whoami', { as: stranger.token(claims) })).status, 200)
  }))

test('a thousand unknown key ids cause one fetch and delay no valid token', () =>
  within(
    serveKeys(one),
    async (service, endpoint) => {
      assert.is((await service.send('/whoami', { as: one.token(claims) })).status, 200)
      endpoint.behave(() => {})
      const strange = Array.from({ length: 1_000 }, (_, count) => createToken(`no${count}`))
      const fresh = one.token({ ...claims, jti: 'new' })
      let refused = 0
      const flood = strange.map(async (as) => {
        assert.is((await service.send('/whoami', { as })).status, 401)
        refused++
      })
      const valid = await service.send('/whoami', { as: fresh })
      assert.is(valid.status, 200)
      assert.is(refused, 0, 'the valid token did not wait for the fetch of the flood')
      await Promise.all(flood)
      assert.is(endpoint.fetches, 2)
      for (const as of [...strange, createToken('another')]) {
        assert.is((await service.send('/whoami', { as })).status, 401)
      }
      assert.is(endpoint.fetches, 2)
    },
    { 'security.jwks_timeout_ms': 2_000 },
  ))

test('keys and key URLs in a token header are not used and not fetched', () =>
  within(serveKeys(one), async (service, endpoint) => {
    await service.send('/whoami', { as: one.token(claims) })
    const elsewhere = await startKeyEndpoint(serveKeys(stranger))
    for (const header of [{ jku: elsewhere.url }, { x5u: elsewhere.url }, { jwk: stranger.jwk }]) {
      const answer = await service.send('/whoami', { as: stranger.token(claims, header) })
      assert.is(answer.code, 'token_signature_invalid')
    }
    assert.is(elsewhere.fetches, 0)
    assert.is(endpoint.fetches, 1)
    await elsewhere.stop()
  }))

test('in JWKS mode tokens of the shared secret are refused, and exchanged tokens work', () =>
  within(
    serveKeys(one),
    async (service) => {
      assert.is((await service.send('/whoami', { as: await service.token() })).code, 'token_algorithm_rejected')
      const as = one.token({ ...claims, iss: 'https://idp.test', aud: ['svc'], scope: 'a' })
      const made = await service.send('/api/svc/auth/keys', { method: 'POST', as, body: { name: 'ci' } })
      assert.is(made.status, 201, made.text)
      const exchanged = await service.send('/api/svc/auth/exchange', { method: 'POST', key: String(made.body['key']) })
      const token = String(exchanged.body['access_token'])
      const who = await service.send('/whoami', { as: token })
      assert.is(who.body['user'], 'ada')
    },
    { 'security.jwt_issuer': 'https://idp.test', 'security.jwt_audience': 'svc' },
  ))

/** A token with an unknown key id. */
function createToken(kid: string): string {
  return one.token(claims, { kid })
}

test.run()
