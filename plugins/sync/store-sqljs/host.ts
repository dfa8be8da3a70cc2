/**
 * What a host of this store supplies besides the callbacks of every embedded engine: the bytes of its store, and
 * SQLite.
 */
import type { Awaitable } from '../../../core/kernel/values.ts'
import type { Callbacks } from '../embedded/callbacks.ts'
import type { CallbackHost } from '../embedded/host.ts'
import { BAD, isBytes } from '../embedded/host-values.ts'
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

/** Loads and saves the bytes of a host. */
export interface PersistenceCalls {
  load(): Promise<Uint8Array | null>
  /** Rejects with `Undecided` if the callback does not settle in time. */
  save(bytes: Uint8Array): Promise<void>
}

/** Wraps the `persistence` of a host. */
export function createPersistence(persistence: Persistence, { ask, order }: Callbacks): PersistenceCalls {
  return {
    load: () =>
      ask(
        'persistence.load',
        'the bytes that were saved last (a Uint8Array), or null if none were',
        () => persistence.load(),
        (one) => (one === null ? one : isBytes(one) ? one.slice() : BAD),
      ),
    save: (bytes) => order('persistence.save', () => persistence.save(bytes)),
  }
}
