import type { RunHead, RunStore } from '../../api.ts'
import { type Entry, keyOf } from './directory.ts'

/** What `Removals` works with. */
export interface RemovalsOptions {
  readonly store: RunStore
  /** Makes the id of a batch. */
  readonly newId: () => RunHead['id']
  readonly onError: (error: unknown) => void
}

/** Writes the marks of runs that this node has removed, by which other nodes see the removal; retries until the store has them. */
export class Removals {
  readonly #options: RemovalsOptions
  readonly #owed = new Map<string, Entry>()

  constructor(options: RemovalsOptions) {
    this.#options = options
  }

  /** Marks a run as removed, now or as soon as the store accepts the mark. */
  add(entry: Entry): void {
    this.#owed.set(keyOf(entry.name), entry)
    void this.#mark(entry)
  }

  /** Retries the marks that the store did not accept. */
  async retry(): Promise<void> {
    for (const entry of [...this.#owed.values()]) {
      if (this.#options.store.away) return
      await this.#mark(entry)
    }
  }

  async #mark(entry: Entry): Promise<void> {
    const { store, newId, onError } = this.#options
    const { head } = entry
    try {
      const { is } = await store.append({ ...head, id: newId(), gone: true }, [], head.position)
      // `moved` means that the mark is there, of this node or of another, because an ended run takes no other events.
      if (is === 'refused' || is === 'unknown') return
    } catch (error) {
      onError(error)
      return
    }
    const key = keyOf(entry.name)
    if (this.#owed.get(key) === entry) this.#owed.delete(key)
  }
}
