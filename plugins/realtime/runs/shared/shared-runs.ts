import { httpFail } from '../../../../core/catalogue.ts'
import type { Logger } from '../../../../core/log.ts'
import type { OpenStream, RunHead, RunName, RunOwner, RunRecord, RunStore, Runs } from '../../api.ts'
import { runFail } from '../../errors.ts'
import { createEpoch } from '../../streams/cursor.ts'
import type { AgUiEvent } from '../event-shape.ts'
import { idsOf, type RunManagerOptions, weigh } from '../manager.ts'
import { isThere, noRun } from '../position.ts'
import { type Run, runOverhead, statusOf, toText } from '../run.ts'
import { later, type Shares } from '../shares.ts'
import { Slices } from '../slices.ts'
import { Care } from './care.ts'
import { Directory, type Entry } from './directory.ts'
import { appendFail } from './errors.ts'
import type { Mirror } from './mirror.ts'
import { Mirrors } from './mirrors.ts'

/** An append is answered within this time, in milliseconds; the store's own limit is below it. */
const answerMs = 5_000

/** How often an append is judged again that others came before. */
const maxMoves = 3

/** Bytes of events that may wait for the store, of all callers. */
const maxWaiting = 67_108_864

const again = { headers: { 'retry-after': '1' } }

/** The runs of a cluster: kept in a store that all nodes share, read from copies in memory. */
export class SharedRuns implements Runs {
  readonly #store: RunStore
  readonly #options: RunManagerOptions
  readonly #log: Logger
  readonly #directory: Directory
  readonly #mirrors: Mirrors
  readonly #care: Care
  #waiting = 0

