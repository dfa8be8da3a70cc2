/** What the commands of boards give to commands of other families. Import types from here, nothing else. */

import type { LocalService } from '../../sync/capabilities.ts'
import type { Board, Card, CardDetail, Claim, Column, Conflict, Project, Standing } from '../api.ts'

/** What a command came to. */
export interface Entered extends Standing {
  readonly commandId: string
  readonly id: string
  /** Ids of all open conflicts. */
  readonly conflicts: readonly string[]
}

/** A claim as the service judges it. */
export interface JudgedClaim {
  readonly claim: Claim
  /** The clock of the service that judged, Unix time in milliseconds. */
  readonly nowMs: number
}

/** A card to be made. */
export interface NewCard {
  readonly title: string
  /** The board, by the beginning of its id or title; may be absent where there is one. */
  readonly board?: string | undefined
  /** The first column of the board where absent. */
  readonly column?: string | undefined
  readonly body?: string | undefined
  readonly labels?: readonly string[] | undefined
}

/** What is changed of a card; null clears a member. */
export interface CardChange {
  readonly title?: string | undefined
  readonly body?: string | null | undefined
  readonly priority?: number | null | undefined
  readonly assignee?: string | null | undefined
}

/** A card with its texts. */
export interface ReadCard extends Omit<CardDetail, 'comments'> {
  readonly text: string | null
  readonly comments: readonly (CardDetail['comments'][number] & { readonly text: string | null })[]
}

/** A claim to be made. */
export interface NewClaim {
  readonly leaseMs: number
  readonly agent: string | null
  /** Takes the card from whoever holds it. */
  readonly isForced?: boolean
}

/**
 * What a conflict is settled with: a candidate by its id or the beginning of it, or another value. That is a text as it is
 * where the register holds one, a column for a place, and JSON for the rest.
 */
export type Choice = { readonly candidate: string } | { readonly value: string }

/** Finds things of a project, archived ones left out. */
export interface BoardFinder {
  /** In the order of their creation. */
  boards(project: Project): readonly Board[]
  /** The board where none is named; undefined where there is none. Throws `ambiguous`, with a list, where there are several. */
  onlyBoard(project: Project): Board | undefined
  /** Board by board, each by rank. */
  columns(project: Project): readonly Column[]
  /** By rank. */
  cards(project: Project, columnId: string): readonly Card[]
  board(project: Project, name: string): Board
  card(project: Project, name: string): Card
}

/**
 * A project as one device works on it. Cards, columns and conflicts are found by the beginning of their id or title. Each
 * call rejects with a `code`: one of the service, `not_found` or `ambiguous` where a name finds none or several, or
 * `service_away`.
 */
export interface BoardActions {
  readonly find: BoardFinder
  readonly service: LocalService
  /** Of the device; throws where its key cannot be read. */
  keyId(): string
  project(): Promise<Project>
  /** Makes a board with columns; gives its id. */
  addBoard(title: string, columns: readonly string[]): Promise<string>
  /** Gives the id of the card. */
  addCard(card: NewCard): Promise<string>
  moveCard(
    card: string,
    column: string,
  ): Promise<{ readonly card: Card; readonly columnId: string; readonly entered: Entered }>
  /** Gives the id of the card. */
  archiveCard(card: string): Promise<string>
  /** Gives the id of the board. */
  archiveBoard(board: string): Promise<string>
  /** Brings back a card or a board that is archived; gives its id. */
  restore(kind: 'board' | 'card', name: string): Promise<string>
  /** Changes what is named of a card; gives its id. */
  editCard(card: string, change: CardChange): Promise<string>
  /** Gives a board another title; gives its id. */
  renameBoard(board: string, title: string): Promise<string>
  /** Adds labels to a card and takes labels from it; gives its id. */
  labelCard(card: string, added: readonly string[], removed: readonly string[]): Promise<string>
  /** Makes a column behind those of a board; gives its id. */
  addColumn(title: string, board: string | undefined): Promise<string>
  /** A card with its text, null where it has none or the text is not here, and its comments with theirs. */
  readCard(card: string): Promise<ReadCard>
  /** Gives the id of the comment. */
  comment(card: string, text: string): Promise<{ readonly commentId: string; readonly entered: Entered }>
  claim(card: string, options: NewClaim): Promise<JudgedClaim>
  /** Sets the end of the device's own claim anew, from now on. */
  renew(card: string, leaseMs: number): Promise<JudgedClaim>
  release(card: string): Promise<{ readonly claimId: string; readonly entered: Entered }>
  resolve(conflict: string, choice: Choice): Promise<{ readonly conflict: Conflict; readonly entered: Entered }>
}

/** Who works where. */
export interface Workplace {
  /** The file of the device's private key; asked for where something is changed. */
  readonly keyFile?: string | undefined
  /** The project's name; may be absent where there is one project. */
  readonly project?: string | undefined
  /** The path of a socket; the configured one where absent. */
  readonly socket?: string | undefined
}

declare module '../../../core/plugin.ts' {
  interface CommandCapabilities {
    /** Opens a project of the running service for a device. */
    BoardActions: (place: Workplace) => BoardActions
  }
}
