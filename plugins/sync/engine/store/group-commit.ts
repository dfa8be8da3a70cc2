/**
 * Grouped commits: what many requests write in one turn goes to disk with one sync, and no answer leaves before it.
 * Each piece of work among others has a savepoint of its own, so that one that throws leaves nothing and its neighbours stand.
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
  /** What is to be done before the running transaction commits. */
  readonly last: Set<() => void>
}

/** What is said of an error of the database. */
export type Explain = (error: unknown) => ErrorOptions

/** The parts of an open database. Statements throw `receipt_store_unavailable`, control throws what SQLite throws. */
export function toOpenStore(driver: SqlDriver, explain?: Explain): OpenStore {
  const prepared = new Map<string, SqlStatement>()
  const last = new Set<() => void>()
  return {
    driver,
    ledger: { ...createLedger(sayingUnavailable(driver, explain)), beforeCommit: (work) => void last.add(work) },
    last,
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
  open(): Awaitable<OpenStore>
  /** Called before reads alone: throws where what they see may be gone. */
  beforeRead?(): void
  /** Called with everything written and before the commit: throws where a commit would go nowhere. */
  beforeCommit?(): void
  /** Called after the commit: resolves once it is on the medium. A failure must leave `open` to start from the medium. */
  persist?(): Promise<void>
  /** Runs the flush after the work of this turn has been gathered. */
  schedule(flush: () => void): void
  /** Milliseconds that never go back, where there is a loop that others wait for. */
  now?(): number
  /** Where another process may hold the database: whether that is what an error says, and how to wait without the loop. */
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

/** Work in one group at most, and milliseconds after which it takes no more: one commit does not hold the loop for long. */
const [MAX_GROUP, MAX_GROUP_MS] = [256, 50]
/** Pauses while another process holds the database, some 2 s in all; then the caller hears of it. */
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
/** The transaction is its own: SQLite keeps no copy of every page that it changes. */
const ALONE: Bounds = { begin: [], end: [], undo: ['ROLLBACK', 'BEGIN IMMEDIATE'] }

/** Makes a store of a backing. */
export function createGroupedStore(backing: GroupBacking): ReceiptStore {
  let waiting: Job[] = []
  /** Set while a flush is announced or running. */
  let flushing: Promise<void> | undefined
  let closed = false

  /** Waits by timer and not in SQLite, which would hold the loop: requests that need no commit go on meanwhile. */
  const whileShared = <T>(attempt: () => Awaitable<T>): Awaitable<T> => {
    try {
      // A promise only where there is one: on the server a whole group is one synchronous stretch.
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
    // Where commits take time to reach the medium, a read waits: it must not show what may yet be lost.
    const before = backing.persist === undefined ? undefined : flushing
    const opening = before ?? backing.open()
    // Others waited for it too, and may have begun to write.
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
        // Who found no room in time is first in the next group.
        waiting = [...group.slice(outcomes.length), ...waiting]
        for (const [i, outcome] of outcomes.entries())
          'value' in outcome ? group[i]!.resolve(outcome.value) : group[i]!.reject(outcome.error)
      } catch (cause) {
        const error = toUnavailable(cause, backing.explain)
        for (const job of group) job.reject(error)
      }
      // Answers of this group leave, and others are read, before the next one holds the loop.
      if (waiting.length > 0) await new Promise<void>((next) => backing.schedule(next))
    }
    // In the same stretch as the last look at the queue: a later write must announce a flush of its own.
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

/** Gives what came of each of the group that there was time for: of one at least. */
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
      // SQLite has rolled back by itself, as it does on a full disk.
    }
    throw error
  }
}

/**
 * What throws undoes its own writes, whatever it throws: a refusal, a fault in a family, a constraint. Only where that
 * cannot be undone alone, because SQLite has given up the whole transaction, the store has failed and the group with it.
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
      // Another process may have come in between; then all is tried again.
      throw sharing?.isBusy(undoing) === true ? undoing : error
    }
    return { error }
  }
}

/** A driver whose statements say what the store says: what a family makes of an error of its own must not cover that. */
function sayingUnavailable(driver: SqlDriver, explain: Explain | undefined): SqlDriver {
  const saying =
    <Given extends readonly unknown[], T>(work: (...given: Given) => T) =>
    (...given: Given): T => {
      try {
        return work(...given)
      } catch (error) {
        throw toUnavailable(error, explain)
      }
    }
  const prepare = saying(driver.prepare)
  return {
    ...driver,
    prepare(sql) {
      const { run, get, all } = prepare(sql)
      return { run: saying(run), get: saying(get) as SqlStatement['get'], all: saying(all) as SqlStatement['all'] }
    },
  }
}

function toUnavailable(cause: unknown, explain: Explain | undefined): Error {
  if (isSvcError(cause, 'receipt_store_unavailable')) return cause
  const said = cause === undefined ? {} : explain?.(cause)
  return fail('receipt_store_unavailable', { cause, headers: { 'retry-after': '1' }, ...said })
}

function causeOf(error: unknown): unknown {
  return isSvcError(error, 'receipt_store_unavailable') ? error.cause : error
}
