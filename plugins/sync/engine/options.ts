/** The parts of an engine, which the platform supplies, and its limits. */

import type { LogLevel } from '../../../core/kernel/log.ts'
import type { Awaitable } from '../../../core/kernel/values.ts'
import type { Authority, Ed25519Verifier, PeerTransport, PushReceipt, Sha256 } from '../api.ts'
import type { Domains } from './devices/domains.ts'
import type { ReceiptStore } from './store/api.ts'

/** The limits of the engine. The server has a setting of the same name for each. */
export interface EngineLimits {
  readonly maxBodyBytes: number
  readonly maxJsonDepth: number
  readonly maxTargets: number
  readonly maxFrontierHeads: number
  /** How old `issuedAtMs` may be, inclusive. */
  readonly windowPastMs: number
  /** How far ahead `issuedAtMs` may be, inclusive. */
  readonly windowFutureMs: number
  /**
   * A push is settled this long after its broadcast, whatever its peers say. A delivery that fails is tried again until
   * this long after the push was created.
   */
  readonly settleAfterMs: number
  readonly retryFirstMs: number
  readonly retryMaxMs: number
  /** Settled receipts older than this are removed; 0 keeps them for ever. */
  readonly retentionDays: number
}

/** The default limits. */
export const defaultLimits: EngineLimits = {
  maxBodyBytes: 262_144,
  maxJsonDepth: 16,
  maxTargets: 256,
  maxFrontierHeads: 64,
  windowPastMs: 300_000,
  windowFutureMs: 30_000,
  settleAfterMs: 86_400_000,
  retryFirstMs: 1_000,
  retryMaxMs: 300_000,
  retentionDays: 0,
}

/** A log that takes records with a level. */
export interface EngineLog {
  log(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** Timers, for a platform whose engine tries deliveries again. */
export interface EngineTimers {
  setTimeout(run: () => void, delayMs: number): unknown
  clearTimeout(timer: unknown): void
}

/** The parts of an engine. */
export interface EngineOptions {
  readonly store: ReceiptStore
  readonly authority: Authority
  readonly domains: Domains
  readonly sha256: Sha256
  readonly ed25519: Ed25519Verifier
  readonly now: () => number
  readonly limits: EngineLimits
  readonly log: EngineLog
  /** Lets other work of the event loop run. */
  readonly yieldLoop: () => Promise<void>
  /** Makes a UUID in lower case. */
  readonly uuid: () => string
  /** Without a transport, pushes with targets are refused with 503 `transport_unavailable`. */
  readonly transport?: PeerTransport | undefined
  /** The endpoint id of this node, if it has one. */
  readonly ownId?: () => string
  /** Called with each receipt that is new or has changed, once it is on disk. An error that it throws is logged. */
  readonly onReceipt?: ((receipt: PushReceipt, operation: 'insert' | 'update') => Awaitable<void>) | undefined
}
