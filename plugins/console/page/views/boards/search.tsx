/** Search: the page searches titles and labels, and the service searches the texts of cards and comments. */
import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { visible } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import type { Reading } from '../../lib/reading.ts'
import { local } from '../../lib/service.ts'
import { Datum } from '../../parts/datum.tsx'
import { hrefOf } from './columns/card.tsx'
import type { Project } from './state.ts'

/** One result of `GET /api/v1/search`. */
interface Result {
  readonly kind: 'board' | 'card' | 'column' | 'comment'
  readonly id: string
  readonly title: string | null
  readonly snippet: string
}

/** The results of the service. */
export interface SearchResults {
  /** The ids of cards with the words in their texts. */
  readonly cards: ReadonlySet<string>
  /** The hits in texts, with the text around each hit. */
  readonly hits: readonly {
    readonly cardId: string
    readonly title: string
    readonly snippet: string
    readonly kind: string
  }[]
  /** What is known of the hits; undefined if the service has no search, or nothing is searched for. */
  readonly reading: Reading<unknown> | undefined
}

/** How long the reader must pause before the service is asked, in milliseconds. */
const PAUSE_MS = 200
/** Number of results that are requested, and number of hits that are listed. */
const LIMIT = 100
const LISTED = 8
/** Longest search text. The service accepts 1024 bytes of UTF-8, and a UTF-16 unit has up to three bytes. */
const MAX_CHARS = 340

/** Searches for a text at the service after the reader has paused. */
export function useSearchResults(project: Project, text: string): SearchResults {
  const [searchText, setSearchText] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearchText(trimmed(text)), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data, error, atMs } = useLoad(
    async (signal) => {
      if (searchText === '') return []
      const parameters = new URLSearchParams({ q: searchText, project: project.project, limit: String(LIMIT) })
      return (await local<{ results: readonly Result[] }>(`/api/v1/search?${parameters}`, { signal })).results
    },
    { inputs: [searchText, project.project] },
  )
  return useMemo(() => {
    // A build without the search of the service finds only titles and labels.
    const isSearched = searchText !== '' && error?.status !== 404
    // Until the service is asked for the present words, its hits are those of other words.
    const isOfText = searchText === trimmed(text)
    return {
      ...hitsOf(project, isSearched && isOfText ? (data ?? []) : []),
      reading: isSearched && isOfText ? { data, error, atMs } : undefined,
    }
  }, [data, searchText, text, error, atMs, project.cards])
}

function trimmed(text: string): string {
  return text.trim().slice(0, MAX_CHARS)
}

function hitsOf({ cards }: Project, results: readonly Result[]): Omit<SearchResults, 'reading'> {
  const hits = results.flatMap(({ kind, id, title, snippet }) => {
    if (kind !== 'card' && kind !== 'comment') return []
    // The result for a comment has the title of its card, and not the id of the card.
    const cardId = kind === 'card' ? id : onlyCard(cards, title)
    return cardId === undefined || cards[cardId] === undefined
      ? []
      : [{ cardId, title: title ?? 'Untitled card', snippet, kind }]
  })
  return { cards: new Set(hits.map(({ cardId }) => cardId)), hits }
}

function onlyCard(cards: Project['cards'], title: string | null): string | undefined {
  const [first, ...more] = Object.values(cards).filter((card) => card.title === title)
  return more.length === 0 ? first?.cardId : undefined
}

/** Shows the search field, and below it the hits in texts. The board shows the cards that were found. */
export function SearchField({
  text,
  onText,
  results: { hits, reading },
}: {
  readonly text: string
  readonly onText: (text: string) => void
  readonly results: SearchResults
}): JSX.Element {
  const inTexts = hits.filter(({ title, snippet }) => snippet !== '' && !title.startsWith(snippet.slice(0, 20)))
  return (
    <div class="search">
      <input
        type="search"
        dir="auto"
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
      {text.trim() !== '' && reading !== undefined && <Datum of={reading} name="the texts with these words" />}
      {text.trim() !== '' && inTexts.length > 0 && (
        <ul class="hits" aria-label="Found in texts">
          {inTexts.slice(0, LISTED).map(({ cardId, title, snippet, kind }, index) => (
            <li key={`${cardId} ${index}`}>
              <a href={hrefOf(cardId)}>
                <strong dir="auto">{visible(title, 120)}</strong>
                <span dir="auto">
                  {kind === 'comment' && 'Comment: '}
                  {visible(snippet, 240)}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
