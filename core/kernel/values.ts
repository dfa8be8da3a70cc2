/** Small types and functions for values, which the language lacks. */

/**
 * A value, or a promise of it. Code that has the value at hand returns no promise, which saves a turn of the event
 * loop.
 */
export type Awaitable<T> = T | Promise<T>

/** Whether a value is a JSON object and not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Removes the entry that was added first, so that a map or a set keeps its size. */
export function dropOldest<K>(entries: { keys(): IterableIterator<K>; delete(key: K): boolean }): void {
  const { value, done } = entries.keys().next()
  if (done !== true) entries.delete(value)
}

/**
 * How many of `all` places one tenant may have, by its share from 0 to 1; at least one, because a tenant without any
 * place could do nothing.
 */
export function shareOf(all: number, share: number): number {
  return Math.max(1, Math.floor(all * share))
}

/** The message of a refusal for size: the part, its limit, and the number of bytes received. */
export function sizeFault(what: string, maxBytes: number, bytes: number): string {
  return `${what} has at most ${maxBytes} bytes; this has ${bytes}.`
}
