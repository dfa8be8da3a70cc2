import { httpFail } from '../../../core/catalogue.ts'
import type { RunOwner, RunRecord, Runs } from '../api.ts'
import { runFail } from '../errors.ts'
import { sizeOf } from '../json-size.ts'
import { createEpoch, formatCursor, parseCursor } from '../streams/cursor.ts'
import { frameOverhead } from '../streams/ring.ts'
import type { StreamClock } from '../streams/sink.ts'
import { type AgUiEvent, eventProblem } from './event-shape.ts'
import { Run, runOverhead } from './run.ts'
import { Shares } from './shares.ts'
import { Slices } from './slices.ts'

/** The numbers of the run manager. */
export interface RunManagerOptions {
  readonly clock: StreamClock
  readonly randomBytes: (length: number) => Uint8Array
  readonly soon: (run: () => void) => void
  readonly maxEventsPerRun: number
  readonly maxBytesPerRun: number
  readonly maxBytes: number
  /** Shares of it, 0 to 1. */
  readonly identityShare: number
  readonly tenantShare: number
  /** Elements of large runs that an identity may have touched a second beyond those that it sends. */
  readonly workPerSecond: number
  readonly maxIdBytes: number
  readonly maxPatchOperations: number
  /** Events between two places from which an old position is reached, and how long that may hold the loop at once. */
  readonly checkpointEvents: number
  readonly sliceMs: number
  readonly maxFinishedRuns: number
  readonly finishedTtlMs: number
  /** Runs that are under way, of one owner and of all. */
  readonly maxRunningPerOwner: number
  readonly maxRunning: number
  /** After this long without an event a run counts as abandoned and is ended with RUN_ERROR. */
  readonly idleMs: number
  /** Told of each run that is new, ended (`update`) or no longer retained. */
  readonly onChange?: (operation: 'insert' | 'update' | 'delete', record: RunRecord) => void
}

/** Where a reader starts, and what it is told of history that is gone. */
export interface Joining {
  /** Sequence after which events are sent. */
  readonly after: number
  /** Set where history was lost: the position as the header names it, and the event that says so in band. */
  readonly lost: { readonly position: string; readonly gap: AgUiEvent } | null
}

const runIdPattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/

/** All runs of this process, each in the name space of its owner. */
export class RunManager implements Runs {
  #epoch: string | undefined
  readonly #options: RunManagerOptions
  readonly #shares: Shares
  readonly #slices: Slices
  #running = 0
  #timer: unknown

