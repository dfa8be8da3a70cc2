/** The open body of a stream reply over a uWebSockets.js response. */
import type { StreamSink } from '../../../core/http/reply.ts'
import { HIGH_WATER_BYTES } from '../framing.ts'
import type { UwsResponse } from './addon.ts'

/**
 * Most bytes that are handed over in one go. With their framing they fit the library's cork buffer of 16 KiB: a write
 * that does not fit is dropped when the socket is full at that moment. The library does not say how much it holds
 * either; so it is given this much at a time, and the rest waits here, where it is counted.
 */
const PIECE_BYTES = 15_360

/** Room for the size line and the end of one chunk. */
const FRAME_BYTES = 16

/**
 * A sink whose head has been written to `res`. `ended` is called once, when the response must not be touched any more.
 */
export class UwsSink implements StreamSink {
  readonly #res: UwsResponse
  readonly #ended: () => void
  readonly #queue: Uint8Array[] = []
  #queued = 0
  #scheduled = false
  /**
   * The library holds what the operating system did not take; it says so only at the write after. From then on nothing
   * is handed over until it can go on: it would keep whatever it is given, however much, and put off its time limit.
   */
  #blocked = false
  #behind = false
  #ending = false
  #over = false
  #closed = false
  #drainListener: (() => void) | undefined
  #closeListener: (() => void) | undefined

  constructor(res: UwsResponse, ended: () => void) {
    this.#res = res
    this.#ended = ended
    res.onWritable(() => {
      if (!this.#over) this.#resume()
      return true
    })
  }

  write(chunk: Uint8Array): boolean {
    if (this.#over || this.#ending) return false
    if (chunk.byteLength > 0) {
      this.#queue.push(chunk)
      this.#queued += chunk.byteLength
      this.#schedule()
    }
    if (this.#queued < HIGH_WATER_BYTES) return true
    this.#behind = true
    return false
  }

  get buffered(): number {
    return this.#queued
  }

  /** Whether all has been written, and some of it waits for the client. */
  get ending(): boolean {
    return this.#ending
  }

  onDrain(listener: () => void): void {
    this.#drainListener = listener
  }

  onClose(listener: () => void): void {
    this.#closeListener = listener
    if (this.#closed) listener()
  }

  end(): void {
    if (this.#over || this.#ending) return
    this.#ending = true
    this.#schedule()
  }

  abort(): void {
    if (!this.#closed) this.#res.close()
  }

  /** The client is gone. */
  gone(): void {
    this.#over = true
    this.#queue.length = 0
    this.#queued = 0
    this.#close()
  }

  #schedule(): void {
    if (this.#scheduled || this.#blocked) return
    this.#scheduled = true
    if (dirty.push(this) === 1) setImmediate(flushDirty)
  }

  /** Hands over all that waits, until there is backpressure. */
  flush(): void {
    this.#scheduled = false
    if (this.#over) return
    while (this.#queue.length > 0 && !this.#blocked) this.#res.cork(this.#feed)
    if (this.#queue.length === 0 && !this.#blocked) this.#caughtUp()
  }

  /** Hands over one piece's worth. Runs corked. */
  readonly #feed = (): void => {
    const queue = this.#queue
    let room = PIECE_BYTES
    let taken = 0
    while (room > 0) {
      const chunk = queue[taken]
      if (chunk === undefined) break
      const piece = chunk.byteLength > room ? chunk.subarray(0, room) : chunk
      if (piece === chunk) taken++
      else queue[taken] = chunk.subarray(room)
      room -= piece.byteLength + FRAME_BYTES
      this.#queued -= piece.byteLength
      if (!this.#res.write(piece)) {
        this.#blocked = true
        break
      }
    }
    queue.splice(0, taken)
  }

  /** The socket takes more. What the library holds it sends when it is corked, even with nothing new. */
  #resume(): void {
    this.#blocked = false
    this.#res.cork(this.#feed)
    this.flush()
  }

  /** What the library still holds now is a piece or two; whether it is gone shows at the next write. */
  #caughtUp(): void {
    if (this.#ending) this.#finish()
    else if (this.#behind) {
      this.#behind = false
      this.#drainListener?.()
    }
  }

  #finish(): void {
    this.#over = true
    this.#res.cork(this.#end)
    this.#ended()
    this.#close()
  }

  readonly #end = (): void => {
    this.#res.end()
  }

  #close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#closeListener?.()
  }
}

/**
 * Sinks with something to hand over. They do it together once the loop comes round: several chunks for one stream leave
 * in one write, and none from within the reading of another connection, when the library cannot cork.
 */
let dirty: UwsSink[] = []

function flushDirty(): void {
  const sinks = dirty
  dirty = []
  for (const sink of sinks) sink.flush()
}
