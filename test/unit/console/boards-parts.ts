/** Projects for tests of the console's boards: a board with two columns. */
import type { Card, Claim, Project } from '../../../plugins/kbd/api.ts'

/** A project with cards. */
export function projectOf({ cards = [] }: { readonly cards?: readonly Card[] }): Project {
  const column = (columnId: string, rank: string) => ({
    columnId,
    boardId: 'board',
    title: columnId,
    rank,
    wipLimit: null,
    archived: false,
  })
  return {
    project: 'demo',
    root: 'f'.repeat(64),
    revision: 1,
    frontier: { heads: ['a'.repeat(64)] },
    headCount: 1,
    boards: {
      old: { boardId: 'old', title: 'Old', archived: true },
      board: { boardId: 'board', title: 'Release', archived: false },
    },
    columns: { c2: column('c2', 'W'), c1: column('c1', 'V') },
    cards: Object.fromEntries(cards.map((card) => [card.cardId, card])),
    claims: {},
    conflicts: {},
    unplaced: [],
  }
}

/** A card of a column. */
export function cardOf(cardId: string, columnId: string, rank: string): Card {
  return {
    cardId,
    title: `Card ${cardId}`,
    bodyHash: null,
    place: { boardId: 'board', columnId, rank },
    priority: null,
    assignee: null,
    archived: false,
    labels: [],
    claim: null,
  }
}

/** A claim that is held. */
export function claimOf(claimId: string, cardId: string, expiresAtMs: number): Claim {
  return {
    claimId,
    cardId,
    deviceId: `ed25519:${'1'.repeat(64)}`,
    agent: null,
    leaseMs: 60_000,
    issuedAtMs: expiresAtMs - 60_000,
    expiresAtMs,
    tie: '0'.repeat(64),
    generation: 1,
    state: 'held',
  }
}
