/** Runs to which this service itself appends what an agent sends. */
import type { Reply } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import type { AgentRun, AgentRuns, RunOwner, RunRecord, RunWish } from '../api.ts'
import { runFail } from '../errors.ts'
import { formatCursor } from '../streams/cursor.ts'
import type { OwnRuns } from './runs.ts'

type Name = Pick<RunRecord, 'owner' | 'run_id'>

/** A run that this service alone appends to. */
interface Held {
  /** Aborted when the run has ended. */
  readonly ended: AbortController
  /** Resolves when the run has begun, or could not begin. */
  readonly begun: Promise<void>
}

/** The runs of this process whose events come from agents. */
export class WrittenRuns implements AgentRuns {
  readonly #runs: () => OwnRuns
  /** By the key of the run. */
  readonly #held = new Map<string, Held>()

  /** `runs` is asked at each use, because its store may be known only after the set-up. */
  constructor(runs: () => OwnRuns) {
    this.#runs = runs
  }

  async begin(owner: RunOwner, wish: Required<RunWish>, started: object): Promise<AgentRun> {
    const { manager } = this.#runs()
    const { run_id } = wish
    const key = keyOf({ owner, run_id })
    // Before the first wait, so that of two requests at once one alone begins.
    if (this.#held.has(key)) throw runFail('run_exists')
    const ended = new AbortController()
    let onBegun!: () => void
    const begun = new Promise<void>((resolve) => (onBegun = resolve))
    this.#held.set(key, { ended, begun })
    const release = (): void => void this.#held.delete(key)
    try {
      let record = await manager.create(owner, wish)
      try {
        record = await manager.append(owner, run_id, [started])
      } catch (error) {
        // Nobody would ever append to the run.
        await (async () => manager.append(owner, run_id, [notBegun]))().catch(() => undefined)
        throw error
      }
      return {
        get record() {
          return record
        },
        ended: ended.signal,
        readers: async () => (await this.#runs().find(owner, run_id, false))?.feed.readers ?? 0,
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
    const run = await this.#runs().find(owner, runId, true)
    return run?.started ?? undefined
  }

  async open(request: SvcRequest, owner: RunOwner, runId: string): Promise<Reply> {
    const { open, find } = this.#runs()
    const run = await find(owner, runId, false)
    // A standard client needs RUN_STARTED first, which the log may have lost.
    const prelude = run !== undefined && run.feed.ring.base > 1
    return open(request, owner, runId, { requested: null, prelude, whole: true })
  }

  /** Whether this service alone appends to a run now. */
  isHeld(owner: RunOwner, runId: string): boolean {
    return this.#held.size > 0 && this.#held.has(keyOf({ owner, run_id: runId }))
  }

  /** To be called with each run that has ended or is gone. */
  over(record: RunRecord): void {
    this.#held.get(keyOf(record))?.ended.abort()
  }
}

const notBegun = { type: 'RUN_ERROR', code: 'svc.run.store_unavailable', message: 'The run could not be begun.' }

function keyOf({ owner: { tenant_id, user_id }, run_id }: Name): string {
  return JSON.stringify([tenant_id, user_id, run_id])
}
