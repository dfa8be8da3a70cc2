/** The lines of `svc board log` and `svc board conflicts`. */
import { printable } from '../../../core/kernel/printable.ts'
import type { Command, Conflict, ListedCommand, Project } from '../api.ts'
import type { DeviceName } from './holder-text.ts'

/**
 * One command of the log: its id, the time, the device, the type, the title of its entity, and its changes. A mark
 * follows if its time was ahead of the clock of this node.
 */
export function toLogLine(
  { id, fromFuture, envelope: { issuedAtMs, signerKeyId, command } }: ListedCommand,
  project: Project,
  nameOf: DeviceName,
): string {
  const parts = [id.slice(0, 12), new Date(issuedAtMs).toISOString(), nameOf(signerKeyId), command.type]
  const ownTitle = 'title' in command && command.title !== undefined ? command.title : undefined
  const entity = titleOf(project, idsOf(command))
  // A creation shows its own title. Any other command shows the present title of its entity and its changes.
  const isNew = command.type.endsWith('.create')
  const title = isNew ? ownTitle : (entity ?? ownTitle)
  const change = isNew ? '' : changeOf(command, project)
  const mark = fromFuture === true ? ['⚠ from the future'] : []
  return [
    ...parts,
    ...(title === undefined ? [] : [printable(title)]),
    ...(change === '' ? [] : [change]),
    ...mark,
  ].join('  ')
}

/**
 * The lines of one conflict: the entity, what is in conflict, and the candidates; a star marks the one that is shown.
 */
export function toConflictLines(conflict: Conflict, project: Project, nameOf: DeviceName): readonly string[] {
  const { conflictId, kind, register, entity, candidates, shown } = conflict
  const title = titleOf(project, [entity.id])
  const head = `${conflictId.slice(0, 12)}\t${kind}\t${printable(register)}${title === undefined ? '' : `\t${printable(title)}`}`
  const lines = candidates.map(
    ({ id, value, deviceId }) =>
      `  ${id === shown ? '*' : ' '} ${id.slice(0, 12)}  ${nameOf(deviceId)}  ${textOf(value, project)}`,
  )
  return [head, ...lines]
}

function idsOf(command: Command): readonly string[] {
  const { cardId, columnId, boardId } = command as { cardId?: string; columnId?: string; boardId?: string }
  return [cardId, columnId, boardId].filter((id) => id !== undefined)
}

/** The title of the first of these entities that has one. */
function titleOf({ cards, columns, boards }: Project, ids: readonly string[]): string | undefined {
  for (const id of ids) {
    const title = cards[id]?.title ?? columns[id]?.title ?? boards[id]?.title
    if (title !== undefined && title !== null) return title
  }
  return undefined
}

/**
 * What a command changes: its own members without the ids of the entity, with titles of columns in the place of ids.
 */
function changeOf(command: Command, project: Project): string {
  const { columns } = project
  if (command.type === 'card.move') return `→ ${printable(columns[command.columnId]?.title ?? command.columnId)}`
  return Object.entries(command)
    .filter(([name]) => name !== 'type' && name !== 'rank' && !name.endsWith('Id'))
    .map(([name, value]) => `${name}=${printable(JSON.stringify(value))}`)
    .join(' ')
}

/** The value of a candidate; a place names its column. */
function textOf(value: unknown, { columns }: Project): string {
  const { columnId } = (typeof value === 'object' && value !== null ? value : {}) as { columnId?: unknown }
  const title = typeof columnId === 'string' ? columns[columnId]?.title : undefined
  return printable(`${JSON.stringify(value)}${title === undefined || title === null ? '' : ` (${title})`}`)
}
