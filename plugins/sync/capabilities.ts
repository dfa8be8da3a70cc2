/** What the sync features give to other plugins at run time. */
import type { DomainFamily, PeerTransport } from './api.ts'
import type { SyncEngine } from './engine/engine.ts'
import type { ReceiptStore } from './engine/store/api.ts'

/** The capabilities of the sync features. */
export interface SyncCapabilities {
  /** Durable receipts, devices and projects. */
  ReceiptStore: ReceiptStore
  /** The sync engine of this process. */
  Sync: SyncEngine
  /** Carries envelopes to peers; without one, pushes with targets are refused. */
  PeerTransport: PeerTransport
  /** Families of domains beside `kbd-control` and `kbd-content`. */
  DomainFamilies: readonly DomainFamily[]
}

declare module '../../core/plugin.ts' {
  interface Capabilities extends SyncCapabilities {}
}
