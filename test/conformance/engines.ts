/** Starts the external engines of a profile (PostgreSQL and NATS), once for all its forms. */
import type { Plan } from '../../scripts/build/plan/target-plan.ts'
import { noNats, noPostgres, startNats, startPostgres } from '../../scripts/cluster/engines.ts'

/** The settings that connect targets to the engines, by full key. */
export const engineSettings: Record<string, unknown> = {}

/** The most services that a suite starts. Each service has its own NATS account, so no service sees runs of another. */
const SERVICES = 300

let natsPort: number | undefined
let service = 0

/**
 * Selects a new NATS account. Call this function before each start of a service, so that no service sees data of
 * another.
 */
export function freshEngines(): void {
  if (natsPort === undefined) return
  if (service >= SERVICES) throw new Error(`more than ${SERVICES} services`)
  engineSettings['cluster.nats_url'] = `nats://u${service++}:p@127.0.0.1:${natsPort}`
}

/** Returns why a profile cannot be tested on this machine, or undefined if it can. */
export function withoutEngines({ targets }: Plan): string | undefined {
  return needs(targets) ? (noPostgres ?? noNats) : undefined
}

/** Starts the engines of a profile. The returned function stops them. */
export async function startEngines({ targets }: Plan): Promise<() => Promise<void>> {
  if (!needs(targets)) return async () => undefined
  const [postgres, nats] = await Promise.all([startPostgres(), startNats(SERVICES)])
  natsPort = nats.port
  freshEngines()
  engineSettings['cluster.postgres_url'] = postgres.url
  // On a shared machine, PostgreSQL may be slow.
  engineSettings['cluster.postgres_timeout_ms'] = 10_000
  engineSettings['security.exchange_secret'] = 'a secret that the nodes of the conformance suites share'
  return async () => void (await Promise.all([postgres.stop(), nats.stop()]))
}

function needs(targets: Plan['targets']): boolean {
  return targets.some(({ manifest }) => manifest.settings.includes('cluster.postgres_url'))
}
