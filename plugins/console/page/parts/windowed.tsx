/** A long list of which only the rows near the visible part are in the document. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useFollowEnd } from '../lib/follow-end.ts'
import { rowAt, topsOf } from '../lib/rows.ts'

/** Rows kept above and below what is visible, so that a fast scroll shows no gap. */
const SPARE_ROWS = 8

/** A list whose rows have heights that are known before they are shown. */
export interface WindowedProps<T> {
  readonly rows: readonly T[]
  /** Pixels of each row, or of one; the same function as long as the heights are the same. */
  readonly rowHeight: number | ((row: T) => number)
  readonly render: (row: T, index: number) => ComponentChildren
  readonly keyOf: (row: T, index: number) => string | number
  /**
   * Keeps one element for each place in view, so that new rows change texts and make no elements. For rows that come in quick
   * succession. Focus stays at the place, not at the row.
   */
  readonly recycles?: boolean
  readonly class?: string
  readonly label?: string
  /** Keeps the end in view as rows are added, unless the reader scrolled up. */
  readonly followsEnd?: boolean
  /** A row to scroll to when it changes. */
  readonly showIndex?: number | undefined
  /** Shown over the rows, at a place of its own. */
  readonly children?: ComponentChildren
  /** Called when the last rows come near, and again when there are more rows and these are near. */
  readonly onNearEnd?: () => void
}

/** Shows a list in a box that scrolls. Its parent gives it a height. */
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
  const whole = tops.at(-1) ?? 0
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
    if (box.current !== null && followsEnd && end.isFollowing()) box.current.scrollTop = whole
  }, [followsEnd, whole])
  // By key: rows that are added before it are no reason to scroll.
  const shownRow = showIndex === undefined ? undefined : rows[showIndex]
  const shownKey = shownRow === undefined || showIndex === undefined ? undefined : keyOf(shownRow, showIndex)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null || showIndex === undefined || showIndex < 0) return
    const [from = 0, to = whole] = tops.slice(showIndex, showIndex + 2)
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: A box that scrolls must be reachable by keyboard.
    <section ref={box} class={`windowed ${props.class ?? ''}`} aria-label={label} tabIndex={0}>
      <ul style={{ height: `${whole}px` }}>
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

/** Nearer to the end than this counts as at the end. */
const END_PX = 24
