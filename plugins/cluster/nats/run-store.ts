import type { Msg, NatsConnection } from '@nats-io/transport-node'
import type { Span, Tracing } from '../../../core/declare/tracing.ts'
import type { TraceContext } from '../../../core/http/request.ts'
import type { Clock } from '../../../core/kernel/environment.ts'
import type {
  RunAppended,
  RunBase,
  RunFollower,
  RunFollowing,
  RunHead,
  RunName,
  RunStore,
  RunsWatcher,
} from '../../realtime/runs/shared/api.ts'
import { AppendHealth } from './append-health.ts'
import { BaseLog } from './base-log.ts'
import { NatsCallers } from './callers.ts'
import { ensureStream, purge, type StreamInfo } from './jetstream.ts'
import { Lease } from './lease.ts'
import type { Link } from './link.ts'
import { ALL_BASES, ALL_RUNS, BASES, baseOf, LEASE, logOf, RUNS } from './names.ts'
import { RunConsumers } from './run-consumers.ts'
import { readHead } from './run-head.ts'
import { RunWatch } from './run-watch.ts'
import { RunWriter } from './run-writer.ts'
import { MAX_BATCH_BYTES } from './settings.ts'
import { SkippedRuns } from './skipped-runs.ts'

/** Heartbeat of the consumer of a single run, in milliseconds. */
const FOLLOW_BEAT_MS = 10_000

/** How many of the newest stored messages of a run are delivered with their heads; parsing a head takes time. */
const HEADS = 32

/** What `NatsRunStore` works with. */
export interface RunStoreOptions {
  readonly link: Link
  readonly clock: Clock
  readonly randomBytes: (length: number) => Uint8Array
  readonly replicas: number
  /** Traces; absent if there are none. */
  readonly tracing?: Pick<Tracing, 'carry' | 'follow'> | undefined
  /** Called with the outcome of each append, and how long it took. */
  readonly onAppend: (outcome: RunAppended['is'], seconds: number) => void
  /**
   * Called every 2 s: how many appends the node has not seen, how many consumers it has, and the server that leads the
   * stream.
   */
  readonly onState: (lag: number, consumers: number, leader: string | undefined) => void
  /** Called when appends stop to work, with the reason, and when they work again. */
  readonly onHealth: (problem: string | undefined) => void
  /** Called after the settings of an existing stream were changed to those that nodes need. */
  readonly onStreamSet: (stream: string, settings: readonly string[]) => void
  /** Called with the subject of a message that is skipped because no node wrote it. */
  readonly onSkipped: (subject: string) => void
  readonly onError: (error: unknown) => void
}

/**
 * Logs of runs in JetStream: a subject for each run, a message for each append. A header has the run as it is after the
 * append, so that the heads of all runs can be followed without their events.
 */
export class NatsRunStore implements RunStore {
  readonly maxBatchBytes: number = MAX_BATCH_BYTES
  /** Whether the stream takes appends. */
  readonly health: AppendHealth
  readonly callers: NatsCallers
  readonly #options: RunStoreOptions
  readonly #consumers: RunConsumers
  readonly #skipped: SkippedRuns
  readonly #writer: RunWriter
  readonly #bases: BaseLog
  readonly #lease: Lease
  readonly #followers = new Map<RunFollower, string>()
  #watch: RunWatch | undefined
  #maxBytes = 0

