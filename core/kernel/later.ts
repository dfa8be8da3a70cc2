/** Loads code at its first use, so that a service without a use does not load the code. */

import { kernelFail, PART_HINT } from './catalogue.ts'
import type { Awaitable } from './values.ts'

/**
 * Returns a function that returns the result of `load`, which runs once. Callers share a running load. After a failure
 * the next call loads again.
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
        // The hint is part of the message, because a browser shows only the message of an error.
        message: `A part of the library cannot be loaded: ${reason} ${PART_HINT}`,
        cause,
      })
    }
  }
  return () => made ?? (loading ??= begin())
}
