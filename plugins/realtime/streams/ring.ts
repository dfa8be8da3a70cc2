/** An encoded frame and who may see it. */
export interface Frame {
  readonly bytes: Uint8Array
  /** The topic of an entity event; absent in a log that has no topics. */
  readonly topic?: string
  /** The only user who sees it; absent for everybody in the tenant. */
  readonly user?: string | null
}

/** What a frame costs beside its bytes: the typed array, its buffer and the slot, as V8 lays them out. */
export const frameOverhead = 256

/** Numbered frames, dropped from the old end. Sequences start at 1 and are never reused. */
export class Ring {
  /** Sequence of the oldest frame held; equal to `next` when there is none. */
  base = 1
  /** Sequence that the next frame will get. */
  next = 1
  /** Bytes held, with the overhead of each frame. */
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

  /** The frame of a sequence, or undefined where it is not held. */
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
    // Moving the rest on every drop would make eviction quadratic; half empty, it costs one move a frame.
    if (this.#offset > 64 && this.#offset * 2 > this.#frames.length) {
      this.#frames = this.#frames.slice(this.#offset)
      this.#offset = 0
    }
    return frame
  }

  /** Drops every frame; the numbering goes on. */
  clear(): void {
    this.#frames = []
    this.#offset = 0
    this.base = this.next
    this.bytes = 0
  }
}
