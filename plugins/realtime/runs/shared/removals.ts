import type { RunHead, RunStore } from '../../api.ts'
import { type Entry, keyOf } from './directory.ts'

/** What they work with. */
export interface RemovalsOptions {
  readonly store: RunStore
  /** Names a batch. */
  readonly newId: () => RunHead['id']
  readonly onError: (error: unknown) => void
}

/** Runs that this node has removed: each is owed the mark that tells the others, until the store has it. */
export class Removals {
  readonly #options: RemovalsOptions
  readonly #owed = new Map<string, Entry>()

  constructor(options: RemovalsOptions) {
    this.#options = options
  }

  /** Marks a run as removed, now or as soon as the store takes it. */
  add(entry: Entry): void {
    this.#owed.set(keyOf(entry.name), entry)
    void this.#mark(entry)
  }

  /** Tries again where the store did not take a mark. */
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
      // Moved, another has marked it, or this one and nobody heard of it: what ended takes no other events.
      if (is === 'refused' || is === 'unknown') return
    } catch (error) {
      onError(error)
      return
    }
    const key = keyOf(entry.name)
    if (this.#owed.get(key) === entry) this.#owed.delete(key)
  }
}
