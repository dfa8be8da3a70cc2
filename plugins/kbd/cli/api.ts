/** The interface of the commands of boards for commands of other families. Import types from here, and nothing else. */

import type { LocalService } from '../../transport/unix/api.ts'
import type { Board, Card, CardDetail, Claim, Column, Conflict, Project, Standing } from '../api.ts'

/** The answer to a command. */
export interface Entered extends Standing {
  readonly commandId: string
  readonly id: string
  /** Ids of all open conflicts. */
  readonly conflicts: readonly string[]
}

/** A claim, with its state at the time `nowMs`. */
export interface JudgedClaim {
  readonly claim: Claim
  /** The clock of the service, Unix time in milliseconds. */
  readonly nowMs: number
}

/** A card that is added. */
export interface NewCard {
  /** The id of the card, a UUID; a fresh one if absent. If the project has this card, only missing labels are added. */
  readonly id?: string | undefined
  readonly title: string
  /** The board, by the beginning of its id or title. May be absent if there is only one board. */
  readonly board?: string | undefined
  /** The column, by the beginning of its id or title; the first column of the board if absent. */
  readonly column?: string | undefined
  readonly body?: string | undefined
  readonly labels?: readonly string[] | undefined
}

/** The changes to a card; null clears a member. */
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

/** A claim that is made. */
export interface NewClaim {
  readonly leaseMs: number
  readonly agent: string | null
  /** Takes the card from its holder. */
  readonly isForced?: boolean
  /** The id of the claim, a UUID; a fresh one if absent. If the claim is in force already, it is returned. */
  readonly claimId?: string | undefined
}

/**
 * The choice that settles a conflict: a candidate by the beginning of its id, or another value. A value is plain text
 * for a register that contains a text, a column for a place, and JSON for any other register.
 */
export type Choice = { readonly candidate: string } | { readonly value: string }

/** Finds things of a project that are not archived. */
export interface BoardFinder {
  /** The boards in the order of their creation. */
  boards(project: Project): readonly Board[]
  /**
   * The only board of a project. Returns undefined if there is none. Throws `ambiguous`, with a list, if there are
   * several.
   */
  onlyBoard(project: Project): Board | undefined
  /** The columns, board by board, sorted by rank. */
  columns(project: Project): readonly Column[]
  /** The cards of a column, sorted by rank. */
  cards(project: Project, columnId: string): readonly Card[]
  board(project: Project, name: string): Board
  card(project: Project, name: string): Card
}

/**
 * The actions of one device in a project. Cards, columns and conflicts are found by the beginning of their id or title.
 * Each call rejects with a `code`: a code of the service, `not_found` or `ambiguous` if a name matches none or several,
 * or `service_away`.
 */
export interface BoardActions {
  readonly find: BoardFinder
  readonly service: LocalService
  /** The key id of the device. Throws if the key cannot be read. */
  keyId(): string
  project(): Promise<Project>
  /** Adds a board with columns. Returns its id. */
  addBoard(title: string, columns: readonly string[]): Promise<string>
  /** Returns the id of the card. */
  addCard(card: NewCard): Promise<string>
  moveCard(
    card: string,
    column: string,
  ): Promise<{ readonly card: Card; readonly columnId: string; readonly entered: Entered }>
  /** Returns the id of the card. */
  archiveCard(card: string): Promise<string>
  /** Returns the id of the board. */
  archiveBoard(board: string): Promise<string>
  /** Restores an archived card or board. Returns its id. */
  restore(kind: 'board' | 'card', name: string): Promise<string>
  /** Changes the given members of a card. Returns the id of the card. */
  editCard(card: string, change: CardChange): Promise<string>
  /** Changes the title of a board. Returns its id. */
  renameBoard(board: string, title: string): Promise<string>
  /** Adds labels to a card and removes labels from it. Returns the id of the card. */
  labelCard(card: string, added: readonly string[], removed: readonly string[]): Promise<string>
  /** Adds a column after the other columns of a board. Returns its id. */
  addColumn(title: string, board: string | undefined): Promise<string>
  /**
   * A card with its text and its comments with theirs. A text is null if there is none or the service does not have it.
   */
  readCard(card: string): Promise<ReadCard>
  /** Adds a comment to a card. `id`, a UUID: if the card has this comment, nothing is added. */
  comment(card: string, text: string, id?: string): Promise<{ readonly commentId: string; readonly revision: number }>
  claim(card: string, options: NewClaim): Promise<JudgedClaim>
  /** Claims the first card of a column that nobody holds. Returns undefined if there is none. */
  claimNext(
    column: string,
    board: string | undefined,
    options: Omit<NewClaim, 'isForced'>,
  ): Promise<(JudgedClaim & { readonly title: string | null }) | undefined>
  /** Renews the claim of this device. The lease begins now. */
  renew(card: string, leaseMs: number): Promise<JudgedClaim>
  release(card: string): Promise<{ readonly claimId: string; readonly entered: Entered }>
  resolve(conflict: string, choice: Choice): Promise<{ readonly conflict: Conflict; readonly entered: Entered }>
}

/** The device, the project and the service of actions. */
export interface Workplace {
  /** The file of the device's private key. Only changes need it. */
  readonly keyFile?: string | undefined
  /** The name of the project. May be absent if there is only one project. */
  readonly project?: string | undefined
  /** The path of a socket; the configured one if absent. */
  readonly socket?: string | undefined
  /** Called after a change to a card that another device holds. */
  readonly onHeld?: ((claim: Claim) => void) | undefined
}

declare module '../../../core/declare/plugin.ts' {
  interface CommandCapabilities {
    /** Opens a project of the running service for a device. */
    BoardActions: (place: Workplace) => BoardActions
  }
}
