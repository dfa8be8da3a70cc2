/**
 * Tables of features in the store of the node: how a feature creates, reads, counts and checks its own. The store
 * itself is a feature of the family `sync`; features of every family may have tables in it.
 */

/** A value of a column. The store has no blobs and no integers beyond 2^53. */
export type SqlValue = string | number | null

/** One row: the values in the order of the statement's columns. Objects with names would take twice the time. */
export type SqlRow = readonly SqlValue[]

/** A prepared statement; parameters are positional. */
export interface SqlStatement {
  run(...parameters: readonly SqlValue[]): void
  /** The first row. `Row` is the type that the caller expects of the columns. */
  get<Row extends SqlRow>(...parameters: readonly SqlValue[]): Row | undefined
  all<Row extends SqlRow>(...parameters: readonly SqlValue[]): readonly Row[]
}

/** One open database: the part of a SQLite interface that the store uses. Every call is synchronous. */
export interface SqlDriver {
  exec(sql: string): void
  prepare(sql: string): SqlStatement
  close(): void
}

/** An open database that somebody else closes. It is the same object as long as the database is open. */
export type StoreDriver = Pick<SqlDriver, 'exec' | 'prepare'>

/** The sum that is the last value of a stored row. */
export interface RowSums {
  /** Returns the values followed by their sum. */
  add(values: readonly SqlValue[]): readonly SqlValue[]
  /** Throws `receipt_store_unavailable` if the last value of a row is not the sum of the others. */
  check(row: readonly SqlValue[]): void
}

/** The tables of a feature, inside one transaction. */
export interface Tables {
  readonly sums: RowSums
  /** Runs a statement and returns its rows. It is compiled once. */
  rows<Row extends SqlRow>(sql: string, ...parameters: readonly SqlValue[]): readonly Row[]
}

/** The part of them that runs statements. */
export type TableRows = Pick<Tables, 'rows'>

/** The durable store of the node, with grouped commits. */
export interface NodeStore {
  /** Runs reads. Rejects with `receipt_store_unavailable` if the store cannot be read. */
  read<T>(work: (tables: Tables) => T): Promise<T>
  /**
   * Runs `work` in a transaction and resolves once its writes are on disk. If `work` throws, only its own writes are
   * undone and this call rejects with that error. If the store fails, the whole group of writes is undone and each call
   * rejects with `receipt_store_unavailable`.
   */
  write<T>(work: (tables: Tables) => T): Promise<T>
  /** Room in bytes that the service may still use on the disk of the store; undefined while the disk does not say. */
  freeBytes?(): number | undefined
}

/** One step of the schema of the store. */
export interface Migration {
  /**
   * Family and subject, such as `sync.receipts`. The store keeps it once the migration has run, so that it never
   * changes.
   */
  readonly id: string
  /** Ids of migrations that run before this one. */
  readonly requires?: readonly string[]
  /**
   * The `PRAGMA user_version` of a store that has it. Only the five migrations that are older than ids have one:
   * programs of that time know a store by this number alone.
   */
  readonly version?: number
  /**
   * Set if nothing else in the store depends on the tables of this migration. A build that does not know an independent
   * migration opens the store and leaves those tables alone; it refuses a store with any other that it does not know.
   */
  readonly independent?: true
  /** SQL, or a function for what SQL alone cannot do. Runs inside the transaction of all pending migrations. */
  readonly up: string | ((driver: StoreDriver) => void)
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

/** The store, as `svc store check` gives it to the check of a feature. */
export interface StoreCheckSubject {
  /** Read-only. */
  readonly driver: StoreDriver
  /** An empty database that is removed after the check. */
  readonly scratch: StoreDriver
  readonly sums: Pick<RowSums, 'check'>
  /** In lower-case hex. */
  readonly sha256: (bytes: Uint8Array) => string
  /** RFC 8785. */
  readonly canonicalText: (value: unknown) => string
  readonly toBase64: (bytes: Uint8Array) => string
  readonly fromBase64: (text: string) => Uint8Array | undefined
}

/** What a feature adds to `svc store check`: names what of its own is not as it was written. */
export type StoreCheck = (subject: StoreCheckSubject) => readonly string[]
