import type { OpenStream } from './api.ts'
import type { StreamSink } from './soon.ts'

declare const __REALTIME_AGENTS__: boolean

/**
 * The largest chunk that is passed to a transport at once. A client that stops reading costs no more than this beyond
 * the transport's own limit.
 */
export const sliceBytes = 65_536

/**
 * One open stream reply. It tracks whether the client keeps up, and sends what comes before the live frames, such as a
 * snapshot, in chunks, so that a client that never reads costs one chunk and a reference, and not a copy.
 */
export class Connection implements OpenStream {
  /** True while the transport has more bytes than its high-water mark. */
  blocked = false
  closed = false
  declare interrupted?: boolean
  /**
   * When bytes last moved to the client, on the monotonic clock. A clock that is set back would prolong the time limit
   * of a slow client.
   */
  progressAt: number
  readonly #sink: StreamSink
  /** Undefined if nothing waits, because this is checked for each event and each client. */
  #preface: Uint8Array[] | undefined
  readonly #closing: (() => void)[] = []
  #waiting: (() => void)[] = []
  #resume: () => void = () => {}
  #buffered = 0
  #ending = false
  readonly #whole: boolean

  /** `whole` as in `StreamKind`. */
  constructor(sink: StreamSink, now: () => number, whole: boolean = false) {
    this.#sink = sink
    this.#whole = whole
    this.progressAt = now()
    sink.onDrain(() => {
      this.blocked = false
      this.progressAt = now()
      this.#pump()
    })
    sink.onClose(() => {
      if (this.closed) return
      this.closed = true
      this.#preface = undefined
      this.#wake()
      for (const listener of this.#closing) listener()
    })
  }

  /** Passes one chunk to the transport; false if no more may follow until `onResume`. */
  send(chunk: Uint8Array): boolean {
    if (this.closed || this.#ending) return false
    if (!this.#sink.write(chunk)) this.blocked = true
    return !this.blocked
  }

  /** Queues bytes that are sent, in order, before anything that `onResume` sends. */
  sendFirst(chunk: Uint8Array): void {
    for (let from = 0; from < chunk.length; from += sliceBytes) {
      this.#preface ??= []
      this.#preface.push(chunk.subarray(from, from + sliceBytes))
    }
    this.#pump()
  }

  /** Whether everything of `sendFirst` is with the transport and the client keeps up. */
  get ready(): boolean {
    return !this.blocked && !this.closed && this.#preface === undefined
  }

  /**
   * Resolves when everything of `sendFirst` is with the transport and the client keeps up, or when the client is gone.
   */
  caughtUp(): Promise<void> {
    return new Promise((resolve) => {
      if (this.ready || this.closed) resolve()
      else this.#waiting.push(resolve)
    })
  }

  /** Called whenever the client can take more. There is one listener, that of the feed. */
  onResume(listener: () => void): void {
    this.#resume = listener
  }

  /** Called once when the stream ended or the client is gone. */
  onClose(listener: () => void): void {
    if (this.closed) listener()
    else this.#closing.push(listener)
  }

  /**
   * Ends the reply before its content has ended. `last` is sent before a clean end, unless some of `sendFirst` is not
   * sent yet.
   */
  interrupt(last?: Uint8Array): void {
    if ((typeof __REALTIME_AGENTS__ === 'undefined' || __REALTIME_AGENTS__) && !this.closed) this.interrupted = true
    if (this.#whole) this.cut()
    else this.#end(last)
  }

  /** Ends the reply cleanly. */
  end(): void {
    this.#end()
  }

  #end(last?: Uint8Array): void {
    if (this.closed || this.#ending) return
    if (last !== undefined && this.#preface === undefined) this.#sink.write(last)
    this.#ending = true
    this.#preface = undefined
    this.#sink.end()
  }

  /** Closes the connection of a client that has stopped reading. A clean end would wait for the client. */
  cut(): void {
    if (this.closed) return
    this.#ending = true
    this.#preface = undefined
    this.#sink.abort()
  }

  /** Records progress of a slow client: fewer bytes wait than before, though the transport has not drained yet. */
  measure(now: number): void {
    const buffered = this.#sink.buffered
    if (buffered < this.#buffered) this.progressAt = now
    this.#buffered = buffered
  }

  #pump(): void {
    while (!this.blocked && this.#preface !== undefined) {
      const piece = this.#preface.shift()!
      if (this.#preface.length === 0) this.#preface = undefined
      this.send(piece)
    }
    if (!this.ready) return
    this.#wake()
    this.#resume()
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }
}
