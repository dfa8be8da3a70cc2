/**
 * The listeners of boards: some are called inside the transaction of a command or a text, some once a command is on
 * disk.
 */
import type { Applied, Standing } from '../api.ts'
import type { Boards, DerivedPlace } from '../capabilities.ts'

/** The listeners of one node. */
export interface Listeners extends Pick<Boards, 'watch' | 'derive'> {
  /** Calls the listeners of `derive`. */
  applying(applied: Applied, place: DerivedPlace): void
  arrived(hash: string, place: DerivedPlace): void
  /** Calls the listeners of `watch`. */
  applied(applied: Applied, standing: Standing): void
}

/** Makes the lists. `failed` is called with the error of a watcher: no watcher may fail a command that is on disk. */
export function createListeners(failed: (error: unknown) => void): Listeners {
  const derived: ((applied: Applied, place: DerivedPlace) => void)[] = []
  const arrivals: ((hash: string, place: DerivedPlace) => void)[] = []
  const watchers = new Set<(applied: Applied, standing: Standing) => void>()
  return {
    watch(listener) {
      // A new function for each call, so that one listener can be added twice.
      const watcher: typeof listener = (applied, standing) => listener(applied, standing)
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    derive(listener, arrived) {
      derived.push(listener)
      if (arrived !== undefined) arrivals.push(arrived)
    },
    applying(applied, place) {
      for (const listener of derived) listener(applied, place)
    },
    arrived(hash, place) {
      for (const listener of arrivals) listener(hash, place)
    },
    applied(applied, standing) {
      for (const listener of watchers) {
        try {
          listener(applied, standing)
        } catch (error) {
          failed(error)
        }
      }
    },
  }
}
