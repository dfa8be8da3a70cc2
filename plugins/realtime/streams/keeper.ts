import type { SvcRequest, TraceContext } from '../../../core/http/request.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import { shareOf } from '../../../core/kernel/values.ts'
import type { StreamKind, Streams } from './api.ts'
import { Connection } from './connection.ts'
import { type StreamClock, type StreamSink, timersEndWithRequests } from './soon.ts'
import { encodeComment, encodeRetry } from './sse.ts'

declare const __REALTIME_AGENTS__: boolean

/** The limits of all streams of the process, and its callbacks. */
export interface KeeperOptions {
  readonly clock: StreamClock
  /** From 0 to 1, 1 excluded. Spreads the ends of streams that began together. */
  readonly random: () => number
  readonly heartbeatMs: number
  readonly retryMs: number
  readonly maxAgeMs: number
  /** Share of `maxAgeMs` by which an age may differ, 0.2 for ± 20 %. */
  readonly maxAgeJitter: number
  /** How long a reader of a log may take no bytes before its connection is closed. */
  readonly stallMs: number
  readonly maxStreamsPerIdentity: number
  readonly maxStreams: number
  /** Share of `maxStreams` that one tenant may have, 0 to 1. */
  readonly streamsTenantShare: number
  /** Share of the streams of a tenant that one acting key may have, 0 to 1. */
  readonly actingKeyShare?: number
  readonly ownerOf: (request: SvcRequest) => StreamOwner
  /** Called for each stream that opens (1) or closes (-1). */
  readonly onCount?: (stream: string, change: 1 | -1) => void
  readonly onDropped?: (stream: string, events: number) => void
  /**
   * Called for each stream that opens, with the trace of its request. The returned function is called when the stream
   * closes.
   */
  readonly onOpen?: (stream: string, trace: TraceContext | undefined) => () => void
}

/** The owner of a stream. */
export interface StreamOwner {
  /** The key under which the streams of one identity are counted; null if only the limit of the process applies. */
  readonly key: string | null
  /** The tenant under which they are counted; null for all callers without one. */
  readonly tenant: string | null
  readonly credentialId: string | null
  /** The shared secret that signed the credential. */
  readonly signedBy?: string | undefined
  /** When the credential expires, in Unix milliseconds; null if it does not expire. */
  readonly expiresAtMs: number | null
  /** The key that acts for the user, if there is one: all its streams are counted together. */
  readonly actingKey?: string | null
  /** Whether the user, or its token, was revoked since it was verified. */
  readonly isRevoked?: () => boolean
}

/** A stream that is admitted, and open once it has a connection. Its times are on the monotonic clock. */
interface AdmittedStream {
  readonly owner: StreamOwner
  readonly kind: StreamKind
  connection?: Connection
  revoked: boolean
  closeAt: number
  beatAt: number
}

/** Most revoked credentials that are kept, for callers that were admitted just before the revocation. */
const maxRevoked = 1_024

/** Admits all streams of a process, sends their heartbeats and ends them, with one timer. */
export class Keeper implements Streams {
  readonly #options: KeeperOptions
  /** Streams that are open or admitted. */
  readonly #streams = new Set<AdmittedStream>()
  readonly #byOwner = new Map<string, number>()
  readonly #byTenant = new Map<string | null, number>()
  readonly #byActingKey = new Map<string, number>()
  readonly #revoked = new Set<string>()
  readonly #dropped = new Map<string, number>()
  readonly #heartbeat = encodeComment('hb')
  readonly #retry: Uint8Array
  #timer: unknown
  #draining = false

  constructor(options: KeeperOptions) {
    this.#options = options
    this.#retry = encodeRetry(options.retryMs)
  }

  /** The number of streams that are open or admitted. */
  get size(): number {
    return this.#streams.size
  }

  get draining(): boolean {
    return this.#draining
  }

