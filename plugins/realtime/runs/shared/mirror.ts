import type { OpenStream, RunBase, RunFollowing, RunName, RunStore, StoredHead } from '../../api.ts'
import type { StreamClock } from '../../streams/sink.ts'
import type { AnswerTime } from './answer-time.ts'
import { Intake, type Mark } from './intake.ts'
import type { SharedRun } from './shared-run.ts'

/** Batches of which the name is remembered, for appends whose acknowledgement was lost. */
const maxIds = 256

/** What a mirror works with. */
export interface MirrorOptions {
  readonly store: RunStore
  readonly clock: StreamClock
  readonly run: SharedRun
  readonly name: RunName
  /** Where its log begins, where that is not with its first event. */
  readonly base: RunBase | undefined
  /** A position at which it was this run. */
  readonly since: number
  /** Whether each append is to come with its head. */
  readonly strict: boolean
  readonly onTaken: () => void
  readonly onDropped: (error: unknown) => void
}

/** A run of the store in memory, for all its readers on this node, and the place from which this node appends to it. */
export class Mirror {
  readonly run: SharedRun
  readonly name: RunName
  /** The newest position it has. */
  position = 0
  /** The run as the newest batch says. */
  head: StoredHead | undefined
  dropped = false
  usedAt: number
  /** Appends under way. */
  busy = 0
  readonly readers: Set<OpenStream> = new Set()
  readonly #intake: Intake
  readonly #options: MirrorOptions
  readonly #ids = new Map<string, StoredHead>()
  readonly #waiting = new Set<() => void>()
  /** Where the run stood at the last look, and whether anything came since. */
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
    this.#following = store.follow(name, 0, {
      batch: (head, texts) => this.#take(head, texts),
      ...(!strict && {
        earlier: (position, texts) => {
          this.#isComing = true
          this.#try(() => this.#intake.gather(position, texts))
        },
      }),
      lost: () => this.drop(new Error('the log of the run is another')),
    })
  }

  /** Whether nobody reads it and nothing is appended. */
  get isIdle(): boolean {
    return this.readers.size === 0 && this.busy === 0
  }

  /** What a batch of this name became; undefined where it is not among the last ones. */
  find(id: string): StoredHead | undefined {
    return this.#ids.get(id)
  }

  /** What the store's log has of it, oldest first. */
  get marks(): Mark[] {
    return this.#intake.marks
  }

  /** Resolves true once it has a position, false where that takes too long. */
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

  /** The same, asking the store again where it takes long. */
  async reachSurely(position: number, ms: number): Promise<boolean> {
    if (await this.reach(position, ms / 2)) return true
    if (this.dropped) return false
    this.#following.renew()
    return this.reach(position, ms / 2)
  }

  /** To be called now and then with where the run stands: where nothing came of what there was then, the store is asked. */
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

  /** Follows no longer; readers of a run that goes on elsewhere are ended, and come back. */
  drop(error?: unknown): void {
    if (this.dropped) return
    this.dropped = true
    this.#following.close()
    if (this.run.endedAt === null) for (const reader of this.readers) reader.end()
    for (const look of [...this.#waiting]) look()
    this.#options.onDropped(error)
  }

  #take(head: StoredHead, texts: readonly string[]): void {
    this.#isComing = true
    if (this.dropped || head.position <= this.position) return
    const isAnother = head.gone || head.record.epoch !== this.run.epoch
    // What is left of one of the same name that was removed stands before it.
    if (isAnother && this.position === 0 && head.position < this.#options.since) return
    this.#try(() => {
      if (isAnother) throw new Error('the run is gone')
      this.#intake.take(head, texts)
      this.position = head.position
      this.head = head
      this.#ids.set(head.id, head)
      if (this.#ids.size > maxIds) this.#ids.delete(this.#ids.keys().next().value!)
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
