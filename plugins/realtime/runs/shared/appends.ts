import type { TraceContext } from '../../../../core/http/request.ts'
import { httpFail } from '../../../../core/kernel/catalogue.ts'
import { sizeFault } from '../../../../core/kernel/values.ts'
import { noRun } from '../../errors.ts'
import type { RunOwner, RunRecord } from '../api.ts'
import type { AgUiEvent } from '../event-shape.ts'
import { type RunManagerOptions, weigh } from '../manager.ts'
import { isThere } from '../position.ts'
import { endOf, toText } from '../run.ts'
import { AnswerTime, catchUp, findOutMs } from './answer-time.ts'
import type { RunHead, RunName, RunStore } from './api.ts'
import type { Directory } from './directory.ts'
import type { Entry } from './entry.ts'
import { appendFail, tryAgain } from './errors.ts'
import type { Mirror } from './mirror.ts'
import type { Mirrors } from './mirrors.ts'
import type { Judged } from './shared-run.ts'

/** Time that an append in the store needs at least; with less, it is refused instead. In milliseconds. */
const leastAppendMs = 1_000

/** The longest pause before an append that lost against other nodes is tried again, in milliseconds. */
const maxPauseMs = 64

/** Refusals in a row, while nothing new comes, after which the copy of a run is not that of the store. */
const maxRefusals = 8

/** Bytes of events of all callers that may wait for the store. */
const maxWaiting = 67_108_864

/** What `Appends` works with. */
export interface AppendsOptions extends RunManagerOptions {
  readonly store: RunStore
  readonly directory: Directory
  readonly mirrors: Mirrors
  /** Makes the id of a batch. */
  readonly newId: () => RunHead['id']
}

/** A batch of events to append. */
interface Batch {
  readonly id: string
  readonly events: readonly AgUiEvent[]
  readonly match: string | undefined
  /** Its bytes as it came, and in the log and in the document together. */
  readonly bytes: number
  readonly room: number
  readonly time: AnswerTime
  readonly trace: TraceContext | undefined
}

/**
 * Appends to the runs of a cluster. The copy of the run on this node judges the events, and the store takes them if the
 * copy has everything that the store has. If another node appended first, the events are judged again.
 */
export class Appends {
  readonly #options: AppendsOptions
  #waiting = 0

  constructor(options: AppendsOptions) {
    this.#options = options
  }

