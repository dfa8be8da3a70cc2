import type { AgUiEvent } from '../event-shape.ts'
import type { RunManagerOptions } from '../manager.ts'
import type { Slices } from '../slices.ts'
import type { RunStore } from './api.ts'
import type { Directory } from './directory.ts'
import type { Entry } from './entry.ts'
import type { Removals } from './removals.ts'

/**
 * How long the mark of a removed run stays in the store, in milliseconds. A node that has not seen it by then finds a
 * gap in the positions, or connects again, and reads all heads.
 */
const goneMs = 10_000

/** Runs that are removed at a time, and marks that are erased at a time: as many as SQLite commits together. */
const batch = 256

/** The last event of a run to which nobody appends. */
const ABANDONED: AgUiEvent = {
  type: 'RUN_ERROR',
  message: 'No event came for too long.',
  code: 'svc.run.abandoned',
}

/** The last event of a run that did not go on after a restart. */
const ORPHANED: AgUiEvent = {
  type: 'RUN_ERROR',
  message: 'The service stopped while the run was under way, and no event came after it had started again.',
  code: 'svc.run.orphaned',
}

/** What `Care` works with. */
export interface CareOptions extends Pick<RunManagerOptions, 'clock' | 'finishedRunTtlMs' | 'runIdleMs'> {
  readonly store: RunStore
  readonly directory: Directory
  readonly removals: Removals
  readonly slices: Slices
  readonly abandon: (entry: Entry, event: AgUiEvent) => Promise<unknown>
  readonly onError: (error: unknown) => void
}

/**
 * Ends runs that nobody appends to and removes runs that ended long ago. One node, which holds the lease, does so for
 * all. Ages count from when this node saw a change. Every node retries the marks of its own removals.
 */
export class Care {
  readonly #options: CareOptions
  #timer: unknown
  #stopped = false

  constructor(options: CareOptions) {
    this.#options = options
    this.#later()
  }

  stop(): void {
    this.#stopped = true
    if (this.#timer !== undefined) this.#options.clock.clearTimeout(this.#timer)
  }

  #later(): void {
    const { clock, store, finishedRunTtlMs, runIdleMs, onError } = this.#options
    const { orphanAfterMs = Infinity } = store
    const most = orphanAfterMs === Infinity ? 10_000 : 1_000
    const period = Math.max(20, Math.min(most, finishedRunTtlMs / 4, runIdleMs / 4, orphanAfterMs / 4))
    this.#timer = clock.setTimeout(() => {
      this.#round()
        .catch(onError)
        .finally(() => this.#stopped || this.#later())
    }, period)
  }

  async #round(): Promise<void> {
    const { clock, store, directory, removals, slices, finishedRunTtlMs, runIdleMs, abandon } = this.#options
    directory.tidy()
    removals.retry()
    if (store.away || !(await store.lease())) return
    const old: Entry[] = []
    let removed = 0
    for (const entry of directory.entries) {
      const { gone, record, head, changedAt } = entry
      const age = clock.monotonic() - changedAt
      if (gone) {
        // Without the mark in the store, other nodes would not see the removal.
        if (head.gone && age > goneMs) old.push(entry)
      } else if (record.status !== 'running') {
        if (age < finishedRunTtlMs) continue
        directory.forget(entry)
        if (++removed % batch === 0) await slices.turn()
      } else if (entry.isReplayed && age >= orphanAgeOf(entry, store)) await abandon(entry, ORPHANED)
      else if (age >= runIdleMs) await abandon(entry, ABANDONED)
    }
    while (old.length > 0) await Promise.all(old.splice(0, batch).map((entry) => this.#erase(entry)))
  }

  async #erase(entry: Entry): Promise<void> {
    const { store, directory } = this.#options
    await store.forget(entry.name, entry.head.position)
    directory.drop(entry)
  }
}

/**
 * After how long a run that was running before a start has ended, in milliseconds: at once if the last process called
 * its agent.
 */
function orphanAgeOf({ record }: Entry, { orphanAfterMs = Infinity }: RunStore): number {
  return record.agent !== null && orphanAfterMs !== Infinity ? 0 : orphanAfterMs
}
