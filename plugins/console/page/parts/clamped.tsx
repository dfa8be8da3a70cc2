/** A text of a client, which may have any length. */
import type { JSX } from 'preact'
import { visible } from '../lib/format.ts'

/** Number of characters in the document, which is more than two lines show. */
const MAX_SHOWN = 400
/** Number of characters in the tooltip. */
const MAX_TITLE = 2_000

/** Shows the beginning of a text in at most `lines` lines, and more of the text on hover. */
export function Clamped({ text, lines = 1 }: { readonly text: string; readonly lines?: 1 | 2 }): JSX.Element {
  return (
    <span class={`clamped clamped-${lines}`} dir="auto" title={visible(text, MAX_TITLE)}>
      {visible(text, MAX_SHOWN)}
    </span>
  )
}
