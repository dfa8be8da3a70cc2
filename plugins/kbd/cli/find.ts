/** Things of a board by what a person types: an id or its beginning, or the beginning of a title. */
import { CommandRefusal } from '../../../core/command.ts'
import { printable } from '../../../core/printable.ts'
import type { Board, Card, Column, Project } from '../api.ts'

/** Live boards, in the order of their creation, in which a project has them. */
export function boardsOf({ boards }: Project): readonly Board[] {
  return Object.values(boards).filter(({ archived }) => archived !== true)
}

/** The board that is there where none is named; undefined where there is none. Throws where there are several. */
export function onlyBoard(project: Project): Board | undefined {
  const [one, ...more] = boardsOf(project)
  if (more.length === 0) return one
  const list = listed(boardsOf(project), ({ boardId, title }) => [boardId, title])
  throw new CommandRefusal('ambiguous', `Which board?\n${list.join('\n')}`)
}

/** Finds one board that is not archived. */
export function findBoard(project: Project, text: string): Board {
  return findOne('board', text, boardsOf(project), ({ boardId, title }) => [boardId, title])
}

/** Finds one board or card that is archived. Throws where there is none, or more than one. */
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

/** Finds one card that is not archived, of `board` where one is named. Throws where there is none, or more than one. */
export function findCard(project: Project, text: string, board?: string): Card {
  const boardId = board === undefined ? undefined : findBoard(project, board).boardId
  const isHere = ({ place }: Card): boolean => boardId === undefined || place?.boardId === boardId
  const live = Object.values(project.cards).filter((card) => card.archived !== true && isHere(card))
  return findOne('card', text, live, ({ cardId, title }) => [cardId, title])
}

/** Finds one column that is not archived; titles mean those of `boardId` where it has one that fits. */
export function findColumn(project: Project, text: string, boardId?: string): Column {
  const all = columnsOf(project)
  const near = matching(
    text,
    all.filter((column) => column.boardId === boardId),
    namesOfColumn,
  )
  return findOne('column', text, near.length > 0 ? near : all, namesOfColumn)
}

const namesOfColumn = ({ columnId, title }: Column) => [columnId, title] as const

/** Live columns of live boards: board by board, each in the order in which its columns are shown. */
export function columnsOf(project: Project): readonly Column[] {
  const places = new Map(boardsOf(project).map(({ boardId }, at) => [boardId, at]))
  const placeOf = ({ boardId }: Column): number => places.get(boardId!)!
  return Object.values(project.columns)
    .filter(({ archived, boardId }) => archived !== true && boardId !== null && places.has(boardId))
    .sort(
      (one, other) => placeOf(one) - placeOf(other) || byRank([one.rank, one.columnId], [other.rank, other.columnId]),
    )
}

/** Live cards of a column, in their order. */
export function cardsOf({ cards }: Project, columnId: string): readonly Card[] {
  return Object.values(cards)
    .filter(({ place, archived }) => place?.columnId === columnId && archived !== true)
    .sort((one, other) => byRank([one.place!.rank, one.cardId], [other.place!.rank, other.cardId]))
}

/** Things that are listed where several fit. */
export const LISTED = 12

type NamesOf<T> = (thing: T) => readonly [id: string, title: string | null]

/** Finds one thing: an exact id or title wins, then a beginning of either. Throws where there is none, or more than one. */
export function findOne<T>(kind: string, text: string, things: readonly T[], namesOf: NamesOf<T>): T {
  const found = matching(text, things, namesOf)
  const [one, ...more] = found
  if (one === undefined) throw new CommandRefusal('not_found', `There is no ${kind} "${printable(text)}".`)
  if (more.length > 0) {
    const list = listed(found, namesOf)
    throw new CommandRefusal('ambiguous', `More than one ${kind} begins with "${printable(text)}":\n${list.join('\n')}`)
  }
  return one
}

/** A line for each of the first things, and how many are left out. */
function listed<T>(things: readonly T[], namesOf: NamesOf<T>): readonly string[] {
  const list = things.slice(0, LISTED).map((thing) => `  ${namesOf(thing)[0]}  ${printable(namesOf(thing)[1] ?? '')}`)
  return things.length > LISTED ? [...list, `  and ${things.length - LISTED} more`] : list
}

function matching<T>(text: string, things: readonly T[], namesOf: NamesOf<T>): readonly T[] {
  const wanted = text.toLowerCase()
  if (wanted === '') return []
  const named = things.map((thing) => ({ thing, names: namesOf(thing).map((name) => (name ?? '').toLowerCase()) }))
  const exact = named.filter(({ names }) => names.includes(wanted))
  const found = exact.length > 0 ? exact : named.filter(({ names }) => names.some((name) => name.startsWith(wanted)))
  return found.map(({ thing }) => thing)
}

function byRank(
  [rank, id]: readonly [string | null, string],
  [other, otherId]: readonly [string | null, string],
): number {
  const [one, two] = [`${rank ?? ''} ${id}`, `${other ?? ''} ${otherId}`]
  return one < two ? -1 : one > two ? 1 : 0
}
