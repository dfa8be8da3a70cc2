/** A text of a card or a comment, read by its hash. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { visible } from '../../../lib/format.ts'
import { useLoad } from '../../../lib/load.ts'
import { Badge, Refusal } from '../../../parts/parts.tsx'
import { readText } from '../texts.ts'

/** Characters that are shown before the reader asks for all. */
const SHOWN = 4_000

/** Shows the text that a hash names; nothing where there is none. */
export function BodyText({ hash }: { readonly hash: string | null }): JSX.Element | null {
  const [isWhole, setWhole] = useState(false)
  const { data, error } = useLoad(async (signal) => (hash === null ? undefined : readText(hash, signal)), {
    inputs: [hash],
  })
  if (hash === null) return null
  if (error !== undefined) return <Refusal error={error} />
  if (data === undefined) return <p class="body-text nothing">Reading…</p>
  if (data.text === undefined) return <p class="body-text nothing">The text has not arrived on this node.</p>
  const { text } = data
  const isCut = !isWhole && text.length > SHOWN
  return (
    <div class="body-text">
      {data.isForeign && <Badge tone="bad">these bytes are not those that the card names</Badge>}
      <p>{visible(isCut ? text.slice(0, SHOWN) : text)}</p>
      {isCut && (
        <button type="button" class="quiet small" onClick={() => setWhole(true)}>
          Show all {text.length} characters
        </button>
      )}
    </div>
  )
}
