/**
 * The queue between the log and a reader of unknown speed. Writing puts a line into memory and returns; a slow reader
 * costs lines, counted and told, never time and never more than a fixed amount of memory.
 */

/** Where chunks go. One chunk is under way at a time. */
export interface ChunkOutput {
  /** Starts writing; `done` is called once, with the error where the chunk went nowhere. */
  write(chunk: string, done: (error?: Error | null) => void): void
}

/** What a buffer needs. */
export interface LineBufferOptions {
  readonly output: ChunkOutput
  /** UTF-16 units held at most, the chunk under way included. */
  readonly limit?: number
  /** Prints the line that says how many were dropped. */
  readonly printDropped: (count: number) => string
  /** Told of lines that are dropped, as they are. */
  readonly onDropped?: (count: number) => void
  /** Runs a function a moment later, so that one write carries the lines of many turns. */
  readonly soon?: (run: () => void, delayMs: number) => void
}

/** About a minute of a busy log, and small beside the process. */
const DEFAULT_LIMIT = 4 * 1024 * 1024
/** Large enough to make system calls rare, small enough that progress of a slow reader is seen. */
const CHUNK = 256 * 1024

/** How long a line may wait for company. Each write wakes a thread or the reader, which costs more than many lines. */
const COMPANY_MS = 25

/** How long an output that failed is left alone: its reader is gone, and the next may come. */
const RETRY_MS = 1_000

/** Queue of lines in front of an output. */
export class LineBuffer {
  readonly #options: LineBufferOptions
  readonly #limit: number
  #lines: string[] = []
  /** First line of `#lines` that is not yet under way. */
  #next = 0
  /** Units held, the chunk under way included. */
  #size = 0
  #busy = false
  #scheduled = false
  /** The last chunk went nowhere. */
  #failing = false
  /** Lines dropped since the last line that told of it. */
  #untold = 0
  /** Lines in the queue that tell of dropped ones, and of how many. */
  readonly #telling = new Map<string, number>()
  #dropped = 0
  #progress = 0
  #idle: (() => void)[] = []

  constructor(options: LineBufferOptions) {
    this.#options = options
    this.#limit = options.limit ?? DEFAULT_LIMIT
  }

  /** Lines that were dropped, in all. */
  get dropped(): number {
    return this.#dropped
  }

  /** Chunks that have left, to see whether a reader is alive. */
  get progress(): number {
    return this.#progress
  }

  /** Takes a line with its newline, or drops it where there is no room. */
  write(line: string): void {
    if (this.#size + line.length > this.#limit) {
      this.#drop(1)
      return
    }
    if (this.#untold > 0) this.#tell()
    this.#push(line)
  }

  /** Resolves when everything taken so far has left, or cannot leave any more. */
  drained(): Promise<void> {
    if (this.#untold > 0) this.#tell()
    if (this.#size === 0) return Promise.resolve()
    const drained = new Promise<void>((resolve) => this.#idle.push(resolve))
    if (!this.#busy) this.#send()
    return drained
  }

  /** Takes all that is not under way out of the queue, for a last synchronous write. */
  take(): string {
    if (this.#untold > 0) this.#tell()
    const rest = this.#lines.slice(this.#next).join('')
    this.#lines = []
    this.#next = 0
    this.#size -= rest.length
    return rest
  }

  #tell(): void {
    const count = this.#untold
    this.#untold = 0
    const line = this.#options.printDropped(count)
    this.#telling.set(line, count)
    this.#push(line)
  }

  #push(line: string): void {
    this.#lines.push(line)
    this.#size += line.length
    this.#advance()
  }

  /** Sends what there is where it is worth a write, or where somebody waits for it; else gives it a moment. */
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
      soon(send, this.#failing ? RETRY_MS : COMPANY_MS)
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
      if (this.#telling.size > 0) for (const line of lines) this.#telling.delete(line)
      // Nobody waits for a reader that is gone.
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
    let end = this.#next
    let size = 0
    while (end < this.#lines.length && size < CHUNK) size += this.#lines[end++]!.length
    const lines = this.#lines.slice(this.#next, end)
    this.#next = end
    // Moving the rest down costs as much as the rest is long, so it is done once in a while only.
    if (this.#next === this.#lines.length || this.#next > 4_096) {
      this.#lines = this.#lines.slice(this.#next)
      this.#next = 0
    }
    return lines
  }

  /** Lines that went nowhere are dropped ones. Those that they told of are still untold. */
  #lose(lines: readonly string[]): void {
    let lost = 0
    for (const line of lines) {
      const told = this.#telling.get(line)
      if (told === undefined) lost++
      else this.#untold += told
    }
    if (lost > 0) this.#drop(lost)
  }

  #drop(count: number): void {
    this.#dropped += count
    this.#untold += count
    this.#options.onDropped?.(count)
  }
}
