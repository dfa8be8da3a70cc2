/** Callers that try to lock out other callers, against the built server. */
import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createKeyText } from '../../plugins/auth/api-keys/key-text/key-text.ts'
import { createIssuerKey, startKeyEndpoint } from '../e2e/auth/key-endpoint.ts'
import { cheapHashes } from '../support/cheap-hashes.ts'
import { countOf } from '../support/count.ts'
import { attacksOf, beside, ENOUGH_ANSWERS, serversBefore, startTarget, type Target } from './rig.ts'
import { assertCalm, type Stranger } from './stranger.ts'

const test = suite('hostile: auth')
const it = attacksOf(test)
const KEYS = '/api/svc/auth/keys'
const EXCHANGE = '/api/svc/auth/exchange'
const MIB = 1024 * 1024
/** The number of answers that a stranger gets during an attack. */
const ANSWERS = countOf({ quick: ENOUGH_ANSWERS, deep: 150 })
/**
 * The most memory that an attack of this file may add to the server, in bytes: Argon2 needs 19 MiB per thread, in
 * addition to buffers and garbage.
 */
const MEMORY_BOUND = 128 * MIB

async function createKey(target: Target, user: string, scopes: readonly string[] = []): Promise<string> {
  const answer = await target.ask(KEYS, {
    method: 'POST',
    headers: { ...target.bearer(user, scopes), 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'x' }),
  })
  assert.is(answer.status, 201, await answer.clone().text())
  return ((await answer.json()) as { key: string }).key
}

/** Counts of answers, by status. */
type Seen = Readonly<Record<string, number>>

/**
 * Repeats `once` in parallel lanes until a stranger has had enough answers and `isEnough` accepts the counts of the
 * attacker's answers, which it returns.
 */
