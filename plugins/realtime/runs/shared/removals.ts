import type { RunOwner } from '../api.ts'
import type { RunHead, RunStore } from './api.ts'
import { type Entry, keyOf } from './entry.ts'

/**
 * Marks that are written at a time. Some thousands of runs can be removed at once, and other callers use the store too.
 */
const batch = 256

/** What `Removals` works with. */
export interface RemovalsOptions {
  readonly store: RunStore
  /** Makes the id of a batch. */
  readonly newId: () => RunHead['id']
  readonly onError: (error: unknown) => void
}

/**
 * Writes the marks of runs that this node has removed, by which other nodes see the removal; retries until the store
 * has them.
 */
export class Removals {
  readonly #options: RemovalsOptions
  readonly #owed = new Map<string, Entry>()
  /** Those of them that were not tried since the last call of `retry`. */
  #untried: Entry[] = []
  #isWriting = false
  /** Resolves when the last writing has ended. */
  #done: Promise<void> = Promise.resolve()

  constructor(options: RemovalsOptions) {
    this.#options = options
  }

  /** Marks a run as removed, soon or as soon as the store accepts the mark. */
  add(entry: Entry): void {
    this.#owed.set(keyOf(entry.name), entry)
    this.#untried.push(entry)
    void this.#write()
  }

  /** Begins to retry the marks that the store did not accept. */
  retry(): void {
    this.#untried = [...this.#owed.values()]
    void this.#write()
  }

  /** Tries all marks that the store does not have. Resolves to whether it has those of an owner then. */
  async finish({ tenant_id, user_id }: RunOwner): Promise<boolean> {
    this.#untried = [...this.#owed.values()]
    await this.#write()
    const owners = [...this.#owed.values()].map(({ record }) => record.owner)
    return !owners.some((owner) => owner.tenant_id === tenant_id && owner.user_id === user_id)
  }

  #write(): Promise<void> {
    if (!this.#isWriting) this.#done = this.#writeAll()
    return this.#done
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    while (this.#untried.length > 0 && !this.#options.store.away)
      await Promise.all(this.#untried.splice(0, batch).map((entry) => this.#mark(entry)))
    this.#isWriting = false
  }

  async #mark(entry: Entry): Promise<void> {
    const { store, newId, onError } = this.#options
    const { head } = entry
    const key = keyOf(entry.name)
    const isOwed = (): boolean => this.#owed.get(key) === entry
    try {
      if (!isOwed()) return
      // The mark of another node may have come.
      const { is } = head.gone
        ? { is: 'moved' }
        : await store.append({ ...head, id: newId(), gone: true }, [], head.position)
      // `moved` means that the mark is there, of this node or of another, because an ended run takes no other events.
      if (is === 'refused' || is === 'unknown') return
    } catch (error) {
      onError(error)
      return
    }
    if (isOwed()) this.#owed.delete(key)
  }
}
