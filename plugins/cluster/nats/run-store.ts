import { headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node'
import type { Clock } from '../../../core/environment.ts'
import type {
  RunAppended,
  RunBase,
  RunFollower,
  RunFollowing,
  RunHead,
  RunName,
  RunStore,
  RunsWatcher,
} from '../../realtime/api.ts'
import { BaseLog } from './base-log.ts'
import { Consumer, type Delivered } from './consumer.ts'
import { ensureStream, JetStreamError, purge, readAnswer, refusal, streamInfo } from './jetstream.ts'
import { Lease } from './lease.ts'
import type { Link } from './link.ts'
import { ALL_BASES, ALL_RUNS, BASES, baseOf, LEASE, logOf, RUNS } from './names.ts'
import { readHead, writeHead } from './run-head.ts'
import { MAX_BATCH_BYTES } from './settings.ts'

/** How long an append is tried, and how long one answer is waited for, in milliseconds. */
const APPEND_MS = 4_000
const ANSWER_MS = 2_000
/** Between two attempts. */
const PAUSE_MS = 50

/** Bytes of appends that may be on their way before more are refused. */
const MAX_PENDING = 33_554_432

/** How long the watcher may lag behind the store before the consumer is made anew, in milliseconds. */
const CURRENT_MS = 2_000

/** How often a consumer says that it is there, in milliseconds: the watcher's, and one of a single run. */
const WATCH_BEAT_MS = 2_000
const FOLLOW_BEAT_MS = 10_000
/** How long after a missing message all heads are asked for, in milliseconds: more of them may be missing at once. */
const MISSED_MS = 50

/** What the store works with. */
export interface RunStoreOptions {
  readonly link: Link
  readonly clock: Clock
  readonly randomBytes: (length: number) => Uint8Array
  readonly replicas: number
  /** Told what became of each append. */
  readonly onAppend: (outcome: string) => void
  readonly onError: (error: unknown) => void
}

/**
 * Logs of runs in JetStream: a subject a run, a message an append. The run as it is after the append stands in a header, so
 * that the heads of all runs can be followed without what they hold.
 */
export class NatsRunStore implements RunStore {
  readonly maxBatchBytes: number = MAX_BATCH_BYTES
  readonly #options: RunStoreOptions
  readonly #consumers = new Set<Consumer>()
  readonly #waiting = new Set<{ readonly position: number; readonly resolve: () => void }>()
  readonly #bases: BaseLog
  readonly #lease: Lease
  readonly #followers = new Set<RunFollower>()
  #watching: Consumer | undefined
  #watched = 0
  #pending = 0
  #asking: Promise<void> | undefined
  #next: Promise<void> | undefined
  #created: string | undefined
  #maxBytes = 0
  #timer: unknown

  constructor(options: RunStoreOptions) {
    this.#options = options
    const connection = (): NatsConnection => this.#connection()
    this.#bases = new BaseLog({ ...options, connection })
    this.#lease = new Lease({ ...options, connection })
  }

  get away(): boolean {
    return this.#options.link.connection === undefined
  }

  async append(run: RunHead, events: readonly string[], expected: number): Promise<RunAppended> {
    const outcome = await this.#append(run, events, expected)
    this.#options.onAppend(outcome.is)
    return outcome
  }

  read(run: RunName): Promise<RunBase | undefined> {
    return this.#bases.read(run)
  }

  follow(run: RunName, after: number, follower: RunFollower): RunFollowing {
    let last = after
    const consumer = this.#consume({
      heartbeatMs: FOLLOW_BEAT_MS,
      config: () => ({ filter_subject: logOf(run), deliver_policy: 'by_start_sequence', opt_start_seq: last + 1 }),
      onMessage: ({ position, message }) => {
        last = position
        const head = readHead(message)
        if (head === undefined || !isSame(head.record, run)) return
        const text = message.string()
        follower.batch({ ...head, position }, text === '' ? [] : text.split('\n'))
      },
    })
    this.#followers.add(follower)
    return {
      renew: () => consumer.renew(),
      close: () => {
        this.#followers.delete(follower)
        this.#consumers.delete(consumer)
        consumer.close()
      },
    }
  }

  watch(watcher: RunsWatcher, maxBytes: number): void {
    let least = 0
    // Every append is a message here, so that none may be missing behind the first. nats-server 2.9 skips one that it has
    // stored and not yet delivered when it removes what a tombstone stands for: then all heads are asked for again.
    let [isLive, isMissing] = [false, false]
    const miss = (): void => {
      isMissing = true
      this.#options.clock.setTimeout(() => this.#watching?.renew(), MISSED_MS)
    }
    this.#maxBytes = maxBytes
    this.#watching = this.#consume({
      heartbeatMs: WATCH_BEAT_MS,
      config: () => ({ filter_subject: ALL_RUNS, deliver_policy: 'last_per_subject', headers_only: true }),
      onBegin: async (nats) => {
        // Somebody may have removed them while the connection stood.
        await this.prepare(nats)
        const { created, state } = await streamInfo(nats, RUNS)
        // Another stream: nothing of what was known is in it, and its numbers begin anew.
        if (this.#created !== undefined && this.#created !== created) for (const one of this.#followers) one.lost()
        this.#created = created
        this.#watched = 0
        isLive = isMissing = false
        least = state.last_seq
        watcher.begin()
      },
      onMessage: ({ position, message }) => {
        const head = readHead(message)
        if (head !== undefined && logOf(head.record) === message.subject) watcher.head({ ...head, position })
        if (isLive && !isMissing && position > this.#watched + 1) miss()
        if (!isMissing) this.#reach(position)
      },
      onCaughtUp: () => {
        watcher.complete()
        isLive = true
        // What stood at the end then may be gone by now.
        this.#reach(least)
      },
    })
  }

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

  keep(run: RunName, base: Omit<RunBase, 'point'>, point: AsyncIterable<string>, from: number): Promise<void> {
    return this.#bases.write(run, base, point).then(() => purge(this.#connection(), RUNS, logOf(run), from))
  }

  async forget(run: RunName, position: number): Promise<void> {
    const nats = this.#connection()
    await purge(nats, BASES, baseOf(run), Number.MAX_SAFE_INTEGER)
    await purge(nats, RUNS, logOf(run), position + 1)
  }

  lease(): Promise<boolean> {
    return this.#lease.ask()
  }

  /** Makes the streams where they are missing. */
  async prepare(nats: NatsConnection): Promise<void> {
    if (this.#maxBytes === 0) return
    const { replicas } = this.#options
    // What the nodes count is memory, and more than the text of it. There is room for what they are about to remove.
    const runs = { name: RUNS, subjects: [ALL_RUNS], max_bytes: 2 * this.#maxBytes, num_replicas: replicas }
    await ensureStream(nats, runs)
    await ensureStream(nats, { ...runs, name: BASES, subjects: [ALL_BASES, LEASE], max_bytes: this.#maxBytes })
  }

  /** NATS is there, again or for the first time. */
  renew(): void {
    this.#pending = 0
    for (const consumer of this.#consumers) consumer.renew()
    this.#timer ??= this.#later()
  }

  stop(): void {
    if (this.#timer !== undefined) this.#options.clock.clearTimeout(this.#timer)
    this.#timer = undefined
    for (const consumer of this.#consumers) consumer.close()
    this.#consumers.clear()
  }

  async #append(run: RunHead, events: readonly string[], expected: number): Promise<RunAppended> {
    const { link, clock } = this.#options
    const payload = Buffer.from(events.join('\n'))
    const head = headers()
    head.set('Nats-Msg-Id', run.id)
    head.set('Nats-Expected-Last-Subject-Sequence', String(expected))
    if (run.gone) head.set('Nats-Rollup', 'sub')
    writeHead(head, run)
    if (this.#pending > MAX_PENDING) return { is: 'refused' }
    const until = clock.monotonic() + APPEND_MS
    let mayBeThere = false
    for (;;) {
      const nats = link.connection
      const left = until - clock.monotonic()
      if (nats !== undefined && left > 0) {
        const outcome = await this.#send(nats, logOf(run.record), payload, head, Math.min(ANSWER_MS, left))
        if (outcome === 'sent') mayBeThere = true
        // It names the position that it is to follow, and itself: sent again, it is in the log once.
        else if (outcome !== 'unheard') return outcome
      } else if (left <= 0 || !mayBeThere) return { is: mayBeThere ? 'unknown' : 'refused' }
      await this.#pause(PAUSE_MS)
    }
  }

  async #send(
    nats: NatsConnection,
    subject: string,
    payload: Uint8Array,
    head: MsgHdrs,
    timeout: number,
  ): Promise<RunAppended | 'sent' | 'unheard'> {
    const bytes = payload.length
    this.#pending += bytes
    try {
      const { seq } = readAnswer<{ seq: number }>(await nats.request(subject, payload, { headers: head, timeout }))
      this.#pending = Math.max(0, this.#pending - bytes)
      return { is: 'written', position: seq }
    } catch (error) {
      if (error instanceof JetStreamError) {
        this.#pending = Math.max(0, this.#pending - bytes)
        if (error.number === refusal.wrongSequence) return { is: 'moved' }
        this.#options.onError(error)
        return { is: 'refused' }
      }
      // Without an answer it counts as under way until there is a new connection.
      const unheard = (error as { isNoResponders?: () => boolean }).isNoResponders?.() === true
      if (unheard) this.#pending = Math.max(0, this.#pending - bytes)
      return unheard ? 'unheard' : 'sent'
    }
  }

  #ask(): Promise<void> {
    this.#asking = (async () => {
      const { state } = await streamInfo(this.#connection(), RUNS)
      if (this.#watched >= state.last_seq) return
      let resolve!: () => void
      const reached = new Promise<boolean>((done) => {
        resolve = () => done(true)
      })
      const waiting = { position: state.last_seq, resolve }
      this.#waiting.add(waiting)
      const inTime = await Promise.race([reached, this.#pause(CURRENT_MS).then(() => false)])
      this.#waiting.delete(waiting)
      if (inTime) return
      this.#watching?.renew()
      throw new Error('the runs in NATS could not be followed')
    })().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  #reach(position: number): void {
    if (position <= this.#watched) return
    this.#watched = position
    for (const one of this.#waiting) if (one.position <= position) one.resolve()
  }

  #consume(
    options: Pick<ConstructorParameters<typeof Consumer>[0], 'heartbeatMs' | 'config' | 'onBegin' | 'onCaughtUp'> & {
      readonly onMessage: (delivered: Delivered) => void
    },
  ): Consumer {
    const { clock, link, onError } = this.#options
    const consumer = new Consumer({ ...options, stream: RUNS, clock, connection: () => link.connection, onError })
    this.#consumers.add(consumer)
    return consumer
  }

  #connection(): NatsConnection {
    const connection = this.#options.link.connection
    if (connection === undefined) throw new Error('NATS is away')
    return connection
  }

  #later(): unknown {
    return this.#options.clock.setTimeout(() => {
      for (const consumer of this.#consumers) consumer.check()
      this.#timer = this.#later()
    }, WATCH_BEAT_MS)
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#options.clock.setTimeout(resolve, ms))
  }
}

function isSame(one: RunName, other: RunName): boolean {
  return (
    one.run_id === other.run_id &&
    one.owner.user_id === other.owner.user_id &&
    one.owner.tenant_id === other.owner.tenant_id
  )
}
