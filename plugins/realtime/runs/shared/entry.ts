import type { Counted } from '../accounts.ts'
import type { RunRecord } from '../api.ts'
import type { RunName, StoredHead } from './api.ts'

/**
 * The bytes of a removed run that is remembered, without its names, and of a character of its names: here and in the
 * store.
 */
const goneBytes = 1_024
const goneBytesOfCharacter = 4

/** A run of the cluster as its newest head describes it. */
export class Entry implements Counted {
  head: StoredHead
  /** When this node saw the newest append or the removal, in milliseconds of its monotonic clock. */
  changedAt: number
  gone = false
  /** Ends the count of a removed run. */
  release: () => void = () => undefined
  /** Whether the entry comes from a replay, and nothing was appended since. */
  isReplayed = false
  readonly preludeBytes = 0
  readonly preludes: Counted['preludes'] = { clear: () => undefined }

  constructor(head: StoredHead, now: number) {
    this.head = head
    this.changedAt = now
  }

  get record(): RunRecord {
    return this.head.record
  }

  /** The node that calls the agent of the run; undefined if none does. */
  get caller(): string | undefined {
    return this.gone || this.record.status !== 'running' ? undefined : this.head.caller
  }

  get name(): RunName {
    return this.record
  }

  get bytes(): number {
    return this.gone ? goneBytes + goneBytesOfCharacter * keyOf(this.name).length : this.head.bytes
  }
}

/** The key of a run in maps: its owner and its id. */
export function keyOf({ owner: { tenant_id, user_id }, run_id }: RunName): string {
  return JSON.stringify([tenant_id, user_id, run_id])
}
