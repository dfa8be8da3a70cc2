/**
 * The keyboard shortcuts of the page. `?` lists all of them. Keys that are typed into a field do not trigger a
 * shortcut.
 */

import { type Signal, signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { go } from './router.ts'

/** A shortcut that works while its component is shown. */
export interface KeyBinding {
  /**
   * A value of `KeyboardEvent.key`, two values for two keys one after the other (`g r`), or a letter with the control
   * key, or the command key of a Mac: `Control+k`.
   */
  readonly keys: string
  /** The description in the list of shortcuts. */
  readonly does: string
  readonly run: (event: KeyboardEvent) => void
  /** Whether the shortcut also works in a field. */
  readonly worksInFields?: boolean
}

/** The bindings of all components that are shown now, the newest last. */
export const bindings: Signal<readonly KeyBinding[]> = signal([])

/** Longest time between two keys of one shortcut, in milliseconds. */
const SEQUENCE_MS = 1_000

/** Binds keys as long as the component is shown. If two bindings have the same keys, the newer binding is used. */
export function useKeys(keyBindings: readonly KeyBinding[]): void {
  const latest = useRef(keyBindings)
  latest.current = keyBindings
  const names = keyBindings.map(({ keys }) => keys).join('|')
  // Before the page is drawn, so that a key works as soon as the page names it.
  useLayoutEffect(() => {
    const bound = latest.current.map(
      (binding, index): KeyBinding => ({ ...binding, run: (event) => latest.current[index]?.run(event) }),
    )
    bindings.value = [...bindings.value, ...bound]
    return () => {
      bindings.value = bindings.value.filter((binding) => !bound.includes(binding))
    }
  }, [names])
}

/** Listens for keys. */
export function startKeys(): void {
  let first: { readonly key: string; readonly atMs: number } | undefined
  document.addEventListener('keydown', (event) => {
    if (event.altKey) return
    // Shortcuts do not work while a dialog is open.
    if (document.querySelector('dialog[open]') !== null) return
    // Enter activates the link or the button that has the focus.
    if (event.key === 'Enter' && event.target instanceof Element && event.target.closest('a, button, summary') !== null)
      return
    const key = event.metaKey || event.ctrlKey ? `Control+${event.key.toLowerCase()}` : event.key
    const sequence = first !== undefined && event.timeStamp - first.atMs < SEQUENCE_MS ? `${first.key} ${key}` : ''
    const match =
      bindings.value.findLast(({ keys }) => keys === sequence) ?? bindings.value.findLast(({ keys }) => keys === key)
    if (isTyping(event.target, key) && match?.worksInFields !== true) return
    first = match === undefined ? { key, atMs: event.timeStamp } : undefined
    if (match === undefined) return
    event.preventDefault()
    match.run(event)
  })
}

/** Whether keys are typed into an element. A checkbox takes no combination with the control key. */
function isTyping(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement && target.type === 'checkbox') return !key.startsWith('Control+')
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
}

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
