/**
 * Remembers what maps were before they changed, so that a batch of events of which the last is refused leaves nothing
 * behind.
 */
export class Journal {
  #undo: (() => void)[] | null = null

  /** Whether changes are remembered. */
  get active(): boolean {
    return this.#undo !== null
  }

  /** Starts remembering. */
  begin(): void {
    this.#undo = []
  }

  /** Forgets: what was done stays. */
  commit(): void {
    this.#undo = null
  }

  /** Takes back everything since `begin`, last first. */
  rollback(): void {
    const undo = this.#undo ?? []
    this.#undo = null
    for (const step of undo.reverse()) step()
  }

  /** Remembers a change that is no map's. */
  note(undo: () => void): void {
    this.#undo?.push(undo)
  }

  /** Remembers what an object is before its members change; gives it back. */
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

/** `{[name]: value}`, or nothing where the value is undefined: exact optional fields make the difference matter. */
export function isSet(name: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [name]: value }
}
