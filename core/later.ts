/** Code that is loaded at its first use, so that a service that never uses it does not load it. */
import type { Awaitable } from './awaitable.ts'
import { kernelFail, PART_HINT } from './catalogue.ts'

/**
 * Returns the result of `load`, which runs once. Callers share a load that is under way; a load that failed is repeated at the next
 * call.
 * @throws SvcError `ERR_PART_UNAVAILABLE` if it cannot be loaded, for example because a file was not delivered
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
        // What to do stands in the message too, because a browser shows nothing else of an error.
        message: `A part of the library cannot be loaded: ${reason} ${PART_HINT}`,
        cause,
      })
    }
  }
  return () => made ?? (loading ??= begin())
}
