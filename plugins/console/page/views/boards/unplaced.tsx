/** Cards without a place: their board or column is missing or archived. */
import type { JSX } from 'preact'
import { visible } from '../../lib/format.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Badge } from '../../parts/parts.tsx'
import { hrefOf } from './columns/card.tsx'
import type { Project } from './state.ts'

/** Largest number of cards in the list. */
const LISTED = 200

/** Lists the cards. Each is a link to the card, which can be moved to a column there. */
export function Unplaced({
  project,
  onClose,
}: {
  readonly project: Project
  readonly onClose: () => void
}): JSX.Element {
  const { unplaced, cards } = project
  return (
    <Dialog title="Cards without a place" onClose={onClose}>
      <p>Their board or column is archived, or not on this node yet. Open a card to move it to a column.</p>
      <ul class="card-links">
        {unplaced.slice(0, LISTED).map((id) => (
          <li key={id}>
            <a href={hrefOf(id)} dir="auto" onClick={onClose}>
              {visible(cards[id]?.title ?? 'Untitled card', 200)}
            </a>
            {cards[id]?.archived === true && <Badge>archived</Badge>}
          </li>
        ))}
      </ul>
      {unplaced.length > LISTED && <p>And {unplaced.length - LISTED} more.</p>}
    </Dialog>
  )
}
