/**
 * What an embedding host supplies: it owns transport, identity, connectivity, retries and conflicts. The store adds
 * what keeps receipts.
 */

import type { Identity } from '../../../core/http/identity.ts'
import type { LogRecord } from '../../../core/kernel/log.ts'
import type { Awaitable } from '../../../core/kernel/values.ts'
import type { Envelope, Frontier, SigningDevice } from '../api.ts'
import type { EngineTimers } from '../engine/options.ts'

/**
 * The host of an embedded engine. If one of its functions throws, rejects, hangs or returns a wrong value, the call
 * that needed it fails with a code. None of them may call the engine: `ERR_HOST_REENTRY`.
 */
export interface CallbackHost {
  /** The identity of the caller. Null if there is none; the call is then refused with `credential_missing`. */
  identity(): Awaitable<Identity | null>
  readonly devices: {
    /** The device of a key id, whatever its status; undefined or null if there is none. */
    get(keyId: string): Awaitable<SigningDevice | undefined | null>
  }
  readonly projects: {
    /** Whether the project of a domain exists. */
    has(domain: string): Awaitable<boolean>
  }
  /** The frontier of a control project; null for an empty one. */
  frontier(domain: string): Awaitable<Frontier | null>
  /**
   * Applies a whole push, or throws and has applied nothing. The engine saves before the call that the push is about to
   * be applied, and saves its receipt after the call. If the process ends in between, it calls again with the same
   * envelope, so that a push with the same `envelope.pushId` must not be applied twice. If that second call throws and
   * `frontier` is not what the push expected, the push may have been applied the first time; other pushes of the domain
   * are refused until this one succeeds. The envelope is frozen.
   */
  apply(domain: string, envelope: Envelope): Awaitable<void>
  /**
   * Delivers an envelope to a peer; resolves once the peer's node has it. Without this function pushes with targets are
   * refused.
   */
  deliver?(envelope: Envelope, endpointId: string): Awaitable<void>
  /** Unix time in milliseconds. */
  now(): number
  log(record: LogRecord): void
  /** Time limit of each of these functions, in milliseconds; 30 000 by default. */
  readonly timeoutMs?: number
  /**
   * Timers for that limit, if the realm has no `setTimeout`. Without timers, overdue functions are given up at the next
   * call of the engine.
   */
  readonly timers?: EngineTimers
}
