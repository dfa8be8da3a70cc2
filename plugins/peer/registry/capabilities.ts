/** What the feature of peers gives to other plugins at run time. */

import type { Inbox } from './inbox.ts'
import type { Pairings } from './pairings.ts'
import type { PeerRegistry } from './peer-registry.ts'
import type { Staged } from './staged.ts'

export type { Inboxed } from './inbox.ts'
export type { PeerRegistry } from './peer-registry.ts'

/** What a node keeps of its peers. */
export interface PeerStore {
  readonly registry: PeerRegistry
  readonly inbox: Inbox
  readonly staged: Staged
  readonly pairings: Pairings
}

/** The capabilities of feature `peer.registry`. */
export interface PeerStoreCapabilities {
  /** What this node keeps of its peers. */
  PeerStore: PeerStore
}

declare module '../../../core/plugin.ts' {
  interface Capabilities extends PeerStoreCapabilities {}
}
