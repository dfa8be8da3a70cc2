import { joinBytes } from '../../../core/bytes.ts'
import type { OpenStream } from '../api.ts'
import { sliceBytes } from './connection.ts'
import { type Frame, Ring } from './ring.ts'

declare const __CLUSTER_NATS__: boolean

/** How a feed treats its oldest frames and the readers that still want them. */
export interface FeedOptions {
  readonly maxFrames: number
  /** Bytes held, with overhead. */
  readonly maxBytes: number
  /** Runs a function once, soon, after the work at hand: everything published until then leaves in one write. */
  readonly soon: (run: () => void) => void
  /** Told of each frame that falls out of a log, before it is gone. */
  readonly onEvict?: (frame: Frame, sequence: number) => void
  /** Bytes held while a reader that began held has not caught up yet; `maxBytes` where absent. */
  readonly maxHeldBytes?: number
  /** True for a log: frames stay after they were read. Otherwise they are held only as long as some reader is behind. */
  readonly log: boolean
}

/** What a reader wants and what becomes of it when it falls behind. */
export interface ReaderOptions {
  /** Sequence of the first frame wanted. */
  readonly from: number
  /** Only this topic. */
  readonly topic?: string
  /** Topics that it hears nothing of, not even in counts. */
  readonly hidden?: ReadonlySet<string>
  /** Whose frames it may see beside those for everybody. */
  readonly user?: string | null
  /** Narrows further; frames refused here are neither sent nor counted. */
  readonly accepts?: (frame: Frame, sequence: number) => boolean
  /** Frames were evicted before this reader got them: returns what to tell it, or null to cut it. */
  readonly onLag: (dropped: number) => Uint8Array | null
  /** Told of each frame that is evicted before this reader got it, at that moment: it may never read again. */
  readonly onDropped?: (frames: number) => void
  /** True while the reader waits for something else first; `release` ends that. */
  readonly held?: boolean
}

/** One reader of a feed: an index, a filter and a connection. */
export class Reader {
  next: number
  dropped = 0
  held: boolean
  readonly connection: OpenStream
  readonly options: ReaderOptions
  /**
   * What it sees of the topics: readers of one view share what is joined. No topic's name has a comma or begins with a
   * hyphen. None where what it sees is narrowed further, which it shares with nobody.
   */
  readonly view: string | undefined

  constructor(connection: OpenStream, options: ReaderOptions) {
    this.connection = connection
    this.options = options
    this.next = options.from
    this.held = options.held ?? false
    if (options.accepts === undefined) this.view = `${options.topic ?? ''}-${[...(options.hidden ?? [])].join()}`
  }

  /** Whether it can take frames now. */
  get ready(): boolean {
    return !this.held && this.connection.ready
  }

  wants(frame: Frame, sequence: number): boolean {
    const { topic, hidden, user, accepts } = this.options
    return (
      (topic === undefined || frame.topic === topic) &&
      hidden?.has(frame.topic ?? '') !== true &&
      (frame.user === undefined || frame.user === user) &&
      (accepts === undefined || accepts(frame, sequence))
    )
  }
}

interface Batch {
  readonly from: number
  readonly view: string | undefined
  readonly to: number
  readonly bytes: Uint8Array | null
}

/** One ring of encoded frames and all who read it. */
export class Feed {
  readonly ring: Ring = new Ring()
  readonly #options: FeedOptions
  readonly #readers = new Set<Reader>()
  /** Those that began held and have not caught up yet. */
  readonly #catching = new Set<Reader>()
  /** What has been joined for this state of the ring, by view: a thousand readers at one place share one array. */
  readonly #batches = new Map<string, Batch>()
  /** The one that was shared last: most readers are where the one before them was, and need no look-up. */
  #last: Batch | undefined
  #dirty = false
  #flushing = false
  #ended = false

  constructor(options: FeedOptions) {
    this.#options = options
  }

  get readers(): number {
    return this.#readers.size
  }

