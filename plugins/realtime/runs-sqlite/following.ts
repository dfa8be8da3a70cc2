import type { NodeStore } from '../../store/api.ts'
import type { RunFollower, StoredHead } from '../runs/shared/api.ts'
import { readAppends, type StoredAppend } from './statements.ts'

/** Stored appends that are read at a time: together they hold the event loop for a few milliseconds at most. */
const SLICE = 64

/** What `Following` works with. */
export interface FollowingOptions {
  readonly store: Pick<NodeStore, 'read'>
  /** Lets other work of the event loop run. */
  readonly yieldLoop: () => Promise<void>
  /** As `runKey` makes it. */
  readonly run: string
  /** The position after which to begin. */
  readonly after: number
  readonly follower: RunFollower
}

/** One follower of a run: it gets the stored appends, then new ones as they come, each once and in order. */
export class Following {
  readonly #options: FollowingOptions
  /** The follower has every append of the run up to this position. */
  #last: number
  #isReading = false
  /** Whether something was appended that the read under way may not see. */
  #hasNews = false
  #isClosed = false

  constructor(options: FollowingOptions) {
    this.#options = options
    this.#last = options.after
    this.renew()
  }

  /** Reads from the last position again. */
  renew(): void {
    this.#hasNews = true
    if (this.#isReading || this.#isClosed) return
    this.#isReading = true
    this.#read()
      .catch(() => this.#isClosed || this.#options.follower.lost())
      .finally(() => {
        this.#isReading = false
      })
  }

  /** Takes a new append. */
  take(head: StoredHead, events: readonly string[]): void {
    if (this.#isReading) this.#hasNews = true
    else if (!this.#isClosed && head.position > this.#last) {
      this.#last = head.position
      this.#options.follower.batch(head, events)
    }
  }

  close(): void {
    this.#isClosed = true
  }

  async #read(): Promise<void> {
    const { store, run, yieldLoop } = this.#options
    let isFirst = true
    while (this.#hasNews && !this.#isClosed) {
      this.#hasNews = false
      const appends = await store.read((ledger) => readAppends(ledger, run, this.#last, SLICE))
      for (const [index, append] of appends.entries()) {
        if (this.#isClosed) return
        // The head of the newest append covers those before it.
        this.#give(append, isFirst || index === appends.length - 1)
        isFirst = false
      }
      if (appends.length < SLICE) continue
      this.#hasNews = true
      await yieldLoop()
    }
  }

  #give(append: StoredAppend, isHeadNeeded: boolean): void {
    const { follower } = this.#options
    const { position, events, head } = append
    this.#last = position
    if (isHeadNeeded || follower.earlier === undefined) follower.batch(head(), events)
    else follower.earlier(append, events)
  }
}
