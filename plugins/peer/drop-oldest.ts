/** Removes the entry that was added first, so that a map keeps its size. */
export function dropOldest(map: Map<unknown, unknown>): void {
  const { value, done } = map.keys().next()
  if (done !== true) map.delete(value)
}
