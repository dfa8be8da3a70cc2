/** Compares authenticated GETs of a node with API keys in PostgreSQL and of a node with API keys in memory. */
import { load, warmUp } from '../auth/client.ts'
import { SECRET, tokenHeaders } from '../auth/credentials.ts'
import { type Server, startServer } from '../auth/servers.ts'
import { median } from '../statistics.ts'
import { holds, type Setting, show, whole } from './report.ts'

const ROUNDS = Number(process.env['SVC_BENCH_ROUNDS'] ?? 15)
const CONNECTIONS = 50
const TURN_S = 0.25

/** The lowest allowed ratio of a node in cluster form to one that runs alone. */
const BAR = 0.9

interface Row {
  readonly what: string
  readonly headers: readonly string[]
  readonly server: Server
  readonly rates: number[]
}

/** Runs the comparison. Returns false if a bar is missed. */
export async function compareGets({ engines }: Setting): Promise<boolean> {
  const setup = { kind: 'svc', secret: SECRET, transport: 'uws' } as const
  const servers = [await startServer(setup), await startServer({ ...setup, postgresUrl: engines.postgres.url })]
  try {
    const pairs = (await Promise.all(servers.map(rowsOf))) as [Row[], Row[]]
    const all = pairs.flat()
    for (const { server, headers } of all) await warmUp({ port: server.port, headers, connections: CONNECTIONS })
    for (let round = 0; round < ROUNDS; round++) {
      // The order alternates, because the state of the machine differs between the first and later measurements.
      for (const row of round % 2 === 0 ? all : all.toReversed()) row.rates.push(await rateOf(row))
    }
    console.log(`Authenticated GETs, answers per CPU second, medians of ${ROUNDS} interleaved rounds\n`)
    const [alone, clustered] = pairs
    for (const [index, { what, rates }] of alone.entries()) {
      show(`${what}, alone`, whole(median(rates)))
      show(`${what}, in a cluster`, whole(median(clustered[index]!.rates)))
    }
    console.log()
    return alone
      .map(({ what, rates }, index) => {
        const ratio = median(clustered[index]!.rates.map((rate, round) => rate / rates[round]!))
        return holds(`${what}, in a cluster / alone`, ratio, BAR)
      })
      .every(Boolean)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

async function rowsOf(server: Server): Promise<Row[]> {
  const bearer = tokenHeaders('HS256', 1)[0]!
  const created = await fetch(`http://127.0.0.1:${server.port}/api/svc/auth/keys`, {
    method: 'POST',
    headers: { authorization: bearer.slice('Authorization: '.length), 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench' }),
  })
  const { key } = (await created.json()) as { key: string }
  return [
    { what: 'GET with a token', headers: [bearer], server, rates: [] },
    { what: 'GET with an API key', headers: [`X-API-Key: ${key}`], server, rates: [] },
  ]
}

async function rateOf({ what, server, headers }: Row): Promise<number> {
  const before = await server.cpuSeconds()
  const { answers, refused } = await load({ port: server.port, headers, connections: CONNECTIONS, seconds: TURN_S })
  if (refused > 0) throw new Error(`${what}: ${refused} of ${answers} were refused`)
  return answers / ((await server.cpuSeconds()) - before)
}
