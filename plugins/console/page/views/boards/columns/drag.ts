/**
 * Moves a card by pointer: with a mouse at once, with a finger after a long press, so that a finger can scroll, too.
 */
import { type Signal, signal } from '@preact/signals'
import { gapAt, topsOf } from '../../../lib/long-lists.ts'
import type { Lane } from '../arrange.ts'
import type { Card } from '../state.ts'
import { heightOf } from './heights.ts'

/** The place at which the dragged card would be dropped: before the card at `index` of the lane's other cards. */
export interface Drop {
  readonly cardId: string
  readonly columnId: string
  readonly index: number
  /** Pixels from the top of the lane's cards without the dragged card. */
  readonly top: number
}

/** The present drop place; undefined while no card is dragged. */
export const drop: Signal<Drop | undefined> = signal(undefined)

/** Distance in pixels after which a mouse drags. A finger that moves so far before the long press scrolls instead. */
const SLIP = 6
const LONG_PRESS_MS = 300
/** A lane scrolls while the pointer is within `EDGE` pixels of an edge, by `SCROLL` pixels per frame. */
const EDGE = 48
const SCROLL = 12

/** Handles a pointer that is pressed on a card. `put` is called if the card is dropped on a lane. */
export function pressCard(
  event: PointerEvent,
  card: Card,
  lanesOf: () => readonly Lane[],
  put: (card: Card, lane: Lane, others: readonly Card[], index: number) => void,
): void {
  if (event.button !== 0 || !event.isPrimary) return
  const source = event.currentTarget as HTMLElement
  const isTouch = event.pointerType !== 'mouse'
  const stop = new AbortController()
  const { signal: until } = stop
  let [x, y] = [event.clientX, event.clientY]
  let ghost: HTMLElement | undefined
  let frame = 0
  const timer = isTouch ? setTimeout(lift, LONG_PRESS_MS) : undefined

  function lift(): void {
    ghost = ghostOf(source, event)
    document.body.append(ghost)
    document.documentElement.classList.add('dragging')
    follow()
  }

  /** Once per frame: moves the ghost, finds the place below it, and scrolls at the edges. */
  function follow(): void {
    if (ghost === undefined) return
    const { dx, dy } = ghost.dataset
    ghost.style.transform = `translate(${x - Number(dx)}px, ${y - Number(dy)}px) rotate(1.5deg)`
    const box = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-column]')
    const list = box?.querySelector<HTMLElement>('.windowed')
    const columnId = box?.dataset['column']
    if (list != null && columnId !== undefined) {
      const { top, bottom } = list.getBoundingClientRect()
      list.scrollTop += scrollAt(y, top, bottom)
      const lane = laneOf(lanesOf(), columnId)
      drop.value = lane === undefined ? undefined : dropAt(lane, card, y - top + list.scrollTop)
    } else drop.value = undefined
    scrollLanes(x)
    frame = requestAnimationFrame(follow)
  }

  function end(isPut: boolean): void {
    clearTimeout(timer)
    cancelAnimationFrame(frame)
    stop.abort()
    const target = drop.value
    drop.value = undefined
    document.documentElement.classList.remove('dragging')
    if (ghost === undefined) return
    ghost.remove()
    swallowClick()
    if (!isPut || target === undefined) return
    const lane = laneOf(lanesOf(), target.columnId)
    if (lane !== undefined) put(card, lane, othersOf(lane, card), target.index)
  }

  const on = <K extends keyof WindowEventMap>(name: K, run: (event: WindowEventMap[K]) => void): void =>
    addEventListener(name, run, { signal: until, passive: false })
  on('pointermove', (moved) => {
    if (moved.pointerId !== event.pointerId) return
    const isFar = Math.hypot(moved.clientX - event.clientX, moved.clientY - event.clientY) > SLIP
    ;[x, y] = [moved.clientX, moved.clientY]
    if (ghost !== undefined || !isFar) return
    if (isTouch) end(false)
    else lift()
  })
  // Before the long press the finger may scroll.
  on('touchmove', (moved) => ghost !== undefined && moved.preventDefault())
  on('contextmenu', (menu) => isTouch && menu.preventDefault())
  on('pointerup', ({ pointerId }) => pointerId === event.pointerId && end(true))
  on('pointercancel', ({ pointerId }) => pointerId === event.pointerId && end(false))
  on('keydown', (key) => {
    if (key.key !== 'Escape' || ghost === undefined) return
    key.stopPropagation()
    end(false)
  })
}

/** A copy of a card that follows the pointer, with the distance from its corner to the pressed point. */
function ghostOf(source: HTMLElement, { clientX, clientY }: PointerEvent): HTMLElement {
  const box = source.getBoundingClientRect()
  const ghost = source.cloneNode(true) as HTMLElement
  ghost.classList.add('card-ghost')
  ghost.style.inlineSize = `${box.width}px`
  ghost.style.blockSize = `${box.height}px`
  ghost.dataset['dx'] = String(clientX - box.left)
  ghost.dataset['dy'] = String(clientY - box.top)
  return ghost
}

/** Scrolls the lanes sideways while the pointer is near an edge. */
function scrollLanes(pointer: number): void {
  const lanes = document.querySelector<HTMLElement>('.lanes')
  if (lanes === null) return
  const { left, right } = lanes.getBoundingClientRect()
  lanes.scrollLeft += scrollAt(pointer, left, right)
}

/** Pixels by which a box scrolls in a frame while the pointer is near one of its edges. */
function scrollAt(pointer: number, start: number, end: number): number {
  if (pointer < start + EDGE) return -SCROLL
  return pointer > end - EDGE ? SCROLL : 0
}

/** Ignores the click on the card that may directly follow the drag. */
function swallowClick(): void {
  addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', swallow, { capture: true }), 0)
}

function laneOf(lanes: readonly Lane[], columnId: string): Lane | undefined {
  return lanes.find(({ column }) => column.columnId === columnId)
}

/** The drop place between the lane's other cards at a vertical position, in pixels from the top of the cards. */
function dropAt(lane: Lane, card: Card, height: number): Drop {
  const tops = topsOf(othersOf(lane, card), heightOf)
  const index = gapAt(tops, height)
  return { cardId: card.cardId, columnId: lane.column.columnId, index, top: tops[index]! }
}

function othersOf({ cards }: Lane, { cardId }: Card): readonly Card[] {
  return cards.filter((other) => other.cardId !== cardId)
}

function swallow(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}
