/** When the last uses of API keys are written: together, once in a while. */
import type { Clock } from '../../../core/kernel/environment.ts'

/** Last uses are written at most once in this time. */
const USES_INTERVAL_MS = 60_000
/** Last uses in one transaction: a few milliseconds of the event loop. */
const USES_AT_ONCE = 256

/** Last uses of keys that are not written yet. */
export interface Uses {
  add(id: string): void
  /** Writes what is waiting, and no more after that. */
  close(): Promise<void>
}

/**
 * Collects uses. `write` is called with at most {@link USES_AT_ONCE} ids; after a failure they are written with the
 * next ones.
 */
export function createUses(
  { setTimeout, clearTimeout }: Pick<Clock, 'setTimeout' | 'clearTimeout'>,
  write: (ids: readonly string[]) => Promise<void>,
  onFailed: (error: unknown) => void,
): Uses {
  let waiting = new Set<string>()
  let timer: unknown
  let writing: Promise<void> = Promise.resolve()
  let closed = false

  const writeAll = async (): Promise<void> => {
    const ids = [...waiting]
    waiting = new Set()
    for (let from = 0; from < ids.length; from += USES_AT_ONCE) {
      try {
        await write(ids.slice(from, from + USES_AT_ONCE))
      } catch (error) {
        for (const id of ids.slice(from)) waiting.add(id)
        return onFailed(error)
      }
    }
  }
  const schedule = (): void => {
    timer = setTimeout(() => {
      timer = undefined
      writing = writeAll().then(() => {
        if (waiting.size > 0 && timer === undefined && !closed) schedule()
      })
    }, USES_INTERVAL_MS)
  }
  return {
    add(id) {
      waiting.add(id)
      if (timer === undefined && !closed) schedule()
    },
    async close() {
      closed = true
      if (timer !== undefined) clearTimeout(timer)
      await writing
      await writeAll()
    },
  }
}
