/** The capability of feature `peer.registry`. */
import type { Inbox } from './inbox/inbox.ts'
import type { Joins } from './joins.ts'
import type { Pairings } from './pairings.ts'
import type { PeerRegistry } from './peer-registry.ts'
import type { SeenPeers } from './seen.ts'
import type { Staged } from './staged/staged.ts'

export type { Inboxed } from './inbox/inbox.ts'
export type { PeerRegistry } from './peer-registry.ts'
export type { SeenPeer, SeenPeers } from './seen.ts'

/** What a node stores about its peers. */
export interface PeerStore {
  readonly registry: PeerRegistry
  readonly inbox: Inbox
  readonly staged: Staged
  readonly pairings: Pairings
  readonly joins: Joins
  readonly seen: SeenPeers
}

/** The capabilities of feature `peer.registry`. */
export interface PeerStoreCapabilities {
  /** What this node stores about its peers. */
  PeerStore: PeerStore
}

declare module '../../../core/declare/plugin.ts' {
  interface Capabilities extends PeerStoreCapabilities {}
}
