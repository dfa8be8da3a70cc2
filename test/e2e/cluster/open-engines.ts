/** Engines of a cluster without access control: one NATS server, and a PostgreSQL that trusts every client. */
import type { SharedEngines } from '../../../scripts/cluster/cluster.ts'
import { type Engine, startNats, startPostgres } from '../../../scripts/cluster/engines.ts'

/** The running engines. */
export interface OpenEngines extends SharedEngines {
  readonly nats: Engine
  readonly postgres: Engine
}

/** Starts the engines. */
export async function startOpenEngines(): Promise<OpenEngines> {
  const [nats, postgres] = await Promise.all([startNats(), startPostgres()])
  return {
    ...{ nats, postgres },
    settings: { SVC_CLUSTER__NATS_URL: nats.url, SVC_CLUSTER__POSTGRES_URL: postgres.url },
    stop: async () => void (await Promise.all([nats.stop(), postgres.stop()])),
  }
}
