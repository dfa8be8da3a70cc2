import type { StoredHead } from './api.ts'
import type { SharedRun } from './shared-run.ts'

/** How many characters of stored events are added to the run at once. */
const gatherChars = 16_384

/** Events between two marks among appends without heads. A log is cut at a mark, which need not be exact. */
const markEvents = 16

/** An append that the store's log still has. */
export interface Mark {
  readonly position: number
  /** The sequence of its first event. */
  readonly first: number
}

/** Adds the store's log to a run: appends with their heads, or many appends of which only the last one has a head. */
export class Intake {
  /** Appends that the store's log has, oldest first; of appends without heads only some. */
  readonly marks: Mark[] = []
  readonly #run: SharedRun
  readonly #monotonic: () => number
  /** The sequence of the next event of the store's log. */
  #next = 1
  /** Events that are not added to the run yet, and how many characters they have. */
  #gathered: string[] = []
  /** When the store got each of them. */
  #times: StoredHead['atMs'][] = []
  #chars = 0
  /** Whether appends without heads came since the last head. */
  #isCounted = false

  constructor(run: SharedRun, monotonic: () => number) {
    this.#run = run
    this.#monotonic = monotonic
  }

  /** Adds an append without its head. */
  gather({ position, atMs }: Pick<StoredHead, 'position' | 'atMs'>, texts: readonly string[]): void {
    this.#isCounted = true
    const marked = this.marks.at(-1)
    if (marked === undefined || this.#next - marked.first >= markEvents) this.#mark(position)
    this.#hold(texts, atMs)
    if (this.#chars < gatherChars) return
    this.#run.extend(this.#gathered, this.#times, this.#monotonic())
    this.#release()
  }

  /** Adds an append. @throws Error if events are missing before it */
  take(head: StoredHead, texts: readonly string[]): void {
    const first = head.record.last_seq - texts.length + 1
    if (this.#isCounted ? first !== this.#next : first > this.#has) throw new Error('events of the run are missing')
    this.#isCounted = false
    this.#next = first
    this.#mark(head.position)
    this.#hold(texts, head.atMs)
    if (this.#gathered.length > 0) this.#run.follow(head, this.#gathered, this.#times, this.#monotonic())
    this.#release()
  }

  /** The sequence of the first event that has not arrived. */
  get #has(): number {
    return this.#run.feed.ring.next + this.#gathered.length
  }

  #mark(position: number): void {
    this.marks.push({ position, first: this.#next })
  }

  #hold(texts: readonly string[], atMs: StoredHead['atMs']): void {
    // Events before the base of the run are known already, and soon leave the log.
    const knownCount = this.#has - this.#next
    this.#next += texts.length
    for (const text of knownCount > 0 ? texts.slice(knownCount) : texts) {
      this.#gathered.push(text)
      this.#times.push(atMs)
      this.#chars += text.length
    }
  }

  #release(): void {
    this.#gathered = []
    this.#times = []
    this.#chars = 0
  }
}
