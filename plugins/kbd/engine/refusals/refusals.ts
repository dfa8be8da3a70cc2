/** Records refusals in the audit chain. coalesce.ts merges equal ones. */
import type { Awaitable } from '../../../../core/awaitable.ts'
import type { AuditChain } from '../../../sync/api.ts'
import type { Coalesce } from './coalesce.ts'

/** The refusal of a command or push whose signature is valid. */
export interface Refusal {
  /** The project that the caller named, which may not exist. */
  readonly project: string | null
  /** A key id, or `owner`. */
  readonly actor: string
  /** The id of the command or push; null if it has none. */
  readonly subject: string | null
  /** The code. */
  readonly outcome: string
  /** The user who handed it in over the network; absent on the other surfaces. */
  readonly user?: string
}

/** The parts that record refusals. */
export interface RefusalParts {
  readonly store: { write(work: (transaction: { readonly audit: AuditChain }) => void): Promise<void> }
  readonly coalesce: Coalesce
  /** Whether a project exists, with commands or without. */
  readonly projectExists: (project: string) => Awaitable<boolean>
  readonly now: () => number
}

/**
 * Makes the function that records a refusal. It resolves once the entry is on disk, or at once if no entry is needed.
 */
export function createRefusals(parts: RefusalParts): (refusal: Refusal) => Promise<void> {
  const { store, coalesce, projectExists, now } = parts
  return async ({ project, subject, ...refusal }) => {
    // An unknown project is recorded as null. Otherwise a caller could add an entry for each name that it invents.
    const known = project !== null && (await projectExists(project)) ? project : null
    if (!coalesce({ project: known, ...refusal })) return
    await store.write(({ audit }) =>
      audit.append({ atMs: now(), kind: 'refusal', project: known, subject, ...refusal }),
    )
  }
}
