/** The content of commands: their form, the registers that they write, and the entities that they name. */
import type { Command } from '../../api.ts'
import { type Codecs, hashOf } from '../codecs.ts'
import { COMMAND_FORMS, REGISTER_FORMS, uuid } from './fields.ts'

/** One write: a register of an entity gets a value. */
export interface Write {
  /** `<kind>/<uuid>`. */
  readonly entity: string
  /** The register's name within the entity. */
  readonly name: string
  readonly value: unknown
}

/** An entity that a command names. */
export interface Mention {
  readonly entity: string
  /** The command creates it. */
  readonly created?: boolean
}

/** A register: `<kind>/<uuid>/<name>`. */
export interface Register {
  readonly kind: string
  /** `<kind>/<uuid>`. */
  readonly entity: string
  readonly name: string
}

/** Splits the text of a register. Returns undefined if the text is no register of an entity. */
function splitRegister(register: string): Register | undefined {
  const [kind, id, ...rest] = register.split('/')
  if (kind === undefined || rest.length === 0 || uuid(id, '') !== undefined) return undefined
  return { kind, entity: `${kind}/${id}`, name: rest.join('/') }
}

/** The register of a command whose form was checked. @throws Error if the text is no register of an entity */
export function registerOf({ register }: { readonly register: string }): Register {
  const parts = splitRegister(register)
  if (parts === undefined) throw new Error(`${register} is no register of an entity.`)
  return parts
}

/** The id of a conflict: a hash of the register and the ids of the candidates, ascending. */
export function conflictIdOf(codecs: Codecs, register: string, ids: readonly string[]): string {
  return hashOf(codecs, [register, ids])
}

/**
 * Check 16: returns the first invalid member, as a JSON Pointer from the envelope; undefined if the command is valid.
 */
export function findInvalid(command: Readonly<Record<string, unknown>>, codecs: Codecs): string | undefined {
  const { type } = command
  const form = typeof type === 'string' && Object.hasOwn(COMMAND_FORMS, type) ? COMMAND_FORMS[type] : undefined
  if (form === undefined) return '/command/type'
  const misfit = form(command, '/command')
  if (misfit !== undefined || type !== 'conflict.resolve') return misfit
  return invalidResolution(command as Extract<Command, { type: 'conflict.resolve' }>, codecs)
}

function invalidResolution(
  { conflictId, register, candidates, choose }: Extract<Command, { type: 'conflict.resolve' }>,
  codecs: Codecs,
): string | undefined {
  const parts = typeof register === 'string' ? splitRegister(register) : undefined
  const key = `${parts?.kind}/${parts?.name}`
  const form = Object.hasOwn(REGISTER_FORMS, key) ? REGISTER_FORMS[key] : undefined
  if (parts === undefined || form === undefined) return '/command/register'
  if (conflictId !== conflictIdOf(codecs, register, candidates)) return '/command/conflictId'
  if ('id' in choose) return candidates.includes(choose.id) ? undefined : '/command/choose/id'
  return form(choose.value, '/command/choose/value')
}

/** The hash of the text that a command itself names. Returns undefined if the command names no text. */
export function namedText(command: Command): string | undefined {
  const { bodyHash } = command as { readonly bodyHash?: string | null }
  if (typeof bodyHash === 'string') return bodyHash
  if (command.type !== 'conflict.resolve' || !('value' in command.choose)) return undefined
  const { value } = command.choose
  return splitRegister(command.register)?.name === 'bodyHash' && typeof value === 'string' ? value : undefined
}

/** The project of `kbd-control:<project>`. */
export function projectOf(domain: string): string {
  return domain.slice(domain.indexOf(':') + 1)
}

/**
 * The writes of a command. claims.ts makes the writes of claims. `derived` is the value that derive.ts returns: the
 * board of a reranked column, or the value that a resolution chooses. A rerank or a resolution writes nothing if
 * `derived` is undefined.
 */
