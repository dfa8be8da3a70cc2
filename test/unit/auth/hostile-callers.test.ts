/** Hostile callers: floods, wrong addresses, and credentials that end while their request arrives. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { definePlugin, type Plugin } from '../../../core/declare/plugin.ts'
import { feature as keys } from '../../../plugins/auth/api-keys/feature.ts'
import type { CreateHasher } from '../../../plugins/auth/api-keys/hashing/hasher.ts'
import { createInPlaceHasher } from '../../../plugins/auth/api-keys/in-place.ts'
import type { KeyRecord, KeyStore } from '../../../plugins/auth/api-keys/store/key-store.ts'
import { createMemoryKeyStore } from '../../../plugins/auth/api-keys/store/memory-store.ts'
import { settle } from '../../support/held-clock.ts'
import { onOneNode } from '../../support/nodes.ts'
import {
  allFeatures,
  createKey,
  EXCHANGE,
  exchange,
  KEYS,
  type Made,
  type Service,
  startService,
  within,
  wrongSecret,
} from './service.ts'

const test = suite('auth: hostile callers')
/** The reasons why some tests are valid for a single node only. docs/cluster.md describes several nodes. */
const COUNTED = 'each node counts the guesses that it gets'
const IN_PROCESS = 'it looks into the process'

const create = (service: Service, sub: string): Promise<Made> => createKey(service, { sub })

/** A body that arrives only when `send` is called. */
function heldBody(value: unknown): { readonly body: ReadableStream<Uint8Array>; send(): void } {
  let send = (): void => undefined
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      send = () => {
        controller.enqueue(new TextEncoder().encode(JSON.stringify(value)))
        controller.close()
      }
    },
  })
  return { body, send: () => send() }
}

async function post(service: Service, path: string, headers: object, body: BodyInit): Promise<Response> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body, duplex: 'half' }
  return service.fetch(new Request(`http://svc.test${path}`, init))
}

async function codeOf(response: Response): Promise<string | undefined> {
  return ((await response.json()) as { error?: { code: string } }).error?.code
}

/** A hasher that the test can hold, and all features with this hasher. */
function heldHasher(): { readonly plugins: readonly Plugin[]; hold(): void; letGo(): void } {
  let waiting: (() => void)[] | null = null
  const turn = (): Promise<void> => new Promise((resolve) => (waiting === null ? resolve() : waiting.push(resolve)))
  const createHeld: CreateHasher = (cost, random) => {
    const real = createInPlaceHasher(cost, random)
    return {
      hash: (text) => turn().then(() => real.hash(text)),
      verify: (text, encoded) => turn().then(() => real.verify(text, encoded)),
      close: real.close,
    }
  }
  const others = allFeatures.filter(({ name }) => name !== 'auth.api_keys')
  return {
    plugins: [...others, keys.with({ createHasher: createHeld, maxParallel: 1 })],
    hold: () => {
      waiting ??= []
    },
    letGo: () => {
      const held = waiting ?? []
      waiting = null
      for (const go of held) go()
    },
  }
}

/** Starts `flood`, then a request of another caller with a new key, and returns all statuses. */
async function beside(
  flood: (service: Service) => Promise<() => Promise<{ status: number }>[]>,
): Promise<{ readonly stranger: number; readonly flood: readonly number[] }> {
  const hasher = heldHasher()
  const service = await startService({ 'security.argon2_waiting': 8 }, hasher.plugins)
  try {
    const { key } = await create(service, 'bob')
    const send = await flood(service)
    hasher.hold()
    const answers = send()
    await settle()
    const stranger = service.send('/whoami', { key })
    await settle()
    hasher.letGo()
    return { stranger: (await stranger).status, flood: (await Promise.all(answers)).map(({ status }) => status) }
  } finally {
    await service.stop()
  }
}

const counts = (statuses: readonly number[]): Readonly<Record<string, number>> => {
  const found: Record<string, number> = {}
  for (const status of statuses) found[status] = (found[status] ?? 0) + 1
  return found
}

onOneNode(test, COUNTED, 'many callers that create keys do not block the keys of others', async () => {
  const { stranger, flood } = await beside(async (service) => {
    const tokens = await Promise.all(Array.from({ length: 100 }, (_, n) => service.token({ sub: `eve${n}` })))
    return () => tokens.map((as) => service.send(KEYS, { method: 'POST', as, body: { name: 'x' } }))
  })
  assert.is(stranger, 200)
  assert.equal(counts(flood), { 201: 8, 503: 92 }, 'one that runs and eight that wait, of which the last gave way')
})