async function flood(
  { answers }: Stranger,
  lanes: number,
  once: () => Promise<Response>,
  isEnough: (seen: Seen) => boolean = () => true,
): Promise<Seen> {
  const seen: Record<string, number> = {}
  const lane = async (): Promise<void> => {
    while (answers() < ANSWERS || !isEnough(seen)) {
      const answer = await once()
      await answer.arrayBuffer()
      seen[answer.status] = (seen[answer.status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return seen
}

/** Uses each key for the first time, one after another, during an attack. Each first use costs a hash. */
async function firstUses(target: Target, keys: readonly string[]): Promise<readonly number[]> {
  const statuses: number[] = []
  for (const key of keys) {
    await sleep(200)
    statuses.push((await target.ask(KEYS, { headers: { 'x-api-key': key } })).status)
  }
  return statuses
}

/** Floods a target until some answers are limited and each key has had its first use beside the flood. */
function floodBesideFirstUses(
  stranger: Stranger,
  target: Target,
  once: () => Promise<Response>,
  keys: readonly string[],
): Promise<[Seen, readonly number[]]> {
  let areUsed = false
  const statuses = firstUses(target, keys).finally(() => (areUsed = true))
  return Promise.all([flood(stranger, 40, once, (seen) => areUsed && seen['429'] !== undefined), statuses])
}

async function against(
  server: Parameters<typeof startTarget>[0],
  environment: Record<string, string>,
  attack: (target: Target) => Promise<void>,
): Promise<void> {
  const target = await startTarget(server, environment)
  await attack(target)
}

/** Requests that take effect only after their body was read. */
const EFFECTS: readonly { readonly path: string; readonly body: string }[] = [
  { path: KEYS, body: '{"name":"child"}' },
  { path: '/api/svc/runs', body: '{"run_id":"late"}' },
  { path: '/api/svc/runs/early/events', body: '{"type":"RUN_STARTED","threadId":"t","runId":"r"}' },
  { path: '/api/live/things', body: '{"identifier":"x","operation":"insert","data":null}' },
]

for (const server of serversBefore()) {
  const attacks = (
    name: string,
    environment: Record<string, string>,
    attack: (target: Target) => Promise<void>,
  ): void => it(`${server}: ${name}`, () => against(server, environment, attack))

  attacks('one caller that creates keys as fast as possible does not lock out other callers', {}, async (target) => {
    const keys: string[] = []
    for (let n = 0; n < 6; n++) keys.push(await createKey(target, `owner-${n}`))
    const post = (): Promise<Response> =>
      target.ask(KEYS, {
        method: 'POST',
        headers: { ...target.bearer('eve'), 'content-type': 'application/json' },
        body: '{"name":"x"}',
      })
    const { result, report, grownBytes } = await beside(target, (stranger) =>
      floodBesideFirstUses(stranger, target, post, keys),
    )
    const [seen, statuses] = result
    assert.equal(
      statuses,
      Array.from({ length: 6 }, () => 200),
    )
    assert.ok(seen['429']! > 0 && seen['201']! > 0, JSON.stringify(seen))
    assertCalm(report)
    assert.ok(grownBytes < MEMORY_BOUND, `${grownBytes}`)
  })

  // The window is longer than the attack on any machine, so that the count is exact.
  const window = { SVC_SECURITY__FAILED_KEY_WINDOW_SECONDS: '600' }
  attacks('guesses at the secret of an own key do not lock out other callers', window, async (target) => {
    const own = await createKey(target, 'eve')
    const keys = [await createKey(target, 'ada'), await createKey(target, 'bob')]
    const guess = (): Promise<Response> => {
      const { text } = createKeyText((length) => crypto.getRandomValues(new Uint8Array(length)), own.slice(4, 20))
      return target.ask(EXCHANGE, {
        method: 'POST',
        headers: { 'x-api-key': text, 'x-forwarded-for': `10.0.0.${Math.random()}` },
      })
    }
    // The keys are used before the attack, because a key that was verified recently is never limited.
    assert.equal(await firstUses(target, keys), [200, 200])
    const { result, report, grownBytes } = await beside(target, (stranger) =>
      floodBesideFirstUses(stranger, target, guess, keys),
    )
    const [seen, statuses] = result
    assert.equal(statuses, [200, 200])
    assert.ok(seen['429']! > 0 && seen['401']! <= 21, JSON.stringify(seen))
    assertCalm(report)
    assert.ok(grownBytes < MEMORY_BOUND, `${grownBytes}`)
  })

  attacks('a body for an exchange that is too long is refused before it is read', cheapHashes, async (target) => {
    const body = JSON.stringify({ api_key: 'x'.repeat(900_000) })
    const upload = async (): Promise<Response> =>
      // The server may close the connection before the whole body was sent.
      target
        .ask(EXCHANGE, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
        .catch(() => new Response(null, { status: 413 }))
    const { result, report, grownBytes } = await beside(target, (stranger) => flood(stranger, 8, upload))
    assert.equal(Object.keys(result), ['413'])
    assertCalm(report)
    assert.ok(grownBytes < MEMORY_BOUND, `${grownBytes}`)
  })

  attacks('repeated requests for the longest list of keys do not delay other callers', cheapHashes, async (target) => {
    const scopes = Array.from({ length: 20 }, (_, n) => `${n}`.padEnd(30, 'x'))
    let count = 0
    for (let full = false; !full; count++) {
      const answer = await target.ask(KEYS, {
        method: 'POST',
        headers: { ...target.bearer('eve', scopes), 'content-type': 'application/json' },
        body: '{"name":"x"}',
      })
      full = answer.status === 429
      await answer.arrayBuffer()
    }
    assert.ok(count > 300, `${count}`)
    const list = (): Promise<Response> => target.ask(KEYS, { headers: target.bearer('eve', scopes) })
    const { byteLength } = await (await list()).arrayBuffer()
    assert.ok(byteLength < 0.6 * MIB, `${byteLength}`)
    const { result, report, grownBytes } = await beside(target, (stranger) => flood(stranger, 4, list))
    assert.equal(Object.keys(result), ['200'])
    assertCalm(report)
    assert.ok(grownBytes < 2 * MEMORY_BOUND, `${grownBytes}`)
  })

  const topics = { ...cheapHashes, SVC_REALTIME__TOPICS: 'things' }
  attacks('a request whose key is revoked while its body arrives has no effect', topics, async (target) => {
    const owner = { ...target.bearer('ada', ['live:publish']), 'content-type': 'application/json' }
    const ask = (path: string, method: string, body?: string): Promise<Response> =>
      target.ask(path, { method, headers: owner, ...(body === undefined ? {} : { body }) })
    const created = (await (await ask(KEYS, 'POST', '{"name":"x"}')).json()) as { key: string; record: { id: string } }
    assert.is((await ask('/api/svc/runs', 'POST', '{"run_id":"early"}')).status, 201)
    const send = async (path: string, body: string, meanwhile: () => Promise<void>): Promise<string> => {
      const connection = target.dial(
        `POST ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${created.key}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 3)}`,
      )
      // Long enough for the guard, which hashes a key that it has not seen before.
      await sleep(300)
      await meanwhile()
      connection.socket.write(body.slice(3))
      return (await connection.until((text) => /\r\n\r\n[\s\S]*\}/.test(text))).slice(9)
    }
    // The control: while the key is valid, a request with a late body takes effect.
    const control = await send('/api/svc/runs', '{"run_id":"control"}', async () => {})
    assert.ok(control.startsWith('201'), control)
    let revoked: Promise<void> | undefined
    const revoke = (): Promise<void> => {
      revoked ??= ask(`${KEYS}/${created.record.id}`, 'DELETE').then(({ status }) => assert.is(status, 204))
      return revoked
    }
    const answers = await Promise.all(EFFECTS.map(({ path, body }) => send(path, body, revoke)))
    for (const [at, answer] of answers.entries()) {
      assert.ok(answer.startsWith('401') && answer.includes('"api_key_invalid"'), `${EFFECTS[at]!.path}: ${answer}`)
    }
    assert.is((await ask('/api/svc/runs/late', 'GET')).status, 404)
    const early = (await (await ask('/api/svc/runs/early', 'GET')).json()) as { last_seq: number }
    assert.is(early.last_seq, 0)
  })

  attacks('the cost of tokens that are long, deep or invalid is proportional to their length', {}, async (target) => {
    const deep = Buffer.from(`${'{"a":'.repeat(1_500)}1${'}'.repeat(1_500)}`).toString('base64url')
    const tokens = [
      `${deep}.${deep}.`,
      `eyJhbGciOiJIUzI1NiJ9.${'A'.repeat(12_000)}.${'A'.repeat(43)}`,
      '.'.repeat(12_000),
    ]
    let turn = 0
    const send = (): Promise<Response> =>
      target.ask(KEYS, { headers: { authorization: `Bearer ${tokens[turn++ % tokens.length]}` } })
    const { result, report, grownBytes } = await beside(target, (stranger) => flood(stranger, 8, send))
    assert.ok(
      Object.keys(result).every((status) => status === '401' || status === '431'),
      JSON.stringify(result),
    )
    assertCalm(report)
    assert.ok(grownBytes < MEMORY_BOUND, `${grownBytes}`)
  })
}

for (const server of serversBefore())
  it(`${server}: an issuer that returns new keys at each read, and tokens with unknown key ids`, async () => {
    const base = createIssuerKey('k')
    let shown = 0
    const endpoint = await startKeyEndpoint((_request, response) => {
      const keys = Array.from({ length: 32 }, (_, n) => ({ ...base.jwk, kid: `k${shown}-${n}` }))
      shown++
      response.end(JSON.stringify({ keys }))
    })
    try {
      await against(server, { SVC_SECURITY__JWKS_URL: endpoint.url, SVC_SERVER__MODE: 'runtime' }, async (target) => {
        let n = 0
        const claims = { sub: 'eve', exp: Math.floor(Date.now() / 1_000) + 3_600 }
        const token = base.token(claims)
        const [, payload, signature] = token.split('.')
        const ask = (): Promise<Response> => {
          const head = Buffer.from(JSON.stringify({ alg: 'RS256', kid: `unknown-${n++}` })).toString('base64url')
          return target.ask(KEYS, { headers: { authorization: `Bearer ${head}.${payload}.${signature}` } })
        }
        const begunMs = performance.now()
        const { result, report, grownBytes } = await beside(target, (stranger) => flood(stranger, 16, ask), {
          paths: ['/health'],
        })
        const readings = 4 + 1 + Math.ceil((performance.now() - begunMs) / 5_000)
        assert.equal(Object.keys(result), ['401'])
        assert.ok(shown <= readings, `${shown} readings for ${n} tokens`)
        assertCalm(report)
        assert.ok(grownBytes < MEMORY_BOUND, `${grownBytes}`)
      })
    } finally {
      await endpoint.stop()
    }
  })

test.run()
