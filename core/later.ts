/** Code that is loaded when it is first needed, so that who never needs it does not pay for it. */
import type { Awaitable } from './awaitable.ts'
import { kernelFail } from './catalogue.ts'

/**
 * Gives what `load` makes, once; until then callers wait for the one load, and one that failed is tried again at the next call.
 * @throws SvcError `ERR_PART_UNAVAILABLE` where it cannot be loaded, such as from a file that was not delivered
 */
export function later<T extends object>(load: () => Promise<T>): () => Awaitable<T> {
  let made: T | undefined
  let loading: Promise<T> | undefined
  const begin = async (): Promise<T> => {
    try {
      made = await load()
      return made
    } catch (cause) {
      loading = undefined
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw kernelFail('ERR_PART_UNAVAILABLE', {
        message: `A part that is loaded when it is first needed is not there: ${reason}`,
        cause,
      })
    }
  }
  return () => made ?? (loading ??= begin())
}
