import type { StreamClock, StreamSink } from '../../../plugins/realtime/streams/soon.ts'

/** A clock that advances only by `advance`. */
export class FakeClock implements StreamClock {
  time = 1_700_000_000_000
  /** The offset of the wall clock from the elapsed time, in milliseconds. */
  wall = 0
  readonly #timers = new Map<number, { at: number; run: () => void }>()
  #last = 0

  now(): number {
    return this.time + this.wall
  }

  monotonic(): number {
    return this.time - 1_600_000_000_000
  }

  setTimeout(run: () => void, ms: number): unknown {
    this.#timers.set(++this.#last, { at: this.time + ms, run })
    return this.#last
  }

  clearTimeout(timer: unknown): void {
    this.#timers.delete(timer as number)
  }

  get timers(): number {
    return this.#timers.size
  }

  /** Advances the time, and runs due timers in order. */
  advance(ms: number): void {
    const end = this.time + ms
    for (;;) {
      const due = [...this.#timers].filter(([, { at }]) => at <= end).sort((a, b) => a[1].at - b[1].at)[0]
      if (due === undefined) break
      this.#timers.delete(due[0])
      this.time = Math.max(this.time, due[1].at)
      due[1].run()
    }
    this.time = end
  }
}

/** A client of a stream. The test can stop and resume its reading. */
export class FakeSink implements StreamSink {
  readonly chunks: Uint8Array[] = []
  buffered = 0
  ended = false
  closed = false
  aborted = false
  stalled = false
  readonly highWater: number
  #drained: () => void = () => {}
  #closing: () => void = () => {}

  constructor(highWater: number = 1000) {
    this.highWater = highWater
  }

  write(chunk: Uint8Array): boolean {
    if (this.ended || this.closed) throw new Error('written to after its end')
    this.chunks.push(chunk)
    if (this.stalled) this.buffered += chunk.length
    return this.buffered < this.highWater
  }

  onDrain(listener: () => void): void {
    this.#drained = listener
  }

  onClose(listener: () => void): void {
    this.#closing = listener
  }

  end(): void {
    if (this.ended || this.closed) throw new Error('ended twice')
    this.ended = true
    this.#closing()
  }

  abort(): void {
    this.aborted = true
    this.leave()
  }

  /** The client disconnects. */
  leave(): void {
    if (this.ended || this.closed) return
    this.closed = true
    this.#closing()
  }

  /** The client reads all buffered bytes. */
  read(): void {
    const blocked = this.buffered >= this.highWater
    this.stalled = false
    this.buffered = 0
    if (blocked && !this.ended && !this.closed) this.#drained()
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString()
  }

  get events(): readonly StreamEvent[] {
    return eventsIn(this.text)
  }
}

/** One event of a stream: its JSON, and its id if it has one. */
export interface StreamEvent {
  readonly id?: string
  readonly data: Record<string, unknown>
}

/** The events of a text that ends with a whole event. */
export function eventsIn(text: string): StreamEvent[] {
  return text
    .split('\n\n')
    .filter((block) => block.includes('data: '))
    .map((block) => {
      const id = /^id: (.*)$/m.exec(block)?.[1]
      const data = JSON.parse(/^data: (.*)$/m.exec(block)![1]!) as Record<string, unknown>
      return { ...(id !== undefined && { id }), data }
    })
}

/** Work that is deferred to the end of the turn, and runs when the test calls `end`. */
export class Turn {
  #work: (() => void)[] = []

  readonly soon = (run: () => void): void => {
    this.#work.push(run)
  }

  end(): void {
    while (this.#work.length > 0) this.#work.shift()!()
  }
}
