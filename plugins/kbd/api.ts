/** What boards take and give. */

import type { CommandEnvelope, LinkKind, Place } from '../protocol/commands.ts'
import type { Frontier } from '../protocol/pushes.ts'

export type { Command, CommandEnvelope, LinkKind, Place } from '../protocol/commands.ts'
export type { Frontier } from '../protocol/pushes.ts'

/** A board. An unset register is null, here and below. */
export interface Board {
  readonly boardId: string
  readonly title: string | null
  readonly archived: boolean | null
}

/** A column of a board. */
export interface Column {
  readonly columnId: string
  readonly boardId: string | null
  readonly title: string | null
  readonly rank: string | null
  readonly wipLimit: number | null
  readonly archived: boolean | null
}

/** A card. */
export interface Card {
  readonly cardId: string
  readonly title: string | null
  readonly bodyHash: string | null
  readonly place: Place | null
  readonly priority: number | null
  readonly assignee: string | null
  readonly archived: boolean | null
  /** Ascending. */
  readonly labels: readonly string[]
  /** The id of the claim in force, expired or not. */
  readonly claim: string | null
}

/** A comment; a redacted one has no body. */
export interface Comment {
  readonly commentId: string
  readonly cardId: string | null
  readonly bodyHash: string | null
  readonly redacted: boolean
  /** Of the command that added it: the first of several. */
  readonly issuedAtMs: number
  readonly deviceId: string
}

/** A link from a card to a card or a web address. */
export interface Link {
  readonly linkId: string
  readonly from: string | null
  readonly to: string | null
  readonly kind: LinkKind | null
}

/** A card with what only its own page shows. */
export interface CardDetail extends Card {
  /** By issuedAtMs, then id. */
  readonly comments: readonly Comment[]
  readonly links: readonly Link[]
}

/** A claim on a card. In a project `state` is never `expired`: time is judged by whoever reads. */
export interface Claim {
  readonly claimId: string
  readonly cardId: string
  readonly deviceId: string
  readonly agent: string | null
  readonly leaseMs: number
  readonly expiresAtMs: number
  readonly tie: string
  readonly generation: number
  readonly state: 'held' | 'released' | 'void' | 'expired'
}

/** Who holds a card. */
export type Holder = Pick<Claim, 'claimId' | 'deviceId' | 'agent' | 'expiresAtMs'>

/** Values of one register that differ, or an archived thing that was edited meanwhile. */
export interface Conflict {
  readonly conflictId: string
  readonly kind: 'field' | 'place' | 'claim' | 'archive_edit'
  readonly entity: { readonly type: string; readonly id: string }
  readonly register: string
  readonly candidates: readonly {
    readonly id: string
    readonly value: unknown
    readonly deviceId: string
    readonly issuedAtMs: number
  }[]
  /** The id of the candidate whose value is shown. */
  readonly shown: string
}

/** Where a project stands. */
export interface Standing {
  readonly frontier: Frontier
  readonly headCount: number
  readonly revision: number
}

/** A project as it stands. */
export interface Project extends Standing {
  readonly project: string
  /** The id of the first command; null where there is none. */
  readonly root: string | null
  readonly boards: Readonly<Record<string, Board>>
  readonly columns: Readonly<Record<string, Column>>
  readonly cards: Readonly<Record<string, Card>>
  readonly claims: Readonly<Record<string, Claim>>
  readonly conflicts: Readonly<Record<string, Conflict>>
  /** Ids of cards whose board or column is missing or archived, ascending. */
  readonly unplaced: readonly string[]
}

/** One member of a project's maps that a command changed; null where it is gone. */
export interface Change {
  readonly map: 'boards' | 'columns' | 'cards' | 'claims' | 'conflicts' | 'comments' | 'links'
  readonly id: string
  /** The new value as JSON. */
  readonly json: string | null
}

/** What a command did, and where the project stood right after it. */
export interface Applied extends Standing {
  readonly project: string
  readonly id: string
  readonly envelope: CommandEnvelope
  readonly changes: readonly Change[]
  /** Ids of conflicts that this command opened. */
  readonly opened: readonly string[]
  /** False where the command meant nothing where it stands: it is kept and wrote nothing. */
  readonly effective: boolean
  /** The device had not seen a command of its own. */
  readonly forked: boolean
  /** `unplaced` may have changed. */
  readonly placing: boolean
}

/** A command as the list shows it. */
export interface ListedCommand {
  readonly id: string
  readonly envelope: CommandEnvelope
}
