import type { Clock } from '../../../core/kernel/environment.ts'
import type { Database } from './database.ts'
import { kindOf } from './errors.ts'
import type { SharedKeyStore } from './key-store.ts'
import { checkSchema, isEarlier, MIGRATE_MS, migrate, readSchema, type SchemaState } from './migrations.ts'

/** How often changes are read without a notification, in milliseconds: half the time that a revocation may take. */
const FOLLOW_MS = 500

/** How long a start waits for the first attempt, in milliseconds. */
const START_MS = 5_000

const NO_ANSWER = 'PostgreSQL did not answer the last request.'

/** What `Follower` works with. */
export interface FollowerOptions {
  readonly database: Database
  readonly store: SharedKeyStore
  readonly clock: Clock
  /** Whether this node makes the schema, and migrates one of an earlier version. */
  readonly mayMigrate: boolean
  /** Called with the schema of the database before this node migrates it. */
  readonly onMigration: (before: SchemaState) => void
  /** Called with the schema of the database whenever PostgreSQL begins to answer. */
  readonly onSchema: (schema: SchemaState) => void
  /** Called after each attempt. */
  readonly onLook: () => void
  /**
   * Called when PostgreSQL can be used again, when it stops to answer, and when it answers with another reason against
   * its use.
   */
  readonly onHere: () => void
  readonly onAway: (error: unknown) => void
}

/** Keeps a key store up to date: reads changes, listens for notifications, and connects again after a failure. */
export class Follower {
  readonly #options: FollowerOptions
  /** What was reported last: that PostgreSQL can be used (`null`), or why not. */
  #reported: string | null | undefined
  #looking: Promise<void> | undefined
  /** True while this node migrates the schema, and while it waits for another node that does. */
  #isMigrating = false
  #again = false
  #stopped = false
  #timer: unknown

  constructor(options: FollowerOptions) {
    this.#options = options
  }

  /** Why PostgreSQL cannot be used; undefined while it can. */
  get problem(): string | undefined {
    if (this.#isMigrating) return 'The schema of PostgreSQL is being migrated.'
    return this.#options.store.away ? (this.#reported ?? NO_ANSWER) : undefined
  }

  /**
   * Resolves after the first attempt, whether or not it succeeded; after 5 s if the attempt takes longer, as a
   * migration may.
   */
  start(): Promise<void> {
    const { clock } = this.#options
    this.look()
    return new Promise((resolve) => {
      const timer = clock.setTimeout(resolve, START_MS)
      void this.#looking?.finally(() => {
        clock.clearTimeout(timer)
        resolve()
      })
    })
  }

  /** Reads changes now; a call during a read causes one more read after it. */
  look(): void {
    if (this.#stopped) return
    if (this.#looking !== undefined) {
      this.#again = true
      return
    }
    this.#options.clock.clearTimeout(this.#timer)
    this.#looking = this.#look().finally(() => {
      this.#looking = undefined
      this.#options.onLook()
      if (this.#stopped) return
      this.#timer = this.#options.clock.setTimeout(() => this.look(), this.#again ? 0 : FOLLOW_MS)
      this.#again = false
    })
  }

  /**
   * To be called when a connection breaks. Reads at once, because until then the node is ready and refuses requests.
   */
  doubt(): void {
    // While PostgreSQL is away, each failed attempt breaks a connection too.
    if (!this.#options.store.away) this.look()
  }

  /** Writes the uses of keys that wait, and closes the connections. */
  async stop(): Promise<void> {
    this.#stopped = true
    const { clock, store, database } = this.#options
    clock.clearTimeout(this.#timer)
    // PostgreSQL rolls back an unfinished migration once its current statement ends.
    if (this.#isMigrating) database.reset()
    await this.#looking
    if (!store.away) await store.flush().catch(() => undefined)
    database.reset()
  }

  async #look(): Promise<void> {
    const { database, store, onSchema, onHere, onAway } = this.#options
    const before = store.away
    try {
      // The server may be another one, or restored from a backup.
      if (before) onSchema(await this.#schema())
      await store.follow()
      await database.listen()
      await store.flush()
      if (this.#reported !== null) onHere()
      this.#reported = null
    } catch (error) {
      store.lose()
      const reason = reasonOf(error)
      if (this.#reported !== reason && !this.#stopped) onAway(error)
      this.#reported = reason
    }
  }

  /** The schema of the database, which is migrated if it is of an earlier version and the node may do so. */
  async #schema(): Promise<SchemaState> {
    const { database, mayMigrate, onMigration } = this.#options
    const schema = await database.run(readSchema)
    if (this.#stopped) throw new Error('The node stops.')
    if (!mayMigrate || !isEarlier(schema)) {
      checkSchema(schema)
      return schema
    }
    this.#isMigrating = true
    onMigration(schema)
    try {
      return await database.run(migrate, MIGRATE_MS)
    } finally {
      this.#isMigrating = false
    }
  }
}

/**
 * The reason against the use of PostgreSQL. The errors of a server that is away differ from one attempt to the next.
 */
function reasonOf(error: unknown): string {
  return kindOf(error) === 'away' || !(error instanceof Error) ? NO_ANSWER : error.message
}
