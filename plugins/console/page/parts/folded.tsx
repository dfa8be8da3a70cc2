/** Something that unfolds, whose content is made only while it is open. */
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'

/** Shows a summary, and what `children` gives once the reader opens it. */
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