  /**
   * As `Runs.append`; `since` is when the work on the request began, on the monotonic clock, and `trace` is its trace.
   */
  async append(
    owner: RunOwner,
    run_id: string,
    events: readonly unknown[],
    match?: string,
    since?: number,
    trace?: TraceContext,
  ): Promise<RunRecord> {
    const { clock, mirrors, newId } = this.#options
    const time = new AnswerTime(clock, since)
    const { bytes, room } = weigh(events, this.#options)
    if (this.#waiting + bytes > maxWaiting) throw tryAgain()
    this.#waiting += bytes
    try {
      const entry = await this.#find({ owner, run_id }, time)
      const mirror = await time.wait(() => mirrors.get(entry))
      const batch: Batch = { id: newId(), events: events as readonly AgUiEvent[], match, bytes, room, time, trace }
      mirror.busy++
      try {
        return await mirror.inTurn(() => this.#write(mirror, batch), time)
      } finally {
        mirror.busy--
        mirror.usedAt = clock.monotonic()
      }
    } finally {
      this.#waiting -= bytes
    }
  }

  /** Refuses more bytes for a run whose owner has no room for them; `since` as of `append`. */
  async admit(owner: RunOwner, run_id: string, bytes: number, since?: number): Promise<void> {
    const { clock, store, directory } = this.#options
    const entry = await this.#find({ owner, run_id }, new AnswerTime(clock, since))
    if (bytes > store.maxBatchBytes)
      throw httpFail('payload_too_large', { message: sizeFault('An append', store.maxBatchBytes, bytes) })
    if (entry.record.status === 'running') directory.shares.admit(owner, bytes)
  }

  async #write(mirror: Mirror, batch: Batch): Promise<RunRecord> {
    const { store, mirrors } = this.#options
    const { id, events, time, trace } = batch
    const texts = events.map(toText)
    // Appends to a run come one after the other, so there is no other one.
    const awaited: Mirror['awaited'] = { id }
    mirror.awaited = awaited
    refuseLonger(texts, store.maxBatchBytes)
    for (let moves = 0, refusals = 0; time.left >= leastAppendMs; ) {
      await time.wait(() => mirrors.understand(mirror))
      if (mirror.dropped) throw tryAgain()
      const verdict = await this.#judge(mirror, batch)
      if (verdict === undefined) continue
      if (verdict === 'there' || events.length === 0) return mirror.run.record
      const head = this.#headAfter(mirror, batch, texts, verdict)
      const { position } = mirror
      const done = await store.append(head, texts, position, time.left - findOutMs, trace)
      if (done.is === 'refused') throw tryAgain(done.cause)
      if (done.is === 'written') {
        // The append comes back like those of other nodes. It is in the log, even if this node sees it late.
        if (await mirror.reachSurely(done.position, time.left)) mirrors.shorten(mirror)
        return head.record
      }
      // Another node was first, or this append was written and its acknowledgement was lost.
      // What the other node appended may have come already, before the answer of the store.
      const isNew = await this.#refresh(mirror, time, position).catch(() => undefined)
      if (awaited.head !== undefined) return awaited.head.record
      // An attempt without an acknowledgement may have moved the run. Only a copy that has all of the run shows that.
      if (done.is === 'unknown' || isNew === undefined) throw appendFail('append_unknown')
      refusals = isNew ? 0 : refusals + 1
      if (refusals === maxRefusals) {
        // The servers of the store do not agree on the positions, and this node reads from another one than it writes
        // to.
        mirror.drop(new Error('the store has other positions than this node'))
        store.readAnew?.()
        throw tryAgain()
      }
      await this.#pause(moves++)
    }
    throw tryAgain()
  }

  /** The head of the run behind a batch. */
  #headAfter({ run, head }: Mirror, { id, events }: Batch, texts: readonly string[], { over, bytes }: Judged): RunHead {
    const { record } = run
    const last = events.at(-1)
    return {
      id,
      // Until its end only the node that calls the agent appends to a run, and nodes that end it.
      ...(!over && head?.caller !== undefined && { caller: head.caller }),
      record: {
        ...record,
        // Members that a node of a later version has written are kept.
        ...head?.record,
        ...(over && last !== undefined && { ...endOf(last), ended_at_ms: this.#options.clock.now() }),
        first_seq: run.firstAfter(texts),
        last_seq: record.last_seq + events.length,
      },
      bytes,
      gone: false,
    }
  }

  /** Judges a batch; undefined if it was refused, but something came that may change that. */
  async #judge(mirror: Mirror, { events, match, bytes, room, time }: Batch): Promise<'there' | Judged | undefined> {
    const { directory, mirrors } = this.#options
    const { run, name } = mirror
    try {
      if (match !== undefined && isThere(run, match, events)) return 'there'
      if (run.endedAt === null) {
        directory.shares.admit(name.owner, room)
        mirrors.admit(name.owner, room)
      }
      let judged: Judged | undefined
      mirrors.shares.working(run, bytes, (work) => {
        judged = run.check(events, room - bytes, work)
      })
      return judged
    } catch (error) {
      // A refusal counts only if the copy has everything that was appended before.
      if (await this.#refresh(mirror, time)) return undefined
      throw error
    }
  }

  /**
   * Brings the copy up to date; true if something came behind `position`. @throws SvcError `not_found`, `overloaded`
   */
  async #refresh(mirror: Mirror, time: AnswerTime, position: number = mirror.position): Promise<boolean> {
    const { store, directory } = this.#options
    await catchUp(store, time)
    const entry = directory.get(mirror.name)
    if (entry === undefined) throw noRun()
    if (!(await mirror.reachSurely(entry.head.position, time.left))) throw tryAgain()
    return mirror.position > position
  }

  /** Waits a random time, longer each time, so that nodes that append to one run at once do not collide again. */
  async #pause(moves: number): Promise<void> {
    const { clock, randomBytes } = this.#options
    // Mostly the first collision is the only one.
    if (moves === 0) return
    const [byte = 0] = randomBytes(1)
    const ms = (Math.min(maxPauseMs, 2 ** moves) * byte) / 255
    await new Promise<void>((resolve) => void clock.setTimeout(resolve, ms))
  }

  /**
   * The run to append to; the store is asked only for one that is unknown. @throws SvcError `not_found`, `overloaded`
   */
  async #find(name: RunName, time: AnswerTime): Promise<Entry> {
    const { store, directory } = this.#options
    if (store.away) throw tryAgain()
    const knownEntry = directory.get(name)
    if (knownEntry !== undefined) return knownEntry
    await catchUp(store, time)
    const entry = directory.get(name)
    if (entry === undefined) throw noRun()
    return entry
  }
}

/**
 * Refuses texts that, one a line, have more UTF-8 bytes than the store takes at once. @throws SvcError
 * `payload_too_large`
 */
export function refuseLonger(texts: readonly string[], bytes: number): void {
  const chars = texts.reduce((sum, { length }) => sum + length + 1, 0)
  // A character has at most three bytes.
  if (3 * chars > bytes && new TextEncoder().encode(texts.join('\n')).length > bytes)
    throw httpFail('payload_too_large', { message: `An append has at most ${bytes} bytes.` })
}
