/** A board in a terminal: its columns side by side, claims with the time that is left, conflicts marked. */
import type { Card, Claim, Project } from '../../kbd/api.ts'
import { shown } from '../api/commands/shown.ts'
import { cardsOf, columnsOf } from './find.ts'

/** Columns are at least so wide, even where the terminal is narrower than all of them. */
const NARROWEST = 18
const GAP = '  '

/** The boards of a project as lines. `width` is that of the terminal, `nowMs` the clock that leases are judged by. */
export function drawProject(project: Project, width: number, nowMs: number): readonly string[] {
  const conflicts = new Map<string, number>()
  for (const { entity } of Object.values(project.conflicts))
    conflicts.set(entity.id, (conflicts.get(entity.id) ?? 0) + 1)
  const marks = (id: string): string => (conflicts.has(id) ? ' ⚠' : '')
  const lines: string[] = []
  for (const { boardId, title } of Object.values(project.boards).filter(({ archived }) => archived !== true)) {
    lines.push(`${shown(title ?? boardId)}${marks(boardId)}`, '')
    const columns = columnsOf(project).filter((column) => column.boardId === boardId)
    if (columns.length === 0) lines.push('(no columns)')
    const each = Math.max(NARROWEST, Math.floor((width - GAP.length * (columns.length - 1)) / (columns.length || 1)))
    const drawn = columns.map((column) => {
      const cards = cardsOf(project, column.columnId)
      const count = column.wipLimit === null ? `${cards.length}` : `${cards.length}/${column.wipLimit}`
      const head = `${shown(column.title ?? column.columnId)} (${count})${marks(column.columnId)}`
      return [head, '─'.repeat(each), ...cards.flatMap((card) => drawCard(card, project.claims, marks, nowMs))]
    })
    for (let i = 0; i < Math.max(0, ...drawn.map(({ length }) => length)); i++)
      lines.push(
        drawn
          .map((column) => fit(column[i] ?? '', each))
          .join(GAP)
          .trimEnd(),
      )
    lines.push('')
  }
  if (project.unplaced.length > 0) lines.push(`${project.unplaced.length} cards have no place on a board.`)
  const open = Object.keys(project.conflicts).length
  if (open > 0) lines.push(`⚠ ${open} open ${open === 1 ? 'conflict' : 'conflicts'}: svc board conflicts`)
  return lines
}

function drawCard(
  card: Card,
  claims: Project['claims'],
  marks: (id: string) => string,
  nowMs: number,
): readonly string[] {
  const labels = card.labels.length === 0 ? '' : ` [${card.labels.map(shown).join(', ')}]`
  const lines = [`${card.cardId.slice(0, 8)} ${shown(card.title ?? '')}${labels}${marks(card.cardId)}`]
  const claim = card.claim === null ? undefined : claims[card.claim]
  if (claim !== undefined && claim.state === 'held' && nowMs < claim.expiresAtMs)
    lines.push(`  ⏳ ${holderOf(claim)}, ${leftOf(claim, nowMs)} left`)
  return lines
}

/** Who holds a claim: the agent's name, or the beginning of the device's key. */
export function holderOf({ agent, deviceId }: Claim): string {
  return agent === null ? deviceId.slice(0, 16) : shown(agent)
}

/** The time that is left of a lease, in its largest whole unit. */
export function leftOf({ expiresAtMs }: Claim, nowMs: number): string {
  const seconds = Math.max(0, Math.ceil((expiresAtMs - nowMs) / 1000))
  if (seconds < 120) return `${seconds} s`
  return seconds < 7_200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`
}

/** A text in exactly so many places, counted in characters. */
function fit(text: string, width: number): string {
  const characters = [...text]
  return characters.length > width
    ? `${characters.slice(0, width - 1).join('')}…`
    : text + ' '.repeat(width - characters.length)
}
