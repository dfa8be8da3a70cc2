/**
 * Measures the cost of authentication, against other frameworks in the same run, and the latency of tokens while API
 * keys are guessed.
 */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createKeyText } from '../../../plugins/auth/api-keys/key-text/key-text.ts'
import { isMet, median, roundsOf } from '../harness/figures.ts'
import { load, toRequest } from '../harness/load.ts'
import { startServer } from '../harness/processes.ts'
import { type Bar, type Measured, printRates, ratesOf } from '../harness/rates.ts'
import type { ServerSetup } from '../harness/server.ts'

const ROUNDS = roundsOf(15)
/** Seconds of one measurement of a row. Short, so that compared rows are measured under the same conditions. */
const TURN_S = 0.25
/** Number of different tokens of a row whose tokens rotate. */
const ROTATION = 10_000
/** Number of pairs of a calm and a guessing phase, and the length of each phase in seconds. */
const GUESSING_ROUNDS = 7
const GUESSING_S = 2
const GUESSES_PER_SECOND = 100

const SECRET = 'the shared secret of the benchmark, over 32 bytes'
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })

const BARS: readonly Bar[] = [
  ['svc uws, HS256', 'raw uws, no authentication', 0.85],
  ['svc node, HS256', 'fastify + @fastify/jwt, cache', 1.2],
  ['svc uws, API key', 'svc uws, HS256', 0.95],
  ['svc node, API key', 'svc node, HS256', 0.95],
]

/** Features of our kernel that the comparison needs. */
const features = ['auth/guard+node', 'auth/api-keys+threads', 'auth/jwt', 'auth/jwks', 'auth/exchange']

/** Runs the comparison. Returns true if every bar is met. */
export async function bench(): Promise<boolean> {
  const jwks = JSON.stringify({ keys: [{ ...rsa.publicKey.export({ format: 'jwk' }), kid: 'bench', alg: 'RS256' }] })
  const issuer = createServer((_, response) => void response.end(jwks))
  await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve))
  const jwks_url = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/jwks.json`
  const rotating = Array.from({ length: ROTATION }, (_, index) => requestOf(tokenHeader('HS256', index)))
  const [hs, rs] = [rotating.slice(0, 1), [requestOf(tokenHeader('RS256', 0))]]
  const running: Measured[] = []
  const keyIds = new Map<Measured, string>()
  const add = async (setup: ServerSetup, rows: Readonly<Record<string, Measured['requests']>>): Promise<void> => {
    const server = await startServer(new URL('../harness/server.ts', import.meta.url), setup)
    for (const [name, requests] of Object.entries(rows)) running.push({ name, server, requests: requests! })
  }
  try {
    await add({ kind: 'raw-uws' }, { 'raw uws, no authentication': hs })
    for (const transport of ['uws', 'node'] as const) {
      const svc = (security: object): ServerSetup => ({ kind: 'svc', transport, features, settings: { security } })
      await add(svc({ jwt_secret: SECRET }), { [`svc ${transport}, HS256`]: hs })
      // A key is measured directly after the token that it is compared with.
      const row = await keyRow(transport, running.at(-1)!)
      running.push(row)
      keyIds.set(row, row.keyId)
      await add(svc({ jwt_secret: SECRET }), { [`svc ${transport}, HS256 rotating`]: rotating })
      await add(svc({ jwks_url }), { [`svc ${transport}, RS256`]: rs })
    }
    await add({ kind: 'fastify', secret: SECRET, cache: true }, { 'fastify + @fastify/jwt, cache': hs })
    await add({ kind: 'fastify', secret: SECRET }, { 'fastify + @fastify/jwt': hs })
    await add({ kind: 'hono', secret: SECRET }, { 'hono + hono/jwt': hs })
    const met = printRates(await ratesOf(running, ROUNDS, TURN_S), BARS)
    const calm: boolean[] = []
    for (const [row, keyId] of keyIds) calm.push(await measureGuessing(row, keyId, hs))
    return met && calm.every(Boolean)
  } finally {
    for (const { server } of running) await server.stop()
    issuer.close()
  }
}

/** Creates the row of a cached API key, on the server of a row with tokens. */
async function keyRow(transport: string, { server }: Measured): Promise<Measured & { readonly keyId: string }> {
  const created = await fetch(`http://127.0.0.1:${server.port}/api/svc/auth/keys`, {
    method: 'POST',
    headers: { authorization: tokenHeader('HS256', 0).replace(/^.*?: /, ''), 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench' }),
  })
  const { key, record } = (await created.json()) as { key: string; record: { id: string } }
  return { name: `svc ${transport}, API key`, server, requests: [requestOf(`X-API-Key: ${key}`)], keyId: record.id }
}

/** Measures the latency of a token while keys are guessed, against the same server at rest, in turns. */
async function measureGuessing({ name, server }: Measured, keyId: string, token: readonly Buffer[]): Promise<boolean> {
  const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length))
  const guesses = Array.from({ length: 1_000 }, () => requestOf(`X-API-Key: ${createKeyText(random, keyId).text}`))
  const p99OfTokens = async (): Promise<number> => {
    const calm = { connections: 10, pauseMs: 5, seconds: GUESSING_S, status: 200 }
    return (await load({ to: server, requests: token, ...calm })).p99Ms
  }
  /** Each connection guesses once a second; the connections start one after the other. */
  const guess = (seconds: number): Promise<unknown> =>
    load({
      ...{ to: server, requests: guesses, connections: GUESSES_PER_SECOND, seconds, status: undefined },
      ...{ staggerMs: 1_000 / GUESSES_PER_SECOND, pauseMs: 1_000 },
    })
  // The first guesses start the threads, which would distort the percentiles.
  await guess(1)
  const growths: number[] = []
  for (let round = 0; round < GUESSING_ROUNDS; round++) {
    const before = await p99OfTokens()
    const attack = guess(GUESSING_S + 1)
    // The last connection sends its first guess one second after the first connection.
    await new Promise((done) => setTimeout(done, 1_000))
    growths.push((await p99OfTokens()) / before)
    await attack
  }
  const what = `${name}: p99 of a token under ${GUESSES_PER_SECOND} guesses a second, against calm`
  return isMet(what, median(growths), 2, 'at most')
}

function requestOf(header: string): Buffer {
  return toRequest('GET', '/bench', [header])
}

/** The header of a token that is valid for one hour. Each index has another token. */
function tokenHeader(alg: 'HS256' | 'RS256', index: number): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1_000)
  const claims = { sub: `user-${index}`, tenant_id: 'acme', scope: 'read write', iat: now, exp: now + 3_600 }
  const input = `${part({ alg, typ: 'JWT', kid: 'bench' })}.${part(claims)}`
  const signature =
    alg === 'HS256'
      ? createHmac('sha256', SECRET).update(input).digest()
      : sign('sha256', Buffer.from(input), rsa.privateKey)
  return `Authorization: Bearer ${input}.${signature.toString('base64url')}`
}
