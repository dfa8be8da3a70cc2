/** Measures the cost of telemetry: the same server with more and more telemetry features, in one run. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { roundsOf } from '../harness/figures.ts'
import { startServer, withFolder } from '../harness/processes.ts'
import { type Bar, type Measured, printRates, ratesOf } from '../harness/rates.ts'
import type { ServerSetup } from '../harness/server.ts'

const ROUNDS = roundsOf(5)
const SECONDS = 2

const NONE = 'uws, without telemetry'
const BARS: readonly Bar[] = [
  ['uws, metrics', NONE, 0.8],
  ['uws, metrics, request log', NONE, 0.45],
  ['uws, metrics, request log, traces at 1', NONE, 0.25],
]

/** Runs the comparison on both transports. Returns true if every bar is met. */
export function bench(): Promise<boolean> {
  return withFolder(async (folder) => {
    const collector = createServer((request, response) => void request.resume().on('end', () => response.end()))
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
    const running: Measured[] = []
    const features = ['telemetry/metrics', 'telemetry/logs+pino', 'telemetry/traces']
    const variants = [
      { name: 'without telemetry', count: 0, environment: { RUST_LOG: 'off' } },
      { name: 'metrics', count: 1, environment: { RUST_LOG: 'off' } },
      { name: 'metrics, request log', count: 2, environment: { RUST_LOG: 'info' } },
      {
        name: 'metrics, request log, traces at 1',
        count: 3,
        environment: { RUST_LOG: 'info', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
      },
    ]
    try {
      for (const transport of ['uws', 'node'] as const)
        for (const { name, count, environment } of variants) {
          const setup: ServerSetup = { kind: 'svc', transport, features: features.slice(0, count), environment }
          const log = join(folder, `${running.length}.log`)
          const server = await startServer(new URL('../harness/server.ts', import.meta.url), setup, { log })
          running.push({ name: `${transport}, ${name}`, server })
        }
      return printRates(await ratesOf(running, ROUNDS, SECONDS), BARS)
    } finally {
      for (const { server } of running) await server.stop()
      collector.closeAllConnections()
      collector.close()
    }
  })
}
