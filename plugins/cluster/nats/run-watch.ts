import type { NatsConnection } from '@nats-io/transport-node'
import type { Clock } from '../../../core/environment.ts'
import type { RunsWatcher } from '../../realtime/api.ts'
import type { Consumer } from './consumer.ts'
import { streamInfo } from './jetstream.ts'
import { ALL_RUNS, logOf, RUNS } from './names.ts'
import { BEAT_MS, type RunConsumers } from './run-consumers.ts'
import { readHead } from './run-head.ts'

/** How long the watch may lag behind the store before its consumer is made anew, in milliseconds. */
const CURRENT_MS = 2_000

/** How long after a missing message all heads are asked for, in milliseconds: more of them may be missing at once. */
const MISSED_MS = 50

/** What a watch works with. */
export interface RunWatchOptions {
  readonly consumers: RunConsumers
  readonly clock: Clock
  /** The connection; throws where there is none. */
  readonly connection: () => NatsConnection
  /** Makes the streams where they are missing. */
  readonly prepare: (nats: NatsConnection) => Promise<void>
  /** Told that the stream of the logs is another one. */
  readonly onReplaced: () => void
  readonly watcher: RunsWatcher
}

/** Follows the heads of all runs, and knows up to where. */
export class RunWatch {
  readonly #options: RunWatchOptions
  readonly #consumer: Consumer
  readonly #waiting = new Set<{ readonly position: number; readonly resolve: () => void }>()
  /** All up to this position were told. */
  #reached = 0
  /**
   * Every append is a message here, so that none may be missing behind the first. nats-server 2.9 skips one that it has
   * stored and not yet delivered when it removes what a tombstone stands for: then all heads are asked for again.
   */
  #isLive = false
  #isMissing = false
  /** Where the stream ended when the consumer was made. */
  #atLeast = 0
  /** When the stream was made: another time, another stream. */
  #created: string | undefined
  #asking: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(options: RunWatchOptions) {
    this.#options = options
    const { watcher } = options
    this.#consumer = options.consumers.open({
      heartbeatMs: BEAT_MS,
      config: () => ({ filter_subject: ALL_RUNS, deliver_policy: 'last_per_subject', headers_only: true }),
      onBegin: (nats) => this.#begin(nats),
      onMessage: ({ position, message }) => {
        if (this.#isLive && !this.#isMissing && position > this.#reached + 1) this.#miss()
        const head = readHead(message)
        if (head !== undefined && logOf(head.record) === message.subject) watcher.head({ ...head, position })
        if (!this.#isMissing) this.#reach(position)
      },
      onCaughtUp: () => {
        watcher.complete()
        this.#isLive = true
        // What stood at the end then may be gone by now.
        this.#reach(this.#atLeast)
      },
    })
  }

  /** Resolves once the watcher was told of all that was appended before the call. */
  current(): Promise<void> {
    // Whoever asks while an answer is on its way shares the next one: the first may be from before its call.
    if (this.#asking === undefined) return this.#ask()
    this.#next ??= this.#asking
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined
        return this.#ask()
      })
    return this.#next
  }

  async #begin(nats: NatsConnection): Promise<void> {
    const { prepare, onReplaced, watcher } = this.#options
    // Somebody may have removed them while the connection stood.
    await prepare(nats)
    const { created, state } = await streamInfo(nats, RUNS)
    // Nothing of what was known is in another stream, and its numbers begin anew.
    if (this.#created !== undefined && this.#created !== created) onReplaced()
    this.#created = created
    this.#reached = 0
    this.#isLive = this.#isMissing = false
    this.#atLeast = state.last_seq
    watcher.begin()
  }

  #miss(): void {
    this.#isMissing = true
    // Retention decides nothing before the missing heads are here.
    this.#options.watcher.begin()
    this.#options.clock.setTimeout(() => this.#consumer.renew(), MISSED_MS)
  }

  #ask(): Promise<void> {
    this.#asking = this.#askNow().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async #askNow(): Promise<void> {
    const { clock, connection } = this.#options
    const { state } = await streamInfo(connection(), RUNS)
    if (this.#reached >= state.last_seq) return
    const isInTime = await new Promise<boolean>((resolve) => {
      const end = (reached: boolean): void => {
        clock.clearTimeout(timer)
        this.#waiting.delete(waiting)
        resolve(reached)
      }
      const waiting = { position: state.last_seq, resolve: () => end(true) }
      const timer = clock.setTimeout(() => end(false), CURRENT_MS)
      this.#waiting.add(waiting)
    })
    if (isInTime) return
    this.#consumer.renew()
    throw new Error('the runs in NATS could not be followed')
  }

  #reach(position: number): void {
    if (position <= this.#reached) return
    this.#reached = position
    for (const one of [...this.#waiting]) if (one.position <= position) one.resolve()
  }
}
