/** Adds applied pushes to the audit chain, one entry each, in the transaction that applies them. */

import type { StorePart } from '../../../../core/declare/capabilities.ts'
import type { DomainFamily, ProjectReads } from '../../api.ts'
import type { AuditChain, AuditParts } from './audit-types.ts'

/**
 * A family whose applied pushes are added to the chain. Those that a host applies are added when their result is
 * written.
 */
export function toAudited(family: DomainFamily, now: () => number): DomainFamily {
  const { application } = family
  if (application.kind === 'hosted') return family
  return {
    ...family,
    application: {
      ...application,
      apply(ledger, project, envelope) {
        const pinned = application.apply(ledger, project, envelope)
        auditPush(ledger, envelope, now())
        return pinned
      },
    },
  }
}

/** Adds an applied push to the chain, if the store has one. */
export function auditPush(
  { audit }: ProjectReads,
  { domain, pushId, signerKeyId }: { domain: string; pushId: string; signerKeyId: string | null },
  atMs: number,
): void {
  const project = domain.slice(domain.indexOf(':') + 1)
  audit?.append({ atMs, kind: 'push', project, subject: pushId, actor: signerKeyId ?? 'owner', outcome: 'ok' })
}

/** Makes the chain with the store part that has one; undefined if no feature of the build keeps a chain. */
export function chainOf(parts: readonly StorePart[], made: AuditParts): AuditChain | undefined {
  return parts.find(({ audit }) => audit !== undefined)?.audit?.(made)
}