  constructor(store: RunStore, log: Logger, options: RunManagerOptions) {
    this.#store = store
    this.#log = log
    this.#options = options
    this.#directory = new Directory({ ...options, erase: (entry) => void this.#erase(entry) })
    const slices = new Slices(options.clock, options.soon, options.runSliceMs)
    this.#mirrors = new Mirrors({ ...options, store, log, slices, directory: this.#directory })
    this.#care = new Care({
      ...options,
      store,
      directory: this.#directory,
      abandon: ({ record }, event) => this.append(record.owner, record.run_id, [event]),
      erase: (entry) => this.#directory.forget(entry),
      onError: (error) => log.debug('Runs of the cluster could not be cared for.', { error }),
    })
    store.watch(this.#directory, options.runsMaxBytes)
  }

  async create(
    owner: RunOwner,
    wished: { readonly run_id?: string; readonly thread_id?: string } = {},
  ): Promise<RunRecord> {
    const { clock, randomBytes, maxRunningRuns, maxRunningRunsPerIdentity } = this.#options
    const record: RunRecord = {
      ...idsOf(wished, randomBytes),
      owner: { user_id: owner.user_id, tenant_id: owner.tenant_id },
      status: 'running',
      created_at_ms: clock.now(),
      ended_at_ms: null,
      first_seq: 1,
      last_seq: 0,
      epoch: createEpoch(randomBytes(8)),
    }
    await this.#know()
    if (this.#directory.get(record) !== undefined) throw runFail('run_exists')
    if (this.#directory.running >= maxRunningRuns) throw httpFail('overloaded', later)
    const own = this.#directory.list(owner).filter((entry) => entry.record.status === 'running')
    if (own.length >= maxRunningRunsPerIdentity) throw httpFail('rate_limited', later)
    this.#directory.shares.admit(owner, runOverhead)
    const head: RunHead = { id: this.#newId(), record, bytes: runOverhead, gone: false }
    const { is } = await this.#store.append(head, [], this.#directory.find(record)?.head.position ?? 0)
    if (is === 'written') return record
    if (is === 'refused') throw httpFail('overloaded', again)
    await this.#know().catch(() => undefined)
    const there = this.#directory.get(record)
    if (there?.record.epoch === record.epoch) return there.record
    throw is === 'unknown' && there === undefined ? appendFail('append_unknown') : runFail('run_exists')
  }

  async append(owner: RunOwner, run_id: string, events: readonly unknown[], match?: string): Promise<RunRecord> {
    const { clock } = this.#options
    const until = clock.monotonic() + answerMs
    const { bytes, room } = weigh(events, this.#options)
    if (this.#waiting + bytes > maxWaiting) throw httpFail('overloaded', again)
    this.#waiting += bytes
    try {
      const entry = await this.#find({ owner, run_id })
      const mirror = await this.#mirrors.get(entry)
      mirror.busy++
      try {
        return await mirror.inTurn(() => this.#write(mirror, events as readonly AgUiEvent[], match, bytes, room, until))
      } finally {
        mirror.busy--
        mirror.usedAt = clock.monotonic()
      }
    } finally {
      this.#waiting -= bytes
    }
  }

  async admit(owner: RunOwner, run_id: string, bytes: number): Promise<void> {
    const entry = await this.#find({ owner, run_id })
    if (bytes > this.#store.maxBatchBytes) throw httpFail('payload_too_large')
    if (entry.record.status === 'running') this.#directory.shares.admit(owner, bytes)
  }

  async get(owner: RunOwner, run_id: string): Promise<RunRecord | undefined> {
    const held = this.#mirrors.held({ owner, run_id })
    if (this.#store.away && held !== undefined) return held.run.record
    await this.#know()
    return this.#directory.get({ owner, run_id })?.record
  }

  async list(owner: RunOwner): Promise<readonly RunRecord[]> {
    await this.#know()
    return this.#directory.list(owner).map(({ record }) => record)
  }

  /** The same as a snapshot: changes after `mark` are told. While the store is away, what this node knows. */
  async snapshot(owner: RunOwner, mark: () => void): Promise<readonly RunRecord[]> {
    await this.#know().catch(() => undefined)
    mark()
    return this.#directory.list(owner).map(({ record }) => record)
  }

  /** The run in memory, for the stream: as it is now, or as it was when the store went away. */
  async find(owner: RunOwner, run_id: string): Promise<Run | undefined> {
    const name = { owner, run_id }
    const held = this.#mirrors.held(name)
    if (this.#store.away && held !== undefined) return held.run
    try {
      await this.#know()
    } catch (error) {
      if (held !== undefined) return held.run
      throw error
    }
    const entry = this.#directory.get(name)
    return entry === undefined ? undefined : (await this.#mirrors.get(entry)).run
  }

  /** Keeps a run in memory while a reader is there. */
  hold(run: Run, reader: OpenStream): void {
    this.#mirrors.hold(run, reader)
  }

  /** What runs take of this node's memory. */
  get shares(): Shares<Run> {
    return this.#mirrors.shares
  }

  close(): void {
    this.#care.stop()
    this.#mirrors.close()
    this.#directory.close()
  }

  async #write(
    mirror: Mirror,
    events: readonly AgUiEvent[],
    match: string | undefined,
    bytes: number,
    room: number,
    until: number,
  ): Promise<RunRecord> {
    const { clock } = this.#options
    const { run, name } = mirror
    const texts = events.map(toText)
    if (isLonger(texts, this.#store.maxBatchBytes)) throw httpFail('payload_too_large')
    const id = this.#newId()
    const left = (): number => until - clock.monotonic()
    for (let moves = 0; moves <= maxMoves && left() > 0; ) {
      if (mirror.dropped) throw httpFail('overloaded', again)
      const over = await this.#judge(mirror, (): boolean | 'there' => {
        if (match !== undefined && isThere(run, match, events)) return 'there'
        if (run.endedAt === null) this.#directory.shares.admit(name.owner, room)
        let isOver = false
        this.#mirrors.shares.working(run, bytes, (work) => {
          isOver = run.check(events, work)
        })
        return isOver
      })
      if (over === undefined) continue
      if (over === 'there' || events.length === 0) return run.record
      const { record } = run
      const head: RunHead = {
        id,
        record: {
          ...record,
          ...(over === true && { status: statusOf(events.at(-1)!), ended_at_ms: clock.now() }),
          first_seq: run.firstAfter(texts),
          last_seq: record.last_seq + events.length,
        },
        bytes: run.ownBytes + room,
        gone: false,
      }
      const done = await this.#store.append(head, texts, mirror.position)
      if (done.is === 'refused') throw httpFail('overloaded', again)
      if (done.is === 'written') {
        // It comes back like what others append; it is in the log, whether this node sees it soon or not.
        if (await mirror.reachSurely(done.position, Math.max(0, left()))) this.#mirrors.shorten(mirror)
        return head.record
      }
      moves++
      // Others were first, or this one was, and nobody heard of it.
      const isKnown = await this.#refresh(mirror, left()).then(
        () => true,
        () => false,
      )
      const found = mirror.find(id)
      if (found !== undefined) return found.record
      // An attempt that nobody heard of may be what moved the run: only who has all of it can tell.
      if (done.is === 'unknown' || !isKnown) throw appendFail('append_unknown')
    }
    throw httpFail('overloaded', again)
  }

  /** What a judgement says; undefined where it was a refusal, and there is news that may change it. */
  async #judge<T>(mirror: Mirror, judge: () => T): Promise<T | undefined> {
    try {
      return judge()
    } catch (error) {
      // A refusal counts only where nothing came before it that is not here yet.
      if (await this.#refresh(mirror, answerMs / 2)) return undefined
      throw error
    }
  }

  /** Gets what there is; says whether there was something. */
  async #refresh(mirror: Mirror, ms: number): Promise<boolean> {
    const { position } = mirror
    await this.#know()
    const entry = this.#directory.get(mirror.name)
    if (entry === undefined) throw noRun()
    if (!(await mirror.reachSurely(entry.head.position, ms))) throw httpFail('overloaded', again)
    return mirror.position > position
  }

  /** Resolves once all is known that was appended before. @throws SvcError `overloaded` */
  async #know(): Promise<void> {
    try {
      await this.#store.current()
    } catch (cause) {
      throw httpFail('overloaded', { ...again, cause })
    }
  }

  /** A run to append to: one that is known is not asked for. @throws SvcError `not_found`, `overloaded` */
  async #find(name: RunName): Promise<Entry> {
    if (this.#store.away) throw httpFail('overloaded', again)
    const known = this.#directory.get(name)
    if (known !== undefined) return known
    await this.#know()
    const entry = this.#directory.get(name)
    if (entry === undefined) throw noRun()
    return entry
  }

  async #erase({ head }: Entry): Promise<void> {
    try {
      await this.#store.append({ ...head, id: this.#newId(), gone: true }, [], head.position)
    } catch (error) {
      this.#log.debug('A run could not be removed.', { error })
    }
  }

  #newId(): string {
    return createEpoch(this.#options.randomBytes(8)) + createEpoch(this.#options.randomBytes(8))
  }
}

/** Whether texts, one a line, take more bytes; no character takes more than three. */
function isLonger(texts: readonly string[], bytes: number): boolean {
  const chars = texts.reduce((sum, { length }) => sum + length + 1, 0)
  return 3 * chars > bytes && new TextEncoder().encode(texts.join('\n')).length > bytes
}
