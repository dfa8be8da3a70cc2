/**
 * Compares servers by requests per second of their CPU time, which other processes on the machine disturb less than
 * wall-clock time.
 */
import { inTurns, isMet, Rows, show, whole } from './figures.ts'
import { type Load, load, toRequest, warmUp } from './load.ts'
import type { Server } from './processes.ts'

const CONNECTIONS = 50

/** A server that is measured. */
export interface Measured {
  readonly name: string
  readonly server: Server
  /** The requests, in rotation; by default one GET of `/bench`. */
  readonly requests?: readonly Buffer[]
}

/** The ratio of two servers, and its lowest allowed value. */
export type Bar = readonly [of: string, to: string, least: number]

const GET: readonly Buffer[] = [toRequest('GET', '/bench')]

/** Sends enough requests to a server that the cost of an answer is stable. */
export function prepare({ server, requests = GET }: Measured): Promise<void> {
  return warmUp({ to: server, requests, connections: CONNECTIONS, status: 200 })
}

/** Loads a server for some seconds. Resolves to answers per second of its CPU time. */
export async function rateOf({ server, requests = GET }: Measured, seconds: number): Promise<number> {
  const before = server.cpuSeconds()
  const { answers }: Load = await load({ to: server, requests, connections: CONNECTIONS, seconds, status: 200 })
  return answers / (server.cpuSeconds() - before)
}

/** Measures servers in turns, after a warm-up. */
export async function ratesOf(servers: readonly Measured[], rounds: number, seconds: number): Promise<Rows> {
  const rows = new Rows()
  for (const one of servers) await prepare(one)
  await inTurns(rounds, servers, async (one) => rows.add(one.name, await rateOf(one, seconds)))
  return rows
}

/**
 * Prints the rates and the ratios. Returns false if a bar is missed. A bar of a server that is not here is left out.
 */
export function printRates(rows: Rows, bars: readonly Bar[]): boolean {
  show('answers per second of CPU time', 'median')
  for (const name of rows.names) show(name, whole(rows.median(name)))
  console.log()
  return bars
    .filter((bar) => bar.slice(0, 2).every((name) => rows.names.includes(String(name))))
    .map(([of, to, least]) => isMet(`${of} / ${to}`, rows.ratio(of, to), least))
    .every(Boolean)
}
