/** A part that unfolds. Its content is created only while it is open. */
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'

/** Shows a summary, and the result of `children` while the part is open. */
export function Folded({
  summary,
  class: name,
  children,
}: {
  readonly summary: ComponentChildren
  readonly class?: string | undefined
  readonly children: () => ComponentChildren
}): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class={name} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && children()}
    </details>
  )
}
