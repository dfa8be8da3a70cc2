/** The types of boards. */

import type { CommandEnvelope, LinkKind, Place } from '../protocol/commands.ts'
import type { Frontier } from '../protocol/pushes.ts'

export type { Command, CommandEnvelope, LinkKind, Place } from '../protocol/commands.ts'
export type { Frontier } from '../protocol/pushes.ts'

/** A board. An unset register is null, as in the types below. */
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
  /** The time of the first command in graph order that added the comment. `deviceId` is the device of that command. */
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

/** A card with its comments and links. */
export interface CardDetail extends Card {
  /** In graph order; concurrent ones by issuedAtMs, then by id. */
  readonly comments: readonly Comment[]
  readonly links: readonly Link[]
}

/**
 * A claim on a card. In a `Project`, `state` is never `expired` or `future`: a reader compares `issuedAtMs` and
 * `expiresAtMs` with its own clock. A claim counts from 30 s before `issuedAtMs` on.
 */
export interface Claim {
  readonly claimId: string
  readonly cardId: string
  readonly deviceId: string
  readonly agent: string | null
  readonly leaseMs: number
  /** The time of the entry by which the claim is shown: its acquire or force, a renewal, or its release. */
  readonly issuedAtMs: number
  readonly expiresAtMs: number
  readonly tie: string
  readonly generation: number
  readonly state: 'held' | 'released' | 'void' | 'expired' | 'future'
}

/** The holder of a card. */
export type Holder = Pick<Claim, 'claimId' | 'deviceId' | 'agent' | 'expiresAtMs'>

/** Concurrent values of one register that differ, or edits that are concurrent with an archiving. */
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

/**
 * The standing of a project: its frontier and its revision, the number of its commands. `frontier` names at most 64
 * heads.
 */
export interface Standing {
  readonly frontier: Frontier
  readonly headCount: number
  readonly revision: number
}

/** The state of a project. */
export interface Project extends Standing {
  readonly project: string
  /** The id of the first command; null if there is none. */
  readonly root: string | null
  readonly boards: Readonly<Record<string, Board>>
  readonly columns: Readonly<Record<string, Column>>
  readonly cards: Readonly<Record<string, Card>>
  readonly claims: Readonly<Record<string, Claim>>
  readonly conflicts: Readonly<Record<string, Conflict>>
  /** Ids of cards whose board or column is missing or archived, ascending. */
  readonly unplaced: readonly string[]
}

/** One member of a project's maps that a command changed. */
export interface Change {
  readonly map: 'boards' | 'columns' | 'cards' | 'claims' | 'conflicts' | 'comments' | 'links'
  readonly id: string
  /** The new value as JSON; null if the member was removed. */
  readonly json: string | null
}

/** The changes of a command, and the standing of the project right after the command. */
export interface Applied extends Standing {
  readonly project: string
  readonly id: string
  readonly envelope: CommandEnvelope
  readonly changes: readonly Change[]
  /** Ids of conflicts that this command opened. */
  readonly opened: readonly string[]
  /** False if the command has no effect at its position. Such a command is stored, and writes nothing. */
  readonly effective: boolean
  /** True if the device had not seen one of its own earlier commands. */
  readonly forked: boolean
  /** True if `unplaced` may have changed. */
  readonly placing: boolean
}

/** A command in the list of commands. */
export interface ListedCommand {
  readonly id: string
  readonly envelope: CommandEnvelope
  /** Set if its time was more than 30 s ahead of the clock of this node when this node took it. */
  readonly fromFuture?: true
}

/** Why the last exchange with a peer failed. */
export interface PeerFault {
  readonly code:
    | 'wrong_key'
    | 'not_listed'
    | 'unreachable'
    | 'timeout'
    | 'bad_answer'
    | 'false_acknowledgement'
    | 'version'
  readonly message: string
  readonly atMs: number
}

/** A peer in the response of `/api/v1/peers`. */
export interface PeerOverview {
  readonly endpointId: string
  readonly label: string | null
  readonly transport: string
  readonly addresses: readonly string[]
  /** `never`: no exchange since this process has started. */
  readonly state: 'never' | 'connected' | 'unreachable' | 'refused'
  /** Of the last successful exchange, also of an earlier process. */
  readonly lastSeenAtMs: number | null
  readonly lastFailure: PeerFault | null
  /**
   * Unix time in milliseconds of the first failure since the last successful exchange; null while the last exchange
   * succeeded.
   */
  readonly failingSinceMs: number | null
  /** The projects that the peer may read and write. */
  readonly allowedProjects: readonly string[]
  /**
   * By project: the last known frontier of the peer, and how many commands of this node it is known to lack. With heads
   * that this node does not have, which `unknownHeads` counts, nothing is known about that: `behind` is 0.
   */
  readonly projects: Readonly<
    Record<string, { readonly frontier: Frontier; readonly behind: number; readonly unknownHeads: number }>
  >
}
