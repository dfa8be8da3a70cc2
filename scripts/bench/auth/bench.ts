/**
 * What authentication costs, against peers in one run. Rates are requests per second of the server's CPU time, which other
 * work on the machine disturbs less than the clock; the bars are ratios of them.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createKeyText } from '../../../plugins/auth/keys/key-text.ts'
import { load, percentile, warmUp } from './client.ts'
import { rsa, SECRET, tokenHeaders } from './credentials.ts'
import { type Server, type ServerSetup, startServer } from './servers.ts'

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3)
const CONNECTIONS = 50
const ROTATION = 10_000

/** Rates by the name of the row. */
const rates = new Map<string, number>()
let missed = 0

interface Row {
  readonly name: string
  readonly setup: ServerSetup
  readonly headers: readonly string[]
}

/** Runs the comparison; true where every bar was kept. */
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
  for (const row of rows) await measure(row)
  for (const transport of ['uws', 'node-http'] as const) await measureKeys(transport, hs[0]!)
  issuer.close()
  printRatios()
  return missed === 0
}

async function start(name: string, setup: ServerSetup): Promise<Server | undefined> {
  try {
    return await startServer(setup)
  } catch (error) {
    console.log(`${name.padEnd(44)} not here: ${(error as Error).message.split('\n')[0]}`)
    return undefined
  }
}

async function measure({ name, setup, headers }: Row): Promise<void> {
  const server = await start(name, setup)
  if (server === undefined) return
  await measureOn(server, name, headers)
  await server.stop()
}

async function measureOn(server: Server, name: string, headers: readonly string[]): Promise<void> {
  const target = { port: server.port, headers, connections: CONNECTIONS }
  await warmUp(target)
  const before = await server.cpuSeconds()
  const result = await load({ ...target, seconds: SECONDS })
  const rate = result.answers / ((await server.cpuSeconds()) - before)
  if (result.refused > 0) throw new Error(`${name}: ${result.refused} of ${result.answers} were refused`)
  rates.set(name, rate)
  console.log(`${name.padEnd(44)} ${Math.round(rate).toLocaleString('en').padStart(9)} requests per CPU second`)
}

/** A cached API key against a repeated token on the same server, and tokens while keys are guessed. */
async function measureKeys(transport: 'uws' | 'node-http', header: string): Promise<void> {
  const server = await start(`svc ${transport}, API key`, { kind: 'svc', secret: SECRET, transport })
  if (server === undefined) return
  const base = `http://127.0.0.1:${server.port}`
  const [name = '', value = ''] = header.split(': ')
  const made = await fetch(`${base}/api/svc/auth/keys`, {
    method: 'POST',
    headers: { [name]: value, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench' }),
  })
  const { key, record } = (await made.json()) as { key: string; record: { id: string } }
  await measureOn(server, `svc ${transport}, API key`, [`X-API-Key: ${key}`])

  const calm = { port: server.port, headers: [header], connections: 10, pauseMs: 5, seconds: SECONDS }
  await load(calm)
  const before = percentile(await load(calm), 0.99)
  const guesses = Array.from(
    { length: 1_000 },
    () => `X-API-Key: ${createKeyText((length) => crypto.getRandomValues(new Uint8Array(length)), record.id).text}`,
  )
  // A hundred a second, as long as they are answered within one.
  const attack = load({ ...calm, headers: guesses, connections: 100, pauseMs: 1_000, seconds: SECONDS + 0.5 })
  const during = percentile(await load(calm), 0.99)
  const { answers } = await attack
  console.log(
    `svc ${transport}: p99 of tokens ${before.toFixed(2)} ms; ${during.toFixed(2)} ms under ${answers} guesses`,
  )
  report(`svc ${transport}: p99 under guessing / calm`, during / before, 2, 'at most')
  await server.stop()
}

function printRatios(): void {
  console.log()
  const ratio = (name: string, over: string, bar: number): void => {
    const [a, b] = [rates.get(name), rates.get(over)]
    if (a !== undefined && b !== undefined) report(`${name} / ${over}`, a / b, bar, 'at least')
  }
  ratio('svc uws, HS256 repeated', 'raw uws, no authentication', 0.45)
  ratio('svc uws, HS256 repeated', 'raw uws, map look-up', 0.75)
  ratio('svc uws, HS256 repeated', 'fastify + @fastify/jwt, cache', 4)
  ratio('svc node-http, HS256 repeated', 'fastify + @fastify/jwt, cache', 1.2)
  ratio('svc uws, API key', 'svc uws, HS256 repeated', 0.85)
  ratio('svc node-http, API key', 'svc node-http, HS256 repeated', 0.85)
}

function report(name: string, value: number, bar: number, side: 'at least' | 'at most'): void {
  const kept = side === 'at least' ? value >= bar : value < bar
  console.log(`${kept ? 'kept  ' : 'MISSED'} ${name}: ${value.toFixed(2)} (${side} ${bar})`)
  if (!kept) missed++
}
