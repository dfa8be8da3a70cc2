import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { crc32, createKeyText } from '../../../plugins/auth/api-keys/key-text/key-text.ts'
import { onOneNode } from '../../support/nodes.ts'
import { type Service, START_MS, startService } from './service.ts'

const KEYS = '/api/svc/auth/keys'
const EXCHANGE = '/api/svc/auth/exchange'
const DAY_MS = 86_400_000
const OWN_RATES = 'each node counts the guesses that it gets'
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

test('the checksum of a key is CRC-32', () => assert.is(crc32('123456789'), 0xcbf43926))

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
