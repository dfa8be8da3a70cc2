import type { OpenStream } from '../api.ts'
import type { StreamSink } from './sink.ts'

/** The largest piece handed to a transport at once: what a reader that stopped reading can cost beside the transport's own mark. */
export const sliceBytes = 65_536

/**
 * One open stream reply. It remembers whether the client keeps up, and sends what stands before the live frames (a
 * snapshot, say) piece by piece, so that a client which never reads holds one piece and a reference, not a copy.
 */
export class Connection implements OpenStream {
  /** True from the moment the transport said "enough" until it drained. */
  blocked = false
  closed = false
  /** When bytes last moved towards the client, on the monotonic clock: one that is set back must not make a client patient. */
  progressAt: number
  readonly #sink: StreamSink
  /** None where nothing waits: whether a client is ready is asked for each event of each. */
  #preface: Uint8Array[] | undefined
  readonly #closing: (() => void)[] = []
  #waiting: (() => void)[] = []
  #resume: () => void = () => {}
  #buffered = 0
  #ending = false

  constructor(sink: StreamSink, now: () => number) {
    this.#sink = sink
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

  /** Hands one piece to the transport; false when nothing more may follow until `onResume`. */
  send(chunk: Uint8Array): boolean {
    if (this.closed || this.#ending) return false
    if (!this.#sink.write(chunk)) this.blocked = true
    return !this.blocked
  }

  /** Queues bytes that go out, in order, before anything that `onResume` sends. */
  sendFirst(chunk: Uint8Array): void {
    for (let from = 0; from < chunk.length; from += sliceBytes) {
      this.#preface ??= []
      this.#preface.push(chunk.subarray(from, from + sliceBytes))
    }
    this.#pump()
  }

  /** Whether everything given to `sendFirst` has been handed over and the client keeps up. */
  get ready(): boolean {
    return !this.blocked && !this.closed && this.#preface === undefined
  }

  /** Resolves when everything given to `sendFirst` is handed over and the client keeps up, or when it is gone. */
  caughtUp(): Promise<void> {
    return new Promise((resolve) => {
      if (this.ready || this.closed) resolve()
      else this.#waiting.push(resolve)
    })
  }

  /** Called whenever the client can take more; at most one listener, the feed's. */
  onResume(listener: () => void): void {
    this.#resume = listener
  }

  /** Called once when the stream ended or the client is gone. */
  onClose(listener: () => void): void {
    if (this.closed) listener()
    else this.#closing.push(listener)
  }

  /**
   * Ends the reply cleanly: a client may come back at once. `last` goes out before, unless the client is in the midst of
   * what was given to `sendFirst`.
   */
  end(last?: Uint8Array): void {
    if (this.closed || this.#ending) return
    if (last !== undefined && this.#preface === undefined) this.#sink.write(last)
    this.#ending = true
    this.#preface = undefined
    this.#sink.end()
  }

  /** Ends the connection of a client that has stopped reading: a clean end would wait for it. */
  cut(): void {
    if (this.closed) return
    this.#ending = true
    this.#preface = undefined
    this.#sink.abort()
  }

  /** Notes progress of a slow client whose transport has not drained yet: fewer bytes wait than before. */
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
