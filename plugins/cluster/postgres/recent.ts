/**
 * What was used most recently, by id, bounded in number. Two halves take turns: a full young half becomes the old one, and
 * what is used there moves over. So a hit in the young half writes nothing.
 */
export class Recent<T> {
  readonly #half: number
  #young = new Map<string, T>()
  #old = new Map<string, T>()

  /** Keeps up to `most`, and two at least. */
  constructor(most: number) {
    this.#half = Math.max(1, Math.floor(most / 2))
  }

  /** What is kept under an id; it counts as used. */
  get(id: string): T | undefined {
    const recent = this.#young.get(id)
    if (recent !== undefined) return recent
    const older = this.#old.get(id)
    if (older !== undefined) this.set(id, older)
    return older
  }

  set(id: string, value: T): void {
    if (this.#young.size >= this.#half && !this.#young.has(id)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(id, value)
  }

  delete(id: string): void {
    this.#young.delete(id)
    this.#old.delete(id)
  }

  clear(): void {
    this.#young.clear()
    this.#old.clear()
  }
}
