/**
 * Grouped commits. The writes of all requests of one turn of the event loop go to disk with one sync, and no request is answered
 * before it. Each piece of work in a group has its own savepoint, so that one that throws leaves nothing and does not affect
 * the others.
 */
import type { Awaitable } from '../../../../core/awaitable.ts'
import { type ErrorOptions, isSvcError } from '../../../../core/errors.ts'
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
  /** Runs before the running transaction commits. */
  readonly last: Set<() => void>
}

/** Message and hint for an error of the database. */
export type Explain = (error: unknown) => ErrorOptions

/** The parts of an open database. Statements throw `receipt_store_unavailable`; control statements throw the error of SQLite. */
export function toOpenStore(driver: SqlDriver, explain?: Explain): OpenStore {
  const prepared = new Map<string, SqlStatement>()
  const last = new Set<() => void>()
  return {
    driver,
    ledger: { ...createLedger(throwingUnavailable(driver, explain)), beforeCommit: (work) => void last.add(work) },
    last,
    control(sql) {
      let statement = prepared.get(sql)
      if (statement === undefined) prepared.set(sql, (statement = driver.prepare(sql)))
      statement.run()
    },
  }
}

/** What a platform adds to grouped commits. */
export interface GroupBacking {
  /** The open database; opens it if needed. Throws if it cannot be used now. */
  open(): Awaitable<OpenStore>
  /** Called before reads outside of a transaction. Throws if the database may be gone. */
  beforeRead?(): void
  /** Called after all writes, before the commit. Throws if the commit would be lost. */
  beforeCommit?(): void
  /** Called after the commit; resolves once it is on the medium. After a failure `open` must start from the medium. */
  persist?(): Promise<void>
  /** Runs the flush after this turn of the event loop. */
  schedule(flush: () => void): void
  /** Milliseconds on a monotonic clock, if others wait for the event loop. */
  now?(): number
  /** If other processes may lock the database: whether an error means that, and how to wait without blocking the event loop. */
  readonly sharing?: { isBusy(error: unknown): boolean; pause(delayMs: number): Promise<unknown> }
  readonly explain?: Explain
  close(): Promise<void>
}

interface Job {
  readonly work: (ledger: Ledger) => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

type Outcome = { readonly value: unknown } | { readonly error: unknown }

/** A group has at most this many pieces of work, and begins none after this many milliseconds, so that it does not block the event loop. */
const [MAX_GROUP, MAX_GROUP_MS] = [256, 50]
/** Pauses while another process locks the database, about 2 s together; then the caller gets the error. */
const BUSY_PAUSES_MS: readonly number[] = [2, 5, 10, 20, ...Array<number>(40).fill(50)]

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

/** Creates a store over a backing. */
export function createGroupedStore(backing: GroupBacking): ReceiptStore {
  let waiting: Job[] = []
  /** Set while a flush is scheduled or running. */
  let flushing: Promise<void> | undefined
  let closed = false

  /** Waits with a timer. SQLite's own waiting would block the event loop, and with it requests that need no commit. */
  const whileShared = <T>(attempt: () => Awaitable<T>): Awaitable<T> => {
    try {
      // On the server a whole group is synchronous, and no promise is made.
      const made = attempt()
      return made instanceof Promise ? made.catch((error: unknown) => tryAgain(attempt, error)) : made
    } catch (error) {
      return tryAgain(attempt, error)
    }
  }

  const tryAgain = async <T>(attempt: () => Awaitable<T>, given: unknown): Promise<T> => {
    let error = given
    for (const pauseMs of BUSY_PAUSES_MS) {
      if (backing.sharing?.isBusy(causeOf(error)) !== true) break
      await backing.sharing.pause(pauseMs)
      try {
        return await attempt()
      } catch (next) {
        error = next
      }
    }
    throw error
  }

  const readNow = <T>(work: (ledger: LedgerReads) => T): Awaitable<T> => {
    // If commits reach the medium later, a read waits for them: it must not show what may still be lost.
    const before = backing.persist === undefined ? undefined : flushing
    const opening = before ?? backing.open()
    // Another caller may have begun to write meanwhile.
    if (opening instanceof Promise) return opening.then(() => readNow(work))
    backing.beforeRead?.()
    return work(opening.ledger)
  }

  const commit = (group: readonly Job[]): Awaitable<Outcome[]> => {
    const opening = backing.open()
    if (opening instanceof Promise) return opening.then((store) => commitGroup(store, group, backing))
    return commitGroup(opening, group, backing)
  }

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting.slice(0, MAX_GROUP)
      waiting = waiting.slice(MAX_GROUP)
      try {
        const outcomes = await whileShared(() => commit(group))
        if (backing.persist !== undefined) await backing.persist()
        // Work for which there was no time is first in the next group.
        waiting = [...group.slice(outcomes.length), ...waiting]
        for (const [i, outcome] of outcomes.entries())
          'value' in outcome ? group[i]!.resolve(outcome.value) : group[i]!.reject(outcome.error)
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
        return await whileShared(() => readNow(work))
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

/** Returns the outcomes of the work that there was time for, at least one. */
function commitGroup({ ledger, control, last }: OpenStore, group: readonly Job[], backing: GroupBacking): Outcome[] {
  const fromMs = backing.now?.() ?? 0
  const outcomes: Outcome[] = []
  last.clear()
  control('BEGIN IMMEDIATE')
  try {
    for (const job of group) {
      outcomes.push(runJob(control, ledger, job, group.length > 1 ? AMONG_OTHERS : ALONE, backing))
      if ((backing.now?.() ?? 0) - fromMs > MAX_GROUP_MS) break
    }
    for (const work of last) work()
    backing.beforeCommit?.()
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
 * Runs one piece of work. If it throws, its writes are undone, whatever the error is. If they cannot be undone alone, because
 * SQLite has ended the whole transaction, the group fails.
 */
function runJob(
  control: OpenStore['control'],
  ledger: Ledger,
  job: Job,
  { begin, end, undo }: Bounds,
  { sharing }: GroupBacking,
): Outcome {
  begin.forEach(control)
  try {
    const value = job.work(ledger)
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

/** A driver whose statements throw `receipt_store_unavailable`, so that a family cannot hide a failure of the store behind its own error. */
function throwingUnavailable(driver: SqlDriver, explain: Explain | undefined): SqlDriver {
  const throwing =
    <Given extends readonly unknown[], T>(work: (...given: Given) => T) =>
    (...given: Given): T => {
      try {
        return work(...given)
      } catch (error) {
        throw toUnavailable(error, explain)
      }
    }
  const prepare = throwing(driver.prepare)
  return {
    ...driver,
    prepare(sql) {
      const { run, get, all } = prepare(sql)
      return {
        run: throwing(run),
        get: throwing(get) as SqlStatement['get'],
        all: throwing(all) as SqlStatement['all'],
      }
    },
  }
}

function toUnavailable(cause: unknown, explain: Explain | undefined): Error {
  if (isSvcError(cause, 'receipt_store_unavailable')) return cause
  const explained = cause === undefined ? {} : explain?.(cause)
  return fail('receipt_store_unavailable', { cause, headers: { 'retry-after': '1' }, ...explained })
}

function causeOf(error: unknown): unknown {
  return isSvcError(error, 'receipt_store_unavailable') ? error.cause : error
}
