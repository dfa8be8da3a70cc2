import type { StoredHead } from '../../api.ts'
import type { SharedRun } from './shared-run.ts'

/** Characters of events that are taken together while many come. */
const gatherChars = 16_384

/** Of what comes so, an append is marked every so many events: that is where a log may be cut, and need not be exact. */
const markEvents = 16

/** One append that the store's log still has. */
export interface Mark {
  readonly position: number
  /** Its first event. */
  readonly first: number
}

/** Takes the store's log into a run: each append with its head, or many of which a later head answers for. */
export class Intake {
  /** What the store's log has of it, oldest first; not each of what came at once. */
  readonly marks: Mark[] = []
  readonly #run: SharedRun
  readonly #monotonic: () => number
  /** The sequence that the next event of the store's log has. */
  #next = 1
  /** Events that the run does not have yet, and their characters. */
  #gathered: string[] = []
  #chars = 0
  /** Whether events were only counted since the last head. */
  #isCounted = false

  constructor(run: SharedRun, monotonic: () => number) {
    this.#run = run
    this.#monotonic = monotonic
  }

  /** Takes an append of which no head is known. */
  gather(position: number, texts: readonly string[]): void {
    this.#isCounted = true
    const marked = this.marks.at(-1)
    if (marked === undefined || this.#next - marked.first >= markEvents) this.#mark(position)
    this.#hold(texts)
    if (this.#chars < gatherChars) return
    this.#run.extend(this.#gathered, this.#monotonic())
    this.#release()
  }

  /** Takes an append. @throws Error where something is missing before it */
  take(head: StoredHead, texts: readonly string[]): void {
    const first = head.record.last_seq - texts.length + 1
    if (this.#isCounted ? first !== this.#next : first > this.#has) throw new Error('events of the run are missing')
    this.#isCounted = false
    this.#next = first
    this.#mark(head.position)
    this.#hold(texts)
    if (this.#gathered.length > 0) this.#run.follow(head, this.#gathered, this.#monotonic())
    this.#release()
  }

  /** The sequence of the first event that is not here. */
  get #has(): number {
    return this.#run.feed.ring.next + this.#gathered.length
  }

  #mark(position: number): void {
    this.marks.push({ position, first: this.#next })
  }

  #hold(texts: readonly string[]): void {
    // What stands before the beginning is let go soon.
    const known = this.#has - this.#next
    this.#next += texts.length
    for (const text of known > 0 ? texts.slice(known) : texts) {
      this.#gathered.push(text)
      this.#chars += text.length
    }
  }

  #release(): void {
    this.#gathered = []
    this.#chars = 0
  }
}
