/** A text of a client that may be of any length. */
import type { JSX } from 'preact'
import { visible } from '../lib/format.ts'

/** Characters that are put into the document; a line or two show fewer. */
const MAX_SHOWN = 400
/** Characters of the tooltip. */
const MAX_TITLE = 2_000

/** Shows the beginning of a text in as many lines as fit; more of it on hover. `lines` is 1 or 2. */
export function Clamped({ text, lines = 1 }: { readonly text: string; readonly lines?: 1 | 2 }): JSX.Element {
  return (
    <span class={`clamped clamped-${lines}`} title={visible(text.slice(0, MAX_TITLE))}>
      {visible(text.slice(0, MAX_SHOWN))}
    </span>
  )
}
