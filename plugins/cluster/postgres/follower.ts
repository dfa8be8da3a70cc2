import type { Clock } from '../../../core/environment.ts'
import type { Database } from './database.ts'
import type { SharedKeyStore } from './key-store.ts'
import { migrate } from './migrations.ts'

/** How often PostgreSQL is asked what has changed, beside its notifications: half of what a revocation may take. */
const FOLLOW_MS = 500

/** What the follower works with. */
export interface FollowerOptions {
  readonly database: Database
  readonly store: SharedKeyStore
  readonly clock: Clock
  /** Told when PostgreSQL answers again, and when it no longer does. */
  readonly onHere: () => void
  readonly onAway: (error: unknown) => void
}

/** Keeps a store up to date: asks, listens, and begins anew after every failure. */
export class Follower {
  readonly #options: FollowerOptions
  #wasAway: boolean | undefined
  #looking: Promise<void> | undefined
  #again = false
  #stopped = false
  #timer: unknown

  constructor(options: FollowerOptions) {
    this.#options = options
  }

  /** Resolves after the first attempt, however it went. */
  start(): Promise<void> {
    this.look()
    return this.#looking ?? Promise.resolve()
  }

  /** Asks now; asked while it does, once more after that. */
  look(): void {
    if (this.#stopped) return
    if (this.#looking !== undefined) {
      this.#again = true
      return
    }
    this.#options.clock.clearTimeout(this.#timer)
    this.#looking = this.#look().finally(() => {
      this.#looking = undefined
      if (this.#stopped) return
      this.#timer = this.#options.clock.setTimeout(() => this.look(), this.#again ? 0 : FOLLOW_MS)
      this.#again = false
    })
  }

  /** A connection has broken: asks at once, since until then the node would say that it is ready and refuse what comes. */
  doubt(): void {
    // Away, it is asked every now and then; each attempt that fails breaks a connection too.
    if (!this.#options.store.away) this.look()
  }

  /** Writes down what waits, and closes the connections. */
  async stop(): Promise<void> {
    this.#stopped = true
    const { clock, store, database } = this.#options
    clock.clearTimeout(this.#timer)
    await this.#looking
    if (!store.away) await store.flush().catch(() => undefined)
    database.reset()
  }

  async #look(): Promise<void> {
    const { database, store, onHere, onAway } = this.#options
    const before = store.away
    try {
      // It may be another server than before, or one that was put back.
      if (before) await database.run(migrate)
      await store.follow()
      await database.listen()
      await store.flush()
      if (this.#wasAway !== false) onHere()
      this.#wasAway = false
    } catch (error) {
      store.lose()
      if (this.#wasAway !== true) onAway(error)
      this.#wasAway = true
    }
  }
}
