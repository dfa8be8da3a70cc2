/** Finds things of a board by a text that a person types: an id or its beginning, or the beginning of a title. */
import { CommandRefusal } from '../../../core/declare/command.ts'
import { printable } from '../../../core/kernel/printable.ts'
import type { Board, Card, Column, Project } from '../api.ts'

/** Live boards, in the order of their creation, in which a project has them. */
export function boardsOf({ boards }: Project): readonly Board[] {
  return Object.values(boards).filter(({ archived }) => archived !== true)
}

/** The board of a project with one board; undefined if it has none. Throws if it has several. */
export function onlyBoard(project: Project): Board | undefined {
  const [only, ...more] = boardsOf(project)
  if (more.length === 0) return only
  const list = listed(boardsOf(project), ({ boardId, title }) => [boardId, title])
  throw new CommandRefusal('ambiguous', `Which board?\n${list.join('\n')}`)
}

/** Finds one board that is not archived. */
export function findBoard(project: Project, text: string): Board {
  return findOne('board', text, boardsOf(project), ({ boardId, title }) => [boardId, title])
}

/** Finds one board or card that is archived. Throws if there is none, or more than one. */
export function findArchived(project: Project, text: string, kind: 'board' | 'card'): Board | Card {
  const isArchived = ({ archived }: Board | Card): boolean => archived === true
  return kind === 'board'
    ? findOne('archived board', text, Object.values(project.boards).filter(isArchived), ({ boardId, title }) => [
        boardId,
        title,
      ])
    : findOne('archived card', text, Object.values(project.cards).filter(isArchived), ({ cardId, title }) => [
        cardId,
        title,
      ])
}

/** Finds one card that is not archived, of `board` if one is named. Throws if there is none, or more than one. */
export function findCard(project: Project, text: string, board?: string): Card {
  const boardId = board === undefined ? undefined : findBoard(project, board).boardId
  const isHere = ({ place }: Card): boolean => boardId === undefined || place?.boardId === boardId
  const live = Object.values(project.cards).filter((card) => card.archived !== true && isHere(card))
  return findOne('card', text, live, ({ cardId, title }) => [cardId, title])
}

/** Finds one column that is not archived; columns of `boardId` are preferred. */
export function findColumn(project: Project, text: string, boardId?: string): LiveColumn {
  const all = columnsOf(project)
  const near = matching(
    text,
    all.filter((column) => column.boardId === boardId),
    namesOfColumn,
  )
  return findOne('column', text, near.length > 0 ? near : all, namesOfColumn)
}

const namesOfColumn = ({ columnId, title }: Column) => [columnId, title] as const

/** A column of a board. */
export interface LiveColumn extends Column {
  readonly boardId: string
}

/** Live columns of live boards: board by board, each in the order in which its columns are shown. */
export function columnsOf(project: Project): readonly LiveColumn[] {
  const indexes = new Map(boardsOf(project).map(({ boardId }, index) => [boardId, index]))
  return Object.values(project.columns)
    .flatMap((column) => {
      const { boardId, archived } = column
      const index = boardId === null ? undefined : indexes.get(boardId)
      return boardId === null || index === undefined || archived === true
        ? []
        : { index, column: { ...column, boardId } }
    })
    .sort(
      (one, other) =>
        one.index - other.index ||
        byRank([one.column.rank, one.column.columnId], [other.column.rank, other.column.columnId]),
    )
    .map(({ column }) => column)
}

/** Live cards of a column, in their order. */
export function cardsOf({ cards }: Project, columnId: string): readonly Card[] {
  return Object.values(cards)
    .flatMap((card) => {
      const { place, archived } = card
      return place?.columnId === columnId && archived !== true ? { rank: place.rank, card } : []
    })
    .sort((one, other) => byRank([one.rank, one.card.cardId], [other.rank, other.card.cardId]))
    .map(({ card }) => card)
}

/** The most things that are listed if several fit. */
export const LISTED = 12

type NamesOf<T> = (thing: T) => readonly [id: string, title: string | null]

/**
 * Finds one thing: an exact id or title wins, then the beginning of either. Throws if there is none, or more than one.
 */
export function findOne<T>(kind: string, text: string, things: readonly T[], namesOf: NamesOf<T>): T {
  const matches = matching(text, things, namesOf)
  const [first, ...more] = matches
  if (first === undefined) throw new CommandRefusal('not_found', `There is no ${kind} "${printable(text)}".`)
  if (more.length > 0) {
    const list = listed(matches, namesOf)
    throw new CommandRefusal('ambiguous', `More than one ${kind} begins with "${printable(text)}":\n${list.join('\n')}`)
  }
  return first
}

/** A line for each of the first things, and how many are left out. */
function listed<T>(things: readonly T[], namesOf: NamesOf<T>): readonly string[] {
  const list = things.slice(0, LISTED).map((thing) => `  ${namesOf(thing)[0]}  ${printable(namesOf(thing)[1] ?? '')}`)
  return things.length > LISTED ? [...list, `  and ${things.length - LISTED} more`] : list
}

function matching<T>(text: string, things: readonly T[], namesOf: NamesOf<T>): readonly T[] {
  const wanted = comparable(text)
  if (wanted === '') return []
  const named = things.map((thing) => ({ thing, names: namesOf(thing).map((name) => comparable(name ?? '')) }))
  const exact = named.filter(({ names }) => names.includes(wanted))
  const matches = exact.length > 0 ? exact : named.filter(({ names }) => names.some((name) => name.startsWith(wanted)))
  return matches.map(({ thing }) => thing)
}

/** A name without the differences that people do not see: of case, and of composed and decomposed characters. */
function comparable(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

function byRank(
  [rank, id]: readonly [string | null, string],
  [other, otherId]: readonly [string | null, string],
): number {
  const [one, two] = [`${rank ?? ''} ${id}`, `${other ?? ''} ${otherId}`]
  return one < two ? -1 : one > two ? 1 : 0
}
