/** The stream of a thread: its runs one after another. */

import { type Reply, streamHeaders } from '../../../../core/http/reply.ts'
import type { SvcRequest } from '../../../../core/http/request.ts'
import type { Awaitable } from '../../../../core/kernel/values.ts'
import type { OpenStream } from '../../streams/api.ts'
import type { RunOwner, RunRecord, Runs } from '../api.ts'
import type { AgUiEvent } from '../event-shape.ts'
import { type Around, requestedOf, type Sending, sendRun } from '../open-stream.ts'
import { gapEvent, join } from '../position.ts'
import type { Run } from '../run.ts'
import { StreamPart } from './stream-part.ts'
import { parseThreadCursor, type Threads, threadSuffix } from './threads.ts'

declare const __REALTIME_AGENTS__: boolean

/** What the stream of a thread needs. */
export interface AroundThread extends Around {
  readonly manager: Around['manager'] & Pick<Runs, 'page'>
  readonly threads: Threads
  /** The run in memory. `state` asks for what a client has beside the log. */
  find(owner: RunOwner, runId: string, state: boolean): Awaitable<Run | undefined>
}

/** A run, and what of it is sent. */
interface Next {
  readonly run: Run
  readonly sending: Sending
}

/** Where a reader begins. */
interface Beginning {
  /** The run that comes first; undefined if the reader is at its end, or if there is none. */
  readonly first: Next | undefined
  /**
   * Set if the reader's position is lost: the position before the first event that is sent, and the event that reports
   * it.
   */
  readonly lost: { readonly position: string; readonly gap: AgUiEvent } | undefined
}

/**
 * Opens the stream of a thread: the newest run with a prelude, or what follows the reader's position, then every
 * further run.
 * @throws SvcError `rate_limited`, `overloaded`
 */
export async function openThread(
  request: SvcRequest,
  owner: RunOwner,
  thread_id: string,
  around: AroundThread,
): Promise<Reply> {
  const requested = requestedOf(request)
  const further = new FurtherRuns()
  const unwatch = around.threads.watch(owner, thread_id, (record) => further.add(record))
  try {
    const { runs } = await around.manager.page(owner, { thread_id })
    const { first, lost } = await beginAt(requested, further.take(runs, requested), around)
    if (first?.sending.prelude) around.manager.shares.admitPrelude(first.run)
    let current = first?.run
    const kind = { name: 'thread', log: true }
    const open = around.streams.admit(
      request,
      typeof __REALTIME_AGENTS__ === 'undefined' || __REALTIME_AGENTS__
        ? { ...kind, stays: () => current !== undefined && around.written?.isCalledHere(current) === true }
        : kind,
    )
    const release = first === undefined ? () => {} : around.manager.shares.hold(first.run)
    return {
      status: 200,
      headers: lost === undefined ? streamHeaders : { ...streamHeaders, 'svc-last-event-id': lost.position },
      stream: (sink) => {
        const connection = open(sink)
        connection.onClose(unwatch)
        connection.onClose(() => further.stop())
        // A gap event must follow a RUN_STARTED. If there is no first run, the next run reports the gap.
        const gap = first === undefined ? (lost?.gap ?? null) : null
        const onRun = (run: Run): void => void (current = run)
        const following = follow(connection, { first, gap, further, owner, release, onRun }, around)
        following.catch((error: unknown) => {
          // The client reconnects, and goes on at its position.
          around.log.debug('The next run of a thread could not be read.', { error })
          connection.interrupt()
        })
      },
    }
  } catch (error) {
    unwatch()
    throw error
  }
}

/** Finds the run that a reader begins with. */
async function beginAt(
  requested: string | null,
  record: RunRecord | undefined,
  around: AroundThread,
): Promise<Beginning> {
  const run = record && (await around.find(record.owner, record.run_id, false))
  const cursor = requested === null ? undefined : parseThreadCursor(requested)
  const lostAt = (position: string): Beginning['lost'] =>
    requested === null ? undefined : { position, gap: gapEvent(requested, position) }
  if (run === undefined) return { first: undefined, lost: lostAt('earliest') }
  const suffix = threadSuffix(run.record.run_id)
  if (cursor !== undefined && cursor.runId === run.record.run_id) {
    const { after, lost } = join(run, cursor.position, false)
    const isAtEnd = run.endedAt !== null && after === run.record.last_seq
    const sending = { after, prelude: false, gap: null, suffix }
    if (lost === null) return { first: isAtEnd ? undefined : { run, sending }, lost: undefined }
  }
  // A prelude needs the state of the run.
  await around.find(run.record.owner, run.record.run_id, true)
  const { after } = join(run, null, true)
  const lost = lostAt(after === 0 ? 'earliest' : run.id(after) + suffix)
  return { first: { run, sending: { after, prelude: true, gap: lost?.gap ?? null, suffix } }, lost }
}

