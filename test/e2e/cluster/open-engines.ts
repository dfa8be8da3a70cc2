/** Engines without locks for a cluster: one server of NATS, and a PostgreSQL that trusts everybody. */
import type { SharedEngines } from '../../../scripts/cluster/cluster.ts'
import { type Engine, startNats, startPostgres } from '../../../scripts/cluster/engines.ts'

/** Running engines. */
export interface OpenEngines extends SharedEngines {
  readonly nats: Engine
  readonly postgres: Engine
}

/** Starts them. */
export async function startOpenEngines(): Promise<OpenEngines> {
  const [nats, postgres] = await Promise.all([startNats(), startPostgres()])
  return {
    ...{ nats, postgres },
    settings: { SVC_CLUSTER__NATS_URL: nats.url, SVC_CLUSTER__POSTGRES_URL: postgres.url },
    stop: async () => void (await Promise.all([nats.stop(), postgres.stop()])),
  }
}
