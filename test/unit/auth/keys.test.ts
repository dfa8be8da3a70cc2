import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { crc32 } from '../../../plugins/auth/api-keys/key-text/crc32.ts'
import { createKeyText, hasRightChecksum, readKeyId } from '../../../plugins/auth/api-keys/key-text/key-text.ts'
import { onOneNode } from '../../support/nodes.ts'
import { type Service, START_MS, startService } from './service.ts'

const KEYS = '/api/svc/auth/keys'
const EXCHANGE = '/api/svc/auth/exchange'
const DAY_MS = 86_400_000
const OWN_RATES = 'each node counts the guesses that it gets'
const LATE = 'when a key was last used is written down within a second'
const LASTING = 'keys and tokens of a cluster outlive a process'

interface Made {
  readonly key: string
  readonly record: { readonly id: string; readonly scopes: string[]; readonly expires_at_ms: number } & Record<
    string,
    unknown
  >
}

async function within(settings: Record<string, unknown>, run: (service: Service) => Promise<void>): Promise<void> {
  const service = await startService(settings)
  try {
    await run(service)
  } finally {
    await service.stop()
  }
}

async function create(service: Service, wish: object = {}, claims: object = { scope: 'a b' }): Promise<Made> {
  const as = await service.token({ ...claims })
  const answer = await service.send(KEYS, { method: 'POST', as, body: { name: 'ci', ...wish } })
  assert.is(answer.status, 201, answer.text)
  return answer.body as unknown as Made
}

/** A key of the right form with the id of `key` and another secret. */
function wrongSecret(key: string): string {
  return createKeyText((length) => crypto.getRandomValues(new Uint8Array(length)), key.slice(4, 20)).text
}

test('the text of a key is unique, has a readable id, and has a checksum', () => {
  assert.is(crc32('123456789'), 0xcbf43926)
  const seen = new Set<string>()
  for (let count = 0; count < 200; count++) {
    const { text, id } = createKeyText((length) => crypto.getRandomValues(new Uint8Array(length)))
    assert.match(text, /^svc_[0-9A-Za-z]{16}_[0-9A-Za-z]{49}$/)
    assert.is(readKeyId(text), id)
    assert.ok(hasRightChecksum(text))
    const at = 4 + (count % 16)
    assert.not.ok(hasRightChecksum(text.slice(0, at) + (text[at] === '0' ? '1' : '0') + text.slice(at + 1)))
    seen.add(text)
  }
  assert.is(seen.size, 200)
  assert.is(createKeyText((length) => new Uint8Array(length).fill(255)).text.length, 70)
  assert.is(readKeyId('svc_short'), null)
})

onOneNode(test, LATE, 'a key is shown once, listed without its secret, used and revoked', () =>
  within({}, async (service) => {
    const { key, record } = await create(service)
    assert.equal(
      { ...record, id: 0, prefix: 0 },
      {
        id: 0,
        name: 'ci',
        prefix: 0,
        user_id: 'ada',
        tenant_id: 'default',
        scopes: ['a', 'b'],
        created_at_ms: START_MS,
        expires_at_ms: START_MS + 90 * DAY_MS,
        last_used_at_ms: null,
        revoked_at_ms: null,
      },
    )
    assert.ok(key.startsWith(`${record['prefix']}_`))
    const used = await service.send('/whoami', { key })
    assert.equal(used.body, {
      kind: 'user',
      user: 'ada',
      tenant: 'default',
      scopes: ['a', 'b'],
      credential: { id: `key:${record.id}`, keyId: record.id, expiresAtMs: record.expires_at_ms },
    })
    const as = await service.token()
    for (const path of [KEYS, '/api/auth/keys']) {
      const listed = await service.send(path, { as })
      assert.is(listed.status, 200)
      assert.equal(listed.body, { keys: [{ ...record, last_used_at_ms: START_MS }] })
      assert.not.ok(listed.text.includes(key.slice(21)))
      assert.not.ok(/argon2/.test(listed.text))
    }
    for (let again = 0; again < 2; again++) {
      const revoked = await service.send(`${KEYS}/${record.id}`, { method: 'DELETE', as })
      assert.is(revoked.status, 204)
      assert.is(revoked.text, '')
    }
    assert.is((await service.send('/whoami', { key })).code, 'api_key_invalid')
    const { keys } = (await service.send(KEYS, { as })).body as unknown as { keys: Made['record'][] }
    assert.is(keys[0]!['revoked_at_ms'], START_MS)
  }),
)

