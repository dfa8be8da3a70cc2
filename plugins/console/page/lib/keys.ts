/**
 * The keyboard shortcuts of the page. `?` lists all of them. Keys that are typed into a field do not trigger a
 * shortcut.
 */
import { type Signal, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

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
export function useKeys(own: readonly KeyBinding[]): void {
  const latest = useRef(own)
  latest.current = own
  const names = own.map(({ keys }) => keys).join('|')
  useEffect(() => {
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
