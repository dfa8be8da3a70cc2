/** The history of a card: finds its commands, and the place of the card before each of them. */
import type { Command, ListedCommand, Place } from '../state.ts'

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
  const commands = page.filter(({ envelope }) => touches(envelope.command))
  return commands.length === 0 ? before : [...before, ...commands]
}

/** The place of a card before each of its moves, by the id of the command. `commands` is in the order of the graph. */
export function placesBefore(cardId: string, commands: readonly ListedCommand[]): ReadonlyMap<string, Place | null> {
  const places = new Map<string, Place | null>()
  let place = null as Place | null
  for (const { id, envelope } of commands) {
    const { command } = envelope
    if (command.type === 'card.move') places.set(id, place)
    if ((command.type === 'card.create' || command.type === 'card.move') && command.cardId === cardId)
      place = { boardId: command.boardId, columnId: command.columnId, rank: command.rank }
    else if (command.type === 'column.rerank' && place !== null) place = { ...place, columnId: command.columnId }
  }
  return places
}
