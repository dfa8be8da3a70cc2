import { generateKeyPairSync } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/errors.ts'
import { createWebCryptoProvider } from '../../../plugins/auth/crypto/web.ts'
import { createJwksCache, type JwksCache } from '../../../plugins/auth/jwks/jwks-cache.ts'
import { readKeySet } from '../../../plugins/auth/jwks/key-set.ts'

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

/** Waits until a background refresh has finished. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))

// The timer of a reading does not keep the process alive, so the test needs another timer.
const alive = setInterval(() => {}, 1_000)
test.after(() => clearInterval(alive))

test('one reading serves all waiting callers, and later callers do not wait', async () => {
  const bench = createBench([one, two])
  const results = await Promise.all(Array.from({ length: 50 }, (_, count) => find(bench, count % 2 ? 'one' : 'two')))
  assert.ok(results.every((result) => result === 'waited'))
  assert.is(await find(bench, 'one'), 'cached')
  assert.is(bench.fetches, 1)
})

test('a new key is found at once, and an unknown kid causes one reading in 10 s', async () => {
  const bench = createBench([one])
  await find(bench, 'one')
  bench.answer = () => Response.json({ keys: [one, two] })
  assert.is(await find(bench, 'two'), 'waited')
  assert.is(bench.fetches, 2)
  assert.is(await find(bench, 'nope'), 'jwks_key_unknown')
  assert.is(bench.fetches, 3)
  for (let count = 0; count < 1_000; count++) assert.is(await find(bench, `nope${count}`), 'jwks_key_unknown')
  assert.is(bench.fetches, 3)
  bench.nowMs += 10_000
  assert.is(await find(bench, 'nope'), 'jwks_key_unknown')
  assert.is(bench.fetches, 4)
})

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

test('a flood of unknown kids causes one reading and does not delay known kids', async () => {
  const bench = createBench([one])
  await find(bench, 'one')
  bench.answer = () => new Promise(() => {})
  const flood = Array.from({ length: 1_000 }, (_, count) => find(bench, `nope${count}`))
  assert.is(await find(bench, 'one'), 'cached')
  assert.is(bench.fetches, 2)
  flood.forEach((each) => void each.catch(() => {}))
})

test('each failed reading is followed by a pause, and known keys stay valid', async () => {
  const bench = createBench([one])
  await find(bench, 'one')
  const bad: Record<string, () => Response> = {
    'status 500': () => new Response('down', { status: 500 }),
    html: () => new Response('<!doctype html><p>hello</p>'),
    redirect: () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.test/' } }),
    'empty set': () => Response.json({ keys: [] }),
    'no set': () => Response.json([]),
    'keys of others': () => Response.json({ keys: [{ kty: 'EC', kid: 'one' }] }),
    'too large': () => new Response(JSON.stringify({ keys: [one, two], more: 'x'.repeat(300_000) })),
    'too many keys': () => Response.json({ keys: Array.from({ length: 65 }, (_, n) => ({ ...one, kid: `k${n}` })) }),
    'not UTF-8': () => new Response(new Uint8Array([0x7b, 0xff, 0x7d])),
  }
  for (const [name, answer] of Object.entries(bad)) {
    bench.answer = answer
    bench.nowMs += 10_000
    const before = bench.fetches
    for (let count = 0; count < 50; count++) assert.is(await find(bench, `two${count}`), 'jwks_unavailable', name)
    assert.is(bench.fetches, before + 1, name)
    assert.is(await find(bench, 'one'), 'cached', name)
  }
  assert.is(bench.failures.length, Object.keys(bad).length)
  assert.is(bench.lost, 0)
  bench.nowMs += 10_000
  bench.answer = () => Response.json({ keys: [two] })
  assert.is(await find(bench, 'two'), 'waited')
  assert.is(bench.lost, 1, 'verdicts of the lost key must be dropped')
  assert.is(await find(bench, 'one'), 'jwks_key_unknown')
})

test('a reading from a hanging endpoint fails after the timeout', async () => {
  const bench = createBench([], { timeoutMs: 30 })
  bench.answer = () => new Promise(() => {})
  assert.is(await find(bench, 'one'), 'jwks_unavailable')
  assert.is(await find(bench, 'one'), 'jwks_unavailable')
  assert.is(bench.fetches, 1)
})

test('keys are read again in the background after 10 min, and stay valid for 24 h while readings fail', async () => {
  const bench = createBench([one])
  await find(bench, 'one')
  bench.nowMs += 600_000
  assert.is(await find(bench, 'one'), 'cached')
  await settle()
  assert.is(bench.fetches, 2)
  bench.answer = () => Response.error()
  const readAtMs = bench.nowMs
  bench.nowMs += 600_000
  assert.is(await find(bench, 'one'), 'cached')
  await settle()
  for (let count = 0; count < 20; count++) assert.is(await find(bench, 'one'), 'cached')
  assert.is(bench.fetches, 3, 'a failed background reading pauses too')
  bench.nowMs = readAtMs + 86_399_999
  assert.is(await find(bench, 'one'), 'cached')
  await settle()
  bench.nowMs = readAtMs + 86_400_000
  assert.is(await find(bench, 'one'), 'jwks_unavailable')
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

test('a new key with the same id replaces the first', async () => {
  const bench = createBench([one])
  const first = (await bench.cache.find('one')).key
  bench.answer = () => Response.json({ keys: [{ ...two, kid: 'one' }] })
  bench.nowMs += 600_000
  await find(bench, 'one')
  await settle()
  assert.is.not((await bench.cache.find('one')).key, first)
  assert.is(bench.lost, 1)
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
    ['kid twice', [one, { ...two, kid: 'one' }, three], 1],
    ['a secret', [{ kty: 'oct', k: one['n'], kid: 'one' }], 0],
    ['n padded', [{ ...one, n: `${String(one['n'])}=` }], 0],
    ['rubbish', [null, 1, 'x', [], {}], 0],
  ]
  for (const [name, keys, taken] of cases) {
    const set = await readKeySet(JSON.stringify({ keys }), { importKey: rsaKey, maxKeys: 64, known: new Map() })
    assert.is(set.size, taken, name)
  }
})

test.run()