test('a key has no more scopes and no longer life than its creator', () =>
  within({}, async (service) => {
    const beyond = await service.send(KEYS, {
      method: 'POST',
      as: await service.token({ scope: 'a' }),
      body: { name: 'x', scopes: ['a', 'b'] },
    })
    assert.is(beyond.code, 'forbidden')
    assert.equal((await create(service, { scopes: ['b'] })).record.scopes, ['b'])
    assert.equal((await create(service, { scopes: [] })).record.scopes, [])
    assert.is((await create(service, { expires_in: 1e12 })).record.expires_at_ms, START_MS + 90 * DAY_MS)

    const parent = await create(service, { expires_in: 100, scopes: ['a'] })
    const child = await service.send(KEYS, { method: 'POST', key: parent.key, body: { name: 'child' } })
    const made = child.body as unknown as Made
    assert.is(made.record.expires_at_ms, parent.record.expires_at_ms)
    assert.equal(made.record.scopes, ['a'])
    const exchanged = await service.send(EXCHANGE, { method: 'POST', key: parent.key })
    const byToken = await service.send(KEYS, {
      method: 'POST',
      as: String(exchanged.body['access_token']),
      body: { name: 'grandchild', expires_in: 1_000 },
    })
    assert.is((byToken.body as unknown as Made).record.expires_at_ms, parent.record.expires_at_ms)
    service.advance(100_000)
    assert.is((await service.send('/whoami', { key: parent.key })).code, 'api_key_invalid')
    assert.is((await service.send('/whoami', { key: made.key })).code, 'api_key_invalid')
  }))

test('a malformed request for a key gets 400 with all problems', () =>
  within({}, async (service) => {
    const as = await service.token()
    const wishes = [
      [],
      {},
      { name: '' },
      { name: 'x'.repeat(101) },
      { name: 'x', scopes: 'a' },
      { name: 'x', expires_in: 0 },
    ]
    for (const body of [
      ...wishes,
      { name: 'x', extra: 1 },
      { name: 'x', scopes: ['a b'] },
      { name: 'x', expires_in: 1.5 },
    ]) {
      const answer = await service.send(KEYS, { method: 'POST', as, body })
      assert.is(answer.code, 'malformed_request', JSON.stringify(body))
    }
    const both = await service.send(KEYS, { method: 'POST', as, body: { scopes: 1, expires_in: 'x' } })
    assert.match(both.text, /name: .*scopes: .*expires_in: /)
  }))

onOneNode(test, OWN_RATES, 'guesses without a known id cost nothing, and guesses for a known id are limited', () =>
  within({ 'security.failed_key_limit': 3 }, async (service) => {
    const { key } = await create(service)
    const typo = `${key.slice(0, -1)}${key.at(-1) === '0' ? '1' : '0'}`
    const unknown = createKeyText((length) => crypto.getRandomValues(new Uint8Array(length))).text
    for (let count = 0; count < 50; count++) {
      assert.is((await service.send('/whoami', { key: typo })).code, 'api_key_invalid')
      assert.is((await service.send('/whoami', { key: unknown })).code, 'api_key_invalid')
    }
    assert.is((await service.send('/whoami', { key })).status, 200)
    const codes: (string | undefined)[] = []
    for (let count = 0; count < 5; count++) codes.push((await service.send('/whoami', { key: wrongSecret(key) })).code)
    assert.equal(codes, ['api_key_invalid', 'api_key_invalid', 'api_key_invalid', 'rate_limited', 'rate_limited'])
    const limited = await service.send('/whoami', { key: wrongSecret(key) })
    assert.is(limited.status, 429)
    assert.is(limited.headers.get('retry-after'), '10')
    assert.is((await service.send('/whoami', { key })).status, 200, 'a cached key is not limited')
    assert.is((await service.send('/whoami', { as: await service.token() })).status, 200)
    service.advance(10_000)
    assert.is((await service.send('/whoami', { key: wrongSecret(key) })).code, 'api_key_invalid')
  }),
)

onOneNode(
  test,
  OWN_RATES,
  'the queue of hashes is bounded: further callers get 503, and callers with the same key share a place',
  () =>
    within({ 'security.argon2_waiting': 2, 'security.argon2_memory_kib': 4_096 }, async (service) => {
      const made = [await create(service), await create(service), await create(service), await create(service)]
      const burst = await Promise.all(made.flatMap(({ key }) => [0, 1, 2].map(() => service.send('/whoami', { key }))))
      const statuses = burst.map(({ status }) => status)
      assert.equal(statuses, [200, 200, 200, 200, 200, 200, 200, 200, 200, 503, 503, 503])
      assert.is(burst.at(-1)!.code, 'overloaded')
      assert.ok(Number(burst.at(-1)!.headers.get('retry-after')) > 0)
    }),
)

