/** What an embedding host supplies: it owns transport, identity, connectivity, persistence, retries and conflicts. */
import type { Awaitable } from '../../../core/awaitable.ts'
import type { Identity } from '../../../core/identity.ts'
import type { LogRecord } from '../../../core/log.ts'
import type { Envelope, Frontier, SigningDevice } from '../api.ts'
import type { BytesStoreOptions } from './bytes-store.ts'

/** The host of an embedded engine. A function that throws or rejects makes the call that needed it fail with a code. */
export interface EmbeddedHost extends BytesStoreOptions {
  /** Who is calling. Null: nobody, and the call is refused with `credential_missing`. */
  identity(): Awaitable<Identity | null>
  readonly devices: {
    /** The device of a key id, whatever its status; undefined or null where there is none. */
    get(keyId: string): Awaitable<SigningDevice | undefined | null>
  }
  readonly projects: {
    /** Whether the project of a domain exists. */
    has(domain: string): Awaitable<boolean>
  }
  /** Where a control project stands; null for an empty one. */
  frontier(domain: string): Awaitable<Frontier | null>
  /**
   * Applies a push. The receipt is saved after it: where that fails, the same push may come again, so what was applied
   * under an `envelope.pushId` must not be applied twice.
   */
  apply(domain: string, envelope: Envelope): Awaitable<void>
  /** Hands an envelope to a peer; resolving means that the peer's node has it. Absent: pushes with targets are refused. */
  deliver?(envelope: Envelope, endpointId: string): Awaitable<void>
  /** Unix time in milliseconds. */
  now(): number
  log(record: LogRecord): void
}
