/** The searched parts of boards, columns, cards and comments. */
import type { Board, Card, Column, Comment } from '../api.ts'
import type { Thing } from './statements.ts'

/** The thing of a change; undefined for maps that are not searched. The labels of a card are part of its title. */
export function toThing(map: string, id: string, json: string): Thing | undefined {
  switch (map) {
    case 'boards':
      return { kind: 'board', id, title: (JSON.parse(json) as Board).title ?? '', hash: null }
    case 'columns':
      return { kind: 'column', id, title: (JSON.parse(json) as Column).title ?? '', hash: null }
    case 'cards': {
      const { title, labels, bodyHash } = JSON.parse(json) as Card
      return { kind: 'card', id, title: [title ?? '', ...labels].join('\n'), hash: bodyHash }
    }
    case 'comments':
      return { kind: 'comment', id, title: '', hash: (JSON.parse(json) as Comment).bodyHash }
    default:
      return undefined
  }
}
