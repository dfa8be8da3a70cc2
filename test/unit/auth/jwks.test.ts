import { generateKeyPairSync } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import { createWebCryptoProvider } from '../../../plugins/auth/crypto/web.ts'
import { createJwksCache, type JwksCache } from '../../../plugins/auth/jwks/jwks-cache.ts'
import { type KeySet, readKeySet } from '../../../plugins/auth/jwks/key-set.ts'

type Jwk = Readonly<Record<string, unknown>>

const { rsaKey } = createWebCryptoProvider()

function newJwk(kid: string, bits = 2048): Jwk {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: bits })
  return { ...(publicKey.export({ format: 'jwk' }) as Jwk), kid }
}

const one = newJwk('one')
const two = newJwk('two')
const three = newJwk('three')

/** A cache with an endpoint and a clock that the test controls. */
interface Bench {
  readonly cache: JwksCache
  fetches: number
  lost: number
  readonly failures: string[]
  nowMs: number
  /** The next answer of the endpoint. */
  answer: () => Response | Promise<Response>
}

function createBench(
  keys: readonly Jwk[],
  limits: { maxBytes?: number; timeoutMs?: number; cooldownMs?: number } = {},
): Bench {
  const bench: Bench = {
    fetches: 0,
    lost: 0,
    failures: [],
    nowMs: 1_000_000,
    answer: () => Response.json({ keys }),
    cache: createJwksCache({
      url: 'https://issuer.test/jwks',
      fetch: async (_url, init) => {
        bench.fetches++
        assert.is(init?.redirect, 'manual')
        const aborted = new Promise<never>((_, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal!.reason))
        })
        return Promise.race([bench.answer(), aborted])
      },
      timeoutMs: limits.timeoutMs ?? 5_000,
      maxBytes: limits.maxBytes ?? 262_144,
      maxKeys: 64,
      cooldownMs: limits.cooldownMs ?? 10_000,
      refreshAfterMs: 600_000,
      maxAgeMs: 86_400_000,
      maxUnknownKids: 1_024,
      importKey: rsaKey,
      monotonic: () => bench.nowMs,
      onKeysLost: () => void bench.lost++,
      onFailure: (reason) => void bench.failures.push(String(reason)),
    }),
  }
  return bench
}

async function find(bench: Bench, kid: string): Promise<string> {
  try {
    const found = bench.cache.find(kid)
    await found
    return found instanceof Promise ? 'waited' : 'cached'
  } catch (error) {
    if (isSvcError(error)) return error.code
    throw error
  }
}

// The timer of a reading does not keep the process alive, so the test needs another timer.
const alive = setInterval(() => {}, 1_000)
test.after(() => clearInterval(alive))

test('an unknown kid is remembered even if its reading returned a new key', async () => {
  const bench = createBench([one])
  assert.is(await find(bench, 'nope'), 'jwks_key_unknown')
  assert.is(await find(bench, 'nope'), 'jwks_key_unknown')
  assert.is(bench.fetches, 1)
  assert.is(await find(bench, 'x'.repeat(300)), 'jwks_key_unknown')
  assert.is(bench.fetches, 1, 'an id of that length is never read for')
})

test('an issuer that returns new keys at each reading is read four times at once, then once in 5 s', async () => {
  const bench = createBench([one])
  const endless = (): Response => Response.json({ keys: [one, { ...two, kid: `new${bench.fetches}` }] })
  bench.answer = endless
  for (let count = 0; count < 1_000; count++) assert.is(await find(bench, `nope${count}`), 'jwks_key_unknown')
  assert.is(bench.fetches, 4)
  for (let second = 0; second < 60; second++) {
    bench.nowMs += 1_000
    for (let count = 0; count < 10; count++) await find(bench, `later${second}-${count}`)
  }
  assert.is(bench.fetches, 4 + 12)
  assert.is(await find(bench, 'one'), 'cached')
  bench.nowMs += 5_000
  bench.answer = () => Response.json({ keys: [one, two] })
  assert.is(await find(bench, 'two'), 'waited', 'a key that is really new is found at the next permitted reading')
})

test('without a pause after unsuccessful readings, the minimum interval of 5 s still applies', async () => {
  const bench = createBench([one], { cooldownMs: 0 })
  for (const answer of [bench.answer, () => Response.error()]) {
    bench.answer = answer
    bench.nowMs += 60_000
    const before = bench.fetches
    for (let count = 0; count < 100; count++) await find(bench, `nope${bench.fetches}-${count}`)
    assert.is(bench.fetches, before + 4)
  }
})

test('a verdict may be cached until the next background reading, and no longer than its key', async () => {
  const bench = createBench([one])
  await find(bench, 'one')
  const { keepForMs } = await bench.cache.find('one')
  assert.is(keepForMs, 600_000)
  bench.answer = () => Response.error()
  bench.nowMs += 86_400_000 - 1_000
  assert.is((await bench.cache.find('one')).keepForMs, 1_000)
})

