import type { RunManagerOptions } from '../manager.ts'
import { Shares } from '../shares.ts'
import type { RunName, RunsWatcher, StoredHead } from './api.ts'
import { Entry, keyOf } from './entry.ts'

/**
 * How long a node remembers removed runs whose marks another node erases, in milliseconds: longer than the marks are in
 * the store.
 */
const goneMs = 60_000

/** What a directory works with. */
export interface DirectoryOptions extends RunManagerOptions {
  /** Whether runs outlast the process. */
  readonly outlasts?: boolean
  /** Removes what the store has of a run. */
  readonly erase: (entry: Entry) => void
}

/**
 * All runs of the cluster by their heads: owner, status, and the bytes that they take together. A removed run is
 * remembered as long as its mark may be in the store, and is counted as its owner's.
 *
 * Retention has to choose the same runs on every node, because each node erases what it chooses. So finished runs are
 * ordered by their positions in the store, also if the store delivers a head late, a run that this node removed is not
 * admitted again by an old head, and no run is chosen while heads are replayed.
 */
export class Directory implements RunsWatcher {
  readonly shares: Shares<Entry>
  readonly #options: DirectoryOptions
  readonly #entries = new Map<string, Entry>()
  /** The runs replayed so far; undefined while nothing is replayed. */
  #replayed: Set<string> | undefined
  /** The greatest position of a head since the beginning of the last replay. */
  #newest = 0

  constructor(options: DirectoryOptions) {
    this.#options = options
    this.shares = new Shares<Entry>({
      ...options,
      monotonic: () => options.clock.monotonic(),
      forget: (entry) => this.forget(entry),
    })
  }

  /** All entries, those of removed runs included. */
  get entries(): readonly Entry[] {
    return [...this.#entries.values()]
  }

  get oldest(): number {
    let oldest = Number.POSITIVE_INFINITY
    for (const { gone, head } of this.#entries.values()) if (!gone) oldest = Math.min(oldest, head.position)
    return oldest
  }

  /** The entry of a run, also if the run is removed. */
  find(name: RunName): Entry | undefined {
    return this.#entries.get(keyOf(name))
  }

  /** The entry of a run that exists. */
  get(name: RunName): Entry | undefined {
    const entry = this.find(name)
    return entry?.gone === false ? entry : undefined
  }

  /** Removes a run, and erases it in the store. */
  forget(entry: Entry): void {
    this.#remove(entry)
    this.#options.erase(entry)
  }

  begin(): void {
    this.#replayed = new Set()
    this.#newest = 0
  }

  head(head: StoredHead): void {
    const key = keyOf(head.record)
    this.#replayed?.add(key)
    const entry = this.#entries.get(key)
    const isLate = head.position < this.#newest
    this.#newest = Math.max(this.#newest, head.position)
    if (entry === undefined) this.#add(head, isLate)
    else if (isOld(head, entry)) return
    else if (!entry.gone && !head.gone && entry.record.epoch === head.record.epoch) this.#update(entry, head, isLate)
    else this.#replace(entry, head, isLate)
  }

  complete(): void {
    const replayed = this.#replayed
    this.#replayed = undefined
    if (replayed === undefined) return
    for (const [key, entry] of this.#entries) {
      if (replayed.has(key)) continue
      if (!entry.gone) this.#remove(entry)
      this.drop(entry)
    }
    // A head that the store had skipped comes after newer ones.
    this.#limitFinished(true)
  }

  /** Deletes entries of runs that have been removed for long, once the store has the marks of their removal. */
  tidy(): void {
    const now = this.#options.clock.monotonic()
    for (const entry of this.#entries.values())
      if (entry.gone && entry.head.gone && now - entry.changedAt > goneMs) this.drop(entry)
  }

  /** Forgets a removed run. */
  drop(entry: Entry): void {
    const key = keyOf(entry.name)
    // The name may belong to a newer run.
    if (this.#entries.get(key) !== entry) return
    this.#entries.delete(key)
    entry.release()
  }

  close(): void {
    this.shares.clear()
    this.#entries.clear()
  }

  #add(head: StoredHead, isLate: boolean): void {
    const entry = new Entry(head, this.#changedAt(head))
    this.#entries.set(keyOf(head.record), entry)
    entry.isReplayed = this.#replayed !== undefined
    this.shares.add(entry)
    if (head.gone) this.#bury(entry)
    else {
      this.#options.onChange?.('insert', entry.record)
      if (entry.record.status !== 'running') this.#finish(entry, isLate)
    }
  }

  /**
   * Since when a run is as its head says. Of a run that ended before the start, the end is known; a clock that was set
   * back makes it new.
   */
  #changedAt({ record: { ended_at_ms } }: StoredHead): number {
    const { clock, outlasts = false } = this.#options
    const wasEarlier = outlasts && this.#replayed !== undefined && ended_at_ms !== null
    return clock.monotonic() - (wasEarlier ? Math.max(0, clock.now() - ended_at_ms) : 0)
  }

  /** Takes the mark of a removed run, or a new run of the same name. */
  #replace(entry: Entry, head: StoredHead, isLate: boolean): void {
    if (!entry.gone) this.#remove(entry)
    if (head.gone) {
      entry.head = head
      entry.changedAt = this.#options.clock.monotonic()
    } else {
      entry.release()
      this.#add(head, isLate)
    }
  }

  #update(entry: Entry, head: StoredHead, isLate: boolean): void {
    const wasRunning = entry.record.status === 'running'
    const isRunning = head.record.status === 'running'
    entry.head = head
    entry.changedAt = this.#options.clock.monotonic()
    entry.isReplayed = false
    this.shares.weigh(entry)
    // A copy of the store that lags replays an older head, and the newer one after it.
    if (isRunning && !wasRunning) this.shares.reopen(entry)
    if (isRunning || !wasRunning) return
    this.#options.onChange?.('update', entry.record)
    this.#finish(entry, isLate)
  }

  #finish(entry: Entry, isLate: boolean): void {
    this.shares.finish(entry)
    // While heads are replayed, runs that other nodes removed may still be counted here.
    if (this.#replayed === undefined) this.#limitFinished(isLate)
  }

  #limitFinished(isUnsorted: boolean): void {
    if (isUnsorted) this.shares.sortFinished((one, other) => one.head.position - other.head.position)
    this.shares.limitFinished()
  }

  #remove(entry: Entry): void {
    this.#bury(entry)
    this.#options.onChange?.('delete', entry.record)
  }

  #bury(entry: Entry): void {
    entry.gone = true
    entry.changedAt = this.#options.clock.monotonic()
    entry.release = this.shares.hold(entry)
    this.shares.remove(entry)
  }
}

/** Whether a head that is replayed changes nothing of an entry. */
function isOld({ position, id, gone, record }: StoredHead, entry: Entry): boolean {
  const { head } = entry
  if (head.position === position && head.id === id && entry.gone === gone) return true
  // The mark of a removal may not be in the store yet, so the last head of the removed run is replayed.
  return entry.gone && !gone && entry.record.epoch === record.epoch && position <= head.position
}
