/** Search: titles and labels at once, and the texts of cards and comments by the service. */
import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { visible } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import { local, type ServiceError } from '../../lib/service.ts'
import { Refusal } from '../../parts/parts.tsx'
import { hrefOf } from './columns/card.tsx'
import type { Project } from './state.ts'

/** One result of `GET /api/v1/search`. */
interface Result {
  readonly kind: 'board' | 'card' | 'column' | 'comment'
  readonly id: string
  readonly title: string | null
  readonly snippet: string
}

/** What the service found. */
export interface Found {
  /** Cards that have the words anywhere in their texts. */
  readonly cards: ReadonlySet<string>
  /** Hits in texts, with the words around them. */
  readonly hits: readonly {
    readonly cardId: string
    readonly title: string
    readonly snippet: string
    readonly kind: string
  }[]
  readonly error: ServiceError | undefined
}

/** So long the service is not asked while the reader types, in milliseconds. */
const PAUSE_MS = 200
/** Results that are asked for, and hits that are listed. */
const LIMIT = 100
const LISTED = 8
/** UTF-8 bytes that the service takes; characters have up to three of them. */
const MAX_CHARS = 340

/** Asks the service for a text, once the reader pauses. */
export function useFound(project: Project, text: string): Found {
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim().slice(0, MAX_CHARS)), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data, error } = useLoad(
    async (signal) => {
      if (asked === '') return []
      const ask = new URLSearchParams({ q: asked, project: project.project, limit: String(LIMIT) })
      return (await local<{ results: readonly Result[] }>(`/api/v1/search?${ask}`, { signal })).results
    },
    { inputs: [asked, project.project] },
  )
  return useMemo(() => foundOf(project, asked === '' ? [] : (data ?? []), error), [data, asked, error, project.cards])
}

function foundOf({ cards }: Project, results: readonly Result[], error: ServiceError | undefined): Found {
  // A build without the search finds titles and labels alone.
  const shownError = error?.status === 404 ? undefined : error
  const hits = results.flatMap(({ kind, id, title, snippet }) => {
    if (kind !== 'card' && kind !== 'comment') return []
    // A comment is found with the title of its card.
    const cardId = kind === 'card' ? id : onlyCard(cards, title)
    return cardId === undefined || cards[cardId] === undefined
      ? []
      : [{ cardId, title: title ?? 'Untitled card', snippet, kind }]
  })
  return { cards: new Set(hits.map(({ cardId }) => cardId)), hits, error: shownError }
}

function onlyCard(cards: Project['cards'], title: string | null): string | undefined {
  const [first, ...more] = Object.values(cards).filter((card) => card.title === title)
  return more.length === 0 ? first?.cardId : undefined
}

/** The field, and below it hits in texts. The board shows the cards that were found. */
export function SearchField({
  text,
  onText,
  found: { hits, error },
}: {
  readonly text: string
  readonly onText: (text: string) => void
  readonly project: Project
  readonly found: Found
}): JSX.Element {
  const inTexts = hits.filter(({ title, snippet }) => snippet !== '' && !title.startsWith(snippet.slice(0, 20)))
  return (
    <div class="search">
      <input
        type="search"
        placeholder="Search cards"
        aria-label="Search titles, labels and texts"
        maxLength={MAX_CHARS}
        value={text}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          onText('')
          event.currentTarget.blur()
        }}
      />
      {error !== undefined && <Refusal error={error} />}
      {text.trim() !== '' && inTexts.length > 0 && (
        <ul class="hits" aria-label="Found in texts">
          {inTexts.slice(0, LISTED).map(({ cardId, title, snippet, kind }, index) => (
            <li key={`${cardId} ${index}`}>
              <a href={hrefOf(cardId)}>
                <strong>{visible(title.slice(0, 120))}</strong>
                <span>
                  {kind === 'comment' && 'Comment: '}
                  {visible(snippet.slice(0, 240))}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
