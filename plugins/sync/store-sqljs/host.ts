/** What an embedding host supplies: it owns transport, identity, connectivity, persistence, retries and conflicts. */
import type { Awaitable } from '../../../core/awaitable.ts'
import type { Identity } from '../../../core/identity.ts'
import type { LogRecord } from '../../../core/log.ts'
import type { Envelope, Frontier, SigningDevice } from '../api.ts'
import type { EngineTimers } from '../engine/options.ts'
import type { SqlWasm } from './sql-js.ts'

/** Where an embedded store's bytes live. */
export interface Persistence {
  /** What was saved last; null where nothing was. Called once, at the start. */
  load(): Awaitable<Uint8Array | null>
  /** Replaces what was saved, all or nothing; resolves once it will survive. The bytes are the host's to keep. */
  save(bytes: Uint8Array): Awaitable<void>
}

/**
 * The host of an embedded engine. Where one of its functions throws, rejects, hangs or gives what it may not, the call that
 * needed it fails with a code. None of them may call the engine: `ERR_HOST_REENTRY`.
 */
export interface EmbeddedHost {
  readonly persistence: Persistence
  /** The file sql-wasm.wasm that ships beside the library. All engines of a realm share the first. */
  readonly sqlWasm: SqlWasm
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
   * Applies a push whole, or throws and has applied nothing. That it is about to be applied was saved before, its receipt is
   * saved after it: where the process ends in between, it is called again with the same envelope, so what was applied under
   * an `envelope.pushId` must not be applied twice. Where it throws then and `frontier` is not what the push expected, the
   * push may have been applied the first time: others of the domain are refused until this one is taken. The envelope is frozen.
   */
  apply(domain: string, envelope: Envelope): Awaitable<void>
  /** Hands an envelope to a peer; resolving means that the peer's node has it. Absent: pushes with targets are refused. */
  deliver?(envelope: Envelope, endpointId: string): Awaitable<void>
  /** Unix time in milliseconds. */
  now(): number
  log(record: LogRecord): void
  /** How long each of these functions may take, in milliseconds; 30 000 where absent. */
  readonly timeoutMs?: number
  /**
   * Timers for that limit, where the realm has no `setTimeout`. Without any, what is overdue is given up at the next call of
   * the engine.
   */
  readonly timers?: EngineTimers
}
