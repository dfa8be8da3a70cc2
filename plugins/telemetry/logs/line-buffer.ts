/**
 * The queue between the log and a reader of unknown speed. Writing stores a line in memory and returns. If the reader
 * is too slow, lines are dropped, counted and reported; the service never waits, and the memory is bounded.
 */

/** The output of chunks. One chunk is being written at a time. */
export interface ChunkOutput {
  /** Starts writing. `done` is called once, with an error if the chunk was not written. */
  write(chunk: string, done: (error?: Error | null) => void): void
}

/** Output and limits of a buffer. */
export interface LineBufferOptions {
  readonly output: ChunkOutput
  /** Maximum number of UTF-16 units in memory, the chunk being written included. */
  readonly limit?: number
  /** Prints the line that reports the number of dropped lines. */
  readonly printDropped: (count: number) => string
  /** Called when lines are dropped. */
  readonly onDropped?: (count: number) => void
  /** Calls a function after a delay, so that one write has the lines of several turns of the event loop. */
  readonly soon?: (run: () => void, delayMs: number) => void
}

/** About a minute of a busy log; small compared with the memory of the process. */
const DEFAULT_LIMIT = 4 * 1024 * 1024
/**
 * Size of a chunk in UTF-16 units: large enough to make system calls rare, small enough to show the progress of a slow
 * reader.
 */
const CHUNK = 256 * 1024

/**
 * How long a line waits for further lines. Each write wakes a thread or the reader, which costs more than many lines.
 */
const BATCH_MS = 25

/** Pause after a failed write. The reader is gone, but another one may open the output. */
const RETRY_MS = 1_000

/** A bounded queue of lines in front of an output. */
export class LineBuffer {
  readonly #options: LineBufferOptions
  readonly #limit: number
  #lines: string[] = []
  /** Index of the first line of `#lines` that is not being written. */
  #next = 0
  /** UTF-16 units in memory, the chunk being written included. */
  #size = 0
  #busy = false
  #scheduled = false
  /** Whether the last chunk was not written. */
  #failing = false
  /** Dropped lines that no line in the queue reports. */
  #unreported = 0
  /** The lines in the queue that report dropped lines, with their numbers. */
  readonly #reports = new Map<string, number>()
  #dropped = 0
  #progress = 0
  #idle: (() => void)[] = []

  constructor(options: LineBufferOptions) {
    this.#options = options
    this.#limit = options.limit ?? DEFAULT_LIMIT
  }

  /** Total number of dropped lines. */
  get dropped(): number {
    return this.#dropped
  }

  /** Number of written chunks. It grows as long as the reader reads. */
  get progress(): number {
    return this.#progress
  }

  /** Queues a line, which includes its newline, or drops it if the queue is full. */
  write(line: string): void {
    if (this.#size + line.length > this.#limit) {
      this.#drop(1)
      return
    }
    if (this.#unreported > 0) this.#report()
    this.#push(line)
  }

  /** Resolves when all queued lines are written, or when writing fails. */
  drained(): Promise<void> {
    if (this.#unreported > 0) this.#report()
    if (this.#size === 0) return Promise.resolve()
    const drained = new Promise<void>((resolve) => this.#idle.push(resolve))
    if (!this.#busy) this.#send()
    return drained
  }

  /** Removes all lines that are not being written and returns them, for a last synchronous write. */
  take(): string {
    if (this.#unreported > 0) this.#report()
    const rest = this.#lines.slice(this.#next).join('')
    this.#lines = []
    this.#next = 0
    this.#size -= rest.length
    return rest
  }

  #report(): void {
    const count = this.#unreported
    this.#unreported = 0
    const line = this.#options.printDropped(count)
    this.#reports.set(line, count)
    this.#push(line)
  }

  #push(line: string): void {
    this.#lines.push(line)
    this.#size += line.length
    this.#advance()
  }

  /** Starts a write if a chunk is full or a caller waits in `drained`; otherwise waits for further lines. */
  #advance(): void {
    if (this.#busy) return
    if (this.#idle.length > 0 || (this.#size >= CHUNK && !this.#failing)) this.#send()
    else if (!this.#scheduled && this.#size > 0) {
      this.#scheduled = true
      const soon = this.#options.soon ?? setTimeout
      const send = (): void => {
        this.#scheduled = false
        if (!this.#busy) this.#send()
      }
      soon(send, this.#failing ? RETRY_MS : BATCH_MS)
    }
  }

  #send(): void {
    const lines = this.#nextLines()
    if (lines.length === 0) {
      this.#release()
      return
    }
    const chunk = lines.join('')
    this.#busy = true
    this.#options.output.write(chunk, (error) => {
      this.#busy = false
      this.#size -= chunk.length
      this.#failing = error !== undefined && error !== null
      if (this.#failing) this.#lose(lines)
      else this.#progress++
      if (this.#reports.size > 0) for (const line of lines) this.#reports.delete(line)
      // `drained` does not wait for a reader that is gone.
      if (this.#failing || this.#size === 0) this.#release()
      if (this.#size > 0) this.#advance()
    })
  }

  #release(): void {
    const idle = this.#idle
    this.#idle = []
    for (const resolve of idle) resolve()
  }

  #nextLines(): readonly string[] {
    const lines: string[] = []
    let size = 0
    for (let line = this.#lines[this.#next]; line !== undefined && size < CHUNK; line = this.#lines[this.#next]) {
      lines.push(line)
      size += line.length
      this.#next++
    }
    // Removing written lines copies the rest, so it is done rarely.
    if (this.#next === this.#lines.length || this.#next > 4_096) {
      this.#lines = this.#lines.slice(this.#next)
      this.#next = 0
    }
    return lines
  }

  /** Counts lines that were not written as dropped. Lines that they reported are unreported again. */
  #lose(lines: readonly string[]): void {
    let lost = 0
    for (const line of lines) {
      const reported = this.#reports.get(line)
      if (reported === undefined) lost++
      else this.#unreported += reported
    }
    if (lost > 0) this.#drop(lost)
  }

  #drop(count: number): void {
    this.#dropped += count
    this.#unreported += count
    this.#options.onDropped?.(count)
  }
}
