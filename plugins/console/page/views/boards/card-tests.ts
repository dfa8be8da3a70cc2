/** Which cards the board shows. */
import { heldClaim, matcher } from './arrange.ts'
import type { Card, Conflict, Project } from './state.ts'

/** The choices of the reader. An empty text means no restriction. */
export interface CardFilter {
  /** Words in titles, labels and texts. */
  readonly q: string
  readonly label: string
  readonly assignee: string
  /** The key of the device that holds the card, or `any`. */
  readonly holder: string
  /** `yes` for the cards in conflict. */
  readonly conflict: string
}

/** The members of a filter, which are their names in the address. */
export const NAMES: readonly (keyof CardFilter)[] = ['q', 'label', 'assignee', 'holder', 'conflict']

/** Whether a filter has a restriction. */
export function isNarrow(filter: CardFilter): boolean {
  return NAMES.some((name) => filter[name].trim() !== '')
}

/** What the filter needs besides the card. */
export interface FilterContext {
  readonly project: Project
  /** The ids of the cards in whose texts the service has found the words. */
  readonly hitCardIds: ReadonlySet<string>
  readonly conflicted: ReadonlyMap<string, readonly Conflict[]>
  readonly nowMs: number
}

/** Returns a function that tests whether a card is shown; undefined for a filter without a restriction. */
export function testOf(
  filter: CardFilter,
  { project, hitCardIds, conflicted, nowMs }: FilterContext,
): ((card: Card) => boolean) | undefined {
  if (!isNarrow(filter)) return undefined
  const hasWords = matcher(filter.q, hitCardIds)
  return (card) => {
    if (filter.label !== '' && !card.labels.includes(filter.label)) return false
    if (filter.assignee !== '' && card.assignee !== filter.assignee) return false
    if (filter.conflict !== '' && !conflicted.has(card.cardId)) return false
    if (filter.holder !== '') {
      const deviceId = heldClaim(project, card, nowMs)?.deviceId
      if (deviceId === undefined || (filter.holder !== 'any' && deviceId !== filter.holder)) return false
    }
    return hasWords === undefined || hasWords(card)
  }
}

/** The values that the cards of a board have, for the lists of choices. */
export interface FilterChoices {
  readonly labels: readonly string[]
  readonly assignees: readonly string[]
  readonly holders: readonly string[]
}

/** The labels, assignees and holders of the cards of a board that are not archived, each in order. */
export function choicesOf(project: Project, boardId: string, nowMs: number): FilterChoices {
  const labels = new Set<string>()
  const assignees = new Set<string>()
  const holders = new Set<string>()
  for (const card of Object.values(project.cards)) {
    if (card.place?.boardId !== boardId || card.archived === true) continue
    for (const label of card.labels) labels.add(label)
    if (card.assignee !== null) assignees.add(card.assignee)
    const claim = card.claim === null ? undefined : heldClaim(project, card, nowMs)
    if (claim !== undefined) holders.add(claim.deviceId)
  }
  return { labels: [...labels].sort(), assignees: [...assignees].sort(), holders: [...holders].sort() }
}
