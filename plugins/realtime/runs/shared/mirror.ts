import type { OpenStream } from '../../streams/api.ts'
import type { StreamClock } from '../../streams/soon.ts'
import type { AnswerTime } from './answer-time.ts'
import type { RunBase, RunFollowing, RunName, RunStore, StoredHead } from './api.ts'
import { Intake, type Mark } from './intake.ts'
import type { SharedRun } from './shared-run.ts'

/** What `Mirror` works with. */
export interface MirrorOptions {
  readonly store: RunStore
  readonly clock: StreamClock
  readonly run: SharedRun
  readonly name: RunName
  /** Where the log begins; undefined if it begins with the first event of the run. */
  readonly base: RunBase | undefined
  /** A position at which the name belonged to this run. */
  readonly since: number
  /** Whether every append comes with its head. */
  readonly strict: boolean
  readonly onTaken: () => void
  readonly onDropped: (error: unknown) => void
}

/** A copy of a run in memory. All readers of this node read it, and appends of this node are judged by it. */
export class Mirror {
  readonly run: SharedRun
  readonly name: RunName
  /** The newest position that the copy has. */
  position = 0
  /** The head of the newest batch. */
  head: StoredHead | undefined
  /**
   * The batch that is being appended, and its head once it has come: also if the acknowledgement of the append was
   * lost.
   */
  awaited: { readonly id: string; head?: StoredHead } | undefined
  dropped = false
  usedAt: number
  /** How many appends are under way. */
  busy = 0
  readonly readers: Set<OpenStream> = new Set()
  readonly #intake: Intake
  readonly #options: MirrorOptions
  readonly #waiting = new Set<() => void>()
  /** The position of the run at the last check, and whether anything has come since. */
  #expected = 0
  #isComing = false
  readonly #following: RunFollowing
  #tail: Promise<unknown> = Promise.resolve()

  constructor(options: MirrorOptions) {
    const { run, name, base, store, clock, strict } = options
    this.#options = options
    this.run = run
    this.name = name
    this.usedAt = clock.monotonic()
    if (base !== undefined) run.beginAt(base)
    this.#intake = new Intake(run, () => clock.monotonic())
    const { readers } = this
    this.#following = store.follow(name, 0, {
      get readers() {
        return readers.size
      },
      batch: (head, texts) => this.#take(head, texts),
      ...(!strict && {
        earlier: (append, texts) => {
          this.#isComing = true
          this.#try(() => this.#intake.gather(append, texts))
        },
      }),
      lost: () => this.drop(new Error('the stream of the log was replaced')),
    })
  }

  /** Whether the copy has no readers and no appends. */
  get isIdle(): boolean {
    return this.readers.size === 0 && this.busy === 0
  }

  /** Appends that the store's log has, oldest first. */
  get marks(): Mark[] {
    return this.#intake.marks
  }

  /** Resolves true once the copy has a position, false if that takes too long. */
  reach(position: number, ms: number): Promise<boolean> {
    if (this.position >= position || this.dropped) return Promise.resolve(!this.dropped)
    const { clock } = this.#options
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.position < position && !this.dropped) return
        end(!this.dropped)
      }
      const end = (reached: boolean): void => {
        clock.clearTimeout(timer)
        this.#waiting.delete(look)
        resolve(reached)
      }
      const timer = clock.setTimeout(() => end(false), Math.max(0, ms))
      this.#waiting.add(look)
    })
  }

  /** As `reach`, but follows the store anew after half of the time. */
  async reachSurely(position: number, ms: number): Promise<boolean> {
    if (await this.reach(position, ms / 2)) return true
    if (this.dropped) return false
    this.#following.renew()
    return this.reach(position, ms / 2)
  }

  /**
   * To be called now and then with the position of the run. If nothing came since the last call, the store is followed
   * anew.
   */
  look(position: number): void {
    if (this.position < this.#expected && !this.#isComing) this.#following.renew()
    this.#expected = position
    this.#isComing = false
  }

  /** Does work when all earlier work for this run is done. @throws SvcError `overloaded` if that takes too long */
  inTurn<T>(work: () => Promise<T>, time: AnswerTime): Promise<T> {
    const earlier = this.#tail
    const done = time.wait(() => earlier).then(work)
    // The next one waits for both: work that was given up does not end what is before it.
    this.#tail = Promise.allSettled([earlier, done])
    return done
  }

  /** Stops to follow the store. Streams of a run that is not over end, and clients open them again. */
  drop(error?: unknown): void {
    if (this.dropped) return
    this.dropped = true
    this.#following.close()
    if (this.run.endedAt === null) for (const reader of this.readers) reader.interrupt()
    for (const look of [...this.#waiting]) look()
    this.#options.onDropped(error)
  }

  #take(head: StoredHead, texts: readonly string[]): void {
    this.#isComing = true
    if (this.dropped || head.position <= this.position) return
    const isAnother = head.gone || head.record.epoch !== this.run.epoch
    // Messages of a removed run of the same name come before those of this one.
    if (isAnother && this.position === 0 && head.position < this.#options.since) return
    this.#try(() => {
      if (isAnother) throw new Error('the run is gone')
      this.#intake.take(head, texts)
      this.position = head.position
      this.head = head
      if (head.id === this.awaited?.id) this.awaited.head = head
    })
    this.#options.onTaken()
    for (const look of [...this.#waiting]) look()
  }

  #try(work: () => void): void {
    if (this.dropped) return
    try {
      work()
    } catch (error) {
      this.drop(error)
    }
  }
}
