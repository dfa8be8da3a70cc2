/**
 * Records the earlier entries of maps before they change, so that a batch of events can be taken back if one is
 * refused.
 */
export class Journal {
  #undo: (() => void)[] | null = null

  /** Whether changes are recorded. */
  get active(): boolean {
    return this.#undo !== null
  }

  /** Starts to record changes. */
  begin(): void {
    this.#undo = []
  }

  /** Ends recording. The changes stay. */
  commit(): void {
    this.#undo = null
  }

  /** Takes back all changes since `begin`, the last first. */
  rollback(): void {
    const undo = this.#undo ?? []
    this.#undo = null
    for (const step of undo.reverse()) step()
  }

  /** Records a change that is not one of a map. */
  note(undo: () => void): void {
    this.#undo?.push(undo)
  }

  /** Records the members of an object before they change; returns the object. */
  keep<T extends object>(target: T): T {
    if (this.#undo !== null) {
      const before = { ...target }
      this.#undo.push(() => {
        for (const name of Object.keys(target)) if (!Object.hasOwn(before, name)) delete target[name as keyof T]
        Object.assign(target, before)
      })
    }
    return target
  }

  set<K, V>(map: Map<K, V>, key: K, value: V): void {
    if (this.#undo !== null) {
      const before = map.get(key)
      this.#undo.push(map.has(key) ? () => map.set(key, before as V) : () => map.delete(key))
    }
    map.set(key, value)
  }

  delete<K, V>(map: Map<K, V>, key: K): void {
    if (this.#undo !== null && map.has(key)) {
      const before = map.get(key) as V
      this.#undo.push(() => map.set(key, before))
    }
    map.delete(key)
  }
}

/** `{[name]: value}`, or `{}` if the value is undefined, because optional members may not be undefined. */
export function isSet(name: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [name]: value }
}
