/** The open body of a stream reply over a `ServerResponse`. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { StreamSink } from '../../../core/http/reply.ts'
import { HIGH_WATER_BYTES, toFrame } from '../framing.ts'

/**
 * How long a client may take none of the last bytes of an ended stream, in milliseconds. The socket checks its queue
 * twice before it reports that it is idle, so the connection ends after one to two times this.
 */
const LAST_BYTES_MS = 5_000

/** A sink whose head has been written to `response`. `chunked` says whether the body is in the chunked coding. */
export class NodeSink implements StreamSink {
  readonly #response: ServerResponse
  readonly #chunked: boolean
  /** The connection, once it is the turn of this response. Before, an earlier answer uses it (pipelining). */
  #socket: Socket | null = null
  #drained: (() => void) | undefined
  #closed: (() => void) | undefined
  #over = false
  #behind = false

  constructor(response: ServerResponse, chunked: boolean) {
    this.#response = response
    this.#chunked = chunked
    response.once('close', () => this.#finish())
  }

  write(chunk: Uint8Array): boolean {
    if (this.#over || chunk.byteLength === 0) return !this.#over
    const response = this.#response
    this.#socket ??= response.socket
    const socket = this.#socket
    // Written to the socket directly, framed once for all streams. While the socket accepts bytes, its queue is far
    // below our limit.
    if (socket === null || !this.#chunked) response.write(chunk)
    else if (socket.write(toFrame(chunk))) return true
    if (response.writableLength < HIGH_WATER_BYTES) return true
    if (!this.#behind) {
      this.#behind = true
      // The socket emits `drain` when it was over its own, lower mark and has become empty.
      ;(socket ?? response).once('drain', () => {
        this.#behind = false
        if (!this.#over) this.#drained?.()
      })
    }
    return false
  }

  get buffered(): number {
    return this.#response.writableLength
  }

  onDrain(listener: () => void): void {
    this.#drained = listener
  }

  onClose(listener: () => void): void {
    this.#closed = listener
    if (this.#over) listener()
  }

  end(): void {
    if (this.#over) return
    const { socket } = this.#response
    this.#response.end()
    if (socket !== null && !this.#response.writableFinished) {
      socket.setTimeout(LAST_BYTES_MS)
      // Removed before node:http sets its own listeners for the next request of this connection.
      this.#response.prependOnceListener('finish', () => socket.setTimeout(0))
    }
    this.#finish()
  }

  abort(): void {
    if (this.#over) return
    this.#response.destroy()
    this.#finish()
  }

  #finish(): void {
    if (this.#over) return
    this.#over = true
    this.#closed?.()
  }
}
