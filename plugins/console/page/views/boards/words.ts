/** Commands and values of a board in words: with the titles of cards, columns and boards, and without ids. */
import { visible } from '../../lib/format.ts'
import type { Command, Conflict, Place, Project } from './state.ts'

/** The parts of a project that the words need. */
export type Named = Pick<Project, 'columns' | 'boards' | 'cards'> & Partial<Pick<Project, 'conflicts' | 'claims'>>

/** The names of priorities; 0 is the most urgent. */
export const PRIORITIES: readonly string[] = ['0, urgent', '1, high', '2, normal', '3, low', '4, some day']

/** Largest number of characters of a title within a sentence. */
const MAX_TITLE = 80

/**
 * Describes a command in a sentence, with the card. `from` is the place of the card before the command, if it differs
 * from the place in the project.
 */
export function sentenceOf(command: Command, project: Named, from?: Place | null): string {
  const card = (id: string): string => cardTitle(project, id)
  switch (command.type) {
    case 'card.update':
      return `Change ${membersOf(command)} of ${card(command.cardId)}`
    case 'card.move':
      return `Move ${card(command.cardId)} ${wayOf(project, command.cardId, command.columnId, from)}`
    case 'label.add':
      return `Add the label ${cut(command.name)} to ${card(command.cardId)}`
    case 'label.remove':
      return `Remove the label ${cut(command.name)} from ${card(command.cardId)}`
    case 'comment.add':
      return `Comment on ${card(command.cardId)}`
    case 'claim.acquire':
      return `Claim ${card(command.cardId)} for ${span(command.leaseMs)}${command.agent === null ? '' : ` as ${cut(command.agent)}`}`
    case 'claim.force':
      return `Take over the claim on ${card(command.cardId)} for ${span(command.leaseMs)}`
    case 'claim.renew':
      return `Renew the claim on ${card(command.cardId)} for ${span(command.leaseMs)}`
    case 'claim.release':
      return `Release the claim on ${card(command.cardId)}`
    case 'conflict.resolve':
      return `Resolve the conflict about the ${aboutOf(command.register)} of ${entityTitle(project, command.register)}`
    default:
      return wordsOf(command, project, from)
  }
}

