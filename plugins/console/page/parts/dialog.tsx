/** A dialog over the page: it has the focus and the keys until it is closed. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

/** Shows a dialog until `onClose` takes it away; Escape and a click beside it call that. */
export function Dialog({
  title,
  onClose,
  children,
  isWide = false,
}: {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  readonly isWide?: boolean
}): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const isPressedBeside = useRef(false)
  const name = useId()
  useEffect(() => {
    const shown = dialog.current
    if (shown === null) return
    const before = document.activeElement
    shown.showModal()
    return () => {
      shown.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too, by the browser's own cancel event.
    <dialog
      ref={dialog}
      class={isWide ? 'wide' : undefined}
      aria-labelledby={name}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => {
        isPressedBeside.current = event.target === dialog.current
      }}
      // A selection of text may end beside the dialog; only a whole click there closes it.
      onClick={(event) => event.target === dialog.current && isPressedBeside.current && onClose()}
    >
      <div class="dialog-inner">
        <header>
          <h2 id={name}>{title}</h2>
          <button type="button" class="quiet small" onClick={onClose} aria-label="Close, Esc">
            Esc
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
