/** What the feature of peers gives to other plugins at run time. */

import type { Inbox } from './inbox.ts'
import type { PeerBook } from './peer-registry.ts'
import type { Staged } from './staged.ts'

export type { Inboxed } from './inbox.ts'
export type { PeerBook } from './peer-registry.ts'

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
