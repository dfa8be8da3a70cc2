/**
 * Measures the cost of telemetry: the same server with more and more telemetry features, in one run. Rates are requests
 * per second of the server's CPU time (all threads), which other processes on the machine disturb less than wall-clock
 * time; the bars are ratios of these rates. Each round runs all variants in turn, and the median of a variant counts.
 */

import { type ChildProcess, fork } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../free-port.ts'
import { load, warmUp } from '../auth/client.ts'
import { median } from '../statistics.ts'
import type { ServerSetup } from './server.ts'

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2)
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
const CONNECTIONS = 50

interface Variant {
  readonly name: string
  readonly features: ServerSetup['features']
  readonly environment: Readonly<Record<string, string>>
  /** Lowest allowed ratio to the rate without telemetry, on uWebSockets.js. */
  readonly bar?: number
}

interface Running {
  readonly child: ChildProcess
  readonly port: number
  readonly rates: number[]
}

/** Runs the comparison on both transports. Returns true if every bar is met. */
export async function benchTelemetry(): Promise<boolean> {
  const kept: boolean[] = []
  for (const transport of ['uws', 'node'] as const) kept.push(await run(transport))
  return kept.every((one) => one)
}

async function run(transport: ServerSetup['transport']): Promise<boolean> {
  const collector = createServer((request, response) => void request.resume().on('end', () => response.end()))
  const endpoint = `http://127.0.0.1:${await listen(collector)}`
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const none = { RUST_LOG: 'off' }
  const info = { RUST_LOG: 'info' }
  const traced = { ...info, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }
  const variants: Variant[] = [
    { name: 'without telemetry', features: [], environment: none },
    { name: 'metrics', features: ['metrics'], environment: none, bar: 0.8 },
    { name: 'metrics, request log', features: ['metrics', 'logs'], environment: info, bar: 0.45 },
    {
      name: 'metrics, request log, traces at 1',
      features: ['metrics', 'logs', 'traces'],
      environment: traced,
      bar: 0.25,
    },
  ]
  const running: Running[] = []
  let missed = 0
  try {
    for (const [index, variant] of variants.entries()) {
      running.push(await start({ transport, ...variant, port: await freePort() }, join(folder, `${index}.log`)))
    }
    for (const { port } of running) await warmUp({ port, headers: [''], connections: CONNECTIONS })
    for (let round = 0; round < ROUNDS; round++) for (const server of running) await measure(server)
    const [base] = running.map(({ rates }) => median(rates))
    for (const [index, { name, bar }] of variants.entries()) {
      const rate = median(running[index]!.rates)
      const judged = transport === 'uws' && bar !== undefined
      const kept = !judged || rate / base! >= bar
      if (!kept) missed++
      const verdict = judged ? ` ${kept ? 'kept' : 'MISSED'} (at least ${bar})` : ''
      console.log(
        `${transport.padEnd(5)} ${name.padEnd(36)} ${Math.round(rate).toLocaleString('en').padStart(9)} requests per CPU second  ${(rate / base!).toFixed(2)}${verdict}`,
      )
    }
  } catch (error) {
    console.log(`${transport}: not here: ${(error as Error).message}`)
    missed++
  } finally {
    for (const { child } of running) child.disconnect()
    collector.closeAllConnections()
    collector.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return missed === 0
}

async function start(setup: ServerSetup, log: string): Promise<Running> {
  const out = openSync(log, 'w')
  const child = fork(fileURLToPath(new URL('./server.ts', import.meta.url)), [JSON.stringify(setup)], {
    stdio: ['ignore', out, 'inherit', 'ipc'],
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  closeSync(out)
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  })
  return { child, port: setup.port, rates: [] }
}

async function measure({ child, port, rates }: Running): Promise<void> {
  const before = await cpuSeconds(child)
  const { answers, refused } = await load({ port, headers: [''], connections: CONNECTIONS, seconds: SECONDS })
  if (refused > 0) throw new Error(`${refused} of ${answers} were refused`)
  rates.push(answers / ((await cpuSeconds(child)) - before))
}

function cpuSeconds(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('message', (message) => {
      const { user, system } = message as NodeJS.CpuUsage
      resolve((user + system) / 1e6)
    })
    child.send('cpu')
  })
}

async function listen(server: HttpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
