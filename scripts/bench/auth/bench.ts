/**
 * Measures the cost of authentication, against other frameworks in the same run. Rates are requests per second of the
 * server's CPU time, which other processes on the machine disturb less than wall-clock time. The bars are ratios of
 * these rates.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createKeyText } from '../../../plugins/auth/api-keys/key-text/key-text.ts'
import { median } from '../statistics.ts'
import { load, percentile, warmUp } from './client.ts'
import { rsa, SECRET, tokenHeaders } from './credentials.ts'
import { type Server, type ServerSetup, startServer } from './servers.ts'

/**
 * Seconds of one measurement of a row. Short, so that compared rows are measured under the same conditions of the
 * machine.
 */
const TURN_S = 0.25
const CONNECTIONS = 50
const ROTATION = 10_000
const ROUNDS = Number(process.env['SVC_BENCH_ROUNDS'] ?? 15)
/** Number of pairs of a calm and a guessing phase, and the length of each phase in seconds. */
const GUESSING_ROUNDS = 7
const GUESSING_S = 2
const GUESSES_PER_SECOND = 100

/** Rows whose servers are also measured with an API key. */
const KEY_HOSTS: readonly string[] = ['svc uws, HS256 repeated', 'svc node-http, HS256 repeated']

/** Rates by the name of the row, one per round. */
const rates = new Map<string, number[]>()
let missed = 0

interface Row {
  readonly name: string
  readonly setup: ServerSetup
  readonly headers: readonly string[]
}

interface RunningRow extends Row {
  readonly server: Server
}

/** Runs the comparison. Returns true if every bar is met. */
export async function benchAuth(): Promise<boolean> {
  missed = 0
  const issuer = createServer((_, response) => void response.end(rsa.jwks))
  await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve))
  const jwksUrl = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/jwks.json`
  const hs = tokenHeaders('HS256', ROTATION)
  const rs = tokenHeaders('RS256', ROTATION)
  const lookups = hs.map((header) => header.slice('Authorization: '.length))
  const secret = SECRET
  const rows: Row[] = [
    { name: 'raw uws, no authentication', setup: { kind: 'raw-uws' }, headers: [hs[0]!] },
    { name: 'raw uws, map look-up', setup: { kind: 'raw-uws', tokens: lookups }, headers: [hs[0]!] },
    ...(['uws', 'node-http'] as const).flatMap((transport): Row[] => [
      { name: `svc ${transport}, HS256 repeated`, setup: { kind: 'svc', secret, transport }, headers: [hs[0]!] },
      { name: `svc ${transport}, HS256 rotating`, setup: { kind: 'svc', secret, transport }, headers: hs },
      { name: `svc ${transport}, RS256 repeated`, setup: { kind: 'svc', jwksUrl, transport }, headers: [rs[0]!] },
      { name: `svc ${transport}, RS256 rotating`, setup: { kind: 'svc', jwksUrl, transport }, headers: rs },
    ]),
    { name: 'fastify + @fastify/jwt, cache', setup: { kind: 'fastify', secret, cache: true }, headers: [hs[0]!] },
    { name: 'fastify + @fastify/jwt, cache, rotating', setup: { kind: 'fastify', secret, cache: true }, headers: hs },
    { name: 'fastify + @fastify/jwt', setup: { kind: 'fastify', secret }, headers: [hs[0]!] },
    { name: 'fastify + @fastify/jwt, RS256', setup: { kind: 'fastify', pem: rsa.pem }, headers: [rs[0]!] },
    { name: 'hono + hono/jwt', setup: { kind: 'hono', secret }, headers: [hs[0]!] },
  ]
  const running = (await Promise.all(rows.map(startRow))).filter((row) => row !== undefined)
  const withKeys = await Promise.all(running.filter(({ name }) => KEY_HOSTS.includes(name)).map(addKey))
  // A key is measured directly after the token that it is compared with.
  await measure(running.flatMap((row) => [row, ...withKeys.filter(({ server }) => server === row.server)]))
  for (const row of withKeys) await measureGuessing(row, hs[0]!)
  await Promise.all(running.map(({ server }) => server.stop()))
  issuer.close()
  printRatios()
  return missed === 0
}

async function startRow(row: Row): Promise<RunningRow | undefined> {
  try {
    return { ...row, server: await startServer(row.setup) }
  } catch (error) {
    console.log(`${row.name.padEnd(44)} MISSED: ${(error as Error).message.split('\n')[0]}`)
    missed++
    return undefined
  }
}

/** Creates the row of a cached API key, on the server of a row with tokens. */
async function addKey(host: RunningRow): Promise<RunningRow & { readonly keyId: string }> {
  const created = await fetch(`http://127.0.0.1:${host.server.port}/api/svc/auth/keys`, {
    method: 'POST',
    headers: { authorization: host.headers[0]!.slice('Authorization: '.length), 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench' }),
  })
  const { key, record } = (await created.json()) as { key: string; record: { id: string } }
  const name = host.name.replace('HS256 repeated', 'API key')
  return { ...host, name, headers: [`X-API-Key: ${key}`], keyId: record.id }
}

