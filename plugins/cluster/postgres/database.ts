import postgres from 'postgres'
import { createSerialQueue } from '../../../core/kernel/serial-queue.ts'
import { readAccess } from './access.ts'
import { BusyError } from './errors.ts'

/** The client, as the statements here use it. */
export type Sql = postgres.Sql

/** The client within a transaction. */
export type Transaction = postgres.TransactionSql

/** Longest time for a connection, in seconds: work may take longer, as a migration does. */
const MAX_CONNECT_S = 10

/** What `Database` works with. */
export interface DatabaseOptions {
  readonly url: string
  readonly connections: number
  readonly timeoutMs: number
  /** The channel to listen to, and the function to call on each notification. */
  readonly channel: string
  readonly onNotify: () => void
  /** Called when a connection breaks, as all do when the server ends. */
  readonly onBroken: () => void
  /** Starts a timer; the function that it returns cancels the timer. */
  readonly after: (ms: number, run: () => void) => () => void
}

/**
 * A PostgreSQL that may be away for a while. Each piece of work ends within the time limit, with its result or with an
 * error. After an error of the connection, `reset` drops hanging connections, so that the next piece of work makes new
 * ones.
 */
export class Database {
  readonly #options: DatabaseOptions
  #sql: Sql | undefined
  #listening = false
  readonly #inTurn = createSerialQueue()
  /** For each piece of work that is not done: a function that makes it fail. */
  readonly #running = new Set<(error: unknown) => void>()

  constructor(options: DatabaseOptions) {
    this.#options = options
  }

  /** Does work within the time limit; rejects if it fails or takes longer. */
  run<T>(work: (sql: Sql) => Promise<T>, timeoutMs: number = this.#options.timeoutMs): Promise<T> {
    const { after } = this.#options
    return new Promise((resolve, reject) => {
      const end = (): void => {
        cancel()
        this.#running.delete(fail)
      }
      const fail = (error: unknown): void => {
        end()
        reject(error)
      }
      const cancel = after(timeoutMs, () => fail(new Error(`PostgreSQL did not answer within ${timeoutMs} ms`)))
      this.#running.add(fail)
      Promise.resolve(work(this.#client())).then((value) => {
        end()
        resolve(value)
      }, fail)
    })
  }

  /**
   * Changes something in a transaction. Changes take turns, because those of all nodes wait for one lock anyway, and
   * other work keeps its connections. A lock is awaited for half of the time limit, so that PostgreSQL refuses what an
   * operator or a migration blocks, and does not seem to be away. @throws BusyError if its turn does not come in time
   */
  change<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { timeoutMs, after } = this.#options
    let isLate = false
    const cancel = after(timeoutMs, () => {
      isLate = true
    })
    return this.#inTurn(() => {
      cancel()
      if (isLate) throw new BusyError(`earlier changes took longer than ${timeoutMs} ms`)
      return this.run((sql) => {
        const done = sql.begin(async (tx) => {
          await tx`select set_config('lock_timeout', ${String(Math.ceil(timeoutMs / 2))}, true)`
          return work(tx)
        })
        return done as Promise<T>
      })
    })
  }

  /** Begins to listen to the channel. Earlier changes are found by reading. */
  async listen(): Promise<void> {
    if (this.#listening) return
    this.#listening = true
    const { channel, onNotify } = this.#options
    // The client listens again after its connection broke, and may have missed a notification by then.
    await this.run((sql) => sql.listen(channel, onNotify, onNotify))
  }

  /**
   * Drops all connections, hanging ones too, and rejects the work that uses them: the client never settles a
   * transaction that it drops.
   */
  reset(): void {
    const old = this.#sql
    this.#sql = undefined
    this.#listening = false
    // Not awaited, because a server that is gone does not answer.
    old?.end({ timeout: 0 }).catch(() => undefined)
    for (const fail of [...this.#running]) fail(new Error('The connection to PostgreSQL was given up'))
  }

  #client(): Sql {
    const { url, connections, timeoutMs, onBroken } = this.#options
    if (this.#sql !== undefined) return this.#sql
    const access = readAccess(url)
    const sql = postgres(access.url, {
      ...(access.ssl !== undefined && { ssl: access.ssl }),
      max: connections,
      connect_timeout: Math.min(MAX_CONNECT_S, Math.max(1, timeoutMs / 1_000)),
      fetch_types: false,
      // A PgBouncer that gives each transaction another connection knows no statement by its name.
      prepare: false,
      // The callers decide when to try again. Growing pauses of the client would hide that the server is back.
      backoff: () => 0.05,
      onnotice: () => undefined,
      // Connections that `reset` dropped are not reported.
      onclose: () => sql === this.#sql && onBroken(),
      connection: { application_name: 'svc' },
    })
    this.#sql = sql
    return sql
  }
}
