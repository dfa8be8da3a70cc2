/** The stream of a run. */

import { empty, type Reply, streamHeaders } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import { joinBytes } from '../../../core/kernel/bytes.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import type { Logger } from '../../../core/kernel/log.ts'
import { noRun } from '../errors.ts'
import type { OpenStream, Streams } from '../streams/api.ts'
import type { ReaderOptions } from '../streams/feed.ts'
import type { Frame } from '../streams/ring.ts'
import { encodeJson } from '../streams/sse.ts'
import { decodeFrame, writePrelude } from './agui-spec/prelude-cache.ts'
import type { AgUiEvent } from './event-shape.ts'
import type { RunManager } from './manager.ts'
import { join } from './position.ts'
import type { Run } from './run.ts'

declare const __REALTIME_AGENTS__: boolean

/** What a stream needs. */
export interface Around {
  readonly manager: Pick<RunManager, 'shares'> & {
    /** Keeps the copy of a run in memory while it has a reader. */
    hold?(run: Run, reader: OpenStream): void
  }
  readonly streams: Streams
  /** Knows whether this process calls the agent of a run; then its readers stay during a drain. */
  readonly written?: { isCalledHere(run: Run): boolean } | undefined
  readonly log: Logger
}

/** What a reader asks for. */
export interface Wish {
  /** The position that it resumes after; null for the beginning. */
  readonly requested: string | null
  /** Whether it gets a prelude that makes any position a valid beginning. */
  readonly prelude: boolean
  /** Whether it takes a clean end for the end of the run. */
  readonly whole: boolean
  /** Whether each event is sent with the time at which the service got it. */
  readonly times?: boolean
}

/**
 * What the request for a stream asks for.
 * @throws SvcError `malformed_request`
 */
export function wishOf(request: SvcRequest): Wish {
  const mode = request.queryParam('stream_mode')
  if (mode !== undefined && mode !== 'agui_spec')
    throw httpFail('malformed_request', { message: 'stream_mode is agui_spec or absent.' })
  const times = request.queryParam('times')
  if (times !== undefined && times !== 'true')
    throw httpFail('malformed_request', { message: 'times is true or absent.' })
  return { requested: requestedOf(request), prelude: mode !== undefined, whole: false, times: times !== undefined }
}

/**
 * The position that a reader resumes after; null for the beginning. The header has priority; an empty value counts as
 * absent.
 */
export function requestedOf(request: SvcRequest): string | null {
  return request.header('last-event-id') || request.queryParam('last_event_id') || null
}

/**
 * Opens the stream of a run to a caller.
 * @throws SvcError `not_found`, `malformed_request`, `rate_limited`, `overloaded`
 */
export function openStream(
  request: SvcRequest,
  run: Run | undefined,
  { manager, streams, log, written }: Around,
  { requested, prelude: wantsPrelude, whole, times = false }: Wish = wishOf(request),
): Reply {
  if (run === undefined) throw noRun()
  const { after, lost } = join(run, requested, wantsPrelude)
  // EventSource reconnects after every end; only a 204 stops it.
  if (requested !== null && run.endedAt !== null && after === run.record.last_seq) return empty(204)
  if (wantsPrelude) manager.shares.admitPrelude(run)
  const kind = { name: 'run', log: true, whole }
  const open = streams.admit(
    request,
    typeof __REALTIME_AGENTS__ === 'undefined' || __REALTIME_AGENTS__
      ? { ...kind, stays: () => written?.isCalledHere(run) === true }
      : kind,
  )
  const release = manager.shares.hold(run)
  return {
    status: 200,
    headers: lost === null ? streamHeaders : { ...streamHeaders, 'svc-last-event-id': lost.position },
    stream: (sink) => {
      const connection = open(sink)
      connection.onClose(release)
      sendRun(run, connection, { after, prelude: wantsPrelude, gap: lost?.gap ?? null, times }, { manager, log })
    },
  }
}

