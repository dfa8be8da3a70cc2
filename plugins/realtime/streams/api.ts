/** Event streams for other plugins: admission and maintenance. Import types from here, and nothing else. */
import type { StreamSink } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'

/** What kind of stream is opened. */
export interface StreamKind {
  /** The name in metrics. */
  readonly name: string
  /** A log skips no events, so the connection of a slow reader is closed; an entity stream skips events instead. */
  readonly log: boolean
  /** The last event of a stream that the server ends: because of its age, a drain, or the end of its credential. */
  readonly last?: Uint8Array
  /**
   * True if its reader takes a clean end for the end of the content. Then it has no age, and whatever else ends it
   * early breaks the connection.
   */
  readonly whole?: boolean
  /** Whether a drain does not end the stream now, because its content ends soon: the stop after the drain ends it. */
  readonly stays?: () => boolean
}

/** One open stream reply. */
export interface OpenStream {
  /** True while the transport has more bytes than its high-water mark. */
  readonly blocked: boolean
  readonly closed: boolean
  /** Whether the service ended the stream before its content has ended. */
  readonly interrupted?: boolean | undefined
  /** Whether everything of `sendFirst` is with the transport and the client keeps up. */
  readonly ready: boolean
  /** Passes one chunk to the transport; false if no more may follow until `onResume`. */
  send(chunk: Uint8Array): boolean
  /** Queues bytes that are sent, in order, before anything that `onResume` sends. */
  sendFirst(chunk: Uint8Array): void
  /**
   * Resolves when everything of `sendFirst` is with the transport and the client keeps up, or when the client is gone.
   */
  caughtUp(): Promise<void>
  /** Called whenever the client can take more; at most one listener. */
  onResume(listener: () => void): void
  /** Called once when the stream ended or the client is gone. */
  onClose(listener: () => void): void
  /** Ends the reply cleanly, because the content has ended. */
  end(): void
  /**
   * Ends the reply before the content has ended: cleanly, so that the client may reconnect at once, or else by breaking
   * the connection.
   */
  interrupt(last?: Uint8Array): void
}

/** Admits event streams and maintains them: limits, heartbeats, ages. */
export interface Streams {
  /** The number of streams that are open or admitted. */
  readonly size: number
  /** Whether the service stops: no stream is admitted any more, and those that stay end with their content. */
  readonly draining: boolean
  /**
   * Reserves a place for a stream. The returned function gets the sink and sends the first bytes. Like `stream` of a
   * reply it must be called exactly once. The place is released when the sink closes.
   * @throws SvcError `rate_limited`, `overloaded`
   */
  admit(request: SvcRequest, kind: StreamKind): (sink: StreamSink) => OpenStream
  /**
   * Counts events that a reader of an entity stream did not get. Losses of one turn of the event loop are reported
   * together.
   */
  dropped(stream: string, events: number): void
}
