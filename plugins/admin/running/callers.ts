/** Who calls the runtime surface now, and which streams are open. */
import type { Hook } from '../../../core/http/hooks.ts'
import type { Reply, StreamReply, StreamSink } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'

/** An open stream. */
export interface OpenStreamRow {
  /** The template of its route. */
  readonly route: string
  readonly address: string
  readonly since_ms: number
}

/** One user of one tenant; all callers without an identity are one row. Times are Unix milliseconds. */
export interface CallerRow {
  readonly user: string | null
  readonly tenant: string | null
  /** Requests since `since_ms`, and how many of them were answered with 401, 403 or 429. */
  readonly requests: number
  readonly refused: number
  readonly since_ms: number
  readonly last_seen_ms: number
  /** Address of the last request. */
  readonly address: string
  readonly streams: readonly OpenStreamRow[]
}

/** How long a caller without a stream is listed after the last request, in milliseconds. */
export const LISTED_MS = 300_000
/**
 * Most callers that are remembered. Further ones take the places of those whose first request is oldest and who have no
 * stream.
 */
const MAX_CALLERS = 10_000

/** What the list needs. */
export interface CallersOptions {
  /** Unix time in milliseconds. */
  readonly now: () => number
  readonly addressOf: (request: SvcRequest) => string
}

/** The list, and the hook that fills it. */
export interface Callers {
  readonly hook: Hook
  /** Those with a stream or a request in the last {@link LISTED_MS}, the last one first. */
  list(): readonly CallerRow[]
}

type CallerEntry = { -readonly [K in Exclude<keyof CallerRow, 'streams'>]: CallerRow[K] } & {
  readonly streams: Set<OpenStreamRow>
}

const REFUSALS: ReadonlySet<number> = new Set([401, 403, 429])

/** Creates an empty list. */
export function createCallers({ now, addressOf }: CallersOptions): Callers {
  const entries = new Map<string, CallerEntry>()
  const isListed = (entry: CallerEntry): boolean => entry.streams.size > 0 || now() - entry.last_seen_ms < LISTED_MS
  const makeRoom = (): void => {
    for (const [key, entry] of entries) if (!isListed(entry)) entries.delete(key)
    for (const [key, { streams }] of entries) {
      if (entries.size < MAX_CALLERS) return
      if (streams.size === 0) entries.delete(key)
    }
  }
  const entryOf = ({ identity: { user, tenant } }: SvcRequest): CallerEntry => {
    const key = JSON.stringify([tenant, user])
    let entry = entries.get(key)
    if (entry === undefined) {
      if (entries.size >= MAX_CALLERS) makeRoom()
      const ms = now()
      entry = { user, tenant, requests: 0, refused: 0, since_ms: ms, last_seen_ms: ms, address: '', streams: new Set() }
      entries.set(key, entry)
    }
    return entry
  }
  return {
    hook: {
      amend(request, reply) {
        if (reply.stream === undefined) return reply
        const { streams } = entryOf(request)
        const row = { route: request.route, address: addressOf(request), since_ms: now() }
        return watched(
          reply,
          () => streams.add(row),
          () => streams.delete(row),
        )
      },
      onReply(request, { status }) {
        const entry = entryOf(request)
        entry.requests++
        if (REFUSALS.has(status)) entry.refused++
        entry.last_seen_ms = now()
        entry.address = addressOf(request)
      },
    },
    list: () =>
      [...entries.values()]
        .filter(isListed)
        .map(({ streams, ...entry }) => ({ ...entry, streams: [...streams] }))
        .sort((a, b) => b.last_seen_ms - a.last_seen_ms),
  }
}

/** The same reply, which calls `opened` and `closed` when its stream begins and ends. */
function watched(reply: StreamReply, opened: () => void, closed: () => void): Reply {
  return {
    ...reply,
    stream(sink) {
      opened()
      sink.onClose(closed)
      reply.stream(withClose(sink, closed))
    },
  }
}

/** A sink with one listener to its end more. A sink has only one, so that of the stream would replace ours. */
function withClose(sink: StreamSink, closed: () => void): StreamSink {
  return {
    write: (chunk) => sink.write(chunk),
    get buffered() {
      return sink.buffered
    },
    onDrain: (listener) => sink.onDrain(listener),
    onClose: (listener) =>
      sink.onClose(() => {
        closed()
        listener()
      }),
    end: () => sink.end(),
    abort: () => sink.abort(),
  }
}
