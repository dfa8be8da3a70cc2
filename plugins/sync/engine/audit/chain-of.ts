/** The audit chain of an open store. */
import type { StorePart } from '../../../../core/capabilities.ts'
import type { AuditChain, AuditParts } from './audit-types.ts'

/** Makes the chain with the store part that has one; undefined if no feature of the build keeps a chain. */
export function chainOf(parts: readonly StorePart[], made: AuditParts): AuditChain | undefined {
  return parts.find(({ audit }) => audit !== undefined)?.audit?.(made)
}
