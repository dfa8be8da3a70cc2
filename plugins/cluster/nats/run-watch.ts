import type { Msg, NatsConnection } from '@nats-io/transport-node'
import type { Clock } from '../../../core/kernel/environment.ts'
import type { RunsWatcher } from '../../realtime/runs/shared/api.ts'
import type { Consumer } from './consumer.ts'
import { hasMajority, highestSequence, type StreamInfo, streamInfo } from './jetstream.ts'
import { ALL_RUNS, RUNS } from './names.ts'
import { BEAT_MS, type RunConsumers } from './run-consumers.ts'
import { readHead } from './run-head.ts'
import type { SkippedRuns } from './skipped-runs.ts'

/**
 * How long a question waits for a watch that lags behind the store, and after how much silence its consumer is renewed,
 * in milliseconds.
 */
const CURRENT_MS = 2_000

/** Pause between a gap and the replay of all heads, in milliseconds: mostly several messages are missing at once. */
const MISSED_MS = 50

/** Pause between two questions for the newest head while a replay has not reached it, in milliseconds. */
const ASK_AGAIN_MS = 100

/** What `RunWatch` works with. */
export interface RunWatchOptions {
  readonly consumers: RunConsumers
  readonly clock: Clock
  /** The connection. @throws Error if there is none */
  readonly connection: () => NatsConnection
  /** Creates the streams if they are missing. */
  readonly prepare: (nats: NatsConnection) => Promise<void>
  /** Called when the stream of the logs has been replaced by another one. */
  readonly onReplaced: () => void
  readonly watcher: RunsWatcher
  readonly skipped: SkippedRuns
  /** Called with the subject of a message that is skipped because no node wrote it. */
  readonly onSkipped: (subject: string) => void
}

/** A replay of all heads. It is delivered once the server has sent what it had. */
interface Replay {
  isDelivered: boolean
}

/** Follows the heads of all runs, and records the position up to which the watcher has them. */
export class RunWatch {
  readonly #options: RunWatchOptions
  readonly #consumer: Consumer
  readonly #waiting = new Set<{ readonly position: number; readonly resolve: () => void }>()
  /** The watcher has all heads up to this position. */
  #reached = 0
  /**
   * Whether the replay is complete. From then on a gap in the positions means a missing message, because every append
   * is a message of this consumer: nats-server 2.9 skips a stored message that it has not delivered yet when a rollup
   * removes others, and may deliver it after later ones. After a gap or an earlier position all heads are replayed.
   */
  #isLive = false
  #isMissing = false
  /** Whether the replay is complete but for heads before skipped messages. */
  #isHeld = false
  /** The replay under way, or the last one. */
  #replay: Replay = { isDelivered: false }
  /**
   * The smallest position of a head, if the last comparison found it before the first message of the stream; 0
   * otherwise.
   */
  #missingHead = 0
  /** When a replay began, or its newest message came, on the monotonic clock. */
  #progressAt = 0
  /** The last position of the stream when the consumer was created. */
  #atLeast = 0
  /** When the stream was created; another time means another stream. */
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
        this.#progressAt = options.clock.monotonic()
        if (this.#isLive && !this.#isMissing && position !== this.#reached + 1) this.#miss()
        const head = readHead(message)
        if (head === undefined) this.#skip(message, position)
        else {
          options.skipped.passed(message)
          watcher.head({ ...head, position })
        }
        if (!this.#isMissing) this.#reach(position)
        if (this.#replay.isDelivered && !this.#isLive && this.#reached >= this.#atLeast) this.#complete()
      },
      onCaughtUp: () => {
        this.#replay.isDelivered = true
        if (this.#reached >= this.#atLeast) this.#complete()
        else void this.#untilComplete(this.#replay)
      },
    })
  }