/** Measures all rows in turns, so that other load on the machine affects all of them. */
async function measure(rows: readonly RunningRow[]): Promise<void> {
  for (const { server, headers } of rows) await warmUp({ port: server.port, headers, connections: CONNECTIONS })
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, server, headers } of rows) {
      const before = await server.cpuSeconds()
      const target = { port: server.port, headers, connections: CONNECTIONS, seconds: TURN_S }
      const { answers, refused } = await load(target)
      const rate = answers / ((await server.cpuSeconds()) - before)
      if (refused > 0) throw new Error(`${name}: ${refused} of ${answers} were refused`)
      rates.set(name, [...(rates.get(name) ?? []), rate])
    }
  }
  for (const [name, turns] of rates) {
    console.log(
      `${name.padEnd(44)} ${Math.round(median(turns)).toLocaleString('en').padStart(9)} requests per CPU second`,
    )
  }
}

/** Measures the latency of requests with tokens while keys are guessed, against the same server at rest, in turns. */
async function measureGuessing(
  { name, server, keyId }: RunningRow & { readonly keyId: string },
  header: string,
): Promise<void> {
  const calm = { port: server.port, headers: [header], connections: 10, pauseMs: 5, seconds: GUESSING_S }
  const guesses = Array.from(
    { length: 1_000 },
    () => `X-API-Key: ${createKeyText((length) => crypto.getRandomValues(new Uint8Array(length)), keyId).text}`,
  )
  /** Each connection guesses once a second; the connections start one after the other. */
  const guess = (seconds: number, manyAddresses: boolean): Promise<{ answers: number }> =>
    load({
      port: server.port,
      headers: guesses,
      connections: GUESSES_PER_SECOND,
      staggerMs: 1_000 / GUESSES_PER_SECOND,
      pauseMs: 1_000,
      seconds,
      manyAddresses,
    })
  for (const manyAddresses of [false, true]) {
    // The first guesses start the threads, which would distort the percentiles.
    await guess(1, manyAddresses)
    const pairs: { before: number; during: number }[] = []
    let answered = 0
    for (let round = 0; round < GUESSING_ROUNDS; round++) {
      const before = percentile(await load(calm), 0.99)
      const attack = guess(GUESSING_S + 1, manyAddresses)
      // The last connection sends its first guess one second after the first connection.
      await new Promise((done) => setTimeout(done, 1_000))
      pairs.push({ before, during: percentile(await load(calm), 0.99) })
      answered += (await attack).answers
    }
    const [before, during] = [median(pairs.map((pair) => pair.before)), median(pairs.map((pair) => pair.during))]
    const from = manyAddresses ? `${GUESSES_PER_SECOND} addresses, each below the limit` : 'one address'
    const perSecond = answered / (GUESSING_ROUNDS * (GUESSING_S + 1))
    console.log(
      `${name}: p99 of tokens ${before.toFixed(2)} ms; ${during.toFixed(2)} ms under ${perSecond.toFixed(0)} guesses/s from ${from}`,
    )
    // With many addresses each guess costs a hash, and the load generator shares the machine with the server, so this
    // result is printed and has no bar.
    if (manyAddresses) continue
    const growth = median(pairs.map((pair) => pair.during / pair.before))
    report(`${name}: p99 under guessing, against calm`, growth, 2, 'at most')
  }
}

function printRatios(): void {
  console.log()
  const ratio = (name: string, over: string, bar: number): void => {
    const [mine, theirs] = [rates.get(name), rates.get(over)]
    if (mine === undefined || theirs === undefined) return
    report(`${name} / ${over}`, median(mine.map((rate, round) => rate / theirs[round]!)), bar, 'at least')
  }
  ratio('svc uws, HS256 repeated', 'raw uws, no authentication', 0.85)
  ratio('svc node-http, HS256 repeated', 'fastify + @fastify/jwt, cache', 1.2)
  ratio('svc uws, API key', 'svc uws, HS256 repeated', 0.95)
  ratio('svc node-http, API key', 'svc node-http, HS256 repeated', 0.95)
}

function report(name: string, value: number, bar: number, side: 'at least' | 'at most'): void {
  const kept = side === 'at least' ? value >= bar : value < bar
  console.log(`${kept ? 'kept  ' : 'MISSED'} ${name}: ${value.toFixed(2)} (${side} ${bar})`)
  if (!kept) missed++
}
