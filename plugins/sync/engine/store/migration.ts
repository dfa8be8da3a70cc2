/** What a feature adds to the schema of the store, and how its rows are named. */
import type { SqlDriver } from './driver.ts'

/** One step of the schema of the store. */
export interface Migration {
  /** Family and subject, such as `sync.receipts`. The store keeps it once the migration has run, so that it never changes. */
  readonly id: string
  /** Ids of migrations that run before this one. */
  readonly requires?: readonly string[]
  /**
   * The `PRAGMA user_version` of a store that has it. Only the five migrations that are older than ids have one: programs of
   * that time know a store by this number alone.
   */
  readonly version?: number
  /**
   * Set if nothing else in the store depends on the tables of this migration. A build that does not know an independent
   * migration opens the store and leaves those tables alone; it refuses a store with any other that it does not know.
   */
  readonly independent?: true
  /** SQL, or a function for what SQL alone cannot do. Runs inside the transaction of all pending migrations. */
  readonly up: string | ((driver: Pick<SqlDriver, 'exec' | 'prepare'>) => void)
}

/** One kind of thing in the store, for `svc store`. */
export interface StoreContent {
  /** Its name in `svc store info`. */
  readonly name: string
  /** The table that has a row for each. */
  readonly table: string
  /** Which rows of the table they are, in SQL; all where absent. */
  readonly where?: string
  /** Singular and plural, for sentences. Without them only `info` counts it. */
  readonly words?: readonly [one: string, many: string]
}