/** Describes a command in a few words, as a line in the history of its card. */
export function wordsOf(command: Command, project: Named, from?: Place | null): string {
  const { boards, columns } = project
  const column = (id: string): string => cut(columns[id]?.title ?? 'a column')
  const card = (id: string): string => cardTitle(project, id)
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
      return `Change the column “${column(command.columnId)}”`
    case 'column.archive':
      return `${command.archived ? 'Archive' : 'Restore'} the column “${column(command.columnId)}”`
    case 'column.rerank':
      return `Order ${command.places.length} cards in ${column(command.columnId)}`
    case 'card.create':
      return `Add the card “${cut(command.title)}” to ${column(command.columnId)}`
    case 'card.update':
      return `Change ${membersOf(command)}`
    case 'card.move':
      return `Move ${wayOf(project, command.cardId, command.columnId, from)}`
    case 'card.archive':
      return `Archive ${card(command.cardId)}`
    case 'card.restore':
      return `Restore ${card(command.cardId)}`
    case 'label.add':
      return `Add the label ${cut(command.name)}`
    case 'label.remove':
      return `Remove the label ${cut(command.name)}`
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

/** A line of a confirmation: a text, or the hash of a text that the node stores. */
export interface CommandFact {
  readonly name: string
  readonly text?: string
  readonly hash?: string
}

/**
 * What a command changes, line by line: the card, from where, to where, and each value before and after. `nameOf` names
 * a device.
 */
export function factsOf(command: Command, project: Named, nameOf: (keyId: string) => string): readonly CommandFact[] {
  const { cards, claims = {} } = project
  const line = (name: string, text: string): CommandFact => ({ name, text })
  switch (command.type) {
    case 'card.create':
      return [line('Card', command.title), line('To', placeWords(project, command)), ...memberFacts(command, undefined)]
    case 'card.update': {
      const card = cards[command.cardId]
      return [
        line('Card', card?.title ?? 'a card'),
        ...(command.title === undefined ? [] : [line('New title', command.title)]),
        ...memberFacts(command, card),
      ]
    }
    case 'card.move': {
      const { place = null, title = null } = cards[command.cardId] ?? {}
      return [
        line('Card', title ?? 'a card'),
        line('From', place === null ? 'no column' : placeWords(project, place)),
        line('To', placeWords(project, command)),
      ]
    }
    case 'comment.add':
      return [line('Card', cards[command.cardId]?.title ?? 'a card'), { name: 'Comment', hash: command.bodyHash }]
    case 'claim.force': {
      const { title, claim } = cards[command.cardId] ?? {}
      const holder = claim == null ? undefined : claims[claim]
      return [
        line('Card', title ?? 'a card'),
        ...(holder === undefined ? [] : [line('Taken from', holder.agent ?? nameOf(holder.deviceId))]),
        line('For', span(command.leaseMs)),
      ]
    }
    case 'conflict.resolve':
      return resolutionFacts(command, project)
    default:
      return []
  }
}

type Resolution = Extract<Command, { type: 'conflict.resolve' }>

/** The chosen value of a resolution, and the values that it replaces. */
function resolutionFacts({ register, conflictId, choose }: Resolution, project: Named): readonly CommandFact[] {
  const conflict = project.conflicts?.[conflictId]
  const kind = conflict?.kind ?? 'field'
  const fact = (name: string, value: unknown): CommandFact =>
    register.endsWith('/bodyHash') && typeof value === 'string'
      ? { name, hash: value }
      : { name, text: valueWords({ register, kind }, value, project) }
  const chosen = 'value' in choose ? choose.value : conflict?.candidates.find(({ id }) => id === choose.id)?.value
  const others = (conflict?.candidates ?? []).filter((candidate) => !('id' in choose) || candidate.id !== choose.id)
  return [
    { name: register.startsWith('card/') ? 'Card' : 'Of', text: plainTitle(project, register) },
    fact('Keep', chosen),
    ...others.map(({ value }) => fact('Instead of', value)),
  ]
}

/** The members of a card that a command sets, each with the value before and after. */
function memberFacts(
  { bodyHash, priority, assignee }: Extract<Command, { type: 'card.create' | 'card.update' }>,
  before: Named['cards'][string] | undefined,
): readonly CommandFact[] {
  const change = (from: string | undefined, to: string): string => (from === undefined ? to : `${from} → ${to}`)
  const of = (value: number | null): string => (value === null ? 'none' : (PRIORITIES[value] ?? String(value)))
  return [
    ...(priority === undefined
      ? []
      : [{ name: 'Priority', text: change(before && of(before.priority), of(priority)) }]),
    ...(assignee === undefined
      ? []
      : [{ name: 'Assignee', text: change(before && (before.assignee ?? 'none'), assignee ?? 'none') }]),
    ...(bodyHash === undefined
      ? []
      : [bodyHash === null ? { name: 'Text', text: 'none' } : { name: 'Text', hash: bodyHash }]),
  ]
}

const MEMBERS: Readonly<Record<string, string>> = {
  title: 'title',
  bodyHash: 'text',
  priority: 'priority',
  assignee: 'assignee',
}

function membersOf(command: Command): string {
  return `the ${listOf(Object.keys(command).flatMap((name) => MEMBERS[name] ?? []))}`
}

/** `from To do to Done`, or `within Done`. */
function wayOf(project: Named, cardId: string, columnId: string, from?: Place | null): string {
  const title = (id: string): string => cut(project.columns[id]?.title ?? 'a column')
  const before = from === undefined ? project.cards[cardId]?.place : from
  if (before == null) return `to ${title(columnId)}`
  return before.columnId === columnId
    ? `within ${title(columnId)}`
    : `from ${title(before.columnId)} to ${title(columnId)}`
}

/** A column with its board. */
function placeWords({ columns, boards }: Named, { columnId, boardId }: Omit<Place, 'rank'>): string {
  const board = boards[boardId]?.title
  return `${columns[columnId]?.title ?? 'a column that is not on this node'}${board == null ? '' : `, ${board}`}`
}

/** The part of an entity that a register has: `title` for `card/<id>/title`. */
export function aboutOf(register: string): string {
  const name = register.split('/').slice(2).join('/')
  return name === 'bodyHash' ? 'text' : name
}

/** The title of the entity of a register. */
function plainTitle({ boards, columns, cards }: Named, register: string): string {
  const [kind, id = ''] = register.split('/')
  const of = kind === 'card' ? cards[id] : kind === 'column' ? columns[id] : boards[id]
  return of?.title ?? `a ${kind}`
}

function entityTitle(project: Named, register: string): string {
  return `“${cut(plainTitle(project, register))}”`
}

function cardTitle({ cards }: Named, id: string): string {
  return `“${cut(cards[id]?.title ?? 'a card')}”`
}

/** The value of a candidate in words. */
export function valueWords(
  { register, kind }: Pick<Conflict, 'register' | 'kind'>,
  value: unknown,
  project: Named,
): string {
  if (value === null) return 'none'
  if (kind === 'archive_edit' || register.endsWith('/archived'))
    return value === true ? 'archived' : 'kept, with its edits'
  if (typeof value === 'object' && 'columnId' in value) return placeWords(project, value as Place)
  if (register.endsWith('/priority')) return PRIORITIES[value as number] ?? String(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function listOf(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? 'card') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

function span(ms: number): string {
  if (ms < 60_000) return `${Math.round(ms / 1_000)} s`
  return ms < 3_600_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 360_000) / 10} h`
}

function cut(text: string): string {
  return visible(text, MAX_TITLE)
}
