/**
 * Commits a group of pieces of work in one transaction. Each piece has its own savepoint, so that one that throws
 * leaves nothing and does not affect the others.
 */

import type { Awaitable } from '../../../../core/kernel/values.ts'
import type { Ledger } from './api.ts'
import type { Explain, OpenStore } from './open-store.ts'

/** A piece of work of a group. */
export type Work = (ledger: Ledger) => unknown

/** The result of a piece of work. */
export type WorkOutcome = { readonly value: unknown } | { readonly error: unknown }

/** A group begins no work after this many milliseconds, so that it does not block the event loop. */
const MAX_GROUP_MS = 50

/** Statements around a piece of work. */
interface Bounds {
  readonly begin: readonly string[]
  readonly end: readonly string[]
  readonly undo: readonly string[]
}

const AMONG_OTHERS: Bounds = {
  begin: ['SAVEPOINT job'],
  end: ['RELEASE job'],
  undo: ['ROLLBACK TO job', 'RELEASE job'],
}
/** A lone piece of work needs no savepoint, for which SQLite would copy every page that changes. */
const ALONE: Bounds = { begin: [], end: [], undo: ['ROLLBACK', 'BEGIN IMMEDIATE'] }

/** Commits a group. Returns the outcomes of the work that there was time for, at least one. */
export function commitGroup<Opened extends OpenStore>(
  opened: Opened,
  group: readonly { readonly work: Work }[],
  backing: GroupBacking<Opened>,
): WorkOutcome[] {
  const { ledger, control, last } = opened
  const fromMs = backing.now?.() ?? 0
  const outcomes: WorkOutcome[] = []
  last.clear()
  control('BEGIN IMMEDIATE')
  try {
    for (const { work } of group) {
      outcomes.push(runJob(control, ledger, work, group.length > 1 ? AMONG_OTHERS : ALONE, backing.sharing))
      if ((backing.now?.() ?? 0) - fromMs > MAX_GROUP_MS) break
    }
    for (const run of last) run()
    backing.beforeCommit?.(opened)
    control('COMMIT')
    return outcomes
  } catch (error) {
    try {
      control('ROLLBACK')
    } catch {
      // SQLite has rolled back already, as it does on a full disk.
    }
    throw error
  }
}

/**
 * Runs one piece of work. If it throws, its writes are undone, whatever the error is. If they cannot be undone alone,
 * because SQLite has ended the whole transaction, the group fails.
 */
function runJob(
  control: OpenStore['control'],
  ledger: Ledger,
  work: Work,
  { begin, end, undo }: Bounds,
  sharing: GroupBacking['sharing'],
): WorkOutcome {
  begin.forEach(control)
  try {
    const value = work(ledger)
    end.forEach(control)
    return { value }
  } catch (error) {
    try {
      undo.forEach(control)
    } catch (undoing) {
      // Another process may have locked the database; then the whole group is tried again.
      throw sharing?.isBusy(undoing) === true ? undoing : error
    }
    return { error }
  }
}

/** What a platform supplies. */
export interface GroupBacking<Opened extends OpenStore = OpenStore> {
  /** The open database; opens it if needed. Throws if it cannot be used now. */
  open(): Awaitable<Opened>
  /** Called before reads outside of a transaction. Throws if the database may be gone. */
  beforeRead?(opened: Opened): void
  /** Called after all writes, before the commit. Throws if the commit would be lost. */
  beforeCommit?(opened: Opened): void
  /** Called after the commit; resolves once it is on the medium. After a failure `open` must start from the medium. */
  persist?(): Promise<void>
  /** Runs the flush after this turn of the event loop. */
  schedule(flush: () => void): void
  /** Milliseconds on a monotonic clock, if others wait for the event loop. */
  now?(): number
  /**
   * If other processes may lock the database: whether an error means that, and how to wait without blocking the event
   * loop.
   */
  readonly sharing?: { isBusy(error: unknown): boolean; pause(delayMs: number): Promise<unknown> }
  readonly explain?: Explain
  close(): Promise<void>
}
