import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { crc32, createKeyText } from '../../../plugins/auth/api-keys/key-text/key-text.ts'
import { onOneNode } from '../../support/nodes.ts'
import {
  createKey,
  EXCHANGE,
  exchange,
  KEYS,
  type Made,
  type Service,
  START_MS,
  startService,
  within,
  wrongSecret,
} from './service.ts'

const DAY_MS = 86_400_000
const OWN_RATES = 'each node counts the guesses that it gets'
const LASTING = 'keys and tokens of a cluster outlive a process'

const create = (service: Service, wish: object = {}): Promise<Made> => createKey(service, { scope: 'a b' }, wish)

test('the checksum of a key is CRC-32', () => assert.is(crc32('123456789'), 0xcbf43926))

test('a key has no more scopes and no longer life than its creator', () =>
  within({}, async (service) => {
    assert.equal((await create(service, { scopes: ['b'] })).record['scopes'], ['b'])
    assert.equal((await create(service, { scopes: [] })).record['scopes'], [])
    assert.is((await create(service, { expires_in: 1e12 })).record['expires_at_ms'], START_MS + 90 * DAY_MS)

    const parent = await create(service, { expires_in: 100, scopes: ['a'] })
    const { body } = await service.send(KEYS, { method: 'POST', key: parent.key, body: { name: 'child' } })
    const child = body as unknown as Made
    assert.equal(child.record['scopes'], ['a'])
    const as = await exchange(service, parent.key)
    const wish = { name: 'grandchild', expires_in: 1_000 }
    const grandchild = (await service.send(KEYS, { method: 'POST', as, body: wish })).body as unknown as Made
    for (const { record } of [child, grandchild]) assert.is(record['expires_at_ms'], parent.record['expires_at_ms'])
    service.advance(100_000)
    assert.is((await service.send('/whoami', { key: parent.key })).code, 'api_key_invalid')
    assert.is((await service.send('/whoami', { key: child.key })).code, 'api_key_invalid')
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
    const revoked: string[] = []
    service.kernel.capability('Revocations').onRevoked((id) => void revoked.push(id))
    const first = await create(service)
    const second = await create(service, { expires_in: 60 })
    const as = await exchange(service, first.key)
    const short = await service.send(EXCHANGE, { method: 'POST', key: second.key })
    assert.is(short.body['expires_in'], 60)
    assert.is((await service.send('/whoami', { as })).status, 200)
    service.advance(900_000)
    assert.is((await service.send('/whoami', { as })).code, 'token_expired')
    const fresh = await exchange(service, first.key)
    assert.is((await service.send('/whoami', { as: fresh })).status, 200)
    await service.send(`${KEYS}/${first.record.id}`, { method: 'DELETE', as: await service.token() })
    assert.is((await service.send('/whoami', { as: fresh })).code, 'api_key_invalid')
    assert.equal(revoked, [`key:${first.record.id}`])

    const other = await startService()
    assert.is((await other.send('/whoami', { as: fresh })).code, 'token_signature_invalid')
    assert.is((await other.send('/whoami', { key: first.key })).code, 'api_key_invalid')
    await other.stop()
  }),
)

test.run()
