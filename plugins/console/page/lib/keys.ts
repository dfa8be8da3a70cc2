/** Keys of the page. Each is listed by `?` with what it does, and none is taken from a field that is typed into. */
import { type Signal, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

/** A key that does something while its component is shown. */
export interface KeyBinding {
  /** A key as `KeyboardEvent.key` names it, or two of them in a row: `g r`. */
  readonly keys: string
  /** What it does, for the list. */
  readonly does: string
  readonly run: (event: KeyboardEvent) => void
}

/** All bindings of what is shown now, the newest last. */
export const bindings: Signal<readonly KeyBinding[]> = signal([])

/** How long the second of two keys may take, in milliseconds. */
const SEQUENCE_MS = 1_000

/** Binds keys for as long as the component is shown. A newer binding of a key wins. */
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
    // A dialog has the keys to itself.
    if (document.querySelector('dialog[open]') !== null) return
    // Enter belongs to the link or the button that has the focus.
    if (event.key === 'Enter' && event.target instanceof Element && event.target.closest('a, button, summary') !== null)
      return
    const two = first !== undefined && event.timeStamp - first.atMs < SEQUENCE_MS ? `${first.key} ${event.key}` : ''
    const found =
      bindings.value.findLast(({ keys }) => keys === two) ?? bindings.value.findLast(({ keys }) => keys === event.key)
    first = found === undefined ? { key: event.key, atMs: event.timeStamp } : undefined
    if (found === undefined) return
    event.preventDefault()
    found.run(event)
  })
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}
