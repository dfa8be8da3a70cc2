/** Replies that handlers return and transports write, the error envelope, and the sink of a stream. */
import type { SvcError } from '../declare/errors.ts'

/** Headers by lower-case name, so that the same header always has the same key. */
export type ReplyHeaders = Readonly<Record<string, string>>

/** A reply with its whole body. */
export interface PlainReply {
  readonly status: number
  readonly headers?: ReplyHeaders | undefined
  readonly body?: string | Uint8Array | undefined
  /** The code of the error that the body is about, for the hooks of a surface. */
  readonly code?: string | undefined
  readonly stream?: undefined
}

/**
 * A reply whose body is written over time. `stream` is called exactly once: by the transport after the head is written,
 * or with `closedSink` if no body follows (HEAD, or a client that is gone). So a handler frees the resources of the
 * stream in one place: when the sink closes.
 */
export interface StreamReply {
  readonly status: number
  readonly headers?: ReplyHeaders | undefined
  readonly body?: undefined
  readonly code?: undefined
  readonly stream: (sink: StreamSink) => void
}

/** What a handler returns. */
export type Reply = PlainReply | StreamReply

/** The open body of a stream reply. */
export interface StreamSink {
  /**
   * Writes encoded bytes. False means that the sink is over its high-water mark: wait for `onDrain`. A chunk may be
   * passed to many sinks and must not be changed afterwards.
   */
  write(chunk: Uint8Array): boolean
  /** Bytes that were written to the sink and not yet passed to the operating system. */
  readonly buffered: number
  /** Sets the only listener that is called when writing may continue. */
  onDrain(listener: () => void): void
  /** Sets the only listener that is called once, when the stream has ended or the client is gone. */
  onClose(listener: () => void): void
  /** Ends the body after the written bytes. A client that does not read them loses its connection within seconds. */
  end(): void
  /** Ends the connection now and drops the buffered bytes. For a client that has stopped reading. */
  abort(): void
}

/**
 * A reply with a JSON body.
 *
 * @example
 * ```ts
 * import { json } from 'svc/plugin'
 *
 * json(200, { author: 'Mies' }).body // → '{"author":"Mies"}'
 * ```
 */
export function json(status: number, value: unknown, headers?: ReplyHeaders): PlainReply {
  return { status, headers: headers ? { ...jsonHeaders, ...headers } : jsonHeaders, body: JSON.stringify(value) }
}

/**
 * A reply that is sent many times and never changes. It is frozen, so that a transport recognises it and prepares its
 * bytes only once.
 */
export function fixed(reply: PlainReply): PlainReply {
  return Object.freeze({ ...reply, headers: Object.freeze({ ...reply.headers }) })
}

/**
 * A reply without a body.
 *
 * @example
 * ```ts
 * import { empty } from 'svc/plugin'
 *
 * empty(204) // → { status: 204, headers: undefined }
 * ```
 */
export function empty(status: number, headers?: ReplyHeaders): PlainReply {
  return { status, headers }
}

/**
 * The error envelope, the same on every surface: `{"error":{"code","message", …}}`. No detail replaces `code` or
 * `message`.
 */
export function errorReply(error: SvcError, more?: Readonly<Record<string, unknown>>): PlainReply {
  const base = { code: error.code, message: error.message }
  return {
    ...json(error.status, { error: { ...base, ...error.details, ...more, ...base } }, error.headers),
    code: error.code,
  }
}

/**
 * The sink of a stream that has ended before it began. It calls the `onClose` listener a moment later, never within the
 * call.
 */
export const closedSink: StreamSink = Object.freeze({
  write: () => false,
  buffered: 0,
  onDrain: () => undefined,
  onClose: (listener: () => void) => void Promise.resolve().then(listener),
  end: () => undefined,
  abort: () => undefined,
})

const jsonHeaders: ReplyHeaders = Object.freeze({ 'content-type': 'application/json' })

/** Headers of every event stream: never cached, never buffered by a proxy, never compressed on the way. */
export const streamHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}
