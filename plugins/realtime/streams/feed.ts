import { joinBytes } from '../../../core/kernel/bytes.ts'
import type { OpenStream } from './api.ts'
import { sliceBytes } from './connection.ts'
import { type Frame, Ring } from './ring.ts'

declare const __REALTIME_AGENTS__: boolean

/** How a feed treats its oldest frames, and the readers that have not received them. */
export interface FeedOptions {
  readonly maxFrames: number
  /** Most bytes of all frames, with overhead. */
  readonly maxBytes: number
  /** Runs a function once, after the present work, so that everything published until then is sent in one write. */
  readonly soon: (run: () => void) => void
  /** Called for each frame that is about to be dropped from a log. */
  readonly onEvict?: (frame: Frame, sequence: number) => void
  /** Most bytes while a reader that was held at its start has not caught up; `maxBytes` if absent. */
  readonly maxHeldBytes?: number
  /**
   * True for a log, whose frames stay after they were read. Otherwise frames are kept only while some reader has not
   * received them.
   */
  readonly log: boolean
}

/** What a reader gets, and what happens if it falls behind. */
export interface ReaderOptions {
  /** Sequence of the first frame that the reader gets. */
  readonly from: number
  /** Only frames of this topic. */
  readonly topic?: string
  /** Topics whose frames are neither sent to the reader nor counted for it. */
  readonly hidden?: ReadonlySet<string>
  /** The user whose frames the reader gets, besides those for everybody. */
  readonly user?: string | null
  /** How frames are written to the reader. Readers with the same `name` get the same bytes. */
  readonly form?: { readonly name: string; of(frame: Frame): Uint8Array }
  /** A further filter. Frames that it refuses are neither sent nor counted. */
  readonly accepts?: (frame: Frame, sequence: number) => boolean
  /**
   * Called if frames were evicted before the reader got them. Returns the frame to send instead, or null to close the
   * connection.
   */
  readonly onLag: (dropped: number) => Uint8Array | null
  /**
   * Called for each frame that is evicted before the reader got it, at that moment, because the reader may never read
   * again.
   */
  readonly onDropped?: (frames: number) => void
  /** True while the reader gets something else first. `release` ends that. */
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
   * A key of the topics that the reader gets: readers with the same key share joined frames. No name of a topic has a
   * comma or begins with a hyphen. Undefined if a further filter applies, because such readers share nothing.
   */
  readonly view: string | undefined

  constructor(connection: OpenStream, options: ReaderOptions) {
    this.connection = connection
    this.options = options
    this.next = options.from
    this.held = options.held ?? false
    if (options.accepts === undefined) {
      const { topic = '', hidden = [], form } = options
      this.view = `${topic}-${[...hidden].join()}${form === undefined ? '' : `-${form.name}`}`
    }
  }

  /** Whether the reader can take frames now. */
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

export interface Batch {
  readonly from: number
  readonly view: string | undefined
  readonly to: number
  readonly bytes: Uint8Array | null
}

/** One ring of encoded frames, and its readers. */
export class Feed {
  readonly ring: Ring = new Ring()
  /** Whether the service has ended the stream of the reader that went away last, and no other has come. */
  declare wasInterrupted?: boolean
  readonly #options: FeedOptions
  readonly #readers = new Set<Reader>()
  /** Readers that were held at their start and have not caught up yet. */
  readonly #catching = new Set<Reader>()
  /** Joined frames for the present state of the ring, by view: readers at the same position share one array. */
  readonly #batches = new Map<string, Batch>()
  /** The joined frames that were used last. Most readers are at the position of the one before, and need no lookup. */
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

  /** Appends a frame and returns its sequence. It is sent with all other frames of this turn of the event loop. */
  push(frame: Frame): number {
    const { maxFrames, maxBytes, maxHeldBytes = maxBytes, log } = this.#options
    const full = (): boolean =>
      this.#catching.size > 0
        ? this.ring.bytes + frame.bytes.length > maxHeldBytes
        : this.ring.size >= maxFrames || this.ring.bytes + frame.bytes.length > maxBytes
    if (full() && !log) {
      // Readers cannot keep up with a burst within one turn, so frames are sent before any is dropped.
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

  /** Drops the oldest frame. Readers that have not received it get a notice or are closed. */
  evict(): void {
    const sequence = this.ring.base
    const frame = this.ring.at(sequence)
    if (frame === undefined) return
    for (const reader of [...this.#readers]) {
      if (reader.next > sequence) continue
      reader.next = sequence + 1
      if (!reader.wants(frame, sequence)) continue
      if (this.#options.log) reader.connection.interrupt()
      else {
        reader.dropped++
        reader.options.onDropped?.(1)
      }
    }
    this.#options.onEvict?.(frame, sequence)
    this.ring.shift()
  }

  /** Reports to every reader that an unknown number of frames never reached this node. */
  lose(): void {
    for (const reader of this.#readers) reader.dropped = Infinity
    this.#soon()
  }

  /** Ends the feed: each reader is ended once it has everything. */
  end(): void {
    this.#ended = true
    this.#soon()
  }

  /** Adds a reader and sends it the frames that it lacks. */
  attach(connection: OpenStream, options: ReaderOptions): Reader {
    const reader = new Reader(connection, options)
    this.#readers.add(reader)
    if (typeof __REALTIME_AGENTS__ === 'undefined' || __REALTIME_AGENTS__) this.wasInterrupted = false
    if (reader.held) this.#catching.add(reader)
    connection.onResume(() => {
      this.#pump(reader)
      // This may have been the last slow reader. That is checked once per turn and not once per reader.
      if (!this.#options.log && this.ring.size > 0) this.#soon()
    })
    connection.onClose(() => {
      this.#readers.delete(reader)
      if (typeof __REALTIME_AGENTS__ === 'undefined' || __REALTIME_AGENTS__)
        this.wasInterrupted = connection.interrupted === true
      this.#catching.delete(reader)
      this.#trim()
    })
    // Frames may have been evicted since the reply's head. A reader of a log reconnects and gets the gap event.
    if (reader.next < this.ring.base) connection.interrupt()
    else if (!connection.closed) this.#pump(reader)
    return reader
  }

  /** Starts a held reader, at the position at which it was attached. */
  release(reader: Reader): void {
    reader.held = false
    this.#pump(reader)
  }

  /** Sends every reader the frames that it lacks. */
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

  /** Sends a reader the frames that it lacks, until it has all or its transport is over the high-water mark. */
  #pump(reader: Reader): void {
    if (!reader.ready) return
    const { connection } = reader
    if (reader.dropped > 0) {
      const told = reader.options.onLag(reader.dropped)
      reader.dropped = 0
      if (told === null) connection.interrupt()
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
      parts.push(reader.options.form?.of(frame) ?? frame.bytes)
      length += frame.bytes.length
    }
    const batch: Batch = { from, view, to, bytes: parts.length === 0 ? null : joinBytes(parts) }
    // Outside of a flush readers come one at a time, so joined frames are not kept: no other reader would use them.
    if (!personal && this.#flushing) {
      this.#batches.set(key, batch)
      this.#last = batch
    }
    return batch
  }

  /** Drops the frames of an entity stream once all readers have them. */
  #trim(): void {
    if (this.#options.log || this.#dirty) return
    let oldest = this.ring.next
    for (const reader of this.#readers) if (reader.next < oldest) oldest = reader.next
    if (oldest === this.ring.next) this.ring.clear()
    else while (this.ring.base < oldest) this.ring.shift()
  }
}