test('only keys that may verify RS256 are accepted', async () => {
  const e = (value: string): Jwk => ({ ...one, e: value })
  const cases: readonly [name: string, keys: readonly unknown[], taken: number][] = [
    ['sig and RS256 said', [{ ...one, use: 'sig', alg: 'RS256', key_ops: ['verify'] }], 1],
    ['for encryption', [{ ...one, use: 'enc' }], 0],
    ['for another algorithm', [{ ...one, alg: 'RS512' }], 0],
    ['not for verifying', [{ ...one, key_ops: ['encrypt'] }], 0],
    ['1024 bits', [newJwk('small', 1024)], 0],
    ['2047 bits', [{ ...one, n: `f${String(one['n']).slice(1)}`.replace(/^./, 'A') }], 0],
    ['exponent 1', [e('AQ')], 0],
    ['exponent even', [e('AQAA')], 0],
    ['private', [{ ...one, d: 'AQAB' }], 0],
    ['no kid', [{ ...one, kid: undefined }], 0],
    ['kid a number', [{ ...one, kid: 1 }], 0],
    ['kid twice, with other keys', [one, { ...two, kid: 'one' }, three], 1],
    ['kid twice, with the same key', [one, { ...one, use: 'sig' }, three], 2],
    ['members that are null', [{ ...one, use: null, alg: null, key_ops: null, d: null }], 1],
    ['a secret', [{ kty: 'oct', k: one['n'], kid: 'one' }], 0],
    ['n padded', [{ ...one, n: `${String(one['n'])}=` }], 0],
    ['rubbish', [null, 1, 'x', [], {}], 0],
  ]
  for (const [name, keys, taken] of cases) assert.is((await kids(keys)).length, taken, name)
})

const ec: Jwk = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
}

/** Key sets in the form in which products publish them; `one` verifies RS256 in each. */
const published: Readonly<Record<string, readonly Jwk[]>> = {
  // The realm keys of a Keycloak whose keystore was imported: one certificate for both uses, and its thumbprint is the
  // kid.
  Keycloak: [
    {
      ...two,
      kid: 'one',
      kty: 'RSA',
      alg: 'RSA-OAEP',
      use: 'enc',
      x5c: ['MIICmzCCAYMCBgF'],
      x5t: 'p8ooWbc',
      'x5t#S256': 'VPbI',
    },
    { ...one, kty: 'RSA', alg: 'RS256', use: 'sig', x5c: ['MIICmzCCAYMCBgF'], x5t: 'p8ooWbc', 'x5t#S256': 'VPbI' },
  ],
  'Keycloak with one pair of keys': [
    { ...one, alg: 'RSA-OAEP', use: 'enc' },
    { ...one, alg: 'RS256', use: 'sig' },
  ],
  ForgeRock: ['RS512', 'RS384', 'RS256', 'PS256'].map((alg) => ({ ...one, kty: 'RSA', use: 'sig', alg, x5t: 'Jw7A' })),
  'RFC 7517, appendix A.1, with one kid': [
    { ...ec, use: 'enc', kid: 'one' },
    { ...one, kty: 'RSA', alg: 'RS256' },
  ],
  Duende: [
    { ...one, kty: 'RSA', use: 'sig', alg: 'RS256' },
    { ...ec, kid: 'one', use: 'sig', alg: 'ES256' },
    { ...two, kty: 'RSA', use: 'sig', alg: 'PS256', kid: 'one' },
  ],
}

test('entries that are no keys for RS256 do not affect the key that has their kid', async () => {
  for (const [name, keys] of Object.entries(published)) {
    for (const order of [keys, keys.toReversed()]) {
      assert.is((await read(order)).get('one')?.jwk.n, one['n'], name)
    }
  }
})

test('a kid of two different keys is refused, and the other keys are used', async () => {
  const bench = createBench([one, { ...two, kid: 'one' }, three])
  assert.is(await find(bench, 'three'), 'waited')
  assert.is(await find(bench, 'one'), 'jwks_key_unknown')
})

test('at most 64 usable keys are accepted, among at most 1 024 entries', async () => {
  const many = (count: number, key: Jwk): readonly Jwk[] =>
    Array.from({ length: count }, (_, index) => ({ ...key, kid: `k${index}` }))
  const others = (count: number): readonly Jwk[] => many(count, { kty: 'oct' })
  assert.is((await kids([...many(64, one), ...others(960)])).length, 64)
  assert.match(String(await kids([...many(65, one)]).catch(String)), 'more than 64 usable keys')
  assert.match(String(await kids([one, ...others(1_024)]).catch(String)), 'more than 1024 entries')
})

test('the refusal says whether the key set was not reached, not readable, or has no usable key', async () => {
  const cases: readonly [reason: string, answer: () => Response | Promise<Response>][] = [
    ['not_reached', () => Promise.reject(new TypeError('fetch failed'))],
    ['not_reached', () => new Promise(() => {})],
    ['not_reached', () => new Response(new ReadableStream({ pull: (body) => body.error(new Error('reset')) }))],
    ['not_readable', () => new Response('down', { status: 500 })],
    ['not_readable', () => new Response('<!doctype html>')],
    ['not_readable', () => Response.json({ keys: Array(2_000).fill(1) })],
    ['not_readable', () => new Response(new Uint8Array([0x22, 0xff, 0x22]))],
    ['no_usable_key', () => Response.json({ keys: [{ ...one, use: 'enc' }, ec] })],
  ]
  for (const [reason, answer] of cases) {
    const bench = createBench([], { timeoutMs: 30 })
    bench.answer = answer
    for (const kid of ['one', 'two']) {
      const error: unknown = await Promise.resolve(bench.cache.find(kid)).catch((cause: unknown) => cause)
      assert.ok(isSvcError(error, 'jwks_unavailable'), reason)
      assert.equal(error.details, { reason })
    }
  }
})

test('a key set with a byte order mark is read', async () => {
  const bench = createBench([])
  bench.answer = () => new Response(`\ufeff${JSON.stringify({ keys: [one] })}`)
  assert.is(await find(bench, 'one'), 'waited')
})

const read = (keys: readonly unknown[]): Promise<KeySet> =>
  readKeySet(JSON.stringify({ keys }), { importKey: rsaKey, maxKeys: 64, oldKeys: new Map() })

async function kids(keys: readonly unknown[]): Promise<readonly string[]> {
  try {
    return [...(await read(keys)).keys()]
  } catch (error) {
    throw isSvcError(error) ? error.cause : error
  }
}

test.run()
