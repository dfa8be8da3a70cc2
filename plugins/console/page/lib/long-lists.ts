/** Long lists that scroll: the places of their rows, and following their end. */
import { useRef } from 'preact/hooks'

/** The top of each row in pixels, followed by the height of the whole list. */
export function topsOf<T>(rows: readonly T[], heightOf: (row: T) => number): readonly number[] {
  let top = 0
  const tops = [top]
  for (const row of rows) tops.push((top += heightOf(row)))
  return tops
}

/** The index of the row at a vertical position. Returns the first or the last row for a position outside the list. */
export function rowAt(tops: readonly number[], y: number): number {
  let [low, high] = [0, Math.max(0, tops.length - 2)]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (tops[middle]! <= y) low = middle
    else high = middle - 1
  }
  return low
}

/** The index at which an item at a vertical position is inserted. In the lower half of a row, this is after the row. */
export function gapAt(tops: readonly number[], y: number): number {
  const rows = tops.length - 1
  if (rows === 0) return 0
  const row = rowAt(tops, y)
  return y > (tops[row]! + tops[row + 1]!) / 2 ? row + 1 : row
}

/** The state of a box that follows its end. */
export interface FollowEnd {
  /** Whether the box scrolls to new content. */
  readonly isFollowing: () => boolean
  /** Stops following, before the box is scrolled to another place. */
  readonly leave: () => void
  /** To be called with the box at each scroll event of the box. */
  readonly scrolled: (box: Pick<HTMLElement, 'scrollTop' | 'clientHeight' | 'scrollHeight'>) => void
}

/**
 * Follows the end until the reader scrolls up, and again when the reader comes within `nearPx` of the end. Content may
 * be added between the scroll to the end and its scroll event. Therefore a box that is far from the end, but has not
 * moved up, still follows.
 */
export function useFollowEnd(nearPx: number): FollowEnd {
  const state = useRef({ isFollowing: true, lastTop: 0 })
  return {
    isFollowing: () => state.current.isFollowing,
    leave: () => void (state.current = { ...state.current, isFollowing: false }),
    scrolled({ scrollTop, clientHeight, scrollHeight }) {
      const { isFollowing, lastTop } = state.current
      const isNear = scrollTop + clientHeight >= scrollHeight - nearPx
      state.current = { isFollowing: isNear || (isFollowing && scrollTop >= lastTop), lastTop: scrollTop }
    },
  }
}
