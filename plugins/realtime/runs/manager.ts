import { httpFail } from '../../../core/catalogue.ts'
import type { RunOwner, RunRecord, Runs } from '../api.ts'
import { runFail } from '../errors.ts'
import { createEpoch, formatCursor, parseCursor } from '../streams/cursor.ts'
import type { StreamClock } from '../streams/sink.ts'
import { type AgUiEvent, eventProblem } from './event-shape.ts'
import { Run } from './run.ts'

/** The numbers of the run manager. */
export interface RunManagerOptions {
  readonly clock: StreamClock
  readonly randomBytes: (length: number) => Uint8Array
  readonly soon: (run: () => void) => void
  readonly maxEventsPerRun: number
  readonly maxBytesPerRun: number
  readonly maxBytes: number
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
  readonly epoch: string
  readonly #options: RunManagerOptions
  readonly #owners = new Map<string, Map<string, Run>>()
  /** Ended runs, oldest first. */
  readonly #finished = new Set<Run>()
  /** Bytes of each run when last looked at, and their sum. */
  readonly #weights = new Map<Run, number>()
  #bytes = 0
  #running = 0
  #timer: unknown

  constructor(options: RunManagerOptions) {
    this.#options = options
    this.epoch = createEpoch(options.randomBytes(8))
  }

  create(owner: RunOwner, options: { readonly run_id?: string; readonly thread_id?: string } = {}): RunRecord {
    const { clock, maxEventsPerRun, maxBytesPerRun, maxRunning, maxRunningPerOwner, soon } = this.#options
    const run_id = options.run_id ?? this.#newId('run')
    const thread_id = options.thread_id ?? this.#newId('thread')
    for (const id of [run_id, thread_id]) {
      if (!runIdPattern.test(id))
        throw httpFail('malformed_request', {
          message: 'run_id and thread_id are 1 to 128 of A-Z a-z 0-9 . _ : - and begin with a letter or digit.',
        })
    }
    const key = ownerKey(owner)
    const runs = this.#owners.get(key) ?? new Map<string, Run>()
    if (runs.has(run_id)) throw runFail('run_exists')
    if (this.#running >= maxRunning) throw httpFail('overloaded', { headers: { 'retry-after': '5' } })
    if ([...runs.values()].filter((run) => run.endedAt === null).length >= maxRunningPerOwner) {
      throw httpFail('rate_limited', { headers: { 'retry-after': '5' } })
    }
    const record = {
      run_id,
      thread_id,
      owner: { user_id: owner.user_id, tenant_id: owner.tenant_id },
      created_at_ms: clock.now(),
      epoch: this.epoch,
    }
    const run = new Run({ record, maxEvents: maxEventsPerRun, maxBytes: maxBytesPerRun, soon })
    runs.set(run_id, run)
    this.#owners.set(key, runs)
    this.#running++
    this.#weigh(run)
    this.#options.onChange?.('insert', run.record)
    this.#startTimer()
    return run.record
  }

  append(owner: RunOwner, runId: string, events: readonly unknown[]): RunRecord {
    const run = this.find(owner, runId)
    if (run === undefined) throw httpFail('not_found')
    for (const event of events) {
      const problem = eventProblem(event)
      if (problem !== null) throw httpFail('malformed_request', { message: `Not an AG-UI 1.0 event: ${problem}.` })
    }
    this.#append(run, events as readonly AgUiEvent[])
    return run.record
  }

  get(owner: RunOwner, runId: string): RunRecord | undefined {
    return this.find(owner, runId)?.record
  }

  list(owner: RunOwner): readonly RunRecord[] {
    return [...(this.#owners.get(ownerKey(owner))?.values() ?? [])].map((run) => run.record).reverse()
  }

  /** The run itself, for the stream. */
  find(owner: RunOwner, runId: string): Run | undefined {
    return this.#owners.get(ownerKey(owner))?.get(runId)
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
    this.#owners.clear()
    this.#finished.clear()
  }

  #append(run: Run, events: readonly AgUiEvent[]): void {
    run.append(events, this.#options.clock.now())
    this.#weigh(run)
    if (run.endedAt !== null) {
      this.#running--
      this.#finished.add(run)
      this.#options.onChange?.('update', run.record)
    }
    this.#retain()
  }

  /** Drops what is over the limits: finished runs first, oldest first, then the oldest events of the largest run. */
  #retain(): void {
    const { maxBytes, maxFinishedRuns } = this.#options
    for (const run of this.#finished) {
      if (this.#finished.size <= maxFinishedRuns) break
      this.#forget(run)
    }
    for (const run of this.#finished) {
      if (this.#bytes <= maxBytes) return
      this.#forget(run)
    }
    while (this.#bytes > maxBytes) {
      const largest = this.#all().reduce((a, b) => (b.feed.ring.bytes > a.feed.ring.bytes ? b : a))
      if (largest.feed.ring.size === 0) return
      largest.feed.evict()
      this.#weigh(largest)
    }
  }

  #weigh(run: Run): void {
    this.#bytes += run.bytes - (this.#weights.get(run) ?? 0)
    this.#weights.set(run, run.bytes)
  }

  #all(): readonly Run[] {
    return [...this.#owners.values()].flatMap((runs) => [...runs.values()])
  }

  #forget(run: Run): void {
    const { record } = run
    const key = ownerKey(record.owner)
    const runs = this.#owners.get(key)
    this.#finished.delete(run)
    this.#bytes -= this.#weights.get(run) ?? 0
    this.#weights.delete(run)
    runs?.delete(record.run_id)
    if (runs?.size === 0) this.#owners.delete(key)
    this.#options.onChange?.('delete', record)
  }

  #sweep(): void {
    const { clock, finishedTtlMs, idleMs } = this.#options
    const now = clock.now()
    for (const run of this.#finished) if (now - run.endedAt! >= finishedTtlMs) this.#forget(run)
    for (const run of this.#all()) {
      if (run.endedAt === null && now - run.touchedAt >= idleMs) {
        this.#append(run, [{ type: 'RUN_ERROR', message: 'No event came for too long.', code: 'svc.run.abandoned' }])
      }
    }
  }

  #startTimer(): void {
    const { clock, finishedTtlMs, idleMs } = this.#options
    this.#timer ??= clock.setTimeout(
      () => {
        this.#timer = undefined
        this.#sweep()
        if (this.#owners.size > 0) this.#startTimer()
      },
      Math.max(10, Math.min(10_000, finishedTtlMs / 4, idleMs / 4)),
    )
  }

  #newId(prefix: string): string {
    return `${prefix}_${createEpoch(this.#options.randomBytes(8))}${createEpoch(this.#options.randomBytes(8))}`
  }
}

function ownerKey({ tenant_id, user_id }: RunOwner): string {
  return JSON.stringify([tenant_id, user_id])
}