  admit(request: SvcRequest, kind: StreamKind): (sink: StreamSink) => Connection {
    const { maxStreams, maxStreamsPerIdentity, streamsTenantShare, ownerOf } = this.#options
    const owner = ownerOf(request)
    const headers = { 'retry-after': '5' }
    if (this.#draining || this.#streams.size >= maxStreams) throw httpFail('overloaded', { headers })
    if (owner.key !== null && (this.#byOwner.get(owner.key) ?? 0) >= maxStreamsPerIdentity) {
      throw httpFail('rate_limited', { message: 'This caller has as many streams open as it may have.', headers })
    }
    const ofTenant = this.#byTenant.get(owner.tenant) ?? 0
    if (owner.key !== null && ofTenant >= shareOf(maxStreams, streamsTenantShare)) {
      throw httpFail('rate_limited', { message: 'This tenant has as many streams open as it may have.', headers })
    }
    const { actingKey = null } = owner
    if (actingKey !== null && (this.#byActingKey.get(actingKey) ?? 0) >= this.#maxOfActingKey) {
      throw httpFail('rate_limited', { message: 'This acting key has as many streams open as it may have.', headers })
    }
    this.#count(owner, 1)
    const revoked =
      owner.isRevoked?.() === true || this.#isRevoked(owner.credentialId) || this.#isRevoked(owner.signedBy)
    const stream: AdmittedStream = { owner, kind, revoked, closeAt: 0, beatAt: 0 }
    this.#streams.add(stream)
    const { trace } = request
    return (sink) => this.#open(stream, sink, trace)
  }

  get #maxOfActingKey(): number {
    const { maxStreams, streamsTenantShare, actingKeyShare = 1 } = this.#options
    return shareOf(shareOf(maxStreams, streamsTenantShare), actingKeyShare)
  }

  dropped(stream: string, events: number): void {
    const before = this.#dropped.get(stream)
    this.#dropped.set(stream, (before ?? 0) + events)
    if (before !== undefined) return
    queueMicrotask(() => {
      this.#options.onDropped?.(stream, this.#dropped.get(stream)!)
      this.#dropped.delete(stream)
    })
  }

  /**
   * Ends every stream that was opened with a credential, or with those of a secret. Admitted ones end when they open.
   */
  revoke(credentialId: string): void {
    this.#revoked.add(credentialId)
    for (const oldest of this.#revoked) {
      if (this.#revoked.size <= maxRevoked) break
      this.#revoked.delete(oldest)
    }
    for (const stream of [...this.#streams]) {
      if (stream.owner.credentialId !== credentialId && stream.owner.signedBy !== credentialId) continue
      stream.revoked = true
      stream.connection?.interrupt(stream.kind.last)
    }
  }

  /** Ends every stream whose user was revoked. Admitted ones end when they open. */
  judge(): void {
    for (const stream of [...this.#streams]) {
      if (stream.owner.isRevoked?.() !== true) continue
      stream.revoked = true
      stream.connection?.interrupt(stream.kind.last)
    }
  }

  #isRevoked(id: string | null | undefined): boolean {
    return id != null && this.#revoked.has(id)
  }

  /** Ends every stream, but unless `all` is true those that stay, and admits no more. */
  drain(all: boolean = false): void {
    this.#draining = true
    let isOver = true
    for (const stream of [...this.#streams]) {
      if (!all && stays(stream)) isOver = false
      else stream.connection?.interrupt(stream.kind.last)
    }
    if (isOver) this.#stopTimer()
  }

  #open(stream: AdmittedStream, sink: StreamSink, trace: TraceContext | undefined): Connection {
    const { clock, onCount, maxAgeMs, maxAgeJitter, random, heartbeatMs } = this.#options
    const { owner, kind } = stream
    const now = clock.monotonic()
    const connection = new Connection(sink, () => clock.monotonic(), kind.whole)
    const age = kind.whole === true ? Infinity : maxAgeMs * (1 + maxAgeJitter * (2 * random() - 1))
    // The rest of the credential's life is measured now, because a clock that is set back later would prolong it.
    stream.closeAt = now + Math.min(age, (owner.expiresAtMs ?? Infinity) - clock.now())
    stream.beatAt = now + heartbeatMs
    stream.connection = connection
    onCount?.(kind.name, 1)
    const closed = this.#options.onOpen?.(kind.name, trace)
    connection.onClose(() => {
      this.#streams.delete(stream)
      this.#count(owner, -1)
      onCount?.(kind.name, -1)
      closed?.()
      if (this.#streams.size === 0) this.#stopTimer()
    })
    connection.sendFirst(this.#retry)
    // The place was reserved before the head was sent. A drain may have begun since, or the credential may have been
    // revoked.
    if ((this.#draining && !stays(stream)) || stream.revoked) connection.interrupt(kind.last)
    else this.#startTimer(stream)
    return connection
  }

  #sweep(streams: readonly AdmittedStream[]): void {
    const { clock, heartbeatMs, stallMs } = this.#options
    const [now, date] = [clock.monotonic(), clock.now()]
    for (const stream of streams) {
      const { connection } = stream
      if (connection === undefined) continue
      if (now >= stream.closeAt || date >= (stream.owner.expiresAtMs ?? Infinity)) {
        connection.interrupt(stream.kind.last)
      } else if (connection.blocked) {
        connection.measure(now)
        if (stream.kind.log && now - connection.progressAt >= stallMs) connection.cut()
      } else if (now >= stream.beatAt) {
        stream.beatAt = now + heartbeatMs
        connection.send(this.#heartbeat)
      }
    }
  }

  /** One timer for all streams; one for each stream where a timer ends with the request that opened the stream. */
  #startTimer(stream: AdmittedStream): void {
    const { clock, heartbeatMs, stallMs, maxAgeMs } = this.#options
    if (!timersEndWithRequests && this.#timer !== undefined) return
    // One sweep per second is enough for the defaults. Shorter settings get more frequent sweeps.
    const period = Math.max(5, Math.min(1_000, heartbeatMs / 4, stallMs / 4, maxAgeMs / 4))
    this.#timer = clock.setTimeout(() => {
      this.#timer = undefined
      const streams = timersEndWithRequests ? [stream] : [...this.#streams]
      this.#sweep(streams)
      if (streams.some((one) => this.#streams.has(one) && (!this.#draining || stays(one)))) this.#startTimer(stream)
    }, period)
  }

  #stopTimer(): void {
    if (this.#timer !== undefined) this.#options.clock.clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #count({ key, tenant, actingKey = null }: StreamOwner, step: number): void {
    if (actingKey !== null) addTo(this.#byActingKey, actingKey, step)
    if (key === null) return
    addTo(this.#byOwner, key, step)
    addTo(this.#byTenant, tenant, step)
  }
}

/** Whether a drain leaves a stream, because the agent is called whose run it has. */
function stays({ kind }: AdmittedStream): boolean {
  if (typeof __REALTIME_AGENTS__ === 'undefined' || __REALTIME_AGENTS__) return kind.stays?.() === true
  return false
}

function addTo<K>(counts: Map<K, number>, key: K, step: number): void {
  const count = (counts.get(key) ?? 0) + step
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
