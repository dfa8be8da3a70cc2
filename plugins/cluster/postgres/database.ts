import postgres from 'postgres'
import { readAccess } from './access.ts'

/** The client, as the statements here use it. */
export type Sql = postgres.Sql

/** How PostgreSQL is reached. */
export interface DatabaseOptions {
  readonly url: string
  readonly connections: number
  readonly timeoutMs: number
  /** A channel that is listened to, and who is told of each notification. */
  readonly channel: string
  readonly onNotify: () => void
  /** Told that a connection has broken, as all do when the server ends. */
  readonly onBroken: () => void
  /** Who waits: a timer that ends work that takes too long; the function it gives calls it off. */
  readonly after: (ms: number, run: () => void) => () => void
}

/**
 * A PostgreSQL that may go away. Each piece of work ends in time, with its result or with an error; after an error of the
 * connection, `reset` throws away what hangs, so that the next one begins anew.
 */
export class Database {
  readonly #options: DatabaseOptions
  #sql: Sql | undefined
  #listening = false

  constructor(options: DatabaseOptions) {
    this.#options = options
  }

  /** Does work within the time limit; rejects where it fails or takes longer. */
  run<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const { after, timeoutMs } = this.#options
    return new Promise((resolve, reject) => {
      const cancel = after(timeoutMs, () => reject(new Error(`PostgreSQL did not answer within ${timeoutMs} ms`)))
      Promise.resolve(work(this.#client())).then(resolve, reject).finally(cancel)
    })
  }

  /** Begins to be told of notifications; what was announced before is found by asking. */
  async listen(): Promise<void> {
    if (this.#listening) return
    this.#listening = true
    const { channel, onNotify } = this.#options
    // Listening anew, after its connection broke, it may have missed one.
    await this.run((sql) => sql.listen(channel, onNotify, onNotify))
  }

  /** Drops all connections, those that hang too. */
  reset(): void {
    const old = this.#sql
    this.#sql = undefined
    this.#listening = false
    // Nobody waits for it: a server that is gone does not say goodbye.
    old?.end({ timeout: 0 }).catch(() => undefined)
  }

  #client(): Sql {
    const { url, connections, timeoutMs, onBroken } = this.#options
    if (this.#sql !== undefined) return this.#sql
    const access = readAccess(url)
    const sql = postgres(access.url, {
      ...(access.ssl !== undefined && { ssl: access.ssl }),
      max: connections,
      connect_timeout: Math.max(1, timeoutMs / 1_000),
      fetch_types: false,
      // Whoever asks again is told again; a client that waits longer and longer by itself only hides that it is back.
      backoff: () => 0.05,
      onnotice: () => undefined,
      // Those that were dropped on purpose tell nothing.
      onclose: () => sql === this.#sql && onBroken(),
      connection: { application_name: 'svc' },
    })
    this.#sql = sql
    return sql
  }
}
