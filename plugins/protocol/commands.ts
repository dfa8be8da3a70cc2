/** The types of commands, which a device signs to change a board. */
import type { Frontier } from './pushes.ts'

/** The position of a card. */
export interface Place {
  readonly boardId: string
  readonly columnId: string
  readonly rank: string
}

/** The optional members of a card; null clears a member. */
export interface CardParts {
  readonly bodyHash?: string | null
  readonly priority?: number | null
  readonly assignee?: string | null
}

/** The kind of a link. Its target is another card, or a web address for `url`. */
export type LinkKind = 'blocks' | 'relates' | 'duplicates' | 'url'

/** The command in an envelope. */
export type Command =
  | { readonly type: 'board.create' | 'board.update'; readonly boardId: string; readonly title: string }
  | { readonly type: 'board.archive'; readonly boardId: string; readonly archived: boolean }
  | {
      readonly type: 'column.create'
      readonly columnId: string
      readonly boardId: string
      readonly title: string
      readonly rank: string
      readonly wipLimit?: number | null
    }
  | {
      readonly type: 'column.update'
      readonly columnId: string
      readonly title?: string
      readonly rank?: string
      readonly wipLimit?: number | null
    }
  | { readonly type: 'column.archive'; readonly columnId: string; readonly archived: boolean }
  | {
      readonly type: 'column.rerank'
      readonly columnId: string
      readonly places: readonly { readonly cardId: string; readonly rank: string }[]
    }
  | ({ readonly type: 'card.create'; readonly cardId: string; readonly title: string } & Place & CardParts)
  | ({ readonly type: 'card.update'; readonly cardId: string; readonly title?: string } & CardParts)
  | ({ readonly type: 'card.move'; readonly cardId: string } & Place)
  | { readonly type: 'card.archive' | 'card.restore'; readonly cardId: string }
  | { readonly type: 'label.add' | 'label.remove'; readonly cardId: string; readonly name: string }
  | {
      readonly type: 'link.add'
      readonly linkId: string
      readonly from: string
      readonly to: string
      readonly kind: LinkKind
    }
  | { readonly type: 'link.remove'; readonly linkId: string }
  | { readonly type: 'comment.add'; readonly commentId: string; readonly cardId: string; readonly bodyHash: string }
  | { readonly type: 'comment.edit'; readonly commentId: string; readonly bodyHash: string }
  | { readonly type: 'comment.redact'; readonly commentId: string }
  | {
      readonly type: 'claim.acquire' | 'claim.force'
      readonly claimId: string
      readonly cardId: string
      readonly agent: string | null
      readonly leaseMs: number
    }
  | { readonly type: 'claim.renew'; readonly claimId: string; readonly cardId: string; readonly leaseMs: number }
  | { readonly type: 'claim.release'; readonly claimId: string; readonly cardId: string }
  | {
      readonly type: 'conflict.resolve'
      readonly conflictId: string
      readonly register: string
      readonly candidates: readonly string[]
      readonly choose: { readonly id: string } | { readonly value: unknown }
    }

/** The body of `POST …/commands`: a command that its author has signed. */
export interface CommandEnvelope {
  readonly schemaVersion: '2'
  /** A UUID; compared in lower case. */
  readonly commandId: string
  readonly domain: string
  /** The parents of the command: the heads that the author had seen. */
  readonly expectedFrontier: Frontier
  readonly concurrency: 'strict' | 'merge'
  readonly command: Command
  /** Unix time in milliseconds. */
  readonly issuedAtMs: number
  readonly signerKeyId: string
  /** Standard base64 of 64 bytes, over the RFC 8785 form of all other members. */
  readonly signature: string
}