  /** Appends a frame; it leaves with everything else that is due in this turn. Returns its sequence. */
  push(frame: Frame): number {
    const { maxFrames, maxBytes, maxHeldBytes = maxBytes, log } = this.#options
    const full = (): boolean =>
      this.#catching.size > 0
        ? this.ring.bytes + frame.bytes.length > maxHeldBytes
        : this.ring.size >= maxFrames || this.ring.bytes + frame.bytes.length > maxBytes
    if (full() && !log) {
      // A burst within one turn is no reader's fault: hand out what is there before anything is dropped.
      this.flush()
    } else if (full() && this.#dirty) {
      this.flush()
    }
    while (this.ring.size > 0 && full()) this.evict()
    const sequence = this.ring.push(frame)
    if (this.#readers.size === 0 && !log) this.ring.clear()
    else this.#soon()
    return sequence
  }

  /** Drops the oldest frame; readers that still wanted it are told or cut. */
  evict(): void {
    const sequence = this.ring.base
    const frame = this.ring.at(sequence)
    if (frame === undefined) return
    for (const reader of [...this.#readers]) {
      if (reader.next > sequence) continue
      reader.next = sequence + 1
      if (!reader.wants(frame, sequence)) continue
      if (this.#options.log) reader.connection.end()
      else {
        reader.dropped++
        reader.options.onDropped?.(1)
      }
    }
    this.#options.onEvict?.(frame, sequence)
    this.ring.shift()
  }

  /** Frames were missed before they came here: every reader is told, and nobody knows how many. */
  lose(): void {
    if (typeof __CLUSTER_NATS__ === 'undefined' || __CLUSTER_NATS__) {
      for (const reader of this.#readers) reader.dropped = Infinity
      this.#soon()
    }
  }

  /** No frame will follow: readers are ended once they have everything. */
  end(): void {
    this.#ended = true
    this.#soon()
  }

  /** Adds a reader and gives it what is due. */
  attach(connection: OpenStream, options: ReaderOptions): Reader {
    const reader = new Reader(connection, options)
    this.#readers.add(reader)
    if (reader.held) this.#catching.add(reader)
    connection.onResume(() => {
      this.#pump(reader)
      // It may have been the last that was behind; that is found out once a turn, not once a reader.
      if (!this.#options.log && this.ring.size > 0) this.#soon()
    })
    connection.onClose(() => {
      this.#readers.delete(reader)
      this.#catching.delete(reader)
      this.#trim()
    })
    // Frames may have gone between the reply's head and this moment: a log reader comes back and is told.
    if (reader.next < this.ring.base) connection.end()
    else if (!connection.closed) this.#pump(reader)
    return reader
  }

  /** Lets a held reader go on from where it was attached. */
  release(reader: Reader): void {
    reader.held = false
    this.#pump(reader)
  }

  /** Gives every reader what it lacks. */
  flush(): void {
    this.#dirty = false
    this.#flushing = true
    for (const reader of this.#readers) this.#pump(reader)
    this.#flushing = false
    this.#batches.clear()
    this.#last = undefined
    this.#trim()
  }

  #soon(): void {
    if (this.#dirty) return
    this.#dirty = true
    this.#options.soon(() => {
      if (this.#dirty) this.flush()
    })
  }

  /** Gives a reader what it lacks, until it has all or its transport says that it is enough. */
  #pump(reader: Reader): void {
    if (!reader.ready) return
    const { connection } = reader
    if (reader.dropped > 0) {
      const told = reader.options.onLag(reader.dropped)
      reader.dropped = 0
      if (told === null) connection.end()
      if (told === null || !connection.send(told)) return
    }
    while (reader.next < this.ring.next) {
      const { to, bytes } = this.#batch(reader)
      reader.next = to
      if (bytes !== null && !connection.send(bytes)) return
    }
    if (this.#catching.size > 0) this.#catching.delete(reader)
    if (this.#ended) connection.end()
  }

  #batch(reader: Reader): Batch {
    const { next: from, view } = reader
    const last = this.#last
    if (last?.from === from && last.view === view) return last
    const key = `${from} ${view}`
    const shared = view && this.#batches.get(key)
    if (shared) return (this.#last = shared)
    const parts: Uint8Array[] = []
    let personal = view === undefined
    let length = 0
    let to = from
    for (; to < this.ring.next; to++) {
      const frame = this.ring.at(to)!
      if (frame.user !== undefined) personal = true
      if (!reader.wants(frame, to)) continue
      if (length > 0 && length + frame.bytes.length > sliceBytes) break
      parts.push(frame.bytes)
      length += frame.bytes.length
    }
    const batch: Batch = { from, view, to, bytes: parts.length === 0 ? null : joinBytes(parts) }
    // Outside a flush readers come one at a time, and a batch kept for the next would hold bytes that nobody wants.
    if (!personal && this.#flushing) {
      this.#batches.set(key, batch)
      this.#last = batch
    }
    return batch
  }

  /** An entity stream needs no past once nobody is behind. */
  #trim(): void {
    if (this.#options.log || this.#dirty) return
    let oldest = this.ring.next
    for (const reader of this.#readers) if (reader.next < oldest) oldest = reader.next
    if (oldest === this.ring.next) this.ring.clear()
    else while (this.ring.base < oldest) this.ring.shift()
  }
}
