/**
 * The keyboard shortcuts of the page. `?` lists all of them. Keys that are typed into a field do not trigger a
 * shortcut.
 */
import { type Signal, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

/** A shortcut that works while its component is shown. */
export interface KeyBinding {
  /** A value of `KeyboardEvent.key`, or two values for two keys one after the other: `g r`. */
  readonly keys: string
  /** The description in the list of shortcuts. */
  readonly does: string
  readonly run: (event: KeyboardEvent) => void
}

/** The bindings of all components that are shown now, the newest last. */
export const bindings: Signal<readonly KeyBinding[]> = signal([])

/** Longest time between two keys of one shortcut, in milliseconds. */
const SEQUENCE_MS = 1_000

/** Binds keys as long as the component is shown. If two bindings have the same keys, the newer binding is used. */
export function useKeys(own: readonly KeyBinding[]): void {
  const latest = useRef(own)
  latest.current = own
  const names = own.map(({ keys }) => keys).join('|')
  useEffect(() => {
    const bound = latest.current.map(
      ({ keys, does }, index): KeyBinding => ({ keys, does, run: (event) => latest.current[index]?.run(event) }),
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
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
    // Shortcuts do not work while a dialog is open.
    if (document.querySelector('dialog[open]') !== null) return
    // Enter activates the link or the button that has the focus.
    if (event.key === 'Enter' && event.target instanceof Element && event.target.closest('a, button, summary') !== null)
      return
    const sequence =
      first !== undefined && event.timeStamp - first.atMs < SEQUENCE_MS ? `${first.key} ${event.key}` : ''
    const match =
      bindings.value.findLast(({ keys }) => keys === sequence) ??
      bindings.value.findLast(({ keys }) => keys === event.key)
    first = match === undefined ? { key: event.key, atMs: event.timeStamp } : undefined
    if (match === undefined) return
    event.preventDefault()
    match.run(event)
  })
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}
