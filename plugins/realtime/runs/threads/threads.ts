/** Who follows which thread. */
import type { RunOwner, RunRecord } from '../api.ts'

/** Called with each new run of a thread. */
export type RunListener = (record: RunRecord) => void

/** The readers that follow threads on this node. A thread is a name among the runs of one owner. */
export class Threads {
  readonly #listeners = new Map<string, Set<RunListener>>()

  /** Calls a function with each run of a thread that is new from now on. The returned function ends that. */
  watch(owner: RunOwner, thread_id: string, listener: RunListener): () => void {
    const key = keyOf(owner, thread_id)
    const listeners = this.#listeners.get(key) ?? new Set()
    this.#listeners.set(key, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(key) === listeners) this.#listeners.delete(key)
    }
  }

  /** To be called with each run that is new. */
  began(record: RunRecord): void {
    if (this.#listeners.size === 0) return
    for (const listener of this.#listeners.get(keyOf(record.owner, record.thread_id)) ?? []) listener(record)
  }
}

function keyOf({ tenant_id, user_id }: RunOwner, thread_id: string): string {
  return JSON.stringify([tenant_id, user_id, thread_id])
}
