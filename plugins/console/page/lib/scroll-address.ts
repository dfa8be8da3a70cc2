/**
 * How far the reader has scrolled is in the fragment of the address, such as `#page=1200&runs=340`, so that a reload, a
 * link and the keys of the browser show the same place. A box that scrolls by itself has a name in `data-scroll`; the
 * page itself is `page`.
 */

/** Pause in milliseconds after the last movement before it is written. */
const SAVE_MS = 250

/** How long a place is looked for, in milliseconds, because content above it may still load. */
const PATIENCE_MS = 5_000

/** Time in milliseconds between two looks. */
const LOOK_MS = 50

/**
 * A movement that comes later than this after the last input, in milliseconds, is not the reader's: a list that follows
 * its end moves too.
 */
const INPUT_MS = 1_000

const inputs = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const

let inputAt = Number.NEGATIVE_INFINITY
let saving: ReturnType<typeof setTimeout> | undefined
let looking: ReturnType<typeof setInterval> | undefined

/** Writes movements of the reader into the address, and shows the place that the address has. */
export function startScrollAddress(): void {
  for (const name of inputs)
    addEventListener(
      name,
      () => {
        inputAt = performance.now()
        clearInterval(looking)
      },
      { capture: true, passive: true },
    )
  // Scrolling of a box does not bubble.
  addEventListener('scroll', ({ target }) => moved(target), { capture: true, passive: true })
  addEventListener('popstate', restore)
  restore()
}

function moved(target: EventTarget | null): void {
  const name = target === document ? 'page' : target instanceof HTMLElement ? target.dataset['scroll'] : undefined
  if (name === undefined || performance.now() - inputAt > INPUT_MS) return
  clearTimeout(saving)
  const { pathname } = location
  saving = setTimeout(() => {
    // The reader has gone to another view since.
    if (location.pathname === pathname) save(name)
  }, SAVE_MS)
}

function save(name: string): void {
  const places = placesOf(location.hash)
  const top = Math.round(boxOf(name)?.scrollTop ?? 0)
  if (top === 0) places.delete(name)
  else places.set(name, top)
  const text = [...places].map(([box, px]) => `${encodeURIComponent(box)}=${px}`).join('&')
  history.replaceState(history.state, '', `${location.pathname}${location.search}${text === '' ? '' : `#${text}`}`)
}

/** Looks for the places of the address until all of them are shown, the reader moves, or the time is over. */
function restore(): void {
  clearInterval(looking)
  const places = placesOf(location.hash)
  const endAt = performance.now() + PATIENCE_MS
  const look = (): void => {
    for (const [name, top] of places) {
      const box = boxOf(name)
      if (box === null || box.scrollHeight - box.clientHeight < top) continue
      box.scrollTop = top
      places.delete(name)
    }
    if (places.size === 0 || performance.now() > endAt) clearInterval(looking)
  }
  looking = setInterval(look, LOOK_MS)
}

function boxOf(name: string): Element | null {
  if (name === 'page') return document.scrollingElement
  return document.querySelector(`[data-scroll="${CSS.escape(name)}"]`)
}

/** The places in a fragment. Anything else in it is ignored. */
function placesOf(fragment: string): Map<string, number> {
  const places = [...new URLSearchParams(fragment.slice(1))].map(([name, px]) => [name, Number(px)] as const)
  return new Map(places.filter(([, px]) => Number.isSafeInteger(px) && px > 0))
}
