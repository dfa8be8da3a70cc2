/** What a feature adds to the store, and to an embedded engine over it. */
import type { LedgerDriver, Pin, StoreCheck } from '../../api.ts'
import type { EmbeddedParts, PushAudit } from '../../capabilities.ts'
import type { AuditChain, AuditParts } from '../audit/audit-chain.ts'

/** One step of the schema of the store. */
export interface Migration {
  /** Family and subject, such as `kbd.boards`. The store keeps it once the migration has run, so that it never changes. */
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
  readonly up: string | ((driver: LedgerDriver) => void)
}

/** One kind of thing in the store, for `svc store`. */
export interface StoreContent {
  /** Its name in `svc store info`. */
  readonly name: string
  /** The table that has a row for each. */
  readonly table: string
  /** Singular and plural, for sentences. Without them only `info` counts it. */
  readonly words?: readonly [one: string, many: string]
}

/** What a feature adds to an embedded engine. */
export interface EmbeddedAddition {
  /** What pushes pin of their project. */
  readonly pin: Pin
  /** Called with each refused push whose signer was proven. */
  readonly refused: PushAudit
  /** What the library of the feature takes from the engine. */
  readonly parts: object
}

/** What a feature keeps in the store. */
export interface SyncStorePart {
  readonly migrations?: readonly Migration[]
  readonly contents?: readonly StoreContent[]
  /** Names what of the feature is not as it was written. Runs on stores that have all migrations of the part. */
  readonly check?: StoreCheck
  /** Makes the audit chain over a table of this part. One feature of a build has it. */
  readonly audit?: (parts: AuditParts) => AuditChain
  /** Adds the feature to an embedded engine. One feature of a build has it. */
  readonly embed?: (parts: EmbeddedParts) => EmbeddedAddition
}
