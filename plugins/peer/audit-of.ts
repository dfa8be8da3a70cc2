/** The audit chain of this node, to which the features of peers write. */
import type { AuditChain } from '../sync/api.ts'
import type { LedgerReads } from '../sync/capabilities.ts'

/** The audit chain of a store. Every build with peers has one. @throws Error if the store has none */
export function auditOf({ audit }: Pick<LedgerReads, 'audit'>): AuditChain {
  if (audit === undefined) throw new Error('The store has no audit chain.')
  return audit
}
