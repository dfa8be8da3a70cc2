/** What an engine is made of: the platform's parts and the numbers of its limits. */
import type { LogLevel } from '../../../core/log.ts'
import type { Authority, Ed25519Verifier, PeerTransport, PushReceipt, Sha256 } from '../api.ts'
import type { Domains } from './devices/domains.ts'
import type { ReceiptStore } from './store/api.ts'

/** The numbers of the engine; each is a setting of the same name on the server. */
export interface EngineLimits {
  readonly maxBodyBytes: number
  readonly maxJsonDepth: number
  readonly maxTargets: number
  readonly maxFrontierHeads: number
  /** How old `issuedAtMs` may be, inclusive. */
  readonly windowPastMs: number
  /** How far ahead `issuedAtMs` may be, inclusive. */
  readonly windowFutureMs: number
  /** A broadcast push is settled after this time, whatever its peers say. */
  readonly settleAfterMs: number
  readonly retryFirstMs: number
  readonly retryMaxMs: number
  /** Settled receipts older than this are removed; 0 keeps them for ever. */
  readonly retentionDays: number
}

/** The limits as interface.md and its decisions have them. */
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

/** Timers, for a platform that retries by itself. */
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
  /** Lets other work of the loop run. */
  readonly yieldLoop: () => Promise<void>
  /** A fresh UUID, lower case. */
  readonly uuid: () => string
  /** None: pushes with targets are 503 `transport_unavailable`. */
  readonly transport?: PeerTransport | undefined
  /** The endpoint id of this node, where it has one. */
  readonly ownId?: () => string
  /** Hears of every new receipt and of every change, once it is on disk. What it throws is logged. */
  readonly onReceipt?: ((receipt: PushReceipt, operation: 'insert' | 'update') => void) | undefined
}
