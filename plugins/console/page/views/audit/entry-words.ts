/** Entries in words: the command with its titles, the device with its label, and a link to what the entry is about. */
import { shortId } from '../../lib/format.ts'
import type { Command, ListedCommand, Project } from '../boards/state.ts'
import { sentenceOf } from '../boards/words.ts'
import type { AuditEntry } from './chain.ts'

/** What the page knows about the projects and devices of the entries. */
export interface EntryContext {
  readonly projects: ReadonlyMap<string, Project>
  /** The commands of all these projects, by id. */
  readonly commands: ReadonlyMap<string, ListedCommand>
  /** The cards of comments, by the id of the comment. */
  readonly cardOfComment: ReadonlyMap<string, string>
  nameOf(keyId: string): string
}

/** An entry in words. */
export interface EntryWords {
  readonly what: string
  readonly who: string
  /** The type of the command, such as `card.move`. */
  readonly type: string | undefined
  /** The address of the card, push or device, within the page. */
  readonly link: { readonly to: string; readonly title: string } | undefined
}

/** Describes an entry. */
export function entryWords(entry: AuditEntry, context: EntryContext): EntryWords {
  const { kind, project, subject, actor, user } = entry
  const who = actor === 'owner' ? (user ?? 'owner') : context.nameOf(actor)
  const of = project === null ? '' : ` of ${project}`
  if (subject === null) return { what: kind, who, type: undefined, link: undefined }
  const listedCommand = context.commands.get(subject)
  if (listedCommand !== undefined && project !== null) {
    const { command } = listedCommand.envelope
    const state = context.projects.get(project)
    const cardId = cardOf(command, context)
    const what = state === undefined ? command.type : sentenceOf(command, state)
    const to = cardId === undefined ? `/boards/${encodeURIComponent(project)}` : cardAddress(project, cardId)
    return {
      what,
      who,
      type: command.type,
      link: { to, title: cardId === undefined ? 'Show the board' : 'Show the card' },
    }
  }
  if (kind === 'push')
    return {
      what: `Push${of}`,
      who,
      type: undefined,
      link: { to: `/pushes/${encodeURIComponent(subject)}`, title: 'Show the push' },
    }
  if (kind === 'enrolment' || kind === 'revocation')
    return {
      what: `${kind === 'enrolment' ? 'Enrol' : 'Revoke'} ${context.nameOf(subject)}`,
      who,
      type: undefined,
      link: { to: '/access', title: 'Show the devices' },
    }
  if (kind === 'peer') return { what: `Peer ${context.nameOf(subject)}`, who, type: undefined, link: undefined }
  if (kind === 'refusal') return { what: `Refused${of}: ${shortId(subject)}`, who, type: undefined, link: undefined }
  return { what: `${kind} ${shortId(subject)}`, who, type: undefined, link: undefined }
}

/** The address of a card within the page. */
function cardAddress(project: string, cardId: string): string {
  return `/boards/${encodeURIComponent(project)}?card=${encodeURIComponent(cardId)}`
}

/** The card that a command is about. */
function cardOf(command: Command, { cardOfComment }: EntryContext): string | undefined {
  if ('cardId' in command) return command.cardId
  if (command.type === 'link.add') return command.from
  if (command.type === 'comment.edit' || command.type === 'comment.redact') return cardOfComment.get(command.commentId)
  if (command.type !== 'conflict.resolve') return undefined
  const [kind, id] = command.register.split('/')
  return kind === 'card' ? id : kind === 'comment' ? cardOfComment.get(id ?? '') : undefined
}
