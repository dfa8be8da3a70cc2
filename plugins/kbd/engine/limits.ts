/** The limits of the engine of boards. */

/** The limits of the engine. On a server they are settings. */
export interface KbdLimits {
  readonly maxCommandBytes: number
  /** The most commands of one project, at entry. */
  readonly maxCommands: number
  /** The most commands of the project that the author of a command has not seen, at entry. */
  readonly maxDivergence: number
  /** The most branches of one device, at entry. */
  readonly maxDeviceHeads: number
  /** The most live claims of a device. */
  readonly maxClaims: number
  /**
   * The most labels that a card ever had, at entry. Each is a register, and every read of the card reads all registers.
   */
  readonly maxLabels: number
  readonly windowPastMs: number
  readonly windowFutureMs: number
  readonly mergeWindowMs: number
  readonly maxContentBytes: number
  readonly unnamedContentBytes: number
  readonly contentGraceMs: number
}

/** The default limits. */
export const defaultLimits: KbdLimits = {
  maxCommandBytes: 65_536,
  maxCommands: 1_000_000,
  maxDivergence: 10_000,
  maxDeviceHeads: 16,
  maxClaims: 64,
  maxLabels: 256,
  windowPastMs: 300_000,
  windowFutureMs: 30_000,
  mergeWindowMs: 30 * 86_400_000,
  maxContentBytes: 262_144,
  unnamedContentBytes: 64 * 1024 * 1024,
  contentGraceMs: 24 * 3_600_000,
}

/** The most heads that a response lists, and the most parents that a command names. */
export const MAX_HEADS = 64
