/**
 * Grouped commits: what many requests write in one turn goes to disk with one sync, and no answer leaves before it.
 * Each piece of work has a savepoint of its own, so that a refused one leaves nothing and its neighbours stand.
 */
import { isSvcError } from '../../../../core/errors.ts'
import { fail } from '../../errors.ts'
import type { Ledger, LedgerReads, ReceiptStore } from './api.ts'
import type { SqlDriver, SqlStatement } from './driver.ts'
import { createLedger } from './ledger.ts'

/** An open database as the group sees it. */
export interface OpenStore {
  readonly driver: SqlDriver
  readonly ledger: Ledger
  /** Runs a statement of transaction control, compiled once. */
  readonly control: (sql: string) => void
}

/** The parts of an open database. */
export function toOpenStore(driver: SqlDriver): OpenStore {
  const prepared = new Map<string, SqlStatement>()
  return {
    driver,
    ledger: createLedger(driver),
    control(sql) {
      let statement = prepared.get(sql)
      if (statement === undefined) prepared.set(sql, (statement = driver.prepare(sql)))
      statement.run()
    },
  }
}

/** What a platform adds to the group. */
export interface GroupBacking {
  /** The open database; opens it where that is still to be done. Throws where it cannot be used now. */
  open(): OpenStore | Promise<OpenStore>
  /** Called before reads alone: throws where what they see may be gone. */
  beforeRead?(): void
  /** Called with everything written and before the commit: throws where a commit would go nowhere. */
  beforeCommit?(): void
  /** Called after the commit: resolves once it is on the medium. A failure must leave `open` to start from the medium. */
  persist?(): Promise<void>
  /** Runs the flush after the work of this turn has been gathered. */
  schedule(flush: () => void): void
  close(): Promise<void>
}

interface Job {
  readonly work: (ledger: Ledger) => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

type Outcome = { readonly value: unknown } | { readonly error: unknown }

/** Work in one group at most, so that one commit does not hold the loop for long. */
const MAX_GROUP = 256

/** Makes a store of a backing. */
export function createGroupedStore(backing: GroupBacking): ReceiptStore {
  let waiting: Job[] = []
  /** Set while a flush is announced or running. */
  let flushing: Promise<void> | undefined
  let closed = false

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting.slice(0, MAX_GROUP)
      waiting = waiting.slice(MAX_GROUP)
      try {
        // Awaited only where it is a promise: on the server the whole group is one synchronous stretch.
        const opening = backing.open()
        const store = opening instanceof Promise ? await opening : opening
        const outcomes = commitGroup(store, group, backing)
        if (backing.persist !== undefined) await backing.persist()
        for (const [i, outcome] of outcomes.entries())
          'value' in outcome ? group[i]!.resolve(outcome.value) : group[i]!.reject(outcome.error)
      } catch (cause) {
        const error = toUnavailable(cause)
        for (const job of group) job.reject(error)
      }
    }
    // In the same stretch as the last look at the queue: a later write must announce a flush of its own.
    flushing = undefined
  }

  return {
    async read<T>(work: (ledger: LedgerReads) => T): Promise<T> {
      if (closed) throw toUnavailable(undefined)
      try {
        for (;;) {
          // Where commits take time to reach the medium, a read waits: it must not show what may yet be lost.
          while (backing.persist !== undefined && flushing !== undefined) await flushing
          const opening = backing.open()
          if (opening instanceof Promise) {
            // Others waited for it too, and may have begun to write.
            await opening
            continue
          }
          backing.beforeRead?.()
          return work(opening.ledger)
        }
      } catch (error) {
        throw isSvcError(error) ? error : toUnavailable(error)
      }
    },
    write<T>(work: (ledger: Ledger) => T): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        if (closed) return reject(toUnavailable(undefined))
        waiting.push({ work, resolve: resolve as (value: unknown) => void, reject })
        flushing ??= new Promise((done) => {
          // While each turn brings more, the group grows: one sync for many. A lone write waits for nobody.
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

function commitGroup({ ledger, control }: OpenStore, group: readonly Job[], backing: GroupBacking): Outcome[] {
  control('BEGIN IMMEDIATE')
  try {
    const outcomes = group.map((job) => runJob(control, ledger, job))
    backing.beforeCommit?.()
    control('COMMIT')
    return outcomes
  } catch (error) {
    try {
      control('ROLLBACK')
    } catch {
      // SQLite has rolled back by itself, as it does on a full disk.
    }
    throw error
  }
}

/** A refusal undoes its own writes; anything else thrown is the store's failure and ends the group. */
function runJob(control: OpenStore['control'], ledger: Ledger, job: Job): Outcome {
  control('SAVEPOINT job')
  try {
    const value = job.work(ledger)
    control('RELEASE job')
    return { value }
  } catch (error) {
    if (!isSvcError(error)) throw error
    control('ROLLBACK TO job')
    control('RELEASE job')
    return { error }
  }
}

function toUnavailable(cause: unknown): Error {
  if (isSvcError(cause, 'receipt_store_unavailable')) return cause
  return fail('receipt_store_unavailable', { cause, headers: { 'retry-after': '1' } })
}
