/** Reads one card with its comments and links, and the claims of a project. */
import type { Card, CardDetail, Claim, Comment, Link } from '../../api.ts'
import { fail } from '../../errors.ts'
import { numberOf, type ReadingParts } from './read-parts.ts'

/** Reads of cards, comments and claims. */
export interface CardReads {
  /** Throws `entity_not_found`. */
  card(project: string, cardId: string): CardDetail
  comment(project: string, commentId: string): Comment | undefined
  /** The claims in a state at the time `nowMs`, or `all` claims; sorted by cardId, then claimId. */
  claims(project: string, state: Claim['state'] | 'all', nowMs: number): readonly Claim[]
}

/** Makes the reads of cards. */
export function createCardReads({ graph, statements }: ReadingParts): CardReads {
  const view = <T>(p: number, map: string, id: string): T | undefined => {
    const json = statements.view(p, map, id)
    return json === undefined ? undefined : (JSON.parse(json) as T)
  }
  return {
    card(project, cardId) {
      const p = numberOf(graph, project)
      const card = view<Card>(p, 'cards', cardId)
      if (card === undefined) throw fail('entity_not_found')
      const comments = statements.belonging(p, 'a', cardId, 'comments').map((json) => JSON.parse(json) as Comment)
      const links = new Set([
        ...statements.belonging(p, 'a', cardId, 'links'),
        ...statements.belonging(p, 'b', cardId, 'links'),
      ])
      return {
        ...card,
        comments: comments.sort(byTime),
        links: [...links]
          .map((json) => JSON.parse(json) as Link)
          .sort((one, other) => (one.linkId < other.linkId ? -1 : 1)),
      }
    },
    comment: (project, commentId) => view<Comment>(numberOf(graph, project), 'comments', commentId),
    claims: (project, state, nowMs) =>
      statements
        .views(numberOf(graph, project), 'claims')
        .map(([, json]) => judgeClaim(JSON.parse(json) as Claim, nowMs))
        .filter((claim) => state === 'all' || claim.state === state)
        .sort((one, other) => (`${one.cardId}${one.claimId}` < `${other.cardId}${other.claimId}` ? -1 : 1)),
  }
}

/** By the time of issue, then by id. */
function byTime(one: Comment, other: Comment): number {
  if (one.issuedAtMs !== other.issuedAtMs) return one.issuedAtMs - other.issuedAtMs
  return one.commentId < other.commentId ? -1 : 1
}

/** The claim with its state at the time `nowMs`. Stored claims are never `expired`. */
function judgeClaim(claim: Claim, nowMs: number): Claim {
  return claim.state === 'held' && nowMs >= claim.expiresAtMs ? { ...claim, state: 'expired' } : claim
}
