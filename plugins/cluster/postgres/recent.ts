/**
 * A bounded cache of the most recently used values by id. A full young half becomes the old half, and values that are
 * used in the old half move to the young one. A hit in the young half writes nothing.
 */
export class Recent<T> {
  readonly #half: number
  #young = new Map<string, T>()
  #old = new Map<string, T>()

  /** Keeps up to `most` values, at least two. */
  constructor(most: number) {
    this.#half = Math.max(1, Math.floor(most / 2))
  }

  /** The value of an id, which counts as used. */
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
