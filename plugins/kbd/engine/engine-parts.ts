/** The parts of an engine of boards: devices, transactions, and listeners. */
import type { AuditChain } from '../../sync/api.ts'
import type { Applied, Standing } from '../api.ts'
import { fail } from '../errors.ts'
import type { EntryCodecs } from './codecs.ts'
import type { ReadCommand } from './commands/envelope.ts'
import type { KbdLedger } from './ledger.ts'
import type { KbdLimits } from './limits.ts'
import type { KbdReads } from './reads/reads.ts'
import type { RefusalParts } from './refusals/refusals.ts'

/** The members of a device that the engine uses. */
export interface KbdDevice {
  readonly keyId: string
  readonly scopes: readonly string[]
  readonly status: 'active' | 'revoked'
  readonly expiresAtMs: number | null
}

/** The parts of a transaction. */
export interface KbdTransaction {
  readonly ledger: KbdLedger
  readonly audit: AuditChain
  /**
   * The present state of a device, if devices are in the same store. Thus a revocation takes effect once it is
   * answered.
   */
  device?(keyId: string): KbdDevice | undefined
}

/** Transactions with grouped commits. If `work` throws, its writes are undone and the call rejects. */
export interface KbdStore {
  read<T>(work: (ledger: KbdReads) => T): Promise<T>
  write<T>(work: (transaction: KbdTransaction) => T): Promise<T>
}

/** The parts of an engine. */
export interface KbdOptions extends RefusalParts {
  readonly store: KbdStore
  readonly codecs: EntryCodecs
  readonly limits: KbdLimits
  /** The device of a key, whatever its status. A throw is 503 `authority_unavailable`. */
  readonly device: (keyId: string) => KbdDevice | undefined | Promise<KbdDevice | undefined>
  /** Milliseconds that never go back. They limit the time of a transaction of an admission. */
  readonly monotonic: () => number
  /** Lets other work of the event loop go on. */
  readonly yieldLoop: () => Promise<void>
  /** Called for every command, once it is on disk. */
  readonly onApplied?: ((applied: Applied, standing: Standing) => void) | undefined
}

/** The device of a key. Throws `authority_unavailable` if the source of devices fails. */
export async function askDevice(options: Pick<KbdOptions, 'device'>, keyId: string): Promise<KbdDevice | undefined> {
  try {
    return await options.device(keyId)
  } catch (cause) {
    throw fail('authority_unavailable', { cause })
  }
}

/** Whether a device may sign now. */
export function isActive({ status, expiresAtMs }: KbdDevice, nowMs: number): boolean {
  return status === 'active' && (expiresAtMs === null || nowMs < expiresAtMs)
}

/** Whether the signature of a command is valid for its key. */
export async function isProven({ verify }: Pick<EntryCodecs, 'verify'>, command: ReadCommand): Promise<boolean> {
  return await verify(command.signature, command.signedBytes, command.publicKey)
}
