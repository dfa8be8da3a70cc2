/** What `Shares` counts, and for whom. */
import type { RunOwner } from './api.ts'

/** A run whose bytes are counted. */
export interface Counted {
  readonly record: { readonly run_id: string; readonly owner: RunOwner }
  readonly bytes: number
  /** About how many bytes a prelude of it takes. */
  readonly preludeBytes: number
  readonly preludes: { clear(): void }
}

/** What one holder has. */
export interface Account<R> {
  /** The bytes of its runs, and of removed runs that are still held. */
  bytes: number
  /** How many runs it has, removed ones not counted. */
  count: number
  /** Those of them that have ended, oldest first. */
  readonly finished: Set<R>
}

/** A run that is counted. */
export interface Held<R> {
  readonly owner: Owner<R>
  /** Its bytes at the last count. */
  bytes: number
  /** How many need it, beside the list of runs: readers of a removed run, and those who have to know of a removal. */
  holders: number
  isRemoved: boolean
}

/** One identity: its runs, their bytes, and the work that it may still cause. */
export interface Owner<R> extends Account<R> {
  readonly who: RunOwner
  readonly runs: Map<string, R>
  readonly tenant: Account<R> & { owners: number }
  /** How many runs are counted, held ones too. Without any, the account is dropped. */
  held: number
  work: number
  workAt: number
  /** Runs work when all earlier work for this identity is done. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
}
