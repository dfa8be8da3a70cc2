/** The items of a timeline, the newest at the end. */
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { countOf } from '../../lib/format.ts'
import { useKeys } from '../../lib/keys.ts'
import { useFollowEnd } from '../../lib/long-lists.ts'
import { isWhole, NOTHING, nextRange } from './range.ts'
import type { Item } from './timeline.ts'
import { ItemBody } from './timeline-item.tsx'

/** Number of items that are shown at first, and added by each click. */
const PAGE = 100
/** Distance from the end within which the list follows new items, in pixels. */
const NEAR_END = 80
/** Number of items that are shown before the chosen one. */
const SPARE = 20

/** Shows the newest items, and earlier items on demand. The list follows its end unless the reader has scrolled up. */
export function TimelineList({
  items,
  chosen,
  onChoose,
  isFiltered,
}: {
  readonly items: readonly Item[]
  /** The list scrolls to it. */
  readonly chosen: Item | undefined
  readonly onChoose: (item: Item) => void
  /** Whether items were left out by a search. */
  readonly isFiltered: boolean
}): JSX.Element {
  const [shown, setShown] = useState(PAGE)
  const box = useRef<HTMLDivElement>(null)
  const end = useFollowEnd(NEAR_END)
  // Preact skips an element that is the same object as before, so that a draw costs only the new items.
  const drawn = useRef(new WeakMap<Item, JSX.Element>())
  const draw = (item: Item): JSX.Element => {
    const isSelected = item.key === chosen?.key
    const before = isSelected ? undefined : drawn.current.get(item)
    if (before !== undefined) return before
    const element = (
      <div
        key={item.key}
        class={`item item-${item.kind}`}
        data-key={item.key}
        aria-current={isSelected ? 'true' : undefined}
      >
        <ItemBody item={item} isSelected={isSelected} onSelect={onChoose} />
      </div>
    )
    if (!isSelected) drawn.current.set(item, element)
    return element
  }
  const range = useRef(NOTHING)
  range.current = nextRange(range.current, items.length, shown)
  const { from, to } = range.current
  const [, drawMore] = useState(0)
  useEffect(() => {
    if (isWhole(range.current, items.length, shown)) return
    const frame = requestAnimationFrame(() => drawMore((draws) => draws + 1))
    return () => cancelAnimationFrame(frame)
  })
  const chosenIndex = chosen === undefined ? -1 : items.findIndex(({ key }) => key === chosen.key)
  const sought = useRef<number | undefined>(undefined)
  useEffect(() => {
    sought.current = chosen?.key
    if (chosenIndex >= 0) setShown((before) => Math.max(before, items.length - chosenIndex + SPARE))
  }, [chosen?.key])
  useEffect(() => {
    // The chosen item may be drawn some frames later.
    const element = box.current?.querySelector(`[data-key="${sought.current}"]`)
    if (sought.current === undefined || element == null) return
    sought.current = undefined
    end.leave()
    element.scrollIntoView({ block: 'center' })
  })
  useEffect(() => {
    const element = box.current
    if (element !== null && end.isFollowing()) element.scrollTop = element.scrollHeight
  }, [items, from, to])
  useKeys([
    { keys: 'Home', does: 'Earliest shown event', run: () => box.current?.scrollTo({ top: 0 }) },
    { keys: 'End', does: 'Newest events', run: () => box.current?.scrollTo({ top: box.current.scrollHeight }) },
  ])
  return (
    <div
      class="timeline"
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: A box that scrolls must be reachable by keyboard.
      tabIndex={0}
      role="log"
      data-scroll="events"
      aria-label="Events"
      // Otherwise screen readers would read streamed text word by word.
      aria-live="off"
      onScroll={({ currentTarget }) => end.scrolled(currentTarget)}
    >
      {items.length > shown && (
        <button type="button" class="quiet small timeline-earlier" onClick={() => setShown(shown + PAGE)}>
          {countOf(items.length - shown, 'earlier item')}
        </button>
      )}
      {items.slice(from, to).map(draw)}
      {items.length === 0 && <p class="timeline-none">{isFiltered ? 'No event has this text.' : 'No event yet.'}</p>}
    </div>
  )
}