export function writesOf(command: Command, derived: unknown): readonly Write[] {
  const kind = command.type.slice(0, command.type.indexOf('.'))
  const members = command as unknown as Readonly<Record<string, unknown>>
  const entity = `${kind}/${members[`${kind}Id`] as string}`
  const write = (name: string, value: unknown): Write => ({ entity, name, value })
  const memberWrites = (...names: readonly string[]): Write[] =>
    names.filter((name) => Object.hasOwn(members, name)).map((name) => write(name, members[name]))
  switch (command.type) {
    case 'board.create':
    case 'column.create':
      return [
        ...memberWrites(...(kind === 'column' ? ['boardId'] : []), 'title', 'rank', 'wipLimit'),
        write('archived', false),
      ]
    case 'board.update':
    case 'column.update':
    case 'board.archive':
    case 'column.archive':
      return memberWrites('title', 'rank', 'wipLimit', 'archived')
    case 'column.rerank':
      if (derived === undefined) return []
      return command.places.map(({ cardId, rank }) => ({
        entity: `card/${cardId}`,
        name: 'place',
        value: { boardId: derived, columnId: command.columnId, rank },
      }))
    case 'card.create':
      return [write('place', placeOf(command)), ...cardParts(memberWrites), write('archived', false)]
    case 'card.update':
      return cardParts(memberWrites)
    case 'card.move':
      return [write('place', placeOf(command))]
    case 'card.archive':
    case 'card.restore':
      return [write('archived', command.type === 'card.archive')]
    case 'label.add':
    case 'label.remove':
      return [{ entity: `card/${command.cardId}`, name: `label/${command.name}`, value: command.type === 'label.add' }]
    case 'link.add': {
      const { from, to, kind: linkKind } = command
      return [write('link', { from, to, kind: linkKind }), write('removed', false)]
    }
    case 'link.remove':
      return [write('removed', true)]
    case 'comment.add':
      return [...memberWrites('cardId', 'bodyHash'), write('redacted', false)]
    case 'comment.edit':
      return memberWrites('bodyHash')
    case 'comment.redact':
      return [write('redacted', true)]
    case 'conflict.resolve': {
      const { entity: resolved, name } = registerOf(command)
      return derived === undefined ? [] : [{ entity: resolved, name, value: derived }]
    }
    default:
      return []
  }
}

/**
 * The value that a command gives a register, as a candidate of a conflict. Returns undefined if the command gives none.
 * In a conflict between an archiving and concurrent edits, each edit is a candidate with the value false: not archived.
 */
export function candidateValue(command: Command, derived: unknown, entity: string, name: string): unknown {
  const writes = writesOf(command, derived).filter((write) => write.entity === entity)
  const ownWrite = writes.find((write) => write.name === name)
  if (ownWrite !== undefined) return ownWrite.value
  return name === 'archived' && writes.length > 0 && isArchivable(entity) ? false : undefined
}

/** Whether an entity can be archived, so that a concurrent edit conflicts with its archiving. */
export function isArchivable(entity: string): boolean {
  return !entity.startsWith('comment/') && !entity.startsWith('link/')
}

/** The entities that a command names: those that must exist, and the one that the command creates. */
export function mentionsOf(command: Command): readonly Mention[] {
  const of = (kind: string, id: string, created = false): Mention => ({ entity: `${kind}/${id}`, created })
  switch (command.type) {
    case 'board.create':
      return [of('board', command.boardId, true)]
    case 'board.update':
    case 'board.archive':
      return [of('board', command.boardId)]
    case 'column.create':
      return [of('board', command.boardId), of('column', command.columnId, true)]
    case 'column.update':
    case 'column.archive':
      return [of('column', command.columnId)]
    case 'column.rerank':
      return [of('column', command.columnId), ...command.places.map(({ cardId }) => of('card', cardId))]
    case 'card.create':
    case 'card.move':
      return [
        of('board', command.boardId),
        of('column', command.columnId),
        of('card', command.cardId, command.type === 'card.create'),
      ]
    case 'link.add':
      return [
        of('card', command.from),
        ...(command.kind === 'url' ? [] : [of('card', command.to)]),
        of('link', command.linkId, true),
      ]
    case 'link.remove':
      return [of('link', command.linkId)]
    case 'comment.add':
      return [of('card', command.cardId), of('comment', command.commentId, true)]
    case 'comment.edit':
    case 'comment.redact':
      return [of('comment', command.commentId)]
    case 'conflict.resolve':
      return []
    default:
      return [of('card', command.cardId)]
  }
}

/**
 * The cards that a command moves, edits, labels, archives or restores. Comments, links and resolutions of conflicts
 * are not counted.
 */
export function changedCards(command: Command): readonly string[] {
  if (!/^(?:card|label|column)\./.test(command.type)) return []
  return mentionsOf(command).flatMap(({ entity }) => (entity.startsWith('card/') ? entity.slice('card/'.length) : []))
}

/** The entity that a command creates. Returns undefined if the command creates none. */
export function createdBy(command: Command): string | undefined {
  return mentionsOf(command).find(({ created }) => created)?.entity
}

function placeOf({ boardId, columnId, rank }: { boardId: string; columnId: string; rank: string }): unknown {
  return { boardId, columnId, rank }
}

function cardParts(memberWrites: (...names: readonly string[]) => Write[]): Write[] {
  return memberWrites('title', 'bodyHash', 'priority', 'assignee')
}