  constructor(options: RunStoreOptions) {
    this.#options = options
    const connection = (): NatsConnection => options.link.use()
    this.health = new AppendHealth({
      ...options,
      onInfo: (info) => this.#inform(info),
      onChange: options.onHealth,
    })
    this.#consumers = new RunConsumers(options)
    this.#skipped = new SkippedRuns(options)
    this.#writer = new RunWriter(options)
    this.#bases = new BaseLog(options)
    this.#lease = new Lease({ ...options, connection })
    this.callers = new NatsCallers({ ...options, isRead: (subject) => this.#isRead(subject) })
  }

  get away(): boolean {
    return this.#options.link.connection === undefined
  }

  async append(
    run: RunHead,
    events: readonly string[],
    expected: number,
    limitMs?: number,
    trace?: TraceContext,
  ): Promise<RunAppended> {
    const { clock, onAppend, tracing } = this.#options
    const since = clock.monotonic()
    const outcome = await this.#writer.append(
      run,
      events,
      this.#skipped.behind(logOf(run.record), expected),
      limitMs,
      tracing?.carry(trace),
    )
    this.health.appended(outcome)
    onAppend(outcome.is, (clock.monotonic() - since) / 1_000)
    return outcome
  }

  read(run: RunName): Promise<RunBase | undefined> {
    return this.#bases.read(run)
  }

  follow(run: RunName, after: number, follower: RunFollower): RunFollowing {
    let last = after
    // Only for stored messages: new ones are all delivered with their heads.
    let heads: 'none' | 'some' | 'all' = 'none'
    const consumer = this.#consumers.open({
      heartbeatMs: FOLLOW_BEAT_MS,
      config: () => ({ filter_subject: logOf(run), deliver_policy: 'by_start_sequence', opt_start_seq: last + 1 }),
      onMessage: ({ position, atMs, left, message }) => {
        last = position
        if (heads === 'some' && left >= HEADS && follower.earlier !== undefined) {
          follower.earlier({ position, atMs }, linesOf(message))
          return
        }
        const head = readHead(message)
        if (head === undefined) return
        if (heads === 'none') heads = 'some'
        if (left === 0) heads = 'all'
        const lines = linesOf(message)
        const span = this.#deliver(message, follower)
        follower.batch({ ...head, position, atMs }, lines)
        span?.end({ 'run.events': lines.length, 'run.readers': follower.readers ?? 0 })
      },
    })
    this.#followers.set(follower, logOf(run))
    return {
      renew: () => consumer.renew(),
      close: () => {
        this.#followers.delete(follower)
        this.#consumers.close(consumer)
      },
    }
  }

  watch(watcher: RunsWatcher, maxBytes: number): void {
    this.#maxBytes = maxBytes
    this.#watch = new RunWatch({
      ...{ ...this.#options, watcher, consumers: this.#consumers, skipped: this.#skipped },
      connection: () => this.#options.link.use(),
      prepare: (nats) => this.prepare(nats),
      onReplaced: () => {
        for (const one of [...this.#followers.keys()]) one.lost()
      },
    })
  }

  current(): Promise<void> {
    return this.#watch?.current() ?? Promise.reject(new Error('the runs are not followed yet'))
  }

  readAnew(): void {
    this.#consumers.isAtLeader = true
    this.#watch?.renew()
  }

  keep(run: RunName, base: Omit<RunBase, 'point'>, point: AsyncIterable<string>, from: number): Promise<void> {
    return this.#bases.write(run, base, point).then(() => purge(this.#options.link.use(), RUNS, logOf(run), from))
  }

  async forget(run: RunName, position: number): Promise<void> {
    const nats = this.#options.link.use()
    await purge(nats, BASES, baseOf(run), Number.MAX_SAFE_INTEGER)
    await purge(nats, RUNS, logOf(run), position + 1)
  }

  lease(): Promise<boolean> {
    return this.#lease.ask()
  }

  /** Creates the streams if they are missing. */
  async prepare(nats: NatsConnection): Promise<void> {
    if (this.#maxBytes === 0) return
    const { replicas } = this.#options
    // Nodes count memory, which is more than the text in the stream. The rest is room for what they are about to
    // remove.
    const runs = { name: RUNS, subjects: [ALL_RUNS], max_bytes: 2 * this.#maxBytes, num_replicas: replicas }
    const bases = { ...runs, name: BASES, subjects: [ALL_BASES, LEASE], max_bytes: this.#maxBytes }
    for (const stream of [runs, bases]) {
      const settings = await ensureStream(nats, stream)
      if (settings.length > 0) this.#options.onStreamSet(stream.name, settings)
    }
  }

  /** To be called on each connection. */
  renew(): void {
    this.#writer.renew()
    this.#consumers.renew()
    this.callers.listen()
    // Without a watcher there is no stream.
    if (this.#maxBytes > 0) this.health.renew()
  }

  /**
   * To be called before this node ends the streams of its readers, because it stops: tells it the nodes that call
   * agents.
   */
  leave(): void {
    const read = [...this.#followers].filter(([{ readers = 0 }]) => readers > 0)
    this.callers.cut(read.map(([, run]) => run))
  }

  stop(): void {
    this.health.stop()
    this.#consumers.stop()
  }

  #isRead(subject: string): boolean {
    for (const [{ readers = 0 }, log] of this.#followers) if (log === subject && readers > 0) return true
    return false
  }

  /** A span under the trace of the append, if somebody reads the run here. */
  #deliver({ headers }: Msg, { readers = 0 }: RunFollower): Span | undefined {
    if (readers === 0 || headers === undefined) return undefined
    return this.#options.tracing?.follow('deliver run events', (name) => headers.get(name) || undefined)
  }

  #inform(info: StreamInfo): void {
    const watch = this.#watch
    if (watch === undefined) return
    watch.detectRemovedMessages(info)
    this.#consumers.leader = info.cluster?.leader
    this.#options.onState(watch.lag(info), this.#consumers.count, info.cluster?.leader)
  }
}

function linesOf(message: Msg): readonly string[] {
  const text = message.string()
  return text === '' ? [] : text.split('\n')
}
