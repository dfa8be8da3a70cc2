/** Cards that no column shows: those in the archive, and those without a column. */
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { countOf, visible } from '../../lib/format.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Badge, Empty } from '../../parts/parts.tsx'
import { archivedIn } from './archived.ts'
import { matcher } from './arrange.ts'
import { canWrite, enter } from './changes/changes.ts'
import { hrefOf } from './columns/card.tsx'
import type { Project } from './state.ts'

/** Largest number of entries in each list. */
const LISTED = 200

/** Lists the archive in a dialog. */
export function Archive({
  project,
  onClose,
}: {
  readonly project: Project
  readonly onClose: () => void
}): JSX.Element {
  const [text, setText] = useState('')
  const all = useMemo(() => archivedIn(project), [project])
  const hasWords = matcher(text, new Set())
  const matches =
    hasWords === undefined ? all : all.filter(({ id, title, labels }) => hasWords({ cardId: id, title, labels }))
  return (
    <Dialog title="Archive" onClose={onClose}>
      {all.length === 0 ? (
        <Empty title="Nothing is archived">An archived card leaves its board, and stays here.</Empty>
      ) : (
        <input
          type="search"
          dir="auto"
          placeholder="Search the archive"
          aria-label="Search titles and labels of the archive"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      {all.length > 0 && matches.length === 0 && <p role="status">Nothing in the archive matches.</p>}
      <ul class="archive">
        {matches.slice(0, LISTED).map(({ kind, id, title, of, restore }) => (
          <li key={`${kind} ${id}`}>
            {kind === 'card' ? (
              <a href={hrefOf(id)} dir="auto" onClick={onClose}>
                {visible(title, 200)}
              </a>
            ) : (
              <span dir="auto">{visible(title, 200)}</span>
            )}
            {kind !== 'card' && <Badge>{kind}</Badge>}
            {of !== undefined && (
              <span class="archive-of">
                from <span dir="auto">{visible(of, 60)}</span>
              </span>
            )}
            {canWrite() && (
              <button
                type="button"
                class="small"
                aria-label={`Restore ${visible(title, 200)}`}
                onClick={() => void enter(restore)}
              >
                Restore
              </button>
            )}
          </li>
        ))}
      </ul>
      {matches.length > LISTED && <p>And {countOf(matches.length - LISTED, 'more', 'more')}: search for them.</p>}
    </Dialog>
  )
}

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