onOneNode(test, COUNTED, 'one caller with many keys does not block the keys of others', async () => {
  const { stranger, flood } = await beside(async (service) => {
    const many: Made[] = []
    for (let n = 0; n < 40; n++) many.push(await create(service, 'eve'))
    return () => many.map(({ key }) => service.send('/whoami', { key }))
  })
  assert.is(stranger, 200)
  assert.equal(counts(flood), { 200: 8, 503: 32 })
})

test('a request for a key beyond the limit or the scopes of the caller is refused before anything is hashed', async () => {
  const hasher = heldHasher()
  const service = await startService({ 'security.max_keys_per_owner': 1 }, hasher.plugins)
  try {
    await create(service, 'eve')
    hasher.hold()
    const as = await service.token({ sub: 'eve' })
    const wishes = [{ name: 'x' }, { name: 'x', scopes: ['admin'] }]
    const codes = await Promise.all(
      wishes.map(async (body) => (await service.send(KEYS, { method: 'POST', as, body })).code),
    )
    assert.equal(codes, ['rate_limited', 'forbidden'])
  } finally {
    hasher.letGo()
    await service.stop()
  }
})

test('a key or token that ends while the body of its request arrives creates no key', () =>
  within({}, async (service) => {
    const as = await service.token()
    const parent = await create(service, 'ada')
    const bearer = { authorization: `Bearer ${await exchange(service, parent.key)}` }
    for (const headers of [{ 'x-api-key': parent.key }, bearer]) {
      const made = headers === bearer ? null : await create(service, 'ada')
      const credential = made === null ? headers : { 'x-api-key': made.key }
      const held = heldBody({ name: 'child' })
      const answer = post(service, KEYS, credential, held.body)
      await settle()
      const { id } = (made ?? parent).record
      assert.is((await service.send(`${KEYS}/${id}`, { method: 'DELETE', as })).status, 204)
      held.send()
      const response = await answer
      assert.is(response.status, 401)
      assert.is(await codeOf(response), 'api_key_invalid')
    }
    const short = { authorization: `Bearer ${await service.token({ exp: service.nowMs() / 1000 + 5 })}` }
    const held = heldBody({ name: 'child' })
    const answer = post(service, KEYS, short, held.body)
    await settle()
    service.advance(5_000)
    held.send()
    assert.is(await codeOf(await answer), 'token_expired')
    const { keys } = (await service.send(KEYS, { as: await service.token() })).body as { keys: { name: string }[] }
    assert.equal(
      keys.filter(({ name }) => name === 'child'),
      [],
    )
  }))

onOneNode(
  test,
  IN_PROCESS,
  'a child key whose parent is revoked while it is stored is revoked too, and is not returned',
  async () => {
    const memory = createMemoryKeyStore({ now: () => 0, monotonic: () => 0 })
    let whileAdding = (_: KeyRecord): void => undefined
    const slow: KeyStore = {
      durable: true,
      get: async (id) => memory.get(id),
      list: async (owner) => memory.list(owner),
      hasRoom: async (record, bounds) => memory.hasRoom(record, bounds),
      add: async (record, bounds) => {
        whileAdding(record)
        return memory.add(record, bounds)
      },
      revoke: async (id, atMs) => memory.revoke(id, atMs),
      touch: async (id, atMs) => memory.touch(id, atMs),
    }
    const keeper = definePlugin({
      name: 'keeper',
      feature: 'keeper',
      provides: ['KeyStore'],
      setup: (ctx) => ctx.provide('KeyStore', slow),
    })
    await within(
      {},
      async (service) => {
        const { key, record } = await create(service, 'ada')
        whileAdding = () => void memory.revoke(record.id, 1)
        const answer = await service.send(KEYS, { method: 'POST', key, body: { name: 'child' } })
        assert.is(answer.code, 'api_key_invalid')
        const kept = (await memory.list({ user: 'ada', tenant: 'default' })).find(({ name }) => name === 'child')
        assert.is.not(kept?.revokedAtMs, null)
      },
      [...allFeatures, keeper],
    )
  },
)

