import type { TraceContext } from '../../../../core/http/request.ts'
import type { Logger } from '../../../../core/kernel/log.ts'
import { runFail } from '../../errors.ts'
import type { OpenStream } from '../../streams/api.ts'
import { createEpoch } from '../../streams/cursor.ts'
import type { RunOwner, RunOwners, RunRecord, Runs, RunsPage, RunsQuery, RunWish } from '../api.ts'
import { cancelRun } from '../cancel-run.ts'
import type { AgUiEvent } from '../event-shape.ts'
import { beginningOf, idsOf } from '../ids.ts'
import { type RunManagerOptions, weigh } from '../manager.ts'
import { pageOf } from '../pages.ts'
import { Run, runOverhead, toText } from '../run.ts'
import type { Shares } from '../shares.ts'
import { Slices } from '../slices.ts'
import { AnswerTime, catchUp, findOutMs } from './answer-time.ts'
import type { ReadersElsewhere, RunAppended, RunHead, RunStore } from './api.ts'
import { Appends, refuseLonger } from './appends.ts'
import { CallLease } from './call-lease.ts'
import { Care } from './care.ts'
import { Directory } from './directory.ts'
import { appendFail, tryAgain } from './errors.ts'
import { LostCallers } from './lost-callers.ts'
import type { Mirror } from './mirror.ts'
import { Mirrors } from './mirrors.ts'
import { Removals } from './removals.ts'

/** The runs of a cluster, kept in a store that all nodes share and read from copies in memory. */
export class SharedRuns implements Runs {
  readonly #store: RunStore
  readonly #options: RunManagerOptions
  readonly #directory: Directory
  readonly #mirrors: Mirrors
  readonly #appends: Appends
  readonly #slices: Slices
  readonly #care: Care
  readonly #removals: Removals
  readonly #lease: CallLease | undefined
  readonly #lostCallers: LostCallers | undefined

