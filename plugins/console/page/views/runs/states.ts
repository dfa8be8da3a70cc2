/**
 * The states of a run, one after each change. Only some of them are kept: a patch of a wide object copies all of its
 * members, so that all states of a long run would take gigabytes. The others are made again from the changes.
 */
import { applyPatch, type PatchOperation } from '../../lib/json-patch.ts'

/** A change: a patch, or a whole state. */
export type Change = { readonly operations: readonly PatchOperation[] } | { readonly snapshot: unknown }

/** The states of one run. */
export interface States {
  /** The newest state; undefined before the first change. */
  readonly now: unknown
  /** Makes a change. Returns its number, and why it could not be applied to the state. */
  add(change: Change): { readonly number: number; readonly problem: string | undefined }
  /** The state after the change with a number. */
  after(number: number): unknown
}

/** Most states that are kept, besides the newest one and those that came as a whole. */
const MOST_KEPT = 32

/** Creates the states of a run that has none yet. */
export function createStates(): States {
  const changes: Change[] = []
  const storedStates = new Map<number, unknown>()
  /** Every so many changes the state is kept. */
  let distance = 16
  let now: unknown
  const keep = (number: number): void => {
    if (number % distance !== 0) return
    storedStates.set(number, now)
    while (storedStates.size > MOST_KEPT) {
      distance *= 2
      for (const other of storedStates.keys()) if (other % distance !== 0) storedStates.delete(other)
    }
  }
  return {
    get now() {
      return now
    },
    add(change) {
      const number = changes.push(change) - 1
      let problem: string | undefined
      try {
        now = applied(now, change)
      } catch (error) {
        problem = (error as Error).message
      }
      keep(number)
      return { number, problem }
    },
    after(number) {
      if (number === changes.length - 1) return now
      const from = changes.findLastIndex(
        (change, index) => index <= number && (storedStates.has(index) || 'snapshot' in change),
      )
      const start = changes[from]
      let state = start !== undefined && 'snapshot' in start ? start.snapshot : storedStates.get(from)
      for (const change of changes.slice(from + 1, number + 1)) {
        try {
          state = applied(state, change)
        } catch {
          // A patch that could not be applied has changed nothing.
        }
      }
      return state
    },
  }
}

function applied(state: unknown, change: Change): unknown {
  return 'snapshot' in change ? change.snapshot : applyPatch(state, change.operations)
}
