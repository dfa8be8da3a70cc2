/** The engines that a profile needs beside itself, started once for all its forms. */
import type { Plan } from '../../scripts/build/plan.ts'
import { noPostgres, startPostgres } from '../support/engines.ts'

/** What things under test are told of the engines, by full key. */
export const engineSettings: Record<string, unknown> = {}

/** Why a profile cannot be tested here; undefined where it can. */
export function withoutEngines({ targets }: Plan): string | undefined {
  return needsPostgres(targets) ? noPostgres : undefined
}

/** Starts what a profile needs; the function it gives ends it. */
export async function startEngines({ targets }: Plan): Promise<() => Promise<void>> {
  if (!needsPostgres(targets)) return async () => undefined
  const postgres = await startPostgres()
  engineSettings['cluster.postgres_url'] = postgres.url
  engineSettings['security.exchange_secret'] = 'a secret that the nodes of the conformance suites share'
  return () => postgres.stop()
}

function needsPostgres(targets: Plan['targets']): boolean {
  return targets.some(({ manifest }) => manifest.settings.includes('cluster.postgres_url'))
}
