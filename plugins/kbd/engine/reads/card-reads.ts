/** Reads one card with its comments and links, and the claims of a project. */
import type { Card, CardDetail, Claim, Comment, Link } from '../../api.ts'
import { fail } from '../../errors.ts'
import { firstOf, inGraphOrder } from '../graph/order.ts'
import { numberOf, type ReadingParts } from './read-parts.ts'

/** Reads of cards, comments and claims. */
export interface CardReads {
  /** Throws `entity_not_found`. */
  card(project: string, cardId: string): CardDetail
  comment(project: string, commentId: string): Comment | undefined
  /**
   * The claims in a state at the time `nowMs`, or `all` claims; sorted by cardId, then claimId. A claim whose time has
   * not come is `future`.
   */
  claims(project: string, state: Claim['state'] | 'all', nowMs: number): readonly Claim[]
}

/** Makes the reads of cards. */
export function createCardReads({ graph, claims, statements }: ReadingParts): CardReads {
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
      const past = graph.past(p)
      const created = comments.map((comment) => ({
        comment,
        ...firstOf(past, statements.creations(p, `comment/${comment.commentId}`)),
      }))
      const links = new Set([
        ...statements.belonging(p, 'a', cardId, 'links'),
        ...statements.belonging(p, 'b', cardId, 'links'),
      ])
      return {
        ...card,
        comments: inGraphOrder(past, created, ({ comment }) => comment.commentId).map(({ comment }) => comment),
        links: [...links]
          .map((json) => JSON.parse(json) as Link)
          .sort((one, other) => (one.linkId < other.linkId ? -1 : 1)),
      }
    },
    comment: (project, commentId) => view<Comment>(numberOf(graph, project), 'comments', commentId),
    claims(project, state, nowMs) {
      const p = numberOf(graph, project)
      // A claim is lasting by its times, whether or not a later command about claims of the card has replaced its
      // entries.
      const lasting = new Map(claims.lasting(p, nowMs).map((claim) => [claim.tie + claim.claimId, claim]))
      const over = statements
        .views(p, 'claims')
        .map(([, json]) => JSON.parse(json) as Claim)
        .filter(({ tie, claimId }) => !lasting.has(tie + claimId))
        .map((claim): Claim => (claim.state === 'held' ? { ...claim, state: 'expired' } : claim))
      return [...lasting.values(), ...over]
        .filter((claim) => state === 'all' || claim.state === state)
        .sort((one, other) => (`${one.cardId}${one.claimId}` < `${other.cardId}${other.claimId}` ? -1 : 1))
    },
  }
}
