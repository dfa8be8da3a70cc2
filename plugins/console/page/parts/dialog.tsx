/** A modal dialog. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

/** Shows a dialog. Escape, its button and a click beside it call `onClose`, which removes the dialog. */
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
    const element = dialog.current
    if (element === null) return
    const focusedBefore = document.activeElement
    element.showModal()
    return () => {
      element.close()
      if (focusedBefore instanceof HTMLElement) focusedBefore.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog, too, by the cancel event of the browser.
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
      // A selection of text may end beside the dialog. Only a click that starts and ends there closes it.
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
