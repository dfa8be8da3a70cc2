/** The commands that take a change back. */
import type { Card, Command, Project } from '../state.ts'

/** Shortest lease that the service accepts, in milliseconds. */
const MIN_LEASE_MS = 10_000

/** What computing an inverse needs besides the commands. */
export interface InverseContext {
  /** The project before the commands. */
  readonly before: Project
  readonly nowMs: number
  newId(): string
}

/**
 * The commands that take the commands back, in their order. Returns undefined if one of the commands has no inverse.
 * What belongs to an entity that the commands create goes with this entity.
 */
export function inverseOf(commands: readonly Command[], context: InverseContext): readonly Command[] | undefined {
  const created = new Set(commands.flatMap((command) => createdBy(command) ?? []))
  const inverse: Command[] = []
  for (const command of commands.toReversed()) {
    const owner = ownerOf(command)
    if (owner !== undefined && created.has(owner)) continue
    const back = inverseOfOne(command, context)
    if (back === undefined) return undefined
    inverse.push(...back)
  }
  return inverse
}

/** The id of the entity that a command creates. */
function createdBy(command: Command): string | undefined {
  if (command.type === 'board.create') return command.boardId
  if (command.type === 'card.create') return command.cardId
  return undefined
}

/** The entity that a command adds something to. */
function ownerOf(command: Command): string | undefined {
  if (command.type === 'column.create') return command.boardId
  return command.type === 'label.add' || command.type === 'comment.add' ? command.cardId : undefined
}

function inverseOfOne(command: Command, { before, nowMs, newId }: InverseContext): readonly Command[] | undefined {
  switch (command.type) {
    case 'board.create':
      return [{ type: 'board.archive', boardId: command.boardId, archived: true }]
    case 'column.create':
      return [{ type: 'column.archive', columnId: command.columnId, archived: true }]
    case 'board.archive':
    case 'column.archive':
      return [{ ...command, archived: !command.archived }]
    case 'card.create':
    case 'card.restore':
      return [{ type: 'card.archive', cardId: command.cardId }]
    case 'card.archive':
      return [{ type: 'card.restore', cardId: command.cardId }]
    case 'card.update':
      return inverseOfUpdate(command, before.cards[command.cardId])
    case 'card.move':
      return backToPlace(before.cards[command.cardId])
    case 'column.rerank':
      return inverseOfRerank(command, before)
    case 'label.add':
      return [{ ...command, type: 'label.remove' }]
    case 'label.remove':
      return [{ ...command, type: 'label.add' }]
    case 'comment.add':
      return [{ type: 'comment.redact', commentId: command.commentId }]
    case 'claim.acquire':
      return [{ type: 'claim.release', claimId: command.claimId, cardId: command.cardId }]
    case 'claim.release': {
      const claim = before.claims[command.claimId]
      if (claim === undefined) return undefined
      const leaseMs = Math.max(MIN_LEASE_MS, claim.expiresAtMs - nowMs)
      return [{ type: 'claim.acquire', claimId: newId(), cardId: command.cardId, agent: claim.agent, leaseMs }]
    }
    default:
      return undefined
  }
}

type Update = Extract<Command, { type: 'card.update' }>

function inverseOfUpdate(command: Update, card: Card | undefined): readonly Command[] | undefined {
  if (card === undefined) return undefined
  const { title } = card
  // A title cannot be removed.
  if (command.title !== undefined && title === null) return undefined
  return [
    {
      type: 'card.update',
      cardId: command.cardId,
      ...(command.title !== undefined && title !== null && { title }),
      ...(command.bodyHash !== undefined && { bodyHash: card.bodyHash }),
      ...(command.priority !== undefined && { priority: card.priority }),
      ...(command.assignee !== undefined && { assignee: card.assignee }),
    },
  ]
}

function backToPlace(card: Card | undefined): readonly Command[] | undefined {
  if (card === undefined || card.place === null) return undefined
  return [{ type: 'card.move', cardId: card.cardId, ...card.place }]
}

type Rerank = Extract<Command, { type: 'column.rerank' }>

/** Gives each card of the column its rank before, and moves a card from another column back. */
function inverseOfRerank({ columnId, places }: Rerank, { cards }: Project): readonly Command[] | undefined {
  const moved = places.map(({ cardId }) => cards[cardId])
  const within = moved.flatMap((card) =>
    card?.place?.columnId === columnId ? [{ cardId: card.cardId, rank: card.place.rank }] : [],
  )
  const back = moved.filter((card) => card?.place?.columnId !== columnId).map(backToPlace)
  if (back.includes(undefined)) return undefined
  return [
    ...back.flatMap((commands) => commands ?? []),
    ...(within.length === 0 ? [] : [{ type: 'column.rerank', columnId, places: within } as const]),
  ]
}

/** Whether the project still has what the commands wrote, so that their inverse overwrites no later change. */
export function isUntouched(commands: readonly Command[], project: Project): boolean {
  return commands.every((command) => stands(command, commands, project))
}

function stands(command: Command, all: readonly Command[], { boards, columns, cards }: Project): boolean {
  switch (command.type) {
    case 'board.create': {
      const board = boards[command.boardId]
      return board !== undefined && board.archived !== true && board.title === command.title
    }
    case 'column.create':
      // The cards of a column would be archived with it.
      return Object.values(cards).every((card) => card.place?.columnId !== command.columnId)
    case 'board.archive':
      return (boards[command.boardId]?.archived === true) === command.archived
    case 'column.archive':
      return (columns[command.columnId]?.archived === true) === command.archived
    case 'card.archive':
      return cards[command.cardId]?.archived === true
    case 'card.create': {
      const card = cards[command.cardId]
      if (card === undefined || card.archived === true || card.claim !== null) return false
      const labels = all.flatMap((other) => (other.type === 'label.add' ? other.name : []))
      return (
        isAt(card, command.columnId, command.rank) &&
        FIELDS.every((name) => (command[name] ?? null) === card[name]) &&
        card.labels.every((label) => labels.includes(label))
      )
    }
    case 'card.restore':
      return cards[command.cardId]?.archived !== true
    case 'card.update': {
      const card = cards[command.cardId]
      return FIELDS.every((name) => command[name] === undefined || command[name] === card?.[name])
    }
    case 'card.move':
      return isAt(cards[command.cardId], command.columnId, command.rank)
    case 'column.rerank':
      return command.places.every(({ cardId, rank }) => isAt(cards[cardId], command.columnId, rank))
    case 'label.add':
      return cards[command.cardId]?.labels.includes(command.name) === true
    case 'label.remove':
      return cards[command.cardId]?.labels.includes(command.name) === false
    case 'claim.acquire':
      return cards[command.cardId]?.claim === command.claimId
    case 'claim.release':
      return cards[command.cardId]?.claim === null
    default:
      return true
  }
}

/** The members of a card that a command writes by their name. */
const FIELDS = ['title', 'bodyHash', 'priority', 'assignee'] as const

function isAt(card: Card | undefined, columnId: string, rank: string): boolean {
  return card?.place?.columnId === columnId && card.place.rank === rank
}
