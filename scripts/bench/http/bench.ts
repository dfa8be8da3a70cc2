/**
 * Measures the cost of an answer: GET /health of the transports, against bare servers and frameworks. Two processes of
 * the same program differ by up to 15 %, depending on the memory layout of their pages and compiled code. So each round
 * starts new processes, warms them up, and loads them in turns, forward and backward. A ratio is computed within a
 * round, and the median counts.
 */
import { join } from 'node:path'
import { Rows, roundsOf } from '../harness/figures.ts'
import { toRequest } from '../harness/load.ts'
import { pin, type Server, startProgram, startServer, withFolder } from '../harness/processes.ts'
import { type Bar, type Measured, prepare, printRates, rateOf } from '../harness/rates.ts'
import type { ServerSetup } from '../harness/server.ts'

const ROUNDS = roundsOf(5)
/** Seconds of load on a server, twice in a round. */
const SECONDS = 1

const BARS: readonly Bar[] = [
  ['svc-uws', 'raw-uws', 0.8],
  ['svc-node', 'raw-node', 0.9],
  ['svc-node', 'fastify', 1],
  ['svc-node', 'hono', 1],
  ['server-full uws', 'raw-uws', 0.82],
  ['server-full node', 'raw-node', 0.82],
]

interface Contestant {
  readonly name: string
  start(folder: string): Promise<Server>
}

/** Servers that are measured in turns. */
const groups: readonly (readonly Contestant[])[] = [
  [ofKernel('uws'), other('raw-uws'), ofProgram('uws')],
  [ofKernel('node'), other('raw-node'), ofProgram('node'), other('fastify'), other('hono')],
]

function other(kind: ServerSetup['kind'], more: Omit<ServerSetup, 'kind'> = {}, name: string = kind): Contestant {
  const setup: ServerSetup = { kind, path: '/health', ...more }
  return { name, start: () => startServer(new URL('../harness/server.ts', import.meta.url), setup) }
}

function ofKernel(transport: 'uws' | 'node'): Contestant {
  return other('svc', { transport, features: ['probes'] }, `svc-${transport}`)
}

function ofProgram(transport: string): Contestant {
  const environment = {
    SVC_SECURITY__JWT_SECRET: 'a-secret-that-guards-nothing-but-a-bench',
    SVC_SERVER__TRANSPORT: transport,
    // Request logs are not part of the comparison.
    RUST_LOG: 'off',
  }
  return {
    name: `server-full ${transport}`,
    start: (folder) => startProgram({ folder: join(folder, transport), environment }),
  }
}

/** Runs the comparison. Returns true if every bar is met. */
export async function bench(): Promise<boolean> {
  const rows = new Rows()
  for (let round = 0; round < ROUNDS; round++)
    for (const group of groups) await withFolder((folder) => measure(group, folder, rows))
  console.log(`GET /health, ${ROUNDS} rounds of new processes, twice ${SECONDS} s each; medians\n`)
  return printRates(rows, BARS)
}

async function measure(group: readonly Contestant[], folder: string, rows: Rows): Promise<void> {
  const servers: Measured[] = []
  try {
    for (const { name, start } of group) {
      const one = { name, server: await start(folder), requests: [toRequest('GET', '/health')] }
      servers.push(one)
      await prepare(one)
      // Before, the JIT compiler of the server can use the other core.
      pin(one.server)
    }
    const sums = new Map(servers.map(({ name }) => [name, 0]))
    for (const one of [...servers, ...servers.toReversed()])
      sums.set(one.name, sums.get(one.name)! + (await rateOf(one, SECONDS)))
    for (const [name, sum] of sums) rows.add(name, sum / 2)
  } finally {
    await Promise.all(servers.map(({ server }) => server.stop()))
  }
}
