/** What peers do wrong, for the audit chain: equal faults of one peer are one entry a minute, so that none fills the chain. */
import { isSvcError } from '../../../../core/errors.ts'
import type { AuditEntry } from '../../../sync/api.ts'
import type { ReceiptStore } from '../../../sync/capabilities.ts'

/** A fault. */
export interface Fault {
  /** The endpoint id that the handshake proved. */
  readonly peer: string
  readonly code: string
  readonly project: string | null
  /** The id of a push or command. */
  readonly subject: string | null
}

/** Tells of faults. */
export interface Faults {
  /** Whether a fault is to be told now; false for an equal one within the minute. */
  isDue(peer: string, code: string): boolean
  /** The entry of a fault. */
  entry(fault: Fault, kind?: AuditEntry['kind']): Omit<AuditEntry, 'seq' | 'hash'>
  /** Writes one that is due. */
  record(fault: Fault, kind?: AuditEntry['kind']): Promise<void>
  /** The same for what came of an exchange with a peer; faults of this node, and what is no fault of anybody, are not told. */
  refused(peer: string, project: string | null, error: unknown): Promise<void>
  /** Records a caller without an entry. Anybody can make any number of keys, so all strangers count as one. */
  stranger(endpointId: string, code?: 'not_listed' | 'pairing_invalid'): Promise<void>
}

const QUIET_MS = 60_000
/** Faults that are remembered. */
const MAX_TOLD = 1_024
/** Refusals that come about among nodes that mean well. */
const PLAIN: ReadonlySet<string> = new Set(['content_not_found', 'push_not_found'])
/** What an answer of a peer may be found to be. */
const LIES: ReadonlySet<unknown> = new Set(['bad_answer', 'wrong_key'])

/** Makes it. */
export function createFaults(
  store: Pick<ReceiptStore, 'write'>,
  clock: { now(): number; monotonic(): number },
): Faults {
  const told = new Map<string, number>()
  const write = (fault: Fault, kind?: AuditEntry['kind']): Promise<void> =>
    store.write(({ audit }) => void audit!.append(faults.entry(fault, kind)))
  const faults: Faults = {
    isDue(peer, code) {
      const key = `${peer} ${code}`
      const last = told.get(key)
      const nowMs = clock.monotonic()
      if (last !== undefined && nowMs - last < QUIET_MS) return false
      told.delete(key)
      if (told.size >= MAX_TOLD) told.delete(told.keys().next().value!)
      told.set(key, nowMs)
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
        if (LIES.has(code)) await faults.record({ peer, code: code as string, project, subject: null })
      } else if (error.status < 500 && !PLAIN.has(error.code)) {
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
