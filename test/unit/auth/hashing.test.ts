import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import { networkOf } from '../../../core/http/client-address.ts'
import { createHashQueue } from '../../../plugins/auth/api-keys/hashing/hash-queue.ts'
import type { KeyHasher } from '../../../plugins/auth/api-keys/hashing/hasher.ts'
import { createThreadedHasher } from '../../../plugins/auth/api-keys/hashing/hasher-threads.ts'
import { createInPlaceHasher } from '../../../plugins/auth/api-keys/in-place.ts'
import type { KeyBounds } from '../../../plugins/auth/api-keys/store/key-store.ts'
import { createMemoryKeyStore } from '../../../plugins/auth/api-keys/store/memory-store.ts'
import { createFailureLimit } from '../../../plugins/auth/api-keys/verifying/failure-limit.ts'
import { failure, rejection } from '../../support/throws.ts'

const cost = { memoryKiB: 64, iterations: 1, parallelism: 1 }
const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length))

const hashers: readonly [string, KeyHasher][] = [
  ['in place', createInPlaceHasher(cost, random)],
  ['in threads', createThreadedHasher(cost, random)],
]

for (const [name, hasher] of hashers) {
  test(`${name}: the hash is Argon2id with the given cost and a new salt`, async () => {
    const [one, two] = await Promise.all([hasher.hash('secret'), hasher.hash('secret')])
    assert.match(one, /^\$argon2id\$v=19\$m=64,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    assert.is.not(one, two)
    assert.is(await hasher.verify('secret', one), true)
    assert.is(await hasher.verify('Secret', one), false)
    assert.is(await hashers[0]![1].verify('secret', two), true, 'either verifies what the other made')
  })

  test(`${name}: a job that fails rejects, and the next job runs`, async () => {
    assert.instance(await hasher.verify('secret', 'no hash').catch((error: unknown) => error), Error)
    assert.type(await hasher.hash('again'), 'string')
  })
}

test('a hash in a thread does not block the event loop', async () => {
  const hasher = createThreadedHasher({ memoryKiB: 19_456, iterations: 6, parallelism: 1 }, random)
  await hasher.hash('warm')
  let ticks = 0
  const timer = setInterval(() => ticks++, 1)
  await Promise.all([hasher.hash('a'), hasher.hash('b')])
  clearInterval(timer)
  await hasher.close()
  assert.ok(ticks >= 20, `${ticks} ticks`)
})

test('the threads end with the service and can start again', async () => {
  const hasher = hashers[1]![1]
  const hash = await hasher.hash('x')
  await hasher.close()
  assert.is(await hasher.verify('x', hash), true)
  const cut = hasher.verify('x', hash)
  await hasher.close()
  await cut.then(
    () => {},
    (error: unknown) => assert.match(String(error), /ended/),
  )
})

test('the queue runs a limited number of jobs at a time, in order, and refuses jobs beyond its length', async () => {
  const queue = createHashQueue({ parallel: 2, waiting: 3 })
  const started: number[] = []
  const finish: (() => void)[] = []
  const job = (id: number) => () => {
    started.push(id)
    return new Promise<number>((resolve) => finish.push(() => resolve(id)))
  }
  const all = [0, 1, 2, 3, 4].map((id) => queue.run('one', job(id)))
  assert.is((await rejection('overloaded', queue.run('one', job(5)))).status, 503)
  assert.equal(started, [0, 1])
  for (const expected of [
    [0, 1, 2],
    [0, 1, 2, 3],
    [0, 1, 2, 3, 4],
  ]) {
    finish.shift()!()
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(started, expected)
  }
  for (const done of finish) done()
  assert.equal(await Promise.all(all), [0, 1, 2, 3, 4])
  await queue.run('one', async () => Promise.reject(new Error('x'))).catch(() => {})
  assert.is(await queue.run('one', async () => 7), 7, 'a failed job gives its place back')
})

test('failures are counted by address, for IPv6 by network, and expire', () => {
  let nowMs = 0
  const limit = createFailureLimit({ limit: 2, windowMs: 1_000, maxWatched: 2, monotonic: () => nowMs })
  const count = (address: string): void => limit.count(networkOf(address))
  const checkFree = (address: string): void => limit.check(networkOf(address))
  const checkLimited = (address: string): unknown => failure('rate_limited', () => checkFree(address))
  count('10.0.0.1')
  checkFree('10.0.0.1')
  nowMs = 500
  count('10.0.0.1')
  checkLimited('10.0.0.1')
  checkLimited('::ffff:10.0.0.1') // the same client on a dual-stack socket
  checkFree('10.0.0.2')
  nowMs = 1_000
  checkFree('10.0.0.1') // the first failure is a whole window past
  count('2001:db8::1')
  count('2001:db8:0:0:9::2')
  checkLimited('2001:db8::ffff')
  checkFree('2001:db8:0:1::1')
  count('10.0.0.1')
  count('10.0.0.3')
  checkFree('2001:db8::1') // no more addresses are watched than the limit says
})

test('lanes take turns, and the longest lane loses a job to a new caller', async () => {
  const queue = createHashQueue({ parallel: 1, waiting: 4 })
  const started: string[] = []
  const finish: (() => void)[] = []
  const run = (name: string): Promise<unknown> =>
    queue
      .run(name[0]!, () => {
        started.push(name)
        return new Promise<void>((resolve) => finish.push(resolve))
      })
      .catch((error: unknown) => (isSvcError(error, 'overloaded') ? `${name} gave way` : error))
  const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1', 'd1', 'b2'].map(run)
  for (let count = 0; count < 5; count++) {
    finish.shift()!()
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.equal(started, ['a1', 'a2', 'b1', 'c1', 'd1'])
  const gone = (await Promise.all(all)).filter((result) => result !== undefined)
  assert.equal(gone, ['a3 gave way', 'a4 gave way', 'a5 gave way', 'b2 gave way'])
})

/** A store in memory with bounds, and a function that adds a key to it. */
function bounded(bounds: Partial<KeyBounds>, now: () => number, monotonic: () => number) {
  const store = createMemoryKeyStore({ now, monotonic })
  const add = (id: string, owner: { user: string; tenant: string }, expiresAtMs = 100): unknown =>
    store.add(
      {
        ...{ id, name: id, owner, scopes: [], hash: '', createdAtMs: now() },
        ...{ expiresAtMs, lastUsedAtMs: null, revokedAtMs: null },
      },
      { maxKeys: 9, maxKeysPerTenant: 9, maxKeysPerOwner: 9, maxBytesPerOwner: 10_000, ...bounds },
    )
  return { store, add }
}

test('the store is bounded, and expired or revoked keys make room', () => {
  let nowMs = 0
  const bounds = { maxKeys: 3, maxKeysPerTenant: 3, maxKeysPerOwner: 2 }
  const { store, add: addTo } = bounded(
    bounds,
    () => nowMs,
    () => 0,
  )
  const add = (id: string, user: string, expiresAtMs = 100): unknown => addTo(id, { user, tenant: 't' }, expiresAtMs)
  assert.ok(add('a', 'ada', 10) && add('b', 'ada'))
  assert.not.ok(add('c', 'ada'), 'an owner has so many')
  assert.ok(add('d', 'bob'))
  assert.not.ok(add('e', 'eve'), 'all have so many')
  nowMs = 10
  assert.ok(add('c', 'ada'), 'an expired key makes room')
  assert.not.ok(add('e', 'eve'))
  assert.is(store.get('a'), undefined)
  store.revoke('d', 11)
  store.revoke('d', 12)
  assert.is((store.get('d') as { revokedAtMs: number }).revokedAtMs, 11)
  assert.ok(add('e', 'eve'))
  assert.equal(store.list({ user: 'bob', tenant: 't' }), [])
})

test('a tenant has a limit of keys over all its users, and keys that are revoked or expired are removed to stay below it', () => {
  let nowMs = 0
  const { store, add: addTo } = bounded(
    { maxKeys: 4, maxKeysPerTenant: 2 },
    () => nowMs,
    () => 1_000 * nowMs,
  )
  const add = (id: string, tenant: string, expiresAtMs = 100): unknown => addTo(id, { user: id, tenant }, expiresAtMs)
  assert.ok(add('a', 'evil', 10) && add('b', 'evil'))
  assert.not.ok(add('c', 'evil'), 'a tenant has so many')
  assert.ok(add('d', 'acme'), 'another tenant has room')
  nowMs = 10
  assert.ok(add('c', 'evil'), 'an expired key makes room')
  assert.not.ok(add('e', 'evil'))
  store.revoke('b', nowMs)
  assert.ok(add('e', 'evil'), 'a revoked key makes room at once')
  assert.ok(add('f', 'acme'))
  assert.not.ok(add('g', 'third'), 'all have so many')
})

test('a full store is searched for dead keys once per second, and at once after a revocation', () => {
  let nowMs = 0
  let elapsedMs = 0
  const { store, add: addTo } = bounded(
    { maxKeys: 2 },
    () => nowMs,
    () => elapsedMs,
  )
  const add = (id: string, expiresAtMs = 100): unknown => addTo(id, { user: id, tenant: 't' }, expiresAtMs)
  assert.ok(add('a', 10) && add('b'))
  assert.not.ok(add('c'))
  nowMs = 10
  assert.not.ok(add('c'), 'not searched again yet')
  elapsedMs = 1_000
  assert.ok(add('c'))
  assert.not.ok(add('d'))
  store.revoke('b', nowMs)
  assert.ok(add('d'))
})

test.run()
