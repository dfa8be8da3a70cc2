import { httpFail } from '../../../core/catalogue.ts'
import { Connection } from './connection.ts'
import type { StreamClock, StreamSink } from './sink.ts'
import { encodeComment, encodeRetry } from './sse.ts'

/** The numbers that hold for every stream of the process. */
export interface KeeperOptions {
  readonly clock: StreamClock
  /** 0 up to 1, as Math.random gives it: spreads the ends of streams that began together. */
  readonly random: () => number
  readonly heartbeatMs: number
  readonly retryMs: number
  readonly maxAgeMs: number
  /** Share of `maxAgeMs` by which an age may differ, 0.2 for ± 20 %. */
  readonly maxAgeJitter: number
  /** How long a log reader may stand still before it is cut. */
  readonly stallMs: number
  readonly maxStreamsPerIdentity: number
  readonly maxStreams: number
  readonly observe?: StreamObserver
}

/** Told what the metrics want to know; `stream` is `live`, `run` or `bridge`. */
export interface StreamObserver {
  opened(stream: string): void
  closed(stream: string): void
  dropped(stream: string, events: number): void
}

/** Whom a stream belongs to. */
export interface StreamOwner {
  /** Counts the streams of one identity; null where only the limit of the process holds. */
  readonly key: string | null
  /** When the credential ends, Unix ms; null for one that does not. */
  readonly expiresAtMs: number | null
  /** Asked about once a second: false once the credential was revoked. */
  readonly isActive?: () => boolean
}

/** What kind of stream is opened. */
export interface StreamKind {
  readonly name: string
  /** A log never skips, so a reader of one that stands still is cut; an entity stream skips instead. */
  readonly log: boolean
}

interface Kept {
  readonly connection: Connection
  readonly owner: StreamOwner
  readonly kind: StreamKind
  readonly closeAt: number
  beatAt: number
}

/** Admits, ages, beats and ends all streams of a process with one timer. */
export class Keeper {
  readonly #options: KeeperOptions
  readonly #kept = new Set<Kept>()
  readonly #counts = new Map<string, number>()
  readonly #heartbeat = encodeComment('hb')
  readonly #retry: Uint8Array
  #timer: unknown
  #draining = false

  constructor(options: KeeperOptions) {
    this.#options = options
    this.#retry = encodeRetry(options.retryMs)
  }

  /** How many streams are open. */
  get size(): number {
    return this.#kept.size
  }

  /** Throws `rate_limited` or `overloaded` where one more stream of this owner would be too many. */
  admit(owner: StreamOwner): void {
    if (this.#draining || this.#kept.size >= this.#options.maxStreams) {
      throw httpFail('overloaded', { headers: { 'retry-after': '5' } })
    }
    if (owner.key !== null && (this.#counts.get(owner.key) ?? 0) >= this.#options.maxStreamsPerIdentity) {
      throw httpFail('rate_limited', { headers: { 'retry-after': '5' } })
    }
  }

  /** Takes a sink into care and sends the opening bytes. */
  open(owner: StreamOwner, kind: StreamKind, sink: StreamSink): Connection {
    const { clock, observe, maxAgeMs, maxAgeJitter, random, heartbeatMs } = this.#options
    const now = clock.now()
    const connection = new Connection(sink, () => clock.now())
    const age = maxAgeMs * (1 + maxAgeJitter * (2 * random() - 1))
    const closeAt = Math.min(now + age, owner.expiresAtMs ?? Number.POSITIVE_INFINITY)
    const kept: Kept = { connection, owner, kind, closeAt, beatAt: now + heartbeatMs }
    this.#kept.add(kept)
    this.#count(owner.key, 1)
    observe?.opened(kind.name)
    connection.onClose(() => {
      this.#kept.delete(kept)
      this.#count(owner.key, -1)
      observe?.closed(kind.name)
      if (this.#kept.size === 0) this.#stopTimer()
    })
    connection.sendFirst(this.#retry)
    // Admission was asked before the headers left; a drain may have begun since.
    if (this.#draining) connection.end()
    else this.#startTimer()
    return connection
  }

  /** Ends every stream and admits no more. */
  drain(): void {
    this.#draining = true
    for (const kept of [...this.#kept]) kept.connection.end()
    this.#stopTimer()
  }

  /** Counts events that a reader of an entity stream did not get. */
  dropped(stream: string, events: number): void {
    this.#options.observe?.dropped(stream, events)
  }

  #sweep(): void {
    const { clock, heartbeatMs, stallMs } = this.#options
    const now = clock.now()
    for (const kept of [...this.#kept]) {
      const { connection, owner } = kept
      if (now >= kept.closeAt || owner.isActive?.() === false) {
        connection.end()
      } else if (connection.blocked) {
        connection.measure(now)
        if (kept.kind.log && now - connection.progressAt >= stallMs) connection.end()
      } else if (now >= kept.beatAt) {
        kept.beatAt = now + heartbeatMs
        connection.send(this.#heartbeat)
      }
    }
  }

  #startTimer(): void {
    const { clock, heartbeatMs, stallMs, maxAgeMs } = this.#options
    // A second is fine enough for the defaults; shorter settings get a finer sweep.
    const period = Math.max(5, Math.min(1000, heartbeatMs / 4, stallMs / 4, maxAgeMs / 4))
    this.#timer ??= clock.setTimeout(() => {
      this.#timer = undefined
      this.#sweep()
      if (this.#kept.size > 0 && !this.#draining) this.#startTimer()
    }, period)
  }

  #stopTimer(): void {
    if (this.#timer !== undefined) this.#options.clock.clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #count(key: string | null, step: number): void {
    if (key === null) return
    const count = (this.#counts.get(key) ?? 0) + step
    if (count > 0) this.#counts.set(key, count)
    else this.#counts.delete(key)
  }
}