test('exchange gives a short-lived token for a key in the header or in the body', () =>
  within({ 'security.jwt_issuer': 'https://issuer', 'security.jwt_audience': 'api' }, async (service) => {
    const { key } = await create(service, {}, { iss: 'https://issuer', aud: 'api', scope: 'a b', tenant_id: 'acme' })
    for (const options of [{ key }, { body: { api_key: key } }, { key, body: {} }]) {
      const answer = await service.send(EXCHANGE, { method: 'POST', ...options })
      assert.is(answer.status, 200, answer.text)
      assert.is(answer.headers.get('cache-control'), 'no-store')
      const { access_token: token, ...rest } = answer.body
      assert.equal(rest, {
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        token_type: 'Bearer',
        expires_in: 900,
        scope: 'a b',
      })
      const who = await service.send('/whoami', { as: String(token) })
      assert.is(who.body['user'], 'ada')
      assert.is(who.body['tenant'], 'acme')
      assert.equal(who.body['scopes'], ['a', 'b'])
    }
  }))

test('exchange refuses two keys, no key, and wrong keys and bodies, and ignores tokens', () =>
  within({ 'security.jwt_required': false }, async (service) => {
    const { key } = await create(service)
    const post = (options: object) => service.send(EXCHANGE, { method: 'POST', ...options })
    assert.is((await post({ key, body: { api_key: key } })).code, 'malformed_request')
    assert.is((await post({ body: { api_key: 7 } })).code, 'malformed_request')
    assert.is((await post({ body: [] })).code, 'malformed_request')
    assert.is((await post({ body: { api_key: key, more: 1 } })).code, 'malformed_request')
    assert.is((await post({ key: 'rubbish' })).code, 'api_key_invalid')
    assert.is((await post({ as: await service.token() })).code, 'credential_missing')
    assert.is((await post({ key, as: 'rubbish' })).status, 200)
    assert.is((await post({ key, headers: { 'content-type': 'text/plain' } })).status, 200)
  }))

test('a body with a duplicate member is refused, in an exchange and for a new key', () =>
  within({}, async (service) => {
    const { key } = await create(service)
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${await service.token()}` }
    const post = async (path: string, body: string): Promise<unknown> => {
      const answer = await service.fetch(new Request(`http://svc.test${path}`, { method: 'POST', headers, body }))
      return ((await answer.json()) as { error?: { code: string } }).error?.code
    }
    const text = JSON.stringify(key)
    assert.is(await post(EXCHANGE, `{"api_key": ${text}}`), undefined)
    assert.is(await post(EXCHANGE, `{"api_key": "x", "api_key": ${text}}`), 'malformed_request')
    assert.is(await post(EXCHANGE, `{"api_key": ${text}, "\\u0061pi_key": ${text}}`), 'malformed_request')
    assert.is(await post(EXCHANGE, `{"api_key": ${text}`), 'malformed_json')
    assert.is(await post(KEYS, '{"name": "a", "expires_in": 60, "expires_in": 600}'), 'malformed_request')
    assert.is(await post(KEYS, '{"name": "a", "expires_in": 60}'), undefined)
  }))

onOneNode(test, LASTING, 'an exchanged token ends at its expiry, with its key, and with the process', () =>
  within({}, async (service) => {
    const exchange = async (key: string): Promise<string> =>
      String((await service.send(EXCHANGE, { method: 'POST', key })).body['access_token'])
    const revoked: string[] = []
    service.kernel.capability('Revocations').onRevoked((id) => void revoked.push(id))
    const first = await create(service)
    const second = await create(service, { expires_in: 60 })
    const as = await exchange(first.key)
    const short = await service.send(EXCHANGE, { method: 'POST', key: second.key })
    assert.is(short.body['expires_in'], 60)
    assert.is((await service.send('/whoami', { as })).status, 200)
    service.advance(900_000)
    assert.is((await service.send('/whoami', { as })).code, 'token_expired')
    const fresh = await exchange(first.key)
    assert.is((await service.send('/whoami', { as: fresh })).status, 200)
    await service.send(`${KEYS}/${first.record.id}`, { method: 'DELETE', as: await service.token() })
    assert.is((await service.send('/whoami', { as: fresh })).code, 'api_key_invalid')
    assert.equal(revoked, [`key:${first.record.id}`])

    const other = await startService()
    assert.is((await other.send('/whoami', { as: fresh })).code, 'token_signature_invalid')
    assert.is((await other.send('/whoami', { key: first.key })).code, 'api_key_invalid')
    const warned = ({ records }: Pick<typeof other, 'records'>): number =>
      records.filter(({ message }) => /kept in memory/.test(message)).length
    assert.is(warned(service), 1, 'one warning, once there is a key that a restart would lose')
    assert.is(warned(other), 0, 'no warning before')
    await other.stop()
  }),
)

test.run()