onOneNode(test, COUNTED, 'wrong keys count against the address that the host gives, with or without a port', () =>
  within({ 'security.failed_key_limit': 2 }, async (service) => {
    const { key } = await create(service, 'ada')
    const other = await create(service, 'bob')
    const code = async (made: string, address?: string): Promise<string | undefined> =>
      (await service.send('/whoami', { key: made, ...(address === undefined ? {} : { address }) })).code
    for (const address of ['192.0.2.1:1111', '192.0.2.1:2222']) {
      assert.is(await code(wrongSecret(key), address), 'api_key_invalid')
    }
    assert.is(await code(wrongSecret(key), '192.0.2.1'), 'rate_limited')
    assert.is(await code(wrongSecret(key), '192.0.2.2'), 'api_key_invalid')
    assert.is(await code(other.key, '192.0.2.2'), undefined)
  }),
)

onOneNode(test, COUNTED, 'without an address from the host, wrong keys count against the key id that they name', () =>
  within({ 'security.failed_key_limit': 2 }, async (service) => {
    const { key } = await create(service, 'ada')
    const other = await create(service, 'bob')
    for (const address of [undefined, 'unknown', 'x'.repeat(10_000)]) {
      const answer = await service.send('/whoami', {
        key: wrongSecret(key),
        ...(address === undefined ? {} : { address }),
      })
      assert.is(answer.code, address?.length === 10_000 ? 'rate_limited' : 'api_key_invalid')
    }
    assert.is((await service.send('/whoami', { key })).code, 'rate_limited')
    assert.is((await service.send('/whoami', { key: other.key })).status, 200)
  }),
)

test('a key with characters whose lower bytes equal a valid key is refused, even if the valid key is cached', () =>
  within({}, async (service) => {
    const { key } = await create(service, 'ada')
    assert.is((await service.send(EXCHANGE, { method: 'POST', key })).status, 200)
    for (let at = 0; at < key.length; at++) {
      const shifted = key.slice(0, at) + String.fromCharCode(key.charCodeAt(at) + 0x100) + key.slice(at + 1)
      const answer = await service.send(EXCHANGE, { method: 'POST', body: { api_key: shifted } })
      assert.is(answer.code, 'api_key_invalid', `character ${at}`)
    }
  }))

test('the bytes of the keys of an owner are bounded, and so is their list', () =>
  within({ 'security.max_key_bytes_per_owner': 4_096 }, async (service) => {
    const scopes = Array.from({ length: 100 }, (_, n) => `${n}`.padEnd(30, 'x'))
    const as = await service.token({ scope: scopes.join(' ') })
    const first = await service.send(KEYS, { method: 'POST', as, body: { name: 'x' } })
    assert.is(first.status, 201)
    assert.is((await service.send(KEYS, { method: 'POST', as, body: { name: 'x' } })).code, 'rate_limited')
    assert.is((await service.send(KEYS, { method: 'POST', as, body: { name: 'x', scopes: [] } })).status, 201)
  }))

onOneNode(
  test,
  COUNTED,
  'a clock that is set back by an hour does not prolong a 429, a cached key or the record of its last use',
  () =>
    within({ 'security.failed_key_limit': 1 }, async (service) => {
      const { key, record } = await create(service, 'ada')
      assert.is((await service.send('/whoami', { key })).status, 200)
      assert.is((await service.send('/whoami', { key: wrongSecret(key) })).code, 'api_key_invalid')
      assert.is((await service.send('/whoami', { key: wrongSecret(key) })).code, 'rate_limited')
      service.setClock(-3_600_000)
      service.advance(10_000)
      assert.is((await service.send('/whoami', { key: wrongSecret(key) })).code, 'api_key_invalid')
      service.advance(50_000)
      // The cached verdict is a minute old, so the key must be hashed again, and hashes for this address are refused.
      assert.is((await service.send('/whoami', { key: wrongSecret(key) })).code, 'api_key_invalid')
      assert.is((await service.send('/whoami', { key })).code, 'rate_limited')
      service.advance(10_000)
      assert.is((await service.send('/whoami', { key })).status, 200)
      const { keys } = (await service.send(KEYS, { as: await service.token() })).body as {
        keys: { id: string; last_used_at_ms: number }[]
      }
      assert.is(keys.find(({ id }) => id === record.id)!.last_used_at_ms, service.nowMs())
    }),
)

test('a clock that is set forward ends a cached token', () =>
  within({}, async (service) => {
    const as = await service.token()
    assert.is((await service.send('/whoami', { as })).status, 200)
    service.setClock(3_600_000)
    assert.is((await service.send('/whoami', { as })).code, 'token_expired')
  }))

test.run()
