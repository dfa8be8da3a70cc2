/** The sum at the end of a stored row: a row that is read is compared with the row that was written. */
import type { SqlValue } from '../../../store/api.ts'
import { fail } from '../../errors.ts'

/**
 * A whole number of 52 bits over the values of a row, in their order. Each step is reversible for a given character. So
 * a row that differs in one character, or in the type of one value, always has a different sum; any other difference is
 * missed with a probability of 2^-52. The sum detects damage, not forgery: a process that can write the file can write
 * sums too.
 */
export function rowSum(values: readonly SqlValue[]): number {
  let high = 0x9e3779b9
  let low = 0x811c9dc5
  for (const value of values) {
    const text = value === null ? '' : String(value)
    const kind = value === null ? 1 : typeof value === 'number' ? 2 : 3
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      low = Math.imul(low ^ code, 0x01000193)
      high = Math.imul(high ^ code, 0x85ebca6b)
    }
    // The end and the type of a value count as well: ("ab", "c") is not ("a", "bc"), and 1 is not "1".
    const end = 4 * text.length + kind
    low = Math.imul(low ^ end, 0x01000193)
    high = Math.imul(high ^ end, 0x85ebca6b)
    // Mixes the upper bits into the lower ones; otherwise differences in the upper bits would be shifted out.
    low ^= low >>> 15
    high ^= high >>> 13
  }
  return (high >>> 12) * 0x1_0000_0000 + (low >>> 0)
}

/** Throws if the last value of a row is not the sum of the others. */
export function requireSum(row: readonly SqlValue[], from = 0): void {
  if (rowSum(row.slice(from, -1)) !== row[row.length - 1]) throw damagedRow()
}

/** The error for a row that is not as it was written. */
export function damagedRow(): Error {
  return fail('receipt_store_unavailable', {
    message: 'A stored row is damaged.',
    hint: 'check the store, and restore a backup',
    headers: { 'retry-after': '60' },
  })
}
