/** Pushes in the audit chain: one entry each, in the transaction that applies them. */
import type { DomainFamily } from '../api.ts'

/** A family whose applied pushes are told. What a host applies has no chain here. */
export function toAudited(family: DomainFamily, now: () => number): DomainFamily {
  const { application } = family
  if (application.kind === 'hosted') return family
  return {
    ...family,
    application: {
      ...application,
      apply(ledger, project, envelope) {
        const pinned = application.apply(ledger, project, envelope)
        const actor = envelope.signerKeyId ?? 'owner'
        ledger.audit?.append({ atMs: now(), kind: 'push', project, subject: envelope.pushId, actor, outcome: 'ok' })
        return pinned
      },
    },
  }
}
