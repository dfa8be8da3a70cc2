import type { NatsConnection } from '@nats-io/transport-node'
import type { Clock } from '../../../core/kernel/environment.ts'
import type { RunAppended } from '../../realtime/runs/shared/api.ts'
import { hasMajority, type StreamInfo, streamInfo } from './jetstream.ts'
import type { Link } from './link.ts'
import { RUNS } from './names.ts'
import { MIN_PAYLOAD } from './settings.ts'

/** Pause between two requests for the state of the stream, in milliseconds. */
const PERIOD_MS = 2_000

/** How long an append without an acknowledgement counts if no other append follows, in milliseconds. */
const FAILED_MS = 30_000

/** The part of a stream that has to be free, if the largest message is more than that. */
const FREE_SHARE = 0.01

/** What `AppendHealth` works with. */
export interface AppendHealthOptions {
  readonly link: Pick<Link, 'connection' | 'problem' | 'awayMs'>
  readonly clock: Clock
  /** Called with each state of the stream that is not out of date. */
  readonly onInfo: (info: StreamInfo) => void
  /** Called when a NATS that is connected has another problem, or none any more. */
  readonly onChange: (problem: string | undefined) => void
}

/**
 * Whether the stream of the runs takes appends, which a connection to NATS alone does not say: the stream may be full,
 * may have no majority of its servers, or its server may be frozen. The state of the stream is read every 2 s, and the
 * outcomes of appends are counted in. Nothing is written for it.
 */
export class AppendHealth {
  readonly #options: AppendHealthOptions
  #timer: unknown
  #isAsking = false
  #stopped = false
  /** The problem that the state of the stream shows. */
  #infoProblem: string | undefined
  /** When the newest append failed, on the monotonic clock; undefined after one that was written. */
  #failedAt: number | undefined
  /** Since when the stream has given no usable answer, on the monotonic clock. */
  #silentSince: number | undefined
  #reported: string | undefined

  constructor(options: AppendHealthOptions) {
    this.#options = options
  }

  /** Why appends do not work; undefined while they do. */
  get problem(): string | undefined {
    return this.#options.link.problem ?? this.#streamProblem
  }

  /** For how long the stream has not answered, in milliseconds; a full stream answers. */
  get silentMs(): number {
    const since = this.#silentSince
    return Math.max(this.#options.link.awayMs, since === undefined ? 0 : this.#options.clock.monotonic() - since)
  }

  /** Begins to read the state of the stream, at once; to be called whenever NATS is connected. */
  renew(): void {
    if (!this.#isAsking) void this.#round()
  }

  /** Counts in what became of an append. */
  appended({ is }: RunAppended): void {
    // Another node was first, which says nothing about the stream.
    if (is === 'moved') return
    this.#failedAt = is === 'written' ? undefined : this.#options.clock.monotonic()
    this.#report()
  }

  stop(): void {
    this.#stopped = true
    this.#options.clock.clearTimeout(this.#timer)
  }

  async #round(): Promise<void> {
    const { link, clock } = this.#options
    clock.clearTimeout(this.#timer)
    this.#isAsking = true
    const { connection } = link
    if (connection !== undefined) await this.#readInfo(connection)
    this.#isAsking = false
    if (this.#stopped) return
    this.#report()
    this.#timer = clock.setTimeout(() => void this.#round(), PERIOD_MS)
  }

  async #readInfo(nats: NatsConnection): Promise<void> {
    const info = await streamInfo(nats, RUNS).catch((error: unknown) => {
      this.#infoProblem = `the stream of the runs does not answer: ${error instanceof Error ? error.message : String(error)}`
    })
    if (info === undefined || !hasMajority(info)) {
      if (info !== undefined) this.#infoProblem = 'the stream of the runs has no majority of its servers'
      this.#silentSince ??= this.#options.clock.monotonic()
      return
    }
    this.#silentSince = undefined
    this.#infoProblem = hasRoom(info) ? undefined : 'the stream of the runs is full'
    this.#options.onInfo(info)
  }

  /** The problem with a NATS that is connected. */
  get #streamProblem(): string | undefined {
    if (this.#infoProblem !== undefined) return this.#infoProblem
    const isRecent = this.#failedAt !== undefined && this.#options.clock.monotonic() - this.#failedAt < FAILED_MS
    return isRecent ? 'the newest append was not acknowledged' : undefined
  }

  #report(): void {
    const problem = this.#streamProblem
    if (problem === this.#reported) return
    this.#reported = problem
    this.#options.onChange(problem)
  }
}

function hasRoom({ config, state }: StreamInfo): boolean {
  return config.max_bytes - state.bytes >= Math.min(MIN_PAYLOAD, FREE_SHARE * config.max_bytes)
}
