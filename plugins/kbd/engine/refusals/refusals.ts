/**
 * Records refusals in the audit chain. Equal refusals are one entry, so that a caller that is refused in a loop does
 * not fill the chain.
 */
import { type Awaitable, dropOldest } from '../../../../core/kernel/values.ts'
import type { AuditChain } from '../../../sync/api.ts'

/** The refusal of a command or push whose signature is valid. */
export interface Refusal {
  /** The project that the caller named, which may not exist. */
  readonly project: string | null
  /** A key id, or `owner`. */
  readonly actor: string
  /** The id of the command or push; null if it has none. */
  readonly subject: string | null
  /** The error code. */
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
    const knownProject = project !== null && (await projectExists(project)) ? project : null
    if (!coalesce({ project: knownProject, ...refusal })) return
    await store.write(({ audit }) =>
      audit.append({ atMs: now(), kind: 'refusal', project: knownProject, subject, ...refusal }),
    )
  }
}

/** The default time within which equal refusals are one entry. */
const EVERY_MS = 60_000
/** Most refusals that are remembered. The oldest are removed first. */
const MAX_REMEMBERED = 1_024

/** Returns whether a refusal needs an entry. */
export type Coalesce = (refusal: {
  readonly project: string | null
  readonly actor: string
  readonly outcome: string
  readonly user?: string
}) => boolean

/**
 * Creates a function that returns false for equal refusals within `everyMs`. `monotonic` returns milliseconds that
 * never go back.
 */
export function createCoalesce(monotonic: () => number, everyMs: number = EVERY_MS): Coalesce {
  const recordedMs = new Map<string, number>()
  return ({ project, actor, outcome, user }) => {
    const key = JSON.stringify([project, actor, outcome, user])
    const nowMs = monotonic()
    const last = recordedMs.get(key)
    if (last !== undefined && nowMs - last < everyMs) return false
    // Moves the key to the end of the map, so that the first key is always the oldest.
    recordedMs.delete(key)
    if (recordedMs.size >= MAX_REMEMBERED) dropOldest(recordedMs)
    recordedMs.set(key, nowMs)
    return true
  }
}
