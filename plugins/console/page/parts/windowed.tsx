/** A long list of which only the rows near the visible part are in the document. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** Rows kept above and below what is visible, so that a fast scroll shows no gap. */
const SPARE_ROWS = 8

/** A list whose rows have one height. */
export interface WindowedProps<T> {
  readonly rows: readonly T[]
  /** Pixels of each row. */
  readonly rowHeight: number
  readonly render: (row: T, index: number) => ComponentChildren
  readonly keyOf: (row: T, index: number) => string | number
  readonly class?: string
  readonly label?: string
  /** Keeps the end in view as rows are added, unless the reader scrolled up. */
  readonly followsEnd?: boolean
  /** A row to scroll to when it changes. */
  readonly showIndex?: number | undefined
  /** Called when the last rows come near, and again when there are more rows and these are near. */
  readonly onNearEnd?: () => void
}

/** Shows a list in a box that scrolls. Its parent gives it a height. */
export function Windowed<T>(props: WindowedProps<T>): JSX.Element {
  const { rows, rowHeight, render, keyOf, label, followsEnd = false, showIndex, onNearEnd } = props
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const [{ top, height }, setView] = useState({ top: 0, height: 800 })
  useEffect(() => {
    const element = box.current!
    const measure = (): void => {
      isAtEnd.current = element.scrollTop + element.clientHeight >= element.scrollHeight - rowHeight
      setView({ top: element.scrollTop, height: element.clientHeight })
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [rowHeight])
  useEffect(() => {
    if (followsEnd && isAtEnd.current) box.current!.scrollTop = rows.length * rowHeight
  }, [followsEnd, rows.length, rowHeight])
  useEffect(() => {
    if (showIndex === undefined) return
    const element = box.current!
    const at = showIndex * rowHeight
    if (at < element.scrollTop) element.scrollTop = at
    else if (at + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = at + rowHeight - element.clientHeight
  }, [showIndex, rowHeight])
  const first = Math.max(0, Math.floor(top / rowHeight) - SPARE_ROWS)
  const last = Math.min(rows.length, Math.ceil((top + height) / rowHeight) + SPARE_ROWS)
  const isNearEnd = last === rows.length
  useEffect(() => {
    if (isNearEnd) onNearEnd?.()
  }, [isNearEnd, rows.length])
  return (
    // A box that scrolls can be reached by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: axe asks for it: scrollable-region-focusable.
    <div ref={box} class={`windowed ${props.class ?? ''}`} role="list" aria-label={label} tabIndex={0}>
      <div class="windowed-inner" style={{ height: `${rows.length * rowHeight}px` }}>
        {rows.slice(first, last).map((row, index) => (
          <div
            key={keyOf(row, first + index)}
            class="windowed-row"
            role="listitem"
            style={{ transform: `translateY(${(first + index) * rowHeight}px)`, height: `${rowHeight}px` }}
          >
            {render(row, first + index)}
          </div>
        ))}
      </div>
    </div>
  )
}
