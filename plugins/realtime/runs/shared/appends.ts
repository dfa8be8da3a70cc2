import { httpFail } from '../../../../core/catalogue.ts'
import type { RunHead, RunName, RunOwner, RunRecord, RunStore } from '../../api.ts'
import type { AgUiEvent } from '../event-shape.ts'
import { type RunManagerOptions, weigh } from '../manager.ts'
import { isThere, noRun } from '../position.ts'
import { statusOf, toText } from '../run.ts'
import type { Directory, Entry } from './directory.ts'
import { appendFail, tryAgain } from './errors.ts'
import { know } from './know.ts'
import type { Mirror } from './mirror.ts'
import type { Mirrors } from './mirrors.ts'
import type { Judged } from './shared-run.ts'

/** An append is answered within this time, in milliseconds; the store's own limit is below it. */
const answerMs = 5_000

/** How often an append is judged again that others came before. */
const maxMoves = 3

/** Bytes of events that may wait for the store, of all callers. */
const maxWaiting = 67_108_864

/** What appends work with. */
export interface AppendsOptions extends RunManagerOptions {
  readonly store: RunStore
  readonly directory: Directory
  readonly mirrors: Mirrors
  /** Names a batch. */
  readonly newId: () => RunHead['id']
}

/** A batch that is to be written. */
interface Batch {
  readonly id: string
  readonly events: readonly AgUiEvent[]
  readonly match: string | undefined
  /** What it takes as it came, and in the log and in the document together. */
  readonly bytes: number
  readonly room: number
  /** When its caller is answered, on the monotonic clock. */
  readonly until: number
}

/** Appends to the runs of a cluster: judged by the copy of this node, written where nobody was first. */
export class Appends {
  readonly #options: AppendsOptions
  #waiting = 0

  constructor(options: AppendsOptions) {
    this.#options = options
  }

  /** As `Runs.append`. */
  async append(owner: RunOwner, run_id: string, given: readonly unknown[], match?: string): Promise<RunRecord> {
    const { clock, mirrors, newId } = this.#options
    const until = clock.monotonic() + answerMs
    const { bytes, room } = weigh(given, this.#options)
    if (this.#waiting + bytes > maxWaiting) throw tryAgain()
    this.#waiting += bytes
    try {
      const mirror = await mirrors.get(await this.#find({ owner, run_id }))
      const batch: Batch = { id: newId(), events: given as readonly AgUiEvent[], match, bytes, room, until }
      mirror.busy++
      try {
        return await mirror.inTurn(() => this.#write(mirror, batch))
      } finally {
        mirror.busy--
        mirror.usedAt = clock.monotonic()
      }
    } finally {
      this.#waiting -= bytes
    }
  }

  /** Refuses more bytes for a run whose owner has no room for them. */
  async admit(owner: RunOwner, run_id: string, bytes: number): Promise<void> {
    const { store, directory } = this.#options
    const entry = await this.#find({ owner, run_id })
    if (bytes > store.maxBatchBytes) throw httpFail('payload_too_large')
    if (entry.record.status === 'running') directory.shares.admit(owner, bytes)
  }

  async #write(mirror: Mirror, batch: Batch): Promise<RunRecord> {
    const { clock, store, mirrors } = this.#options
    const { run } = mirror
    const { id, events, until } = batch
    const texts = events.map(toText)
    if (isLonger(texts, store.maxBatchBytes)) throw httpFail('payload_too_large')
    const left = (): number => until - clock.monotonic()
    for (let moves = 0; moves <= maxMoves && left() > 0; ) {
      await mirrors.understand(mirror)
      if (mirror.dropped) throw tryAgain()
      const verdict = await this.#judge(mirror, batch)
      if (verdict === undefined) continue
      if (verdict === 'there' || events.length === 0) return run.record
      const { record } = run
      const head: RunHead = {
        id,
        record: {
          ...record,
          ...(verdict.over && { status: statusOf(events.at(-1)!), ended_at_ms: clock.now() }),
          first_seq: run.firstAfter(texts),
          last_seq: record.last_seq + events.length,
        },
        bytes: verdict.bytes,
        gone: false,
      }
      const done = await store.append(head, texts, mirror.position)
      if (done.is === 'refused') throw tryAgain()
      if (done.is === 'written') {
        // It comes back like what others append; it is in the log, whether this node sees it soon or not.
        if (await mirror.reachSurely(done.position, Math.max(0, left()))) mirrors.shorten(mirror)
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
    throw tryAgain()
  }

  /** What is said of a batch; undefined where it was a refusal, and there is news that may change it. */
  async #judge(mirror: Mirror, { events, match, bytes, room }: Batch): Promise<'there' | Judged | undefined> {
    const { directory, mirrors } = this.#options
    const { run, name } = mirror
    try {
      if (match !== undefined && isThere(run, match, events)) return 'there'
      if (run.endedAt === null) directory.shares.admit(name.owner, room)
      let judged: Judged | undefined
      mirrors.shares.working(run, bytes, (work) => {
        judged = run.check(events, room - bytes, work)
      })
      return judged
    } catch (error) {
      // A refusal counts only where nothing came before it that is not here yet.
      if (await this.#refresh(mirror, answerMs / 2)) return undefined
      throw error
    }
  }

  /** Gets what there is; says whether there was something. */
  async #refresh(mirror: Mirror, ms: number): Promise<boolean> {
    const { store, directory } = this.#options
    const { position } = mirror
    await know(store)
    const entry = directory.get(mirror.name)
    if (entry === undefined) throw noRun()
    if (!(await mirror.reachSurely(entry.head.position, ms))) throw tryAgain()
    return mirror.position > position
  }

  /** A run to append to: one that is known is not asked for. @throws SvcError `not_found`, `overloaded` */
  async #find(name: RunName): Promise<Entry> {
    const { store, directory } = this.#options
    if (store.away) throw tryAgain()
    const known = directory.get(name)
    if (known !== undefined) return known
    await know(store)
    const entry = directory.get(name)
    if (entry === undefined) throw noRun()
    return entry
  }
}

/** Whether texts, one a line, take more bytes; no character takes more than three. */
function isLonger(texts: readonly string[], bytes: number): boolean {
  const chars = texts.reduce((sum, { length }) => sum + length + 1, 0)
  return 3 * chars > bytes && new TextEncoder().encode(texts.join('\n')).length > bytes
}
