/** Shows entities as one JSON text each, so that a read of a project only joins texts. */
import type { Board, Card, Change, Column, Comment, Link } from '../../api.ts'
import { firstOf } from '../graph/order.ts'
import type { Past } from '../graph/past.ts'
import { CREATED, type EntityEntries, shown } from './registers.ts'
import type { View } from './statements.ts'

const MAPS: Readonly<Record<string, Change['map']>> = {
  board: 'boards',
  column: 'columns',
  card: 'cards',
  comment: 'comments',
  link: 'links',
}

/** The map that an entity is shown in, and its id there. */
export function mapOf(entity: string): { readonly map: Change['map']; readonly id: string } {
  const slash = entity.indexOf('/')
  return { map: MAPS[entity.slice(0, slash)]!, id: entity.slice(slash + 1) }
}

/** The row that shows an entity; undefined before its first creation. `claim` is the id of the claim in force. */
export function render(past: Past, entries: EntityEntries, claim: string | null): View | undefined {
  const created = entries.byName.get(CREATED)
  if (created === undefined) return undefined
  const { map, id } = mapOf(entries.entity)
  const { nodeAt } = past
  const value = <T>(name: string): T | null => shown(entries, name, nodeAt) as T | null
  const archived = value<boolean>('archived')
  const view = (body: object, a: string | null, b: string | null): View => ({
    map,
    id,
    json: JSON.stringify(body),
    archived: archived === true,
    a,
    b,
  })
  switch (map) {
    case 'boards': {
      const board: Board = { boardId: id, title: value('title'), archived }
      return view(board, null, null)
    }
    case 'columns': {
      const boardId = value<string>('boardId')
      const column: Column = {
        columnId: id,
        boardId,
        title: value('title'),
        rank: value('rank'),
        wipLimit: value('wipLimit'),
        archived,
      }
      return view(column, boardId, null)
    }
    case 'cards': {
      const card: Card = {
        cardId: id,
        title: value('title'),
        bodyHash: value('bodyHash'),
        place: value('place'),
        priority: value('priority'),
        assignee: value('assignee'),
        archived,
        labels: [...entries.byName.keys()]
          .filter((name) => name.startsWith('label/') && value<boolean>(name) === true)
          .map((name) => name.slice(6))
          .sort(),
        claim,
      }
      return view(card, card.place?.boardId ?? null, card.place?.columnId ?? null)
    }
    case 'comments': {
      const first = firstOf(
        past,
        created.map(({ pos }) => pos),
      )
      const redacted = value<boolean>('redacted') === true
      const comment: Comment = {
        commentId: id,
        cardId: value('cardId'),
        bodyHash: redacted ? null : value('bodyHash'),
        redacted,
        issuedAtMs: first.issuedAtMs,
        deviceId: first.signer,
      }
      return view(comment, comment.cardId, null)
    }
    default: {
      const link = value<Omit<Link, 'linkId'>>('link')
      const { from = null, to = null, kind = null } = link ?? {}
      const body: Link = { linkId: id, from, to, kind }
      return { ...view(body, from, to), archived: value<boolean>('removed') === true }
    }
  }
}
