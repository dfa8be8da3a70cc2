/** The bounds of JSON that callers send: its levels, its members, and the memory that it takes. */
import type { JsonBounds } from '../../core/http/route.ts'

/**
 * Most levels of nested JSON: far more than data has, and far fewer than those at which `JSON.stringify` overflows the
 * stack.
 */
export const MAX_DEPTH = 512

/** Text that V8 stores with two bytes per character. */
const wide = /[\u0100-\uffff]/

/**
 * About how many bytes of memory a JSON value takes, with its member names; Infinity if it is nested deeper than
 * `MAX_DEPTH`. Counting stops above `limit`.
 */
export function sizeOf(value: unknown, limit: number = Infinity, depth: number = MAX_DEPTH): number {
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

/**
 * Bounds of a body with events. The levels of each event are checked exactly later; here the array and the object
 * around the event are added. One batch of 4 096 events with four members each fits. An event of that many members
 * costs some 40 ms of processor time.
 */
export const largeJson: JsonBounds = { maxDepth: 520, maxMembers: 20_480 }
