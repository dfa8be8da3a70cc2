/**
 * Grouped commits. The writes of all requests of one turn of the event loop go to disk with one sync, and no request is
 * answered before it.
 */
import { isSvcError } from '../../../../core/declare/errors.ts'
import type { Awaitable } from '../../../../core/kernel/values.ts'
import type { Ledger, LedgerReads, ReceiptStore } from './api.ts'
import { commitGroup, type GroupBacking, type Work, type WorkOutcome } from './commit-group.ts'
import { causeOf, type OpenStore, toUnavailable } from './open-store.ts'

interface Job {
  readonly work: Work
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Most pieces of work in a group. */
const MAX_GROUP = 256

/** Creates a store over a backing. */
export function createGroupedStore<Opened extends OpenStore>(backing: GroupBacking<Opened>): ReceiptStore {
  let waiting: Job[] = []
  /** Set while a flush is scheduled or running. */
  let flushing: Promise<void> | undefined
  let closed = false

  const readNow = <T>(work: (ledger: LedgerReads) => T): Awaitable<T> => {
    // If commits reach the medium later, a read waits for them: it must not show what may still be lost.
    const before = backing.persist === undefined ? undefined : flushing
    const opening = before ?? backing.open()
    // Another caller may have begun to write meanwhile.
    if (opening instanceof Promise) return opening.then(() => readNow(work))
    backing.beforeRead?.(opening)
    return work(opening.ledger)
  }

  const commit = (group: readonly Job[]): Awaitable<WorkOutcome[]> => {
    const opening = backing.open()
    if (opening instanceof Promise) return opening.then((store) => commitGroup(store, group, backing))
    return commitGroup(opening, group, backing)
  }

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting.slice(0, MAX_GROUP)
      waiting = waiting.slice(MAX_GROUP)
      try {
        const outcomes = await whileShared(backing.sharing, () => commit(group))
        if (backing.persist !== undefined) await backing.persist()
        // Work for which there was no time is first in the next group.
        waiting = [...group.slice(outcomes.length), ...waiting]
        for (const [i, job] of group.entries()) settle(job, outcomes[i])
      } catch (cause) {
        const error = toUnavailable(cause, backing.explain)
        for (const job of group) job.reject(error)
      }
      // Lets answers of this group leave before the next one blocks the event loop.
      if (waiting.length > 0) await new Promise<void>((next) => backing.schedule(next))
    }
    // No await since the queue was found empty, so that a later write schedules a new flush.
    flushing = undefined
  }

  return {
    async read<T>(work: (ledger: LedgerReads) => T): Promise<T> {
      if (closed) throw toUnavailable(undefined, undefined)
      try {
        return await whileShared(backing.sharing, () => readNow(work))
      } catch (error) {
        throw isSvcError(error) ? error : toUnavailable(error, backing.explain)
      }
    },
    write<T>(work: (ledger: Ledger) => T): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        if (closed) return reject(toUnavailable(undefined, undefined))
        waiting.push({ work, resolve: resolve as (value: unknown) => void, reject })
        flushing ??= new Promise((done) => {
          // The group grows as long as each turn adds work. A lone write does not wait.
          const gather = (before: number): void =>
            backing.schedule(() => {
              if (waiting.length > before && waiting.length < MAX_GROUP) gather(waiting.length)
              else void flush().then(done)
            })
          gather(waiting.length)
        })
      })
    },
    async close() {
      closed = true
      while (flushing !== undefined) await flushing
      await backing.close()
    },
  }
}

/** Answers a caller; not if there was no time for its work. */
function settle(job: Job, outcome: WorkOutcome | undefined): void {
  if (outcome === undefined) return
  if ('value' in outcome) job.resolve(outcome.value)
  else job.reject(outcome.error)
}

/** Pauses between attempts, about 2 s together; then the caller gets the error. */
const BUSY_PAUSES_MS: readonly number[] = [2, 5, 10, 20, ...Array<number>(40).fill(50)]

/**
 * Runs an attempt, and again after a pause if another process locks the database. SQLite's own waiting would block the
 * event loop, and with it requests that need no commit.
 */
function whileShared<T>(sharing: GroupBacking['sharing'], attempt: () => Awaitable<T>): Awaitable<T> {
  try {
    // On the server a whole group is synchronous, and no promise is made.
    const made = attempt()
    return made instanceof Promise ? made.catch((error: unknown) => tryAgain(sharing, attempt, error)) : made
  } catch (error) {
    return tryAgain(sharing, attempt, error)
  }
}

async function tryAgain<T>(
  sharing: GroupBacking['sharing'],
  attempt: () => Awaitable<T>,
  firstError: unknown,
): Promise<T> {
  let error = firstError
  for (const pauseMs of BUSY_PAUSES_MS) {
    if (sharing?.isBusy(causeOf(error)) !== true) break
    await sharing.pause(pauseMs)
    try {
      return await attempt()
    } catch (next) {
      error = next
    }
  }
  throw error
}
