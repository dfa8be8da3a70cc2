/** Refusals in the audit chain: equal ones once a minute, so that who is refused in a loop does not fill it. */
import type { Awaitable } from '../../../../core/awaitable.ts'
import type { AuditChain } from '../../../sync/api.ts'
import type { Coalesce } from './coalesce.ts'

/** A command or push that was refused although its signer was proven. */
export interface Refusal {
  /** As the caller named it, whether there is one or not. */
  readonly project: string | null
  /** A key id, or `owner`. */
  readonly actor: string
  /** The id of what was refused, where it has one. */
  readonly subject: string | null
  /** The code. */
  readonly outcome: string
}

/** What refusals are told with. */
export interface RefusalParts {
  readonly store: { write(work: (transaction: { readonly audit: AuditChain }) => void): Promise<void> }
  readonly coalesce: Coalesce
  /** Whether a project exists, with commands or without. */
  readonly projectExists: (project: string) => Awaitable<boolean>
  readonly now: () => number
}

/** Makes the one who tells them. Resolves once it is on disk, where it was to be told. */
export function createRefusals(parts: RefusalParts): (refusal: Refusal) => Promise<void> {
  const { store, coalesce, projectExists, now } = parts
  return async ({ project, actor, subject, outcome }) => {
    // A project that the caller made up is none: otherwise every name would be an entry of its own.
    const known = project !== null && (await projectExists(project)) ? project : null
    if (!coalesce({ project: known, actor, outcome })) return
    await store.write(({ audit }) =>
      audit.append({ atMs: now(), kind: 'refusal', project: known, subject, actor, outcome }),
    )
  }
}
