/** Pushes in the audit chain: one entry each, in the transaction that says that they are applied. */
import type { DomainFamily, ProjectReads } from '../../api.ts'

/** A family whose applied pushes are told; what a host applies is told where its end is written. */
export function toAudited(family: DomainFamily, now: () => number): DomainFamily {
  const { application } = family
  if (application.kind === 'hosted') return family
  return {
    ...family,
    application: {
      ...application,
      apply(ledger, project, envelope) {
        const pinned = application.apply(ledger, project, envelope)
        tellPush(ledger, envelope, now())
        return pinned
      },
    },
  }
}

/** Tells of an applied push, where the store has a chain. */
export function tellPush(
  { audit }: ProjectReads,
  { domain, pushId, signerKeyId }: { domain: string; pushId: string; signerKeyId: string | null },
  atMs: number,
): void {
  const project = domain.slice(domain.indexOf(':') + 1)
  audit?.append({ atMs, kind: 'push', project, subject: pushId, actor: signerKeyId ?? 'owner', outcome: 'ok' })
}
