/** Positions in requests: where a reader resumes, and which event a batch is to follow. */
import { httpFail } from '../../../core/kernel/catalogue.ts'
import { runFail } from '../errors.ts'
import { formatCursor, parseCursor } from '../streams/cursor.ts'
import { encodeJson } from '../streams/sse.ts'
import { decoder } from './agui-spec/prelude-cache.ts'
import type { AgUiEvent } from './event-shape.ts'
import type { Run } from './run.ts'

/** Where a reader starts, and what it gets about evicted history. */
export interface Joining {
  /** Sequence after which events are sent. */
  readonly after: number
  /** Set if history was evicted: the position for the header, and the gap event for the stream. */
  readonly lost: { readonly position: string; readonly gap: AgUiEvent } | null
}

/**
 * Resolves the position that a client resumes after; null means from the start. With `snapshot` the start is the
 * present state of the run, because a snapshot contains everything before; for an ended run it is the state before the
 * last event.
 */
export function join(run: Run, requested: string | null, snapshot: boolean): Joining {
  const { base, next } = run.feed.ring
  const now = run.endedAt === null ? next - 1 : next - 2
  const start = snapshot ? Math.max(now, base - 1) : base - 1
  if (requested === null) return { after: start, lost: null }
  const cursor = parseCursor(requested)
  const isKnown = cursor !== null && (cursor.epoch === null || cursor.epoch === run.epoch)
  if (isKnown && cursor.sequence >= base - 1 && cursor.sequence < next) return { after: cursor.sequence, lost: null }
  const position = start === 0 ? 'earliest' : formatCursor(run.epoch, start)
  return { after: start, lost: { position, gap: gapEvent(requested, position) } }
}

/** The event that reports lost history. */
export function gapEvent(requested: string, resumedAfter: string): AgUiEvent {
  // The text came from the client, so only the beginning is repeated.
  return { type: 'CUSTOM', name: 'svc.stream.gap', value: { requested: requested.slice(0, 64), resumedAfter } }
}

/**
 * Whether events that are to follow the position `match` follow it already; false if the run is at that position.
 * @throws SvcError `malformed_request`, `run_position_mismatch`
 */
export function isThere(run: Run, match: string, events: readonly unknown[]): boolean {
  const cursor = parseCursor(/^"(.+-.+)"$/.exec(match)?.[1] ?? '')
  if (cursor === null) throw httpFail('malformed_request', { message: 'If-Match is "<epoch>-<seq>".' })
  const { ring } = run.feed
  let { sequence } = cursor
  const lastSeq = ring.next - 1
  if (cursor.epoch === run.epoch) {
    if (sequence === lastSeq) return false
    const isSame = (event: unknown): boolean =>
      decoder.decode(ring.at(++sequence)?.bytes) === decoder.decode(encodeJson(event, run.id(sequence)))
    if (events.length > 0 && events.every(isSame)) return true
  }
  throw runFail('run_position_mismatch', { details: { lastSeq } })
}
