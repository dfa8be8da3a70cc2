/** Levels to which JSON may be nested: far deeper than data is, and far from where `JSON.stringify` runs out of stack. */
export const maxDepth = 512

/** Text that V8 keeps in two bytes a character. */
const wide = /[\u0100-\uffff]/

/**
 * About how many bytes of memory a JSON value takes, member names too; Infinity where it is nested deeper than
 * `maxDepth`. It stops counting once it is past `limit`.
 */
export function sizeOf(value: unknown, limit: number = Infinity, depth: number = maxDepth): number {
  if (typeof value === 'string') return 24 + value.length * (wide.test(value) ? 2 : 1)
  if (typeof value !== 'object' || value === null) return 8
  if (depth <= 0) return Infinity
  let size = 56
  if (Array.isArray(value)) {
    for (const item of value) {
      if (size > limit) break
      size += 8 + sizeOf(item, limit - size, depth - 1)
    }
  } else {
    for (const key of Object.keys(value)) {
      if (size > limit) break
      size += 16 + sizeOf(key) + sizeOf((value as Record<string, unknown>)[key], limit - size, depth - 1)
    }
  }
  return size
}
