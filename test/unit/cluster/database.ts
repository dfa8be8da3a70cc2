import { Database, type DatabaseOptions } from '../../../plugins/cluster/postgres/database.ts'
import { CHANNEL } from '../../../plugins/cluster/postgres/statements.ts'

/** The connections of a node to PostgreSQL, with the timers of this process. */
export const databaseAt = (url: string, more: Partial<DatabaseOptions> = {}): Database =>
  new Database({
    ...{
      url,
      connections: 2,
      timeoutMs: 5_000,
      channel: CHANNEL,
      onNotify: () => undefined,
      onBroken: () => undefined,
    },
    after: (ms, run) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
    ...more,
  })
