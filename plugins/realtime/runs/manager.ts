import { httpFail } from '../../../core/kernel/catalogue.ts'
import { cancelled, noRun, runFail } from '../errors.ts'
import { sizeOf } from '../json-size.ts'
import { createEpoch } from '../streams/cursor.ts'
import { frameOverhead } from '../streams/ring.ts'
import type { StreamClock } from '../streams/soon.ts'
import type { RunOwner, RunOwners, RunRecord, Runs, RunsPage, RunsQuery, RunWish } from './api.ts'
import { type AgUiEvent, eventProblem } from './event-shape.ts'
import { beginningOf, idsOf } from './ids.ts'
import { pageOf } from './pages.ts'
import { isThere } from './position.ts'
import { Run, runOverhead } from './run.ts'
import type { RunNumbers } from './settings.ts'
import { Shares } from './shares.ts'
import { Slices } from './slices.ts'

/** What the run manager needs. */
export interface RunManagerOptions extends RunNumbers {
  readonly clock: StreamClock
  readonly randomBytes: (length: number) => Uint8Array
  readonly soon: (run: () => void) => void
  /** Runs a function in the next turn of the event loop; `soon` if absent. */
  readonly turn?: (run: () => void) => void
  /** Called for each run that is new, has ended (`update`) or is no longer retained. */
  readonly onChange?: (operation: 'insert' | 'update' | 'delete', record: RunRecord) => void
}

/** All runs of this process. The ids of one owner are independent of those of others. */
export class RunManager implements Runs {
  /** The name of this process in cursors. Drawn at the first run, so that a start does not wait for random bytes. */
  #epoch: string | undefined
  readonly #options: RunManagerOptions
  /** The bytes that runs take, by owner. */
  readonly shares: Shares<Run>
  readonly #slices: Slices
  #timer: unknown

  constructor(options: RunManagerOptions) {
    this.#options = options
    this.shares = new Shares({
      ...options,
      monotonic: () => options.clock.monotonic(),
      forget: (run) => this.#forget(run),
    })
    this.#slices = new Slices(options.clock, options.turn ?? options.soon, options.runSliceMs)
  }

