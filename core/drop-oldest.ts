/** Removes the entry that was added first, so that a map or a set keeps its size. */
export function dropOldest<K>(entries: { keys(): IterableIterator<K>; delete(key: K): boolean }): void {
  const { value, done } = entries.keys().next()
  if (done !== true) entries.delete(value)
}
