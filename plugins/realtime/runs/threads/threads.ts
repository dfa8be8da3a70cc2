/** Who follows which thread. */

import { decodeBase64url, encodeBase64url } from '../../../../core/kernel/base64url.ts'
import { strictUtf8 } from '../../../../core/kernel/bytes.ts'
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

/** A position: a run, and a position in it. */
export interface ThreadCursor {
  readonly runId: string
  /** `<epoch>-<sequence>`. */
  readonly position: string
}

/** What the id of an event has in the stream of a thread, beside the event's id in the stream of its run. */
export function threadSuffix(runId: string): string {
  return `.${encodeBase64url(new TextEncoder().encode(runId))}`
}

/** Parses a position; undefined if the text is not one. */
export function parseThreadCursor(text: string): ThreadCursor | undefined {
  const [, position, name] = /^([a-z2-7]{8}-\d{1,16})\.([A-Za-z0-9_-]+)$/.exec(text) ?? []
  const bytes = name === undefined ? null : decodeBase64url(name)
  if (position === undefined || bytes === null) return undefined
  try {
    return { runId: strictUtf8.decode(bytes), position }
  } catch {
    return undefined
  }
}
