/** The keyboard shortcuts of a list whose rows have addresses. */
import { useKeys } from './keys.ts'
import { go } from './router.ts'

/** Binds `j` and `k` to the next and the previous row, and `Escape` to the list. */
export function useListKeys<T>({
  thing,
  rows,
  index,
  list,
  addressOf,
}: {
  /** The noun for a row, such as `run`. */
  readonly thing: string
  readonly rows: readonly T[]
  /** The index of the chosen row; negative if no row is chosen. */
  readonly index: number
  /** The address of the list. */
  readonly list: string
  readonly addressOf: (row: T) => string
}): void {
  const choose = (step: number): void => {
    const next = rows[Math.min(rows.length - 1, Math.max(0, index + step))]
    if (next !== undefined) go(addressOf(next))
  }
  useKeys([
    { keys: 'j', does: `Next ${thing}`, run: () => choose(1) },
    { keys: 'k', does: `Previous ${thing}`, run: () => choose(-1) },
    { keys: 'Escape', does: 'Back to the list', run: () => go(list) },
  ])
}
