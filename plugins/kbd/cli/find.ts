/** Things of a board by what a person types: an id or its beginning, or the beginning of a title. */
import { CommandRefusal } from '../../../core/command.ts'
import { printable } from '../../../core/printable.ts'
import type { Board, Card, Column, Project } from '../api.ts'

/** Live boards, by title. */
export function boardsOf({ boards }: Project): readonly Board[] {
  return Object.values(boards)
    .filter(({ archived }) => archived !== true)
    .sort((one, other) => byRank([one.title, one.boardId], [other.title, other.boardId]))
}

/** Finds one board that is not archived. */
export function findBoard(project: Project, text: string): Board {
  return findOne('board', text, boardsOf(project), ({ boardId, title }) => [boardId, title])
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

/** Live columns of live boards, in the order in which they are shown. */
export function columnsOf({ boards, columns }: Project): readonly Column[] {
  return Object.values(columns)
    .filter(({ archived, boardId }) => archived !== true && boardId !== null && boards[boardId]?.archived === false)
    .sort((one, other) => byRank([one.rank, one.columnId], [other.rank, other.columnId]))
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
    const list = found.slice(0, LISTED).map((thing) => `  ${namesOf(thing)[0]}  ${printable(namesOf(thing)[1] ?? '')}`)
    if (found.length > LISTED) list.push(`  and ${found.length - LISTED} more`)
    throw new CommandRefusal('ambiguous', `More than one ${kind} begins with "${printable(text)}":\n${list.join('\n')}`)
  }
  return one
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
