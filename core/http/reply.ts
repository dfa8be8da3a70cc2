/** The plain reply that a handler gives and a transport writes. */
import type { SvcError } from '../errors.ts'

/** Header names are lower case, so that two parts that set the same one meet. */
export type ReplyHeaders = Readonly<Record<string, string>>

/** A reply with its whole body. */
export interface PlainReply {
  readonly status: number
  readonly headers?: ReplyHeaders | undefined
  readonly body?: string | Uint8Array | undefined
  readonly stream?: undefined
}

/**
 * A reply whose body is written over time. `stream` is called exactly once: by the transport after the head is written,
 * or with `closedSink` where there will be no body (HEAD, or a client that is gone). So what a handler reserved for the
 * stream is given back in one place: when the sink closes.
 */
export interface StreamReply {
  readonly status: number
  readonly headers?: ReplyHeaders | undefined
  readonly body?: undefined
  readonly stream: (sink: StreamSink) => void
}

/** What a handler returns. */
export type Reply = PlainReply | StreamReply

/** The open body of a stream reply. */
export interface StreamSink {
  /**
   * Hands over encoded bytes. False means: over the high-water mark, wait for `onDrain`. A chunk may be handed to many
   * sinks and is never changed afterwards.
   */
  write(chunk: Uint8Array): boolean
  /** Bytes that were taken and are not yet with the operating system. */
  readonly buffered: number
  /** Sets the listener that is called when writing may go on. There is one. */
  onDrain(listener: () => void): void
  /** Sets the listener that is called once, when the stream ended or the client is gone. There is one. */
  onClose(listener: () => void): void
  /** Ends the body after what was written. A client that does not take it loses its connection within seconds. */
  end(): void
  /** Ends the connection now; what waits for the client is dropped. For one that has stopped reading. */
  abort(): void
}

/** A reply with a JSON body. */
export function json(status: number, value: unknown, headers?: ReplyHeaders): PlainReply {
  return { status, headers: headers ? { ...jsonHeaders, ...headers } : jsonHeaders, body: JSON.stringify(value) }
}

/**
 * A reply that is given over and over and never changes. A transport prepares it once: that, by its being frozen, is how
 * it is told from one that is made for a single request.
 */
export function fixed(reply: PlainReply): PlainReply {
  return Object.freeze({ ...reply, headers: Object.freeze({ ...reply.headers }) })
}

/** A reply without a body. */
export function empty(status: number, headers?: ReplyHeaders): PlainReply {
  return { status, headers }
}

/** The error envelope, the same on every surface: `{"error":{"code","message", …}}`. No detail replaces these two. */
export function errorReply(error: SvcError, more?: Readonly<Record<string, unknown>>): PlainReply {
  const own = { code: error.code, message: error.message }
  return json(error.status, { error: { ...own, ...error.details, ...more, ...own } }, error.headers)
}

/** The sink of a stream that is over before it began. Its listener hears so a moment later, never within the call. */
export const closedSink: StreamSink = Object.freeze({
  write: () => false,
  buffered: 0,
  onDrain: () => undefined,
  onClose: (listener: () => void) => void Promise.resolve().then(listener),
  end: () => undefined,
  abort: () => undefined,
})

const jsonHeaders: ReplyHeaders = Object.freeze({ 'content-type': 'application/json' })