/** What of a run is sent. */
export interface Sending {
  /** The sequence after which events are sent. */
  readonly after: number
  /** Whether a prelude comes first. */
  readonly prelude: boolean
  /** The event that reports lost history; null if nothing is lost. */
  readonly gap: AgUiEvent | null
  /** Added to the id of each event. */
  readonly suffix?: string
  /** As of `Wish`. */
  readonly times?: boolean
}

/** Sends a run on a connection, to its end. */
export function sendRun(
  run: Run,
  connection: OpenStream,
  { after, prelude, gap, suffix = '', times = false }: Sending,
  { manager, log }: Pick<Around, 'manager' | 'log'>,
): void {
  manager.hold?.(run, connection)
  const form = times ? withTimes : suffix === '' ? undefined : withSuffix(suffix)
  const follow = (sequence: number): void =>
    void run.feed.attach(connection, { from: sequence + 1, onLag: () => null, ...(form && { form }) })
  const tail = (): void => {
    // No event may come before RUN_STARTED, including the gap event: a standard client would refuse the whole run.
    const start = gap !== null && after === 0 ? startOf(run) : undefined
    if (start !== undefined) connection.sendFirst(times ? withTimes.of(start) : start.bytes)
    if (gap !== null) connection.sendFirst(encodeJson(gap))
    follow(start === undefined ? after : 1)
  }
  const withPrelude = (sequence: number): void =>
    void sendPrelude(run, connection, sequence, gap, suffix)
      .then(() => follow(sequence))
      .catch((error: unknown) => {
        // The history was evicted while the reader waited. The client reconnects, and gets the gap event.
        log.debug('A run has no snapshot.', { error })
        connection.interrupt()
      })
      .finally(() => manager.shares.settle(run))
  const begin = prelude ? withPrelude : tail
  if (gap === null || run.record.last_seq > 0) begin(after)
  else connection.onClose(run.expect(() => begin(run.begun ? 1 : 0)))
}

type Form = NonNullable<ReaderOptions['form']>

/** Frames with more text in their ids. */
function withSuffix(suffix: string): Form {
  return { name: suffix, of: ({ bytes }) => behindId(bytes, suffix) }
}

/**
 * Frames with the time at which the service got the event, in a field of its own. Parsers of event streams ignore
 * fields that they do not know, and the event itself stays as its agent sent it.
 */
const withTimes: Form = {
  name: 'times',
  of: ({ bytes, atMs }) => (atMs === undefined ? bytes : behindId(bytes, `\nat: ${atMs}`)),
}

/** A frame with more text behind its id, which is its first line. */
function behindId(frame: Uint8Array, text: string): Uint8Array {
  const end = frame.indexOf(LINE_FEED)
  return joinBytes([frame.subarray(0, end), encoder.encode(text), frame.subarray(end)])
}

const LINE_FEED = 10
const encoder = new TextEncoder()

/**
 * The frame of RUN_STARTED, if it is retained. The log is read, because a copy of a run of the store may have no state
 * yet.
 */
function startOf(run: Run): Frame | undefined {
  const frame = run.feed.ring.at(1)
  return frame !== undefined && decodeFrame(frame.bytes).type === 'RUN_STARTED' ? frame : undefined
}

/**
 * Sends the prelude: brings a standard client to the state of the run after `sequence`. Resolves when all of it is with
 * the transport.
 */
async function sendPrelude(
  run: Run,
  connection: OpenStream,
  sequence: number,
  gap: AgUiEvent | null,
  suffix: string,
): Promise<void> {
  const made = run.preludes.at(sequence)
  const prelude = made instanceof Promise ? await made : made
  const release = run.preludes.hold(prelude)
  writePrelude(prelude, run.id(sequence) + suffix, gap, (bytes) => connection.sendFirst(bytes))
  void connection.caughtUp().then(release)
}
