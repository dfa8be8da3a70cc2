/** An encoded frame, and its audience. */
export interface Frame {
  readonly bytes: Uint8Array
  /** The topic of an entity event; absent in a log that has no topics. */
  readonly topic?: string
  /** The only user who gets the frame; absent for everybody in the tenant. */
  readonly user?: string | null
  /** When the service got the event, in Unix ms; absent if that is not known. */
  readonly atMs?: number | undefined
}

/** The cost of a frame besides its bytes: the typed array, its buffer and the slot, in V8. */
export const frameOverhead = 256

/** Numbered frames. The oldest are dropped first. Sequences start at 1 and are never reused. */
export class Ring {
  /** Sequence of the oldest frame; equal to `next` if there is none. */
  base = 1
  /** Sequence that the next frame will get. */
  next = 1
  /** Bytes of all frames, with their overhead. */
  bytes = 0
  #frames: (Frame | undefined)[] = []
  #offset = 0

  get size(): number {
    return this.next - this.base
  }

  /** Appends a frame and returns its sequence. */
  push(frame: Frame): number {
    this.#frames.push(frame)
    this.bytes += frame.bytes.length + frameOverhead
    return this.next++
  }

  /** The frame of a sequence; undefined if it was dropped or does not exist. */
  at(sequence: number): Frame | undefined {
    return sequence < this.base ? undefined : this.#frames[this.#offset + sequence - this.base]
  }

  /** Drops and returns the oldest frame. */
  shift(): Frame | undefined {
    if (this.size === 0) return undefined
    const frame = this.#frames[this.#offset]
    this.#frames[this.#offset++] = undefined
    this.base++
    this.bytes -= (frame?.bytes.length ?? 0) + frameOverhead
    // Moving the rest at every drop would take quadratic time. Done when half is empty, it costs one move per frame.
    if (this.#offset > 64 && this.#offset * 2 > this.#frames.length) {
      this.#frames = this.#frames.slice(this.#offset)
      this.#offset = 0
    }
    return frame
  }

  /** Drops every frame. The numbering continues. */
  clear(): void {
    this.#frames = []
    this.#offset = 0
    this.base = this.next
    this.bytes = 0
  }
}