  constructor(options: RunManagerOptions) {
    this.#options = options
    this.#shares = new Shares({
      ...options,
      monotonic: () => options.clock.monotonic(),
      forget: (run) => this.#forget(run),
    })
    this.#slices = new Slices(options.clock, options.soon, options.sliceMs)
  }

  /** Names this process in cursors; drawn when the first run wants it, since no start has to wait for chance. */
  get epoch(): string {
    this.#epoch ??= createEpoch(this.#options.randomBytes(8))
    return this.#epoch
  }

  create(owner: RunOwner, options: { readonly run_id?: string; readonly thread_id?: string } = {}): RunRecord {
    const { clock, maxEventsPerRun, maxBytesPerRun, maxRunning, maxRunningPerOwner, soon, checkpointEvents } =
      this.#options
    const run_id = options.run_id ?? this.#newId('run')
    const thread_id = options.thread_id ?? this.#newId('thread')
    for (const id of [run_id, thread_id]) {
      if (!runIdPattern.test(id))
        throw httpFail('malformed_request', {
          message: 'run_id and thread_id are 1 to 128 of A-Z a-z 0-9 . _ : - and begin with a letter or digit.',
        })
    }
    const { runs, inTurn } = this.#shares.owner(owner)
    if (runs.has(run_id)) throw runFail('run_exists')
    if (this.#running >= maxRunning) throw httpFail('overloaded', { headers: { 'retry-after': '5' } })
    if ([...runs.values()].filter((run) => run.endedAt === null).length >= maxRunningPerOwner) {
      throw httpFail('rate_limited', { headers: { 'retry-after': '5' } })
    }
    this.#shares.admit(owner, runOverhead)
    const record = {
      run_id,
      thread_id,
      owner: { user_id: owner.user_id, tenant_id: owner.tenant_id },
      created_at_ms: clock.now(),
      epoch: this.epoch,
    }
    const run = new Run({
      record,
      maxEvents: maxEventsPerRun,
      maxBytes: maxBytesPerRun,
      soon,
      startedAt: clock.monotonic(),
      slices: this.#slices,
      inTurn,
      checkpointEvents,
    })
    this.#shares.add(run)
    this.#running++
    this.#options.onChange?.('insert', run.record)
    this.#startTimer()
    return run.record
  }

  append(owner: RunOwner, runId: string, events: readonly unknown[]): RunRecord {
    const run = this.find(owner, runId)
    if (run === undefined) throw httpFail('not_found')
    const { maxEventsPerRun, maxBytesPerRun, maxIdBytes, maxPatchOperations } = this.#options
    if (events.length > maxEventsPerRun) {
      throw httpFail('payload_too_large', { message: 'More events at once than a run retains.' })
    }
    let bytes = 0
    for (const event of events) {
      const problem = eventProblem(event, maxIdBytes) ?? patchProblem(event as AgUiEvent, maxPatchOperations)
      if (problem !== null) throw httpFail('malformed_request', { message: `Not an AG-UI 1.0 event: ${problem}.` })
      const size = sizeOf(event)
      if (size === Number.POSITIVE_INFINITY) {
        throw httpFail('malformed_request', { message: 'An event is nested too deep.' })
      }
      bytes += size
    }
    if (bytes > maxBytesPerRun) throw httpFail('payload_too_large', { message: 'More at once than a run retains.' })
    // In the log and in the document, each.
    this.admit(owner, runId, 2 * bytes + frameOverhead * events.length)
    this.#append(run, events as readonly AgUiEvent[], bytes)
    return run.record
  }

  /** Refuses more bytes for a run whose owner has no room for them. @throws SvcError `rate_limited`, `overloaded` */
  admit(owner: RunOwner, runId: string, bytes: number): void {
    // A run that is over takes nothing, so nothing makes way for it.
    if (this.find(owner, runId)?.endedAt === null) this.#shares.admit(owner, bytes)
  }

  get(owner: RunOwner, runId: string): RunRecord | undefined {
    return this.find(owner, runId)?.record
  }

  list(owner: RunOwner): readonly RunRecord[] {
    return [...(this.#shares.find(owner)?.runs.values() ?? [])].map((run) => run.record).reverse()
  }

  /** The run itself, for the stream. */
  find(owner: RunOwner, runId: string): Run | undefined {
    return this.#shares.find(owner)?.runs.get(runId)
  }

  /**
   * Resolves what a client asks to resume after; null means from the start. With `snapshot` the start is where the run
   * stands now, since a snapshot tells all that came before; an ended run then stands before its last event.
   */
  join(run: Run, requested: string | null, snapshot: boolean): Joining {
    const { base, next } = run.feed.ring
    const now = run.endedAt === null ? next - 1 : next - 2
    const start = snapshot ? Math.max(now, base - 1) : base - 1
    if (requested === null) return { after: start, lost: null }
    const cursor = parseCursor(requested)
    const known = cursor !== null && (cursor.epoch === null || cursor.epoch === this.epoch)
    if (known && cursor.sequence >= base - 1 && cursor.sequence < next) return { after: cursor.sequence, lost: null }
    const position = start === 0 ? 'earliest' : formatCursor(this.epoch, start)
    // The text came from the client: enough of it to recognise, no more.
    const value = { requested: requested.slice(0, 64), resumedAfter: position }
    return { after: start, lost: { position, gap: { type: 'CUSTOM', name: 'svc.stream.gap', value } } }
  }

  /** Forgets everything and stops the timer. */
  close(): void {
    if (this.#timer !== undefined) this.#options.clock.clearTimeout(this.#timer)
    this.#timer = undefined
    this.#shares.clear()
  }

  /** Whether the preludes of a run fit what its owner may hold. @throws SvcError `rate_limited` */
  admitPrelude(run: Run): void {
    this.#shares.admitPrelude(run)
  }

  /** Counts what readers of a run made it hold. */
  settle(run: Run): void {
    this.#shares.settle(run)
  }

  #append(run: Run, events: readonly AgUiEvent[], bytes: number): void {
    const { clock } = this.#options
    this.#shares.working(run, bytes, (work) => run.append(events, clock.now(), clock.monotonic(), work))
    if (run.endedAt === null) return
    this.#running--
    this.#options.onChange?.('update', run.record)
    this.#shares.finish(run)
  }

  #forget(run: Run): void {
    this.#shares.remove(run)
    this.#options.onChange?.('delete', run.record)
  }

  #sweep(): void {
    const { clock, finishedTtlMs, idleMs } = this.#options
    const now = clock.monotonic()
    for (const run of this.#shares.runs) {
      const idle = now - run.touchedAt
      if (run.endedAt === null) {
        if (idle < idleMs) continue
        this.#append(run, [{ type: 'RUN_ERROR', message: 'No event came for too long.', code: 'svc.run.abandoned' }], 0)
      } else if (idle >= finishedTtlMs) this.#forget(run)
    }
  }

  #startTimer(): void {
    const { clock, finishedTtlMs, idleMs } = this.#options
    this.#timer ??= clock.setTimeout(
      () => {
        this.#timer = undefined
        this.#sweep()
        if (this.#shares.runs.length > 0) this.#startTimer()
      },
      Math.max(10, Math.min(10_000, finishedTtlMs / 4, idleMs / 4)),
    )
  }

  #newId(prefix: string): string {
    return `${prefix}_${createEpoch(this.#options.randomBytes(8))}${createEpoch(this.#options.randomBytes(8))}`
  }
}

/** Says what is wrong with the patch of an event, where it has one. */
function patchProblem({ type, delta, patch }: AgUiEvent, maxOperations: number): string | null {
  const given = type === 'STATE_DELTA' ? delta : type === 'ACTIVITY_DELTA' ? patch : []
  return (given as readonly unknown[]).length > maxOperations
    ? `${type} has more than ${maxOperations} operations`
    : null
}
