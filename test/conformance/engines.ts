/** The engines that a profile needs beside itself, started once for all its forms. */
import type { Plan } from '../../scripts/build/plan/target-plan.ts'
import { noNats, noPostgres, startNats, startPostgres } from '../../scripts/cluster/engines.ts'

/** Settings that connect things under test to the engines, by full key. */
export const engineSettings: Record<string, unknown> = {}

/** Services that a suite starts at most; each has an account of NATS, and so no run of another. */
const SERVICES = 300

let natsPort: number | undefined
let service = 0

/** To be called before a service is started: it meets nothing that another left. */
export function freshEngines(): void {
  if (natsPort === undefined) return
  if (service >= SERVICES) throw new Error(`more than ${SERVICES} services`)
  engineSettings['cluster.nats_url'] = `nats://u${service++}:p@127.0.0.1:${natsPort}`
}

/** Why a profile cannot be tested here; undefined where it can. */
export function withoutEngines({ targets }: Plan): string | undefined {
  return needs(targets) ? (noPostgres ?? noNats) : undefined
}

/** Starts what a profile needs; the function it gives ends it. */
export async function startEngines({ targets }: Plan): Promise<() => Promise<void>> {
  if (!needs(targets)) return async () => undefined
  const [postgres, nats] = await Promise.all([startPostgres(), startNats(SERVICES)])
  natsPort = nats.port
  freshEngines()
  engineSettings['cluster.postgres_url'] = postgres.url
  // A machine that others use too may take its time.
  engineSettings['cluster.postgres_timeout_ms'] = 10_000
  engineSettings['security.exchange_secret'] = 'a secret that the nodes of the conformance suites share'
  return async () => void (await Promise.all([postgres.stop(), nats.stop()]))
}

function needs(targets: Plan['targets']): boolean {
  return targets.some(({ manifest }) => manifest.settings.includes('cluster.postgres_url'))
}
