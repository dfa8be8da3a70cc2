import type { RunName, RunOwner, RunRecord, RunsWatcher, StoredHead } from '../../api.ts'
import type { RunManagerOptions } from '../manager.ts'
import { type Counted, Shares } from '../shares.ts'

/** How long what is gone is remembered, in milliseconds: longer than the one who removes it needs. */
const goneMs = 600_000

/** What is known of a run of the cluster. */
export class Entry implements Counted {
  head: StoredHead
  /** When something was appended last, on this node's monotonic clock. */
  changedAt: number
  gone = false
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
  /** Lets what is kept of a run go. */
  readonly erase: (entry: Entry) => void
}

/** All runs of the cluster, by their heads: whose they are, how they stand, and what they take together. */
export class Directory implements RunsWatcher {
  readonly shares: Shares<Entry>
  readonly #options: DirectoryOptions
  readonly #entries = new Map<string, Entry>()
  /** While everything is told anew: what was told. */
  #told: Set<string> | undefined
  running = 0

  constructor(options: DirectoryOptions) {
    this.#options = options
    this.shares = new Shares<Entry>({
      ...options,
      monotonic: () => options.clock.monotonic(),
      forget: (entry) => this.forget(entry),
    })
  }

  /** All that is known, what is gone as well. */
  get entries(): readonly Entry[] {
    return [...this.#entries.values()]
  }

  /** What is known of a run, also where it is gone. */
  find(name: RunName): Entry | undefined {
    return this.#entries.get(keyOf(name))
  }

  /** A run that is there. */
  get(name: RunName): Entry | undefined {
    const entry = this.find(name)
    return entry?.gone === false ? entry : undefined
  }

  /** The runs of an owner, newest first. */
  list(owner: RunOwner): readonly Entry[] {
    const all = [...(this.shares.find(owner)?.runs.values() ?? [])].reverse()
    return all.sort((a, b) => b.record.created_at_ms - a.record.created_at_ms)
  }

  /** Takes a run away from who has it, and lets what is kept of it go. */
  forget(entry: Entry): void {
    this.#remove(entry)
    this.#options.erase(entry)
  }

  begin(): void {
    this.#told = new Set()
  }

  head(head: StoredHead): void {
    const now = this.#options.clock.monotonic()
    const key = keyOf(head.record)
    this.#told?.add(key)
    const known = this.#entries.get(key)
    const { position, id, gone } = head
    if (known?.head.position === position && known.head.id === id && known.gone === gone) return
    if (known !== undefined && !known.gone && (gone || known.record.epoch !== head.record.epoch)) {
      this.#remove(known)
    }
    if (known !== undefined && !known.gone) {
      this.#update(known, head, now)
      return
    }
    const entry = new Entry(head, now)
    this.#entries.set(key, entry)
    entry.gone = gone
    if (!gone) this.#add(entry)
  }

  complete(): void {
    const told = this.#told
    this.#told = undefined
    if (told === undefined) return
    for (const [key, entry] of this.#entries) {
      if (told.has(key)) continue
      if (!entry.gone) this.#remove(entry)
      this.#entries.delete(key)
    }
  }

  /** Forgets what has been gone for long. */
  tidy(): void {
    const now = this.#options.clock.monotonic()
    for (const [key, { gone, changedAt }] of this.#entries)
      if (gone && now - changedAt > goneMs) this.#entries.delete(key)
  }

  close(): void {
    this.shares.clear()
    this.#entries.clear()
  }

  #add(entry: Entry): void {
    this.shares.add(entry)
    this.#options.onChange?.('insert', entry.record)
    if (entry.record.status === 'running') this.running++
    else this.shares.finish(entry)
  }

  #update(entry: Entry, head: StoredHead, now: number): void {
    const wasRunning = entry.record.status === 'running'
    entry.head = head
    entry.changedAt = now
    this.shares.weigh(entry)
    if (!wasRunning || head.record.status === 'running') return
    this.running--
    this.#options.onChange?.('update', entry.record)
    this.shares.finish(entry)
  }

  #remove(entry: Entry): void {
    entry.gone = true
    entry.changedAt = this.#options.clock.monotonic()
    if (entry.record.status === 'running') this.running--
    this.shares.remove(entry)
    this.#options.onChange?.('delete', entry.record)
  }
}

/** What a run is known by. */
export function keyOf({ owner: { tenant_id, user_id }, run_id }: RunName): string {
  return JSON.stringify([tenant_id, user_id, run_id])
}
