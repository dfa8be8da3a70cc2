/** A long list. Only the rows near the visible part are in the document. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { rowAt, topsOf, useFollowEnd } from '../lib/long-lists.ts'

/** Number of rows in the document above and below the visible part, so that a fast scroll shows no gap. */
const SPARE_ROWS = 8

/** A list whose rows have heights that are known before they are shown. */
export interface WindowedProps<T> {
  readonly rows: readonly T[]
  /**
   * The height of every row in pixels, or a function of the row. Pass the same function as long as the heights are the
   * same.
   */
  readonly rowHeight: number | ((row: T) => number)
  readonly render: (row: T, index: number) => ComponentChildren
  readonly keyOf: (row: T, index: number) => string | number
  /**
   * Keeps one element for each visible position. A new row then changes texts and creates no elements, which suits rows
   * that arrive quickly. The focus stays at the position, not at the row.
   */
  readonly recycles?: boolean
  readonly class?: string
  /** The name of the list in the address, which has how far it is scrolled. */
  readonly place?: string
  readonly label?: string
  /** Keeps the end visible when rows are added, unless the reader has scrolled up. */
  readonly followsEnd?: boolean
  /** The index of a row. When the row at this index changes, the list scrolls to it. */
  readonly showIndex?: number | undefined
  /** Shown over the rows, with its own position. */
  readonly children?: ComponentChildren
  /** Called when the last rows are near the visible part, and again when rows were added and the last rows are near. */
  readonly onNearEnd?: () => void
}

/** Shows a list in a box that scrolls. Its parent element must have a height. */
export function Windowed<T>(props: WindowedProps<T>): JSX.Element {
  const {
    rows,
    rowHeight,
    render,
    keyOf,
    label,
    recycles = false,
    followsEnd = false,
    showIndex,
    onNearEnd,
    children,
  } = props
  const tops = useMemo(
    () => topsOf(rows, typeof rowHeight === 'number' ? () => rowHeight : rowHeight),
    [rows, rowHeight],
  )
  const totalHeight = tops.at(-1) ?? 0
  const box = useRef<HTMLElement>(null)
  const end = useFollowEnd(END_PX)
  const [{ top, height }, setView] = useState({ top: 0, height: 800 })
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const measure = (): void => {
      end.scrolled(element)
      setView({ top: element.scrollTop, height: element.clientHeight })
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [])
  useEffect(() => {
    if (box.current !== null && followsEnd && end.isFollowing()) box.current.scrollTop = totalHeight
  }, [followsEnd, totalHeight])
  // The effect compares keys, because rows that are added before the shown row change its index, and must not scroll
  // the list.
  const shownRow = showIndex === undefined ? undefined : rows[showIndex]
  const shownKey = shownRow === undefined || showIndex === undefined ? undefined : keyOf(shownRow, showIndex)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null || showIndex === undefined || showIndex < 0) return
    const [from = 0, to = totalHeight] = tops.slice(showIndex, showIndex + 2)
    if (from < element.scrollTop) element.scrollTop = from
    else if (to > element.scrollTop + element.clientHeight) element.scrollTop = to - element.clientHeight
    else return
    setView({ top: element.scrollTop, height: element.clientHeight })
  }, [shownKey])
  const first = Math.max(0, rowAt(tops, top) - SPARE_ROWS)
  const last = Math.min(rows.length, rowAt(tops, top + height) + 1 + SPARE_ROWS)
  const isNearEnd = last === rows.length
  useEffect(() => {
    if (isNearEnd) onNearEnd?.()
  }, [isNearEnd, rows.length])
  return (
    <section
      ref={box}
      class={`windowed ${props.class ?? ''}`}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: A box that scrolls must be reachable by keyboard.
      tabIndex={0}
      data-scroll={props.place}
    >
      <ul style={{ height: `${totalHeight}px` }}>
        {rows.slice(first, last).map((row, index) => (
          <li
            key={recycles ? index : keyOf(row, first + index)}
            style={{
              transform: `translateY(${tops[first + index]}px)`,
              height: `${tops[first + index + 1]! - tops[first + index]!}px`,
            }}
          >
            {render(row, first + index)}
          </li>
        ))}
      </ul>
      {children}
    </section>
  )
}

/** A position nearer to the end than this counts as the end, in pixels. */
const END_PX = 24
