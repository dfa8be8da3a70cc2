/** Draws boards in a terminal: columns side by side, claims with their remaining time, and marks at conflicts. */

import { printable } from '../../../core/kernel/printable.ts'
import { claimAt } from '../../protocol/claim-at.ts'
import type { Board, Card, Claim, Column, Project } from '../api.ts'
import { boardsOf, cardsOf, columnsOf } from './find.ts'
import { type DeviceName, shortName } from './holder-text.ts'
import { fit, wrap } from './terminal-text.ts'

/** How a board is drawn. */
export interface Drawing {
  /** Cells of a line. */
  readonly width: number
  /** The time at which leases are judged, Unix time in milliseconds. */
  readonly nowMs: number
  /** Whether the terminal shows colours. */
  readonly isColoured: boolean
  /** Most cards of a column that are shown. The others are only counted. */
  readonly maxCards: number
  /** The names of devices; the beginnings of their key ids if absent. */
  readonly nameOf?: DeviceName
}

/** The smallest width of a column, in cells. Columns that do not fit side by side follow below. */
const NARROWEST = 18
const GAP = '  '
/** Most lines of a title. */
const TITLE_LINES = 2

/** The styles of lines, each with its parameter of SGR (ECMA-48 section 8.3.117). */
const STYLES = { head: '1', rule: '2', title: '', mark: '31', detail: '2', claim: '33' } as const

/** A line of a column, before it is cut to its width. */
interface Line {
  readonly text: string
  readonly style: keyof typeof STYLES
}

/** The boards of a project as lines. */
export function drawProject(project: Project, drawing: Drawing): readonly string[] {
  const marked = new Set(Object.values(project.conflicts).map(({ entity }) => entity.id))
  const lines = boardsOf(project).flatMap((board) => drawBoard(project, board, marked, drawing))
  if (lines.length === 0) lines.push('There is no board yet: svc board add --board <title>')
  const count = project.unplaced.filter((id) => project.cards[id]?.archived !== true).length
  if (count > 0) lines.push(`${count} ${count === 1 ? 'card has' : 'cards have'} no place on a board.`)
  const open = Object.keys(project.conflicts).length
  if (open > 0) lines.push(`⚠ ${open} open ${open === 1 ? 'conflict' : 'conflicts'}: svc board conflicts`)
  return lines
}

function drawBoard(project: Project, board: Board, marked: ReadonlySet<string>, drawing: Drawing): string[] {
  const { boardId, title } = board
  const lines = [
    paint({ text: `${printable(title ?? boardId)}${markOf(boardId, marked)}`, style: 'head' }, drawing),
    '',
  ]
  const columns = columnsOf(project).filter((column) => column.boardId === boardId)
  if (columns.length === 0) lines.push('(no columns)', '')
  const beside = Math.max(1, Math.floor((drawing.width + GAP.length) / (NARROWEST + GAP.length)))
  const perBand = Math.ceil(columns.length / Math.ceil(columns.length / beside))
  for (let from = 0; from < columns.length; from += perBand) {
    const band = columns.slice(from, from + perBand)
    const each = Math.max(1, Math.floor((drawing.width - GAP.length * (perBand - 1)) / perBand))
    const drawn = band.map((column) => drawColumn(project, column, each, marked, drawing))
    for (let row = 0; row < Math.max(...drawn.map(({ length }) => length)); row++) {
      const cells = drawn.map((column) => {
        const { text, style } = column[row] ?? { text: '', style: 'title' as const }
        return paint({ text: fit(text, each), style }, drawing)
      })
      lines.push(cells.join(GAP).trimEnd())
    }
    lines.push('')
  }
  return lines
}

function drawColumn(
  project: Project,
  { columnId, title, wipLimit }: Column,
  width: number,
  marked: ReadonlySet<string>,
  drawing: Drawing,
): readonly Line[] {
  const { maxCards } = drawing
  const cards = cardsOf(project, columnId)
  const count = wipLimit === null ? `${cards.length}` : `${cards.length}/${wipLimit}`
  const more = cards.length - maxCards
  return [
    { text: `${printable(title ?? columnId)} (${count})${markOf(columnId, marked)}`, style: 'head' },
    { text: '─'.repeat(width), style: 'rule' },
    ...cards.slice(0, maxCards).flatMap((card) => drawCard(card, project.claims, width, marked, drawing)),
    ...(more > 0 ? [{ text: `and ${more} more: --all`, style: 'detail' as const }] : []),
  ]
}

function drawCard(
  card: Card,
  claims: Project['claims'],
  width: number,
  marked: ReadonlySet<string>,
  { nowMs, nameOf = shortName }: Drawing,
): readonly Line[] {
  const { cardId, title, labels } = card
  const isMarked = marked.has(cardId)
  const titled = wrap(`${isMarked ? '⚠ ' : ''}${printable(title ?? '')}`, width, TITLE_LINES)
  const lines: Line[] = titled.map((text) => ({ text, style: isMarked ? 'mark' : 'title' }))
  lines.push({
    text: [cardId.slice(0, 8), ...labels.map((label) => `#${printable(label)}`)].join(' '),
    style: 'detail',
  })
  const claim = claimAt(claims, card, nowMs)
  if (claim !== undefined)
    lines.push({ text: `▸ ${leftOf(claim, nowMs)} left, ${holderOf(claim, nameOf)}`, style: 'claim' })
  return lines
}

function markOf(id: string, marked: ReadonlySet<string>): string {
  return marked.has(id) ? ' ⚠' : ''
}

function paint({ text, style }: Line, { isColoured }: Drawing): string {
  const code = STYLES[style]
  return isColoured && code !== '' && text.trim() !== '' ? `\u001b[${code}m${text}\u001b[0m` : text
}

/** The name of the holder of a claim: the name of the agent, or the name of the device. */
export function holderOf({ agent, deviceId }: Claim, nameOf: DeviceName): string {
  return agent === null ? nameOf(deviceId) : printable(agent)
}

/** The remaining time of a lease, in its largest whole unit. */
export function leftOf({ expiresAtMs }: Claim, nowMs: number): string {
  const seconds = Math.max(0, Math.ceil((expiresAtMs - nowMs) / 1000))
  if (seconds < 120) return `${seconds} s`
  return seconds < 7_200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`
}
