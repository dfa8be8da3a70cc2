/** Tries again while another process locks the database. */
import type { Awaitable } from '../../../../core/awaitable.ts'
import type { GroupBacking } from './backing.ts'
import { causeOf } from './open-store.ts'

/** Pauses between attempts, about 2 s together; then the caller gets the error. */
const BUSY_PAUSES_MS: readonly number[] = [2, 5, 10, 20, ...Array<number>(40).fill(50)]

/**
 * Runs an attempt, and again after a pause if another process locks the database. SQLite's own waiting would block the event loop, and
 * with it requests that need no commit.
 */
export function whileShared<T>(sharing: GroupBacking['sharing'], attempt: () => Awaitable<T>): Awaitable<T> {
  try {
    // On the server a whole group is synchronous, and no promise is made.
    const made = attempt()
    return made instanceof Promise ? made.catch((error: unknown) => tryAgain(sharing, attempt, error)) : made
  } catch (error) {
    return tryAgain(sharing, attempt, error)
  }
}

async function tryAgain<T>(sharing: GroupBacking['sharing'], attempt: () => Awaitable<T>, given: unknown): Promise<T> {
  let error = given
  for (const pauseMs of BUSY_PAUSES_MS) {
    if (sharing?.isBusy(causeOf(error)) !== true) break
    await sharing.pause(pauseMs)
    try {
      return await attempt()
    } catch (next) {
      error = next
    }
  }
  throw error
}