  /** Replays all heads, from whichever server NATS chooses, unless a replay is under way. */
  renew(): void {
    if (!this.#isLive) return
    this.#isLive = false
    this.#consumer.renew()
  }

  /** How many messages of a state of the stream have not arrived. */
  lag({ state }: StreamInfo): number {
    return Math.max(0, state.last_seq - this.#reached)
  }

  /** Resolves once the watcher has everything that was appended before the call. */
  current(): Promise<void> {
    // A call during a request shares the next request, because the present answer may be older than the call.
    if (this.#asking === undefined) return this.#ask()
    this.#next ??= this.#asking
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined
        return this.#ask()
      })
    return this.#next
  }

  /**
   * Compares the stream with the runs that are known. If an operator removed messages, their heads may be among them:
   * the stream begins behind a run. The removal of a run looks the same until its mark arrives, so the heads are
   * replayed the second time.
   */
  detectRemovedMessages({ state }: StreamInfo): void {
    const { oldest } = this.#options.watcher
    const isLost = oldest < state.first_seq
    const isSecond = isLost && this.#missingHead === oldest
    this.#missingHead = isLost && !isSecond ? oldest : 0
    if (isSecond) this.#consumer.renew()
  }

  async #begin(nats: NatsConnection): Promise<void> {
    const { clock, prepare, onReplaced, watcher } = this.#options
    this.#progressAt = clock.monotonic()
    // An operator may have removed the streams since the connection was made.
    await prepare(nats)
    const { created, state } = await infoWithMajority(nats)
    this.#progressAt = clock.monotonic()
    // Another stream has none of the known runs, and its positions begin at 1.
    if (this.#created !== undefined && this.#created !== created) onReplaced()
    this.#created = created
    this.#reached = 0
    this.#isLive = this.#isMissing = this.#isHeld = false
    this.#replay = { isDelivered: false }
    this.#atLeast = state.last_seq
    watcher.begin()
  }

  /** Skips a message. The run whose newest message it is has its head before. */
  #skip(message: Msg, position: number): void {
    const { skipped, watcher, onSkipped } = this.#options
    onSkipped(message.subject)
    void skipped.add(message, position).then((head) => {
      if (head !== undefined) watcher.head(head)
      if (this.#isHeld && !skipped.isFinding) this.#complete()
    })
  }

  #complete(): void {
    // Without its head a run would count as removed.
    this.#isHeld = this.#options.skipped.isFinding
    if (this.#isHeld) return
    this.#options.watcher.complete()
    this.#isLive = true
    this.#reach(this.#atLeast)
  }

  /**
   * Completes a replay that ended before the last position of the stream. Either the copy that delivers lacks messages,
   * as it does on a server that was away: they follow. Or the last messages were removed: then no server has a
   * later head.
   */
  async #untilComplete(replay: Replay): Promise<void> {
    const { clock } = this.#options
    const isOver = (): boolean => this.#isLive || this.#replay !== replay
    while (!this.#isSilent) {
      const newest = await this.#newestHead().catch(() => Number.POSITIVE_INFINITY)
      if (isOver()) return
      if (newest <= this.#reached) return this.#complete()
      await new Promise<void>((resolve) => void clock.setTimeout(resolve, ASK_AGAIN_MS))
      if (isOver()) return
    }
    // A new consumer may be on a server with all messages.
    this.#consumer.renew()
  }

  /** The position of the newest head; 0 if there is none. @throws Error if the leader of the stream does not answer */
  async #newestHead(): Promise<number> {
    const nats = this.#options.connection()
    await infoWithMajority(nats)
    return highestSequence(nats, RUNS, ALL_RUNS)
  }

  get #isSilent(): boolean {
    return this.#options.clock.monotonic() - this.#progressAt >= CURRENT_MS
  }

  #miss(): void {
    this.#isMissing = true
    // Retention must not choose runs before the missing heads are replayed.
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
    const { state } = await infoWithMajority(connection())
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
    // A replay that makes progress would begin again with each question that it does not answer in time.
    if (this.#isSilent) this.#consumer.renew()
    throw new Error('the heads of runs did not arrive from NATS in time')
  }

  #reach(position: number): void {
    if (position <= this.#reached) return
    this.#reached = position
    for (const one of [...this.#waiting]) if (one.position <= position) one.resolve()
  }
}

/** The state of the stream. @throws Error if it may be out of date */
async function infoWithMajority(nats: NatsConnection): Promise<StreamInfo> {
  const info = await streamInfo(nats, RUNS)
  if (!hasMajority(info)) throw new Error('the stream of the runs has no majority of its servers')
  return info
}
