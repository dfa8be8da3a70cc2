/** What is archived in a project. */
import type { Command, Project } from './state.ts'

/** An entity that is archived. */
export interface Archived {
  readonly kind: 'board' | 'column' | 'card'
  readonly id: string
  readonly title: string
  /** The title of the board, or of the column, that it was on. */
  readonly of: string | undefined
  readonly labels: readonly string[]
  readonly restore: Command
}

/** All entities of a project that are archived: boards first, then columns, then cards, each by title. */
export function archivedIn({ boards, columns, cards }: Project): readonly Archived[] {
  const byTitle = (all: readonly Archived[]): readonly Archived[] =>
    all.toSorted((a, b) => (a.title < b.title ? -1 : a.title > b.title ? 1 : 0))
  const archivedOf = <T extends { readonly archived: boolean | null }>(
    all: Readonly<Record<string, T>>,
  ): readonly T[] => Object.values(all).filter(({ archived }) => archived === true)
  return [
    ...byTitle(
      archivedOf(boards).map(({ boardId: id, title }) => ({
        kind: 'board',
        id,
        title: title ?? 'Untitled board',
        of: undefined,
        labels: [],
        restore: { type: 'board.archive', boardId: id, archived: false },
      })),
    ),
    ...byTitle(
      archivedOf(columns).map(({ columnId: id, boardId, title }) => ({
        kind: 'column',
        id,
        title: title ?? 'Untitled column',
        of: boards[boardId ?? '']?.title ?? undefined,
        labels: [],
        restore: { type: 'column.archive', columnId: id, archived: false },
      })),
    ),
    ...byTitle(
      archivedOf(cards).map(({ cardId: id, title, labels, place }) => ({
        kind: 'card',
        id,
        title: title ?? 'Untitled card',
        of: columns[place?.columnId ?? '']?.title ?? undefined,
        labels,
        restore: { type: 'card.restore', cardId: id },
      })),
    ),
  ]
}

/** Number of archived entities. */
export function archivedCount({ boards, columns, cards }: Project): number {
  let count = 0
  for (const all of [boards, columns, cards])
    for (const { archived } of Object.values<{ readonly archived: boolean | null }>(all)) if (archived === true) count++
  return count
}
