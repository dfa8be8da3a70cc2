/** Runs to which this service itself appends what an agent sends. */
import type { Reply } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import { runFail } from '../errors.ts'
import { formatCursor } from '../streams/cursor.ts'
import type { StreamClock } from '../streams/soon.ts'
import type { AgentRun, AgentRuns, RunOwner, RunRecord, RunWish } from './api.ts'
import type { OwnRuns } from './own-runs.ts'
import type { Run } from './run.ts'

type Name = Pick<RunRecord, 'owner' | 'run_id'>

/** A run that this service alone appends to. */
interface Held {
  /** Aborted when the run has ended. */
  readonly ended: AbortController
  /** Resolves when the run has begun, or could not begin. */
  readonly begun: Promise<void>
  /** Whether the service has ended the stream of the last reader, on any node, and no other has come. */
  isAwaited: boolean
}

/** The runs of this process whose events come from agents. */
export class WrittenRuns implements AgentRuns {
  readonly #runs: () => OwnRuns
  readonly #clock: StreamClock
  /** By the key of the run. */
  readonly #held = new Map<string, Held>()

  /** `runs` is asked at each use, because its store may be known only after the set-up. */
  constructor(runs: () => OwnRuns, clock: StreamClock) {
    this.#runs = runs
    this.#clock = clock
  }

  async begin(owner: RunOwner, wish: Required<RunWish>, started: object): Promise<AgentRun> {
    const { manager } = this.#runs()
    const { run_id } = wish
    const key = keyOf({ owner, run_id })
    // Before the first wait, so that of two requests at once one alone begins.
    if (this.#held.has(key)) throw runFail('run_exists')
    const [ended, lost] = [new AbortController(), new AbortController()]
    let onBegun!: () => void
    const begun = new Promise<void>((resolve) => (onBegun = resolve))
    const held: Held = { ended, begun, isAwaited: false }
    this.#held.set(key, held)
    let endCalling: (() => void) | undefined
    const release = (): void => {
      endCalling?.()
      this.#held.delete(key)
    }
    try {
      endCalling = await manager.calling?.(() => lost.abort())
      // Both at once: a run that has no event, and that nobody appends to, would be left by a process that dies in
      // between.
      let record = await manager.create(owner, wish, [started])
      return {
        get record() {
          return record
        },
        ended: ended.signal,
        lost: lost.signal,
        isRead: () => this.#isRead(held, owner, run_id),
        append: async (events) => {
          const match = `"${formatCursor(record.epoch, record.last_seq)}"`
          record = await manager.append(owner, run_id, events, match)
          return record
        },
        release,
      }
    } catch (error) {
      release()
      throw error
    } finally {
      onBegun()
    }
  }

  async started(owner: RunOwner, runId: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    // The same request may be beginning the run at this moment.
    await this.#held.get(keyOf({ owner, run_id: runId }))?.begun
    const { find, manager } = this.#runs()
    const run = await find(owner, runId, true)
    // A node of an earlier version has created the run, and is about to append its first event.
    if (run !== undefined && run.started === null && manager.isCalled?.(owner, runId)) {
      await firstEventOf(run, this.#clock)
      return (await find(owner, runId, true))?.started ?? undefined
    }
    return run?.started ?? undefined
  }

  async open(request: SvcRequest, owner: RunOwner, runId: string): Promise<Reply> {
    const { open, find } = this.#runs()
    const run = await find(owner, runId, false)
    // A standard client needs RUN_STARTED first, which the log may have lost.
    const prelude = run !== undefined && run.feed.ring.base > 1
    return open(request, owner, runId, { requested: null, prelude, whole: true })
  }

  /** Whether this process calls the agent of a run. */
  isCalledHere({ record }: Pick<Run, 'record'>): boolean {
    return this.#held.has(keyOf(record))
  }

  /** Whether the service alone appends to a run now, on this node or another one. */
  isHeld(owner: RunOwner, runId: string): boolean {
    const isHere = this.#held.size > 0 && this.#held.has(keyOf({ owner, run_id: runId }))
    return isHere || this.#runs().manager.isCalled?.(owner, runId) === true
  }

  async #isRead(held: Held, owner: RunOwner, runId: string): Promise<boolean> {
    const { present, manager, find } = this.#runs()
    const feed = (present === undefined ? await find(owner, runId, false) : present(owner, runId))?.feed
    const isHere = feed !== undefined && feed.readers > 0
    const elsewhere = isHere ? 'some' : ((await manager.readersElsewhere?.(owner, runId)) ?? 'none')
    if (elsewhere === 'some') {
      held.isAwaited = false
      if (feed !== undefined && !isHere) feed.wasInterrupted = false
      return true
    }
    held.isAwaited ||= elsewhere === 'ended' || feed?.wasInterrupted === true
    return held.isAwaited
  }

  /** To be called with each run that has ended or is gone. */
  over(record: RunRecord): void {
    this.#held.get(keyOf(record))?.ended.abort()
  }
}

/** Longest time that the first event of a run is waited for, in milliseconds. */
const FIRST_MS = 4_000

/** Resolves at the next event of a run, or after a while. */
function firstEventOf(run: Run, clock: Pick<StreamClock, 'setTimeout' | 'clearTimeout'>): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.setTimeout(resolve, FIRST_MS)
    run.expect(() => {
      clock.clearTimeout(timer)
      resolve()
    })
  })
}

function keyOf({ owner: { tenant_id, user_id }, run_id }: Name): string {
  return JSON.stringify([tenant_id, user_id, run_id])
}
