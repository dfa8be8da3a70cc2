/** What features keep in the store of the node, and the capability to use it. */
import type { Migration, NodeStore, StoreCheck, StoreContent } from './api.ts'

/** The tables of a feature in the store of the node. */
export interface TablesPart {
  readonly migrations?: readonly Migration[]
  readonly contents?: readonly StoreContent[]
  /** Names what of the feature is not as it was written. Runs if the store has all migrations of the part. */
  readonly check?: StoreCheck
}

/** The capabilities of the store. */
export interface StoreCapabilities {
  /** The store of the node, for the tables of any feature. */
  NodeStore: NodeStore
}

declare module '../../core/declare/plugin.ts' {
  interface Capabilities extends StoreCapabilities {}
  interface StorePart extends TablesPart {}
}
