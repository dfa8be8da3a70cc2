/** The text of a card or a comment, which is read by its hash. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { cutText } from '../../../../../../core/kernel/printable.ts'
import { useLoad } from '../../../lib/load.ts'
import { Datum } from '../../../parts/datum.tsx'
import { Markdown } from '../../../parts/markdown.tsx'
import { Badge } from '../../../parts/parts.tsx'
import { readText } from '../texts.ts'

/** Number of characters that are shown before the reader asks for the whole text. */
const SHOWN = 4_000

/** Shows the text with a hash, or nothing without a hash. `headingLevel` is that of its headings. */
export function BodyText({
  hash,
  headingLevel,
}: {
  readonly hash: string | null
  readonly headingLevel: 3 | 4
}): JSX.Element | null {
  const [isWhole, setWhole] = useState(false)
  const read = useLoad(async (signal) => (hash === null ? undefined : readText(hash, signal)), {
    inputs: [hash],
  })
  if (hash === null) return null
  return (
    <div class="body-text">
      <Datum
        of={read}
        name="the text"
        empty={(data) =>
          data?.text === undefined ? <p class="nothing">This node has not received the text yet.</p> : undefined
        }
      >
        {(data) => {
          const text = data?.text ?? ''
          const isCut = !isWhole && text.length > SHOWN
          return (
            <>
              {data?.isForeign === true && <Badge tone="bad">this text does not match the hash in the card</Badge>}
              <Markdown text={isCut ? `${cutText(text, SHOWN)}…` : text} headingLevel={headingLevel} />
              {isCut && (
                <button type="button" class="quiet small" onClick={() => setWhole(true)}>
                  Show all {text.length} characters
                </button>
              )}
            </>
          )
        }}
      </Datum>
    </div>
  )
}
