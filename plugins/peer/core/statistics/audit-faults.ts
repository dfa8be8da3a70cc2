/**
 * Writes the faults of peers to the audit chain. Equal faults of one peer are one entry a minute, so that no peer fills
 * the chain.
 */

import { isSvcError } from '../../../../core/declare/errors.ts'
import { dropOldest } from '../../../../core/kernel/values.ts'
import type { AuditEntry } from '../../../sync/api.ts'
import type { ReceiptStore } from '../../../sync/capabilities.ts'
import { auditOf } from '../../audit-of.ts'

/** A fault of a peer. */
export interface Fault {
  /** The endpoint id that the handshake proved. */
  readonly peer: string
  readonly code: string
  readonly project: string | null
  /** The id of a push or command. */
  readonly subject: string | null
}

/** Records faults. */
export interface Faults {
  /** Whether a fault is to be recorded now: false within a minute of an equal one. */
  isDue(peer: string, code: string): boolean
  /** The audit entry of a fault. */
  entry(fault: Fault, kind?: AuditEntry['kind']): Omit<AuditEntry, 'seq' | 'hash'>
  /** Writes the audit entry of a fault that is due. */
  record(fault: Fault, kind?: AuditEntry['kind']): Promise<void>
  /**
   * Records the error of an exchange, if it is a fault of the peer. Failures of this node and ordinary refusals are no
   * faults.
   */
  refused(peer: string, project: string | null, error: unknown): Promise<void>
  /** Records a caller without an entry. All of them count as one peer, because a caller can make any number of keys. */
  stranger(endpointId: string, code?: 'not_listed' | 'pairing_invalid'): Promise<void>
}

/** The time in which equal faults are not recorded again. */
const QUIET_MS = 60_000
/** Most faults that are kept in memory. */
const MAX_RECENT = 1_024
/** Refusals that also happen between peers without a fault. */
const ORDINARY: ReadonlySet<string> = new Set(['content_not_found', 'push_not_found'])
/** Failures of an exchange that are faults of the peer. */
const FAULTS: ReadonlySet<unknown> = new Set(['bad_answer', 'wrong_key'])

/** Creates the record of faults. */
export function createFaults(
  store: Pick<ReceiptStore, 'write'>,
  clock: { now(): number; monotonic(): number },
): Faults {
  const recent = new Map<string, number>()
  const write = (fault: Fault, kind?: AuditEntry['kind']): Promise<void> =>
    store.write((ledger) => void auditOf(ledger).append(faults.entry(fault, kind)))
  const faults: Faults = {
    isDue(peer, code) {
      const key = `${peer} ${code}`
      const last = recent.get(key)
      const nowMs = clock.monotonic()
      if (last !== undefined && nowMs - last < QUIET_MS) return false
      recent.delete(key)
      if (recent.size >= MAX_RECENT) dropOldest(recent)
      recent.set(key, nowMs)
      return true
    },
    entry: ({ peer, code, project, subject }, kind = 'peer') => ({
      atMs: clock.now(),
      kind,
      project,
      subject,
      actor: `ed25519:${peer}`,
      outcome: code,
    }),
    async record(fault, kind) {
      if (faults.isDue(fault.peer, fault.code)) await write(fault, kind)
    },
    async refused(peer, project, error) {
      if (!isSvcError(error)) {
        const { code } = error as { readonly code?: unknown }
        if (FAULTS.has(code)) await faults.record({ peer, code: code as string, project, subject: null })
      } else if (error.status < 500 && !ORDINARY.has(error.code)) {
        const { id, commandId = null } = error.details ?? {}
        const named = id ?? commandId
        const subject = typeof named === 'string' ? named : null
        await faults.record({ peer, code: error.code, project, subject }, 'refusal')
      }
    },
    async stranger(peer, code = 'not_listed') {
      if (faults.isDue('', code)) await write({ peer, code, project: null, subject: null }, 'refusal')
    },
  }
  return faults
}
