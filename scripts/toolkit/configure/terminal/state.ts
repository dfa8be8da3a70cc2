/**
 * The state of the screen, and what each key does. Pure: a key gives a new state, and perhaps an action for the
 * session.
 */
import { matchingRows } from '../model/cycle.ts'
import type { RowView, View } from '../model/view.ts'
import type { SavePlan } from '../session.ts'

/** What the screen shows. */
export type Mode = 'list' | 'search' | 'details' | 'help' | 'save' | 'quit'

/** The state of the screen. */
export interface ScreenState {
  readonly mode: Mode
  /** The id of the feature under the cursor. */
  readonly id: string
  readonly search: string
  /** The first shown line of a text. */
  readonly scroll: number
  /** What the last key did. */
  readonly message: readonly string[]
  readonly plan: SavePlan | undefined
}

/** A key, as Node's readline names it. */
export interface Key {
  readonly name?: string | undefined
  readonly sequence?: string | undefined
  readonly ctrl?: boolean | undefined
}

/** What the session is to do. */
export type Action =
  | { readonly do: 'toggle' | 'where' | 'undo' | 'measure' | 'plan' | 'write' | 'end' | 'quit' }
  | { readonly do: 'variant'; readonly step: 1 | -1 }

/** The result of a key. */
export interface Pressed {
  readonly state: ScreenState
  readonly action?: Action
}

/** The features that the list shows. */
export function shownRows({ rows }: View, { search }: Pick<ScreenState, 'search'>): readonly RowView[] {
  return matchingRows(rows, search)
}

/** Handles a key. `page` is the number of lines of a page. */
export function press(state: ScreenState, key: Key, view: View, page: number): Pressed {
  if (key.ctrl === true && key.name === 'c') return { state, action: { do: 'end' } }
  const fresh = { ...state, message: [] }
  switch (state.mode) {
    case 'search':
      return inSearch(fresh, key, view)
    case 'details':
    case 'help':
      return inText(fresh, key, page)
    case 'save':
      return inSave(fresh, key, page)
    case 'quit':
      if (key.name === 'y') return { state: fresh, action: { do: 'end' } }
      return { state: { ...fresh, mode: 'list' }, ...(key.name === 's' && { action: { do: 'plan' } }) }
    default:
      return inList(fresh, key, view, page)
  }
}

const ACTIONS: Readonly<Record<string, Action>> = {
  space: { do: 'toggle' },
  p: { do: 'where' },
  u: { do: 'undo' },
  m: { do: 'measure' },
  s: { do: 'plan' },
  q: { do: 'quit' },
  right: { do: 'variant', step: 1 },
  left: { do: 'variant', step: -1 },
}

function inList(state: ScreenState, key: Key, view: View, page: number): Pressed {
  const rows = shownRows(view, state)
  const steps: Readonly<Record<string, number>> = {
    up: -1,
    k: -1,
    down: 1,
    j: 1,
    pageup: -page,
    pagedown: page,
    home: -rows.length,
    end: rows.length,
  }
  const name = key.name ?? key.sequence ?? ''
  const step = steps[name]
  if (step !== undefined) {
    const index = rows.findIndex(({ id }) => id === state.id)
    const next = rows[Math.min(rows.length - 1, Math.max(0, index + step))]
    return { state: { ...state, id: next?.id ?? state.id } }
  }
  if (name === 'return' || name === 'enter') return { state: { ...state, mode: 'details', scroll: 0 } }
  if (key.sequence === '?') return { state: { ...state, mode: 'help', scroll: 0 } }
  if (key.sequence === '/') return { state: { ...state, mode: 'search' } }
  if (name === 'escape' && state.search !== '') return { state: { ...state, search: '' } }
  const action = ACTIONS[name]
  return { state, ...(action !== undefined && { action }) }
}

function inSearch(state: ScreenState, key: Key, view: View): Pressed {
  const withSearch = (search: string): Pressed => {
    const rows = shownRows(view, { search })
    const id = rows.some((row) => row.id === state.id) ? state.id : (rows[0]?.id ?? state.id)
    return { state: { ...state, search, id } }
  }
  if (key.name === 'return' || key.name === 'enter' || key.name === 'down') return { state: { ...state, mode: 'list' } }
  if (key.name === 'escape') return { state: { ...withSearch('').state, mode: 'list' } }
  if (key.name === 'backspace') return withSearch(state.search.slice(0, -1))
  const typed = key.sequence ?? ''
  return /^[\x20-\x7e]$/.test(typed) ? withSearch(state.search + typed) : { state }
}

function inText(state: ScreenState, key: Key, page: number): Pressed {
  const scroll = scrolled(state, key, page)
  if (scroll !== undefined) return { state: { ...state, scroll } }
  if (state.mode === 'details' && (key.name === 'space' || key.name === 'left' || key.name === 'right')) {
    return { state, action: ACTIONS[key.name]! }
  }
  return { state: { ...state, mode: 'list', scroll: 0 } }
}

function inSave(state: ScreenState, key: Key, page: number): Pressed {
  const scroll = scrolled(state, key, page)
  if (scroll !== undefined) return { state: { ...state, scroll } }
  const isWritten = key.name === 'y' && state.plan?.text !== undefined && state.plan.lines.length > 0
  return { state: { ...state, mode: 'list', scroll: 0 }, ...(isWritten && { action: { do: 'write' } }) }
}

/**
 * The first line after a key that scrolls; undefined for another key. The drawing limits it to the length of the text.
 */
function scrolled({ scroll }: ScreenState, { name = '' }: Key, page: number): number | undefined {
  const steps: Readonly<Record<string, number>> = { up: -1, down: 1, pageup: -page, pagedown: page }
  const step = steps[name]
  return step === undefined ? undefined : Math.max(0, scroll + step)
}