/** What is followed. */
interface Followed {
  readonly first: Next | undefined
  /** What the first further run reports; null if nothing is lost. */
  readonly gap: AgUiEvent | null
  readonly further: FurtherRuns
  readonly owner: RunOwner
  /** Ends the hold of the first run. */
  readonly release: () => void
  /** Called with each further run before it is sent. */
  readonly onRun: (run: Run) => void
}

/** Sends one run after another until the connection is closed. */
async function follow(
  connection: OpenStream,
  { first, gap, further, owner, release, onRun }: Followed,
  around: AroundThread,
): Promise<void> {
  const { manager, streams } = around
  if (first !== undefined) await send(connection, first, around).finally(release)
  for (let lost = gap; !connection.closed; ) {
    // The stream has outlived the begin of a stop because the agent of its run was called. No further run comes on this
    // node.
    if ((typeof __REALTIME_AGENTS__ === 'undefined' || __REALTIME_AGENTS__) && streams.draining)
      return connection.interrupt()
    const record = await further.next()
    if (record === undefined || connection.closed) return
    const run = await around.find(owner, record.run_id, lost !== null)
    // It may be removed, and its name may belong to a newer run, which comes later.
    if (run?.record.created_at_ms !== record.created_at_ms) continue
    const { base } = run.feed.ring
    const prelude = lost !== null || base > 1
    if (prelude) {
      await around.find(owner, record.run_id, true)
      manager.shares.admitPrelude(run)
    }
    const suffix = threadSuffix(record.run_id)
    // The prelude reports the gap. A run that has not begun has no prelude.
    const after = Math.max(base - 1, lost !== null && run.begun ? 1 : 0)
    onRun(run)
    await send(connection, { run, sending: { after, prelude, gap: lost, suffix } }, around)
    lost = null
  }
}

async function send(connection: OpenStream, { run, sending }: Next, around: AroundThread): Promise<void> {
  const part = new StreamPart(connection)
  part.onClose(around.manager.shares.hold(run))
  connection.onClose(() => part.end())
  sendRun(run, part, sending, around)
  await part.over
}

/** The runs of a thread that are not sent yet, in the order of their beginning. */
class FurtherRuns {
  #waiting: RunRecord[] = []
  /** The keys of the runs that are known, so that a run that a node learns of again is not sent again. */
  readonly #keys = new Set<string>()
  #wake: () => void = () => {}
  #stopped = false

  /** Adds a run that is new. */
  add(record: RunRecord): void {
    const key = `${record.created_at_ms} ${record.run_id}`
    if (this.#keys.has(key)) return
    this.#keys.add(key)
    this.#waiting.push(record)
    this.#wake()
  }

  /** Takes the runs that are there, newest first. Returns the one that a reader begins with; those behind it wait. */
  take(runs: readonly RunRecord[], requested: string | null): RunRecord | undefined {
    const cursor = requested === null ? undefined : parseThreadCursor(requested)
    const at = Math.max(
      0,
      runs.findIndex(({ run_id }) => run_id === cursor?.runId),
    )
    const arrived = this.#waiting
    this.#waiting = []
    this.#keys.clear()
    for (const record of runs.toReversed()) this.add(record)
    this.#waiting = runs.slice(0, at).reverse()
    for (const record of arrived) this.add(record)
    return runs[at]
  }

  /** The next run; undefined once nobody waits any more. */
  async next(): Promise<RunRecord | undefined> {
    while (this.#waiting.length === 0 && !this.#stopped)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    return this.#stopped ? undefined : this.#waiting.shift()
  }

  /** Ends the waiting. */
  stop(): void {
    this.#stopped = true
    this.#wake()
  }
}
