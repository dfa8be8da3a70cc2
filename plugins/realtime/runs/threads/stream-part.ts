import type { OpenStream } from '../../streams/api.ts'

/**
 * The part of a connection that one run has. For the run it is a stream of its own: the end of the run ends the part,
 * and the connection goes on with the next run.
 */
export class StreamPart implements OpenStream {
  /** Resolves when the run has ended, or when the connection is closed. */
  readonly over: Promise<void>
  readonly #connection: OpenStream
  readonly #closing: (() => void)[] = []
  #closed = false
  #resolve!: () => void

  /** The owner of the connection calls `end` when the connection is closed. */
  constructor(connection: OpenStream) {
    this.#connection = connection
    this.over = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  get blocked(): boolean {
    return this.#connection.blocked
  }

  get closed(): boolean {
    return this.#closed || this.#connection.closed
  }

  get interrupted(): boolean | undefined {
    return this.#connection.interrupted
  }

  get ready(): boolean {
    return !this.#closed && this.#connection.ready
  }

  send(chunk: Uint8Array): boolean {
    return !this.#closed && this.#connection.send(chunk)
  }

  sendFirst(chunk: Uint8Array): void {
    if (!this.#closed) this.#connection.sendFirst(chunk)
  }

  caughtUp(): Promise<void> {
    return this.#connection.caughtUp()
  }

  onResume(listener: () => void): void {
    this.#connection.onResume(listener)
  }

  onClose(listener: () => void): void {
    if (this.closed) listener()
    else this.#closing.push(listener)
  }

  /** Ends the part. The run is forgotten, because the connection may stay open for long. */
  end(): void {
    if (this.#closed) return
    this.#closed = true
    this.#connection.onResume(() => {})
    for (const listener of this.#closing.splice(0)) listener()
    this.#resolve()
  }

  interrupt(): void {
    this.#connection.interrupt()
  }
}
