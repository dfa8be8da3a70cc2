/** The history of a card: finds its commands, and describes each command in words. */
import { cutText } from '../../../../../../core/printable.ts'
import type { Command, Conflict, ListedCommand, Project } from '../state.ts'

/**
 * Returns a function that tests whether a command changes a card. It must be called with all commands in order, because
 * comments and links are recognized by the ids in earlier commands.
 */
export function createTouching(cardId: string): (command: Command) => boolean {
  const owned = new Set<string>()
  return (command) => {
    switch (command.type) {
      case 'comment.add':
        if (command.cardId === cardId) owned.add(command.commentId)
        return command.cardId === cardId
      case 'comment.edit':
      case 'comment.redact':
        return owned.has(command.commentId)
      case 'link.add':
        if (command.from === cardId || command.to === cardId) owned.add(command.linkId)
        return owned.has(command.linkId)
      case 'link.remove':
        return owned.has(command.linkId)
      case 'column.rerank':
        return command.places.some((place) => place.cardId === cardId)
      case 'conflict.resolve': {
        const [kind, id = ''] = command.register.split('/')
        return (kind === 'card' && id === cardId) || owned.has(id)
      }
      default:
        return 'cardId' in command && command.cardId === cardId
    }
  }
}

/** Adds the commands of a page that change the card. Returns the same array if there are none. */
export function addTouching(
  before: readonly ListedCommand[],
  page: readonly ListedCommand[],
  touches: (command: Command) => boolean,
): readonly ListedCommand[] {
  const found = page.filter(({ envelope }) => touches(envelope.command))
  return found.length === 0 ? before : [...before, ...found]
}

/** Describes a command in a few words, with the present titles. */
export function wordsOf(
  command: Command,
  { columns, boards, cards }: Pick<Project, 'columns' | 'boards' | 'cards'>,
): string {
  const column = (id: string): string => columns[id]?.title ?? 'a column'
  const card = (id: string): string => `“${cut(cards[id]?.title ?? 'a card')}”`
  switch (command.type) {
    case 'board.create':
      return `Add the board “${cut(command.title)}”`
    case 'board.update':
      return `Name the board “${cut(command.title)}”`
    case 'board.archive':
      return `${command.archived ? 'Archive' : 'Restore'} the board “${cut(boards[command.boardId]?.title ?? '')}”`
    case 'column.create':
      return `Add the column “${cut(command.title)}”`
    case 'column.update':
      return `Change the column “${cut(column(command.columnId))}”`
    case 'column.archive':
      return `${command.archived ? 'Archive' : 'Restore'} the column “${cut(column(command.columnId))}”`
    case 'column.rerank':
      return `Order ${command.places.length} cards in ${cut(column(command.columnId))}`
    case 'card.create':
      return `Add the card “${cut(command.title)}” to ${cut(column(command.columnId))}`
    case 'card.update':
      return `Change the ${listOf(Object.keys(command).flatMap((name) => MEMBERS[name] ?? []))}`
    case 'card.move':
      return `Move to ${cut(column(command.columnId))}`
    case 'card.archive':
      return `Archive ${card(command.cardId)}`
    case 'card.restore':
      return `Restore ${card(command.cardId)}`
    case 'label.add':
      return `Add the label ${command.name}`
    case 'label.remove':
      return `Remove the label ${command.name}`
    case 'link.add':
      return command.kind === 'url'
        ? 'Link a web address'
        : `Link: ${card(command.from)} ${command.kind} ${card(command.to)}`
    case 'link.remove':
      return 'Remove a link'
    case 'comment.add':
      return 'Comment'
    case 'comment.edit':
      return 'Edit a comment'
    case 'comment.redact':
      return 'Redact a comment'
    case 'claim.acquire':
      return `Claim for ${span(command.leaseMs)}${command.agent === null ? '' : ` as ${cut(command.agent)}`}`
    case 'claim.force':
      return `Take the claim over for ${span(command.leaseMs)}`
    case 'claim.renew':
      return `Renew the claim for ${span(command.leaseMs)}`
    case 'claim.release':
      return 'Release the claim'
    case 'conflict.resolve':
      return `Resolve the conflict about ${aboutOf(command.register)}`
  }
}

const MEMBERS: Readonly<Record<string, string>> = {
  title: 'title',
  bodyHash: 'text',
  priority: 'priority',
  assignee: 'assignee',
}

/** The part of an entity that a register has: `title` for `card/<id>/title`. */
export function aboutOf(register: string): string {
  const name = register.split('/').slice(2).join('/')
  return name === 'bodyHash' ? 'text' : name
}

/** The value of a candidate in words. */
export function valueWords(
  { register, kind }: Pick<Conflict, 'register' | 'kind'>,
  value: unknown,
  project: Project,
): string {
  if (value === null) return 'none'
  if (kind === 'archive_edit' || register.endsWith('/archived'))
    return value === true ? 'archived' : 'kept, with its edits'
  if (typeof value === 'object' && 'columnId' in value) {
    const { columnId, boardId } = value as { columnId: string; boardId: string }
    const board = project.boards[boardId]?.title
    return `${project.columns[columnId]?.title ?? 'a column that is not on this node'}${board == null ? '' : `, ${board}`}`
  }
  if (register.endsWith('/priority')) return PRIORITIES[value as number] ?? String(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The names of priorities; 0 is the most urgent. */
export const PRIORITIES: readonly string[] = ['0, urgent', '1, high', '2, normal', '3, low', '4, some day']

function listOf(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? 'card') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

function span(ms: number): string {
  return ms < 3_600_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 360_000) / 10} h`
}

function cut(text: string): string {
  return text.length > 80 ? `${cutText(text, 79)}…` : text
}
