import type { RunName, RunOwner, RunRecord, RunsWatcher, StoredHead } from '../../api.ts'
import type { RunManagerOptions } from '../manager.ts'
import { type Counted, Shares } from '../shares.ts'

/** How long removed runs are remembered, in milliseconds: longer than the marks of their removal are in the store. */
const goneMs = 600_000

/** A run of the cluster as its newest head describes it. */
export class Entry implements Counted {
  head: StoredHead
  /** When this node saw the newest append or the removal, in milliseconds of its monotonic clock. */
  changedAt: number
  gone = false
  /** Whether the entry comes from a replay, and nothing was appended since. */
  isReplayed = false
  readonly preludeBytes = 0
  readonly preludes: Counted['preludes'] = { clear: () => undefined }

  constructor(head: StoredHead, now: number) {
    this.head = head
    this.changedAt = now
  }

  get record(): RunRecord {
    return this.head.record
  }

  get name(): RunName {
    return this.record
  }

  get bytes(): number {
    return this.head.bytes
  }
}

/** What a directory works with. */
export interface DirectoryOptions extends RunManagerOptions {
  /** Removes what the store has of a run. */
  readonly erase: (entry: Entry) => void
}

/**
 * All runs of the cluster by their heads: owner, status, and the bytes that they take together.
 *
 * Retention has to choose the same runs on every node, because each node erases what it chooses. So finished runs are ordered
 * by their positions in the store, a run that this node removed is not admitted again by an old head, and no run is chosen
 * while heads are replayed.
 */
export class Directory implements RunsWatcher {
  readonly shares: Shares<Entry>
  readonly #options: DirectoryOptions
  readonly #entries = new Map<string, Entry>()
  /** The runs replayed so far; undefined while nothing is replayed. */
  #replayed: Set<string> | undefined
  running = 0

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

  /** The runs of an owner, newest first. */
  list(owner: RunOwner): readonly Entry[] {
    const all = [...(this.shares.find(owner)?.runs.values() ?? [])].reverse()
    return all.sort((a, b) => b.record.created_at_ms - a.record.created_at_ms)
  }

  /** Removes a run, and erases it in the store. */
  forget(entry: Entry): void {
    this.#remove(entry)
    this.#options.erase(entry)
  }

  begin(): void {
    this.#replayed = new Set()
  }

  head(head: StoredHead): void {
    const now = this.#options.clock.monotonic()
    const key = keyOf(head.record)
    this.#replayed?.add(key)
    const known = this.#entries.get(key)
    if (known !== undefined && isOld(head, known)) return
    if (known !== undefined && !known.gone) {
      if (!head.gone && known.record.epoch === head.record.epoch) {
        this.#update(known, head, now)
        return
      }
      this.#remove(known)
    }
    const entry = new Entry(head, now)
    this.#entries.set(key, entry)
    entry.gone = head.gone
    entry.isReplayed = this.#replayed !== undefined
    if (!head.gone) this.#add(entry)
  }

  complete(): void {
    const replayed = this.#replayed
    this.#replayed = undefined
    if (replayed === undefined) return
    for (const [key, entry] of this.#entries) {
      if (replayed.has(key)) continue
      if (!entry.gone) this.#remove(entry)
      this.#entries.delete(key)
    }
    // A head that the store had skipped comes after newer ones.
    this.shares.sortFinished((one, other) => one.head.position - other.head.position)
    this.shares.limitFinished()
  }

  /** Deletes entries of runs that have been removed for long, once the store has the marks of their removal. */
  tidy(): void {
    const now = this.#options.clock.monotonic()
    for (const [key, { gone, head, changedAt }] of this.#entries)
      if (gone && head.gone && now - changedAt > goneMs) this.#entries.delete(key)
  }

  close(): void {
    this.shares.clear()
    this.#entries.clear()
  }

  #add(entry: Entry): void {
    this.shares.add(entry)
    this.#options.onChange?.('insert', entry.record)
    if (entry.record.status === 'running') this.running++
    else this.#finish(entry)
  }

  #update(entry: Entry, head: StoredHead, now: number): void {
    const wasRunning = entry.record.status === 'running'
    entry.head = head
    entry.changedAt = now
    entry.isReplayed = false
    this.shares.weigh(entry)
    if (!wasRunning || head.record.status === 'running') return
    this.running--
    this.#options.onChange?.('update', entry.record)
    this.#finish(entry)
  }

  #finish(entry: Entry): void {
    this.shares.finish(entry)
    // While heads are replayed, runs that other nodes removed may still be counted here.
    if (this.#replayed === undefined) this.shares.limitFinished()
  }

  #remove(entry: Entry): void {
    entry.gone = true
    entry.changedAt = this.#options.clock.monotonic()
    if (entry.record.status === 'running') this.running--
    this.shares.remove(entry)
    this.#options.onChange?.('delete', entry.record)
  }
}

/** Whether a head that is replayed changes nothing of an entry. */
function isOld({ position, id, gone, record }: StoredHead, known: Entry): boolean {
  const { head } = known
  if (head.position === position && head.id === id && known.gone === gone) return true
  // The mark of a removal may not be in the store yet, so the last head of the removed run is replayed.
  return known.gone && !gone && known.record.epoch === record.epoch && position <= head.position
}

/** The key of a run in maps: its owner and its id. */
export function keyOf({ owner: { tenant_id, user_id }, run_id }: RunName): string {
  return JSON.stringify([tenant_id, user_id, run_id])
}
