/** The encoded events of a command. */
export interface Frame {
  readonly revision: number
  readonly bytes: Uint8Array
}

/** The encoded commands of one project, oldest first. Each frame is one revision after the frame before. */
export class EventLog {
  readonly #maxBytes: number
  #frames: Frame[] = []
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  add(frame: Frame): void {
    this.#frames.push(frame)
    this.#bytes += frame.bytes.length
  }

  clear(): void {
    this.#frames = []
    this.#bytes = 0
  }

  /** Whether the log has every command after a revision, up to the newest one. */
  continues(revision: number, newest: number): boolean {
    return revision >= this.#first(newest) - 1
  }

  /** The command after a revision that the log continues; undefined if there is none yet. */
  after(revision: number): Frame | undefined {
    return this.#frames[revision + 1 - this.#first(revision)]
  }

  /** Removes the commands up to a revision, and the oldest ones if the log is too large. */
  trim(upTo: number): void {
    let count = 0
    for (const { revision, bytes } of this.#frames) {
      if (revision > upTo && this.#bytes <= this.#maxBytes) break
      this.#bytes -= bytes.length
      count++
    }
    if (count > 0) this.#frames.splice(0, count)
  }

  /** The first revision in the log; if it is empty, the revision after the newest one. */
  #first(newest: number): number {
    return this.#frames[0]?.revision ?? newest + 1
  }
}