  constructor(store: RunStore, log: Logger, options: RunManagerOptions) {
    this.#store = store
    this.#options = options
    const newId = this.#newId
    const onError = (error: unknown): void => log.debug('Old runs of the cluster could not be removed.', { error })
    const slices = new Slices(options.clock, options.turn ?? options.soon, options.runSliceMs)
    this.#slices = slices
    const removals = new Removals({ store, newId, onError })
    const directory = new Directory({
      ...options,
      outlasts: store.retention !== undefined,
      erase: (entry) => removals.add(entry),
    })
    const mirrors = new Mirrors({ ...options, store, log, slices, directory })
    this.#removals = removals
    this.#directory = directory
    this.#mirrors = mirrors
    this.#appends = new Appends({ ...options, store, directory, mirrors, newId })
    this.#care = new Care({
      ...{ ...options, store, directory, removals, slices, onError },
      abandon: ({ record }, event) => this.append(record.owner, record.run_id, [event]),
    })
    const { callers } = store
    if (callers !== undefined) {
      this.#lease = new CallLease({ callers, clock: options.clock })
      this.#lostCallers = new LostCallers({
        ...{ ...options, callers, store, directory, onError },
        end: ({ record }, event) => this.append(record.owner, record.run_id, [event]),
      })
    }
    store.watch(directory, options.runsMaxBytes)
  }

  /** As `Runs.create`, with its first events, which do not end the run. */
  async create(owner: RunOwner, wish: RunWish = {}, first: readonly unknown[] = []): Promise<RunRecord> {
    const { clock, randomBytes } = this.#options
    const { room } = weigh(first, this.#options)
    const texts = (first as readonly AgUiEvent[]).map(toText)
    refuseLonger(texts, this.#store.maxBatchBytes)
    const name = { ...idsOf(wish, randomBytes), owner: { user_id: owner.user_id, tenant_id: owner.tenant_id } }
    const time = new AnswerTime(clock)
    await catchUp(this.#store, time)
    if (this.#directory.get(name) !== undefined) throw runFail('run_exists')
    const run = new Run({
      ...this.#options,
      record: {
        ...name,
        created_at_ms: beginningOf(clock.now(), name.thread_id, this.#directory.shares.of(name.owner)),
        epoch: createEpoch(randomBytes(8)),
        agent: wish.agent ?? null,
      },
      startedAt: clock.monotonic(),
      slices: this.#slices,
      inTurn: this.#directory.shares.owner(owner).inTurn,
    })
    run.append(first as readonly AgUiEvent[], clock.now(), clock.monotonic(), { left: Infinity })
    const { record, bytes } = run
    this.#directory.shares.admitRun(owner)
    this.#directory.shares.admit(owner, runOverhead + room)
    const head = { id: this.#newId(), record, bytes, gone: false }
    const caller = record.agent === null ? undefined : this.#store.callers?.own
    const begun = await this.#begin({ ...head, ...(caller !== undefined && { caller }) }, texts, time)
    if (begun.is === 'written') return record
    if (begun.is === 'refused') throw tryAgain(begun.cause)
    if (begun.is === 'unreadable') throw runFail('run_exists')
    await catchUp(this.#store, time).catch(() => undefined)
    const there = this.#directory.get(record)
    if (there?.record.epoch === record.epoch) return there.record
    if (there !== undefined) throw runFail('run_exists')
    // Something else is on the subject of the run, and this node has not understood it yet.
    throw begun.is === 'unknown' ? appendFail('append_unknown') : tryAgain()
  }

  append(
    owner: RunOwner,
    run_id: string,
    events: readonly unknown[],
    match?: string,
    since?: number,
    trace?: TraceContext,
  ): Promise<RunRecord> {
    return this.#appends.append(owner, run_id, events, match, since, trace)
  }

  admit(owner: RunOwner, run_id: string, bytes: number, since?: number): Promise<void> {
    return this.#appends.admit(owner, run_id, bytes, since)
  }

  async get(owner: RunOwner, run_id: string): Promise<RunRecord | undefined> {
    const held = this.#mirrors.held({ owner, run_id })
    if (this.#store.away && held !== undefined) return held.run.record
    await catchUp(this.#store)
    return this.#directory.get({ owner, run_id })?.record
  }

  async list(owner: RunOwner): Promise<readonly RunRecord[]> {
    return (await this.page(owner, {})).runs
  }

  async page(owners: RunOwners, query: RunsQuery): Promise<RunsPage> {
    await catchUp(this.#store)
    return this.#page(owners, query)
  }

  async erase(owner: RunOwner): Promise<number> {
    await catchUp(this.#store)
    const entries = [...(this.#directory.shares.find(owner)?.runs.values() ?? [])]
    for (const { record } of entries) if (record.status === 'running') await cancelRun(this, owner, record.run_id)
    // A mark is written behind the last event of its run.
    await catchUp(this.#store)
    // The runs may have been removed meanwhile, or others of their names created.
    const left = entries.filter((entry) => this.#directory.get(entry.name) === entry)
    for (const entry of left) this.#directory.forget(entry)
    if (!(await this.#removals.finish(owner))) throw tryAgain()
    return entries.length
  }

  /**
   * As `list`, for a reader that follows changes from `mark` on. While the store is away, the runs that this node has
   * seen.
   */
  async snapshot(owner: RunOwner, mark: () => void): Promise<readonly RunRecord[]> {
    await catchUp(this.#store).catch(() => undefined)
    mark()
    return this.#page(owner, {}).runs
  }

  /**
   * The copy of a run for a stream: up to date, or as of the beginning of an outage of the store. `whole` asks for its
   * state beside its log.
   */
  async find(owner: RunOwner, run_id: string, whole: boolean): Promise<Run | undefined> {
    const mirror = await this.#find(owner, run_id)
    if (whole && mirror !== undefined) await this.#mirrors.understand(mirror)
    return mirror?.run
  }

  /**
   * Shows other nodes that this node calls an agent, until the returned function is called. `onLost` is called if it
   * cannot.
   * @throws SvcError `overloaded`
   */
  async calling(onLost: () => void): Promise<() => void> {
    if (this.#lease === undefined) return () => undefined
    return this.#lease.hold(onLost).catch((cause: unknown) => {
      throw tryAgain(cause)
    })
  }

  /** Whether a node calls the agent of a run. */
  isCalled(owner: RunOwner, run_id: string): boolean {
    return this.#directory.get({ owner, run_id })?.caller !== undefined
  }

  /** The readers that other nodes have of a run. */
  async readersElsewhere(owner: RunOwner, run_id: string): Promise<ReadersElsewhere> {
    return (await this.#store.callers?.readersElsewhere({ owner, run_id })) ?? 'none'
  }

  /** The copy of a run that is in memory now. */
  present(owner: RunOwner, run_id: string): Run | undefined {
    return this.#mirrors.held({ owner, run_id })?.run
  }

  /** Keeps a run in memory while a reader is there. */
  hold(run: Run, reader: OpenStream): void {
    this.#mirrors.hold(run, reader)
  }

  /** The memory of this node that runs take. */
  get shares(): Shares<Run> {
    return this.#mirrors.shares
  }

  close(): void {
    this.#lease?.stop()
    this.#lostCallers?.stop()
    this.#care.stop()
    this.#mirrors.close()
    this.#directory.close()
  }

  #page(owners: RunOwners, query: RunsQuery): RunsPage {
    return pageOf(
      this.#directory.shares.of(owners).map(({ record }) => record),
      query,
    )
  }

  async #find(owner: RunOwner, run_id: string): Promise<Mirror | undefined> {
    const name = { owner, run_id }
    const held = this.#mirrors.held(name)
    if (this.#store.away && held !== undefined) return held
    const knownEntry = this.#directory.get(name)
    // The run is read while the node catches up with the store.
    if (held === undefined && knownEntry !== undefined) this.#mirrors.get(knownEntry).catch(() => undefined)
    try {
      await catchUp(this.#store)
    } catch (error) {
      if (held !== undefined) return held
      throw error
    }
    const entry = this.#directory.get(name)
    return entry === undefined ? undefined : this.#mirrors.get(entry)
  }

  /** Writes the first message of a run, behind the mark of a removed run of the same name. */
  async #begin(head: RunHead, texts: readonly string[], time: AnswerTime): Promise<RunAppended> {
    const append = (expected: number) => this.#store.append(head, texts, expected, time.left - findOutMs)
    const before = this.#directory.find(head.record)?.head.position ?? 0
    const begun = await append(before)
    // The mark of the removed run may be gone from the store, because this node remembers it for longer.
    return begun.is === 'moved' && before > 0 ? append(0) : begun
  }

  readonly #newId = (): string => {
    const random = this.#options.randomBytes(16)
    return createEpoch(random.subarray(0, 8)) + createEpoch(random.subarray(8))
  }
}
