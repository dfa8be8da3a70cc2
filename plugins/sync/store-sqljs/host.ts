/** What a host of this store supplies besides the callbacks of every embedded engine: the bytes of its store, and SQLite. */
import type { Awaitable } from '../../../core/awaitable.ts'
import type { CallbackHost } from '../embedded/host.ts'
import type { SqlWasm } from './sql-js.ts'

/** Loads and saves the bytes of an embedded store. */
export interface Persistence {
  /** Returns the bytes that were saved last; null if none were. Called once, at the start. */
  load(): Awaitable<Uint8Array | null>
  /** Replaces the saved bytes, all or nothing. Resolves once they are durable. The host may keep the array. */
  save(bytes: Uint8Array): Awaitable<void>
}

/** The host of an embedded engine whose receipts are in bytes that the host keeps. */
export interface EmbeddedHost extends CallbackHost {
  readonly persistence: Persistence
  /** The file sql-wasm.wasm that ships beside the library. All engines of a realm share the first. */
  readonly sqlWasm: SqlWasm
}
