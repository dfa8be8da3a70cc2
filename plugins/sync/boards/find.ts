/** Things of a board by what a person types: an id or its beginning, or the beginning of a title. */
import type { Card, Column, Project } from '../../kbd/api.ts'
import { shown } from '../api/commands/shown.ts'

/** Finds one card that is not archived. Throws where there is none, or more than one. */
export function findCard({ cards }: Project, text: string): Card {
  const live = Object.values(cards).filter(({ archived }) => archived !== true)
  return findOne('card', text, live, ({ cardId, title }) => [cardId, title])
}

/** Finds one column that is not archived. */
export function findColumn(project: Project, text: string, boardId?: string): Column {
  const found = columnsOf(project).filter((column) => boardId === undefined || column.boardId === boardId)
  return findOne('column', text, found, ({ columnId, title }) => [columnId, title])
}

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

/** An exact id or title wins, then a beginning of either. */
export function findOne<T>(
  kind: string,
  text: string,
  things: readonly T[],
  namesOf: (thing: T) => readonly [id: string, title: string | null],
): T {
  const wanted = text.toLowerCase()
  const names = things.map((thing) => ({ thing, names: namesOf(thing).map((name) => (name ?? '').toLowerCase()) }))
  const exact = names.filter(({ names }) => names.includes(wanted))
  const found = exact.length > 0 ? exact : names.filter(({ names }) => names.some((name) => name.startsWith(wanted)))
  const [one, ...more] = found
  if (wanted === '' || one === undefined) throw new Error(`There is no ${kind} "${shown(text)}".`)
  if (more.length > 0) {
    const list = found.map(({ thing }) => `  ${namesOf(thing)[0]}  ${shown(namesOf(thing)[1] ?? '')}`)
    throw new Error(`More than one ${kind} begins with "${shown(text)}":\n${list.join('\n')}`)
  }
  return one.thing
}

function byRank(
  [rank, id]: readonly [string | null, string],
  [other, otherId]: readonly [string | null, string],
): number {
  const [one, two] = [`${rank ?? ''} ${id}`, `${other ?? ''} ${otherId}`]
  return one < two ? -1 : one > two ? 1 : 0
}
