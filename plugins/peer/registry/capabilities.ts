/** What the feature of peers gives to other plugins at run time. */
import type { PeerBook } from './book.ts'
import type { Inbox } from './inbox.ts'
import type { Staged } from './staged.ts'

export type { PeerBook } from './book.ts'
export type { Inboxed } from './inbox.ts'

/** What a node keeps of its peers. */
export interface PeerDesk {
  readonly book: PeerBook
  readonly inbox: Inbox
  readonly staged: Staged
}

/** The capabilities of feature `peer.registry`. */
export interface PeerDeskCapabilities {
  /** What this node keeps of its peers. */
  PeerDesk: PeerDesk
}

declare module '../../../core/plugin.ts' {
  interface Capabilities extends PeerDeskCapabilities {}
}