  /** As `Runs.create`, with its first events, which do not end the run. */
  create(owner: RunOwner, wish: RunWish = {}, first: readonly unknown[] = []): RunRecord {
    const { clock } = this.#options
    const ids = idsOf(wish, this.#options.randomBytes)
    const { run_id } = ids
    const { runs, inTurn } = this.shares.owner(owner)
    if (runs.has(run_id)) throw runFail('run_exists')
    this.shares.admitRun(owner)
    const { bytes, room } = weigh(first, this.#options)
    this.shares.admit(owner, runOverhead + room)
    this.#epoch ??= createEpoch(this.#options.randomBytes(8))
    const record = {
      ...ids,
      owner: { user_id: owner.user_id, tenant_id: owner.tenant_id },
      created_at_ms: beginningOf(clock.now(), ids.thread_id, runs.values()),
      epoch: this.#epoch,
      agent: wish.agent ?? null,
    }
    const run = new Run({
      ...this.#options,
      record,
      startedAt: clock.monotonic(),
      slices: this.#slices,
      inTurn,
    })
    this.shares.add(run)
    try {
      this.#append(run, first as readonly AgUiEvent[], bytes)
    } catch (error) {
      this.shares.remove(run)
      throw error
    }
    this.#options.onChange?.('insert', run.record)
    this.#startTimer()
    return run.record
  }

  append(owner: RunOwner, runId: string, events: readonly unknown[], match?: string): RunRecord {
    const run = this.find(owner, runId)
    if (run === undefined) throw noRun()
    const { bytes, room } = weigh(events, this.#options)
    if (match !== undefined && isThere(run, match, events)) return run.record
    this.admit(owner, runId, room)
    this.#append(run, events as readonly AgUiEvent[], bytes)
    return run.record
  }

  admit(owner: RunOwner, runId: string, bytes: number): void {
    const run = this.find(owner, runId)
    if (run === undefined) throw noRun()
    // A run that is over takes no events, so no other run is removed to make room.
    if (run.endedAt === null) this.shares.admit(owner, bytes)
  }

  get(owner: RunOwner, runId: string): RunRecord | undefined {
    return this.find(owner, runId)?.record
  }

  list(owner: RunOwner): readonly RunRecord[] {
    return this.page(owner, {}).runs
  }

  page(owners: RunOwners, query: RunsQuery): RunsPage {
    return pageOf(
      this.shares.of(owners).map(({ record }) => record),
      query,
    )
  }

  erase(owner: RunOwner): number {
    const runs = [...(this.shares.find(owner)?.runs.values() ?? [])]
    for (const run of runs) {
      if (run.endedAt === null) this.#append(run, [cancelled], 0)
      // Its end may have removed it, because of the limit of finished runs.
      if (this.find(owner, run.record.run_id) === run) this.#forget(run)
    }
    return runs.length
  }

  /** The run itself, for the stream. */
  find(owner: RunOwner, runId: string): Run | undefined {
    return this.shares.find(owner)?.runs.get(runId)
  }

  /** Removes all runs and stops the timer. */
  close(): void {
    if (this.#timer !== undefined) this.#options.clock.clearTimeout(this.#timer)
    this.#timer = undefined
    this.shares.clear()
  }

  #append(run: Run, events: readonly AgUiEvent[], bytes: number): void {
    const { clock } = this.#options
    this.shares.working(run, bytes, (work) => run.append(events, clock.now(), clock.monotonic(), work))
    if (run.endedAt === null) return
    this.#options.onChange?.('update', run.record)
    this.shares.finish(run)
    this.shares.limitFinished()
  }

  #forget(run: Run): void {
    this.shares.remove(run)
    this.#options.onChange?.('delete', run.record)
  }

  #sweep(): void {
    const { clock, finishedRunTtlMs, runIdleMs } = this.#options
    const now = clock.monotonic()
    for (const run of this.shares.runs) {
      const idle = now - run.touchedAt
      if (run.endedAt === null) {
        if (idle < runIdleMs) continue
        this.#append(run, [{ type: 'RUN_ERROR', message: 'No event came for too long.', code: 'svc.run.abandoned' }], 0)
      } else if (idle >= finishedRunTtlMs) this.#forget(run)
    }
  }

  #startTimer(): void {
    const { clock, finishedRunTtlMs, runIdleMs } = this.#options
    this.#timer ??= clock.setTimeout(
      () => {
        this.#timer = undefined
        this.#sweep()
        if (this.shares.runs.length > 0) this.#startTimer()
      },
      Math.max(10, Math.min(10_000, finishedRunTtlMs / 4, runIdleMs / 4)),
    )
  }
}

/**
 * Checks events, and removes optional members that are null. Returns the bytes that the events take, and the bytes that
 * they take in the log and in the document together.
 * @throws SvcError `malformed_request`, `payload_too_large`
 */
export function weigh(
  events: readonly unknown[],
  {
    runMaxEvents,
    runMaxBytes,
    maxIdBytes,
    maxPatchOperations,
  }: Pick<RunManagerOptions, 'runMaxEvents' | 'runMaxBytes' | 'maxIdBytes' | 'maxPatchOperations'>,
): { readonly bytes: number; readonly room: number } {
  const tooMuch = (): Error => httpFail('payload_too_large', { message: 'More at once than a run retains.' })
  if (events.length > runMaxEvents) throw tooMuch()
  let bytes = 0
  for (const event of events) {
    const problem = eventProblem(event, maxIdBytes, true) ?? patchProblem(event as AgUiEvent, maxPatchOperations)
    if (problem !== null) throw httpFail('malformed_request', { message: `Not an AG-UI 1.0 event: ${problem}.` })
    const size = sizeOf(event)
    if (size === Infinity) {
      throw httpFail('malformed_request', { message: 'An event is nested too deep.' })
    }
    bytes += size
  }
  if (bytes > runMaxBytes) throw tooMuch()
  return { bytes, room: 2 * bytes + frameOverhead * events.length }
}

/** Returns why the patch of an event is not well formed; undefined if it is, or if the event has none. */
function patchProblem({ type, delta, patch }: AgUiEvent, maxOperations: number): string | null {
  const operations = type === 'STATE_DELTA' ? delta : type === 'ACTIVITY_DELTA' ? patch : []
  return (operations as readonly unknown[]).length > maxOperations
    ? `${type} has more than ${maxOperations} operations`
    : null
}
