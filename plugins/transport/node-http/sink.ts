/** The open body of a stream reply over a `ServerResponse`. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { StreamSink } from '../../../core/http/reply.ts'
import { HIGH_WATER_BYTES, toFrame } from '../framing.ts'

/**
 * How long a client may take nothing of an ended stream's last bytes, in milliseconds. The socket looks at its queue
 * twice before it calls itself idle, so that the connection ends after one to two times this.
 */
const LAST_BYTES_MS = 5_000

/** A sink whose head has been written to `response`. `chunked` says whether the body is in the chunked coding. */
export class NodeSink implements StreamSink {
  readonly #response: ServerResponse
  readonly #chunked: boolean
  /** Its connection, once that is this response's: until then an earlier answer holds it (pipelining). */
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
    // Straight to the socket, framed once for all streams; a socket that takes more is far from our own mark.
    if (socket === null || !this.#chunked) response.write(chunk)
    else if (socket.write(toFrame(chunk))) return true
    if (response.writableLength < HIGH_WATER_BYTES) return true
    if (!this.#behind) {
      this.#behind = true
      // The socket says `drain` whenever it was over its own, lower mark and has become empty.
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
      // Before node:http sets its own for what comes next on this connection.
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
