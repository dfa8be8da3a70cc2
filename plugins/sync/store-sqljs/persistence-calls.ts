/** Calls of the store to the host's `persistence`, with checked results. */
import type { Callbacks } from '../embedded/callbacks.ts'
import { BAD, isBytes } from '../embedded/host-values.ts'
import type { Persistence } from './host.ts'

/** Loads and saves the bytes of a host. */
export interface PersistenceCalls {
  load(): Promise<Uint8Array | null>
  /** Rejects with `Undecided` if the callback does not settle in time. */
  save(bytes: Uint8Array): Promise<void>
}

/** Wraps the `persistence` of a host. */
export function createPersistence(persistence: Persistence, { ask, order }: Callbacks): PersistenceCalls {
  return {
    load: () =>
      ask(
        'persistence.load',
        'the bytes that were saved last (a Uint8Array), or null if none were',
        () => persistence.load(),
        (one) => (one === null ? one : isBytes(one) ? one.slice() : BAD),
      ),
    save: (bytes) => order('persistence.save', () => persistence.save(bytes)),
  }
}
