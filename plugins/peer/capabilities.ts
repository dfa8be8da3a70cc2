/** What the features of peers give to each other at run time. */
import type { HttpServer } from '../transport/node-http/api.ts'
import type { PeerConnection, PeerLink, PeerOverview } from './api.ts'

/** The peers of this node, for the transports between them. */
export interface Peers {
  /** Exchanges with a peer go by the first link that reaches it. */
  addLink(link: PeerLink): void
  /** Sets the addresses at which this node listens, for its pairing codes. */
  listensAt(addresses: readonly string[]): void
  /** Whether this key is that of a peer that was entered, and it has room for one more connection; undefined where not. */
  admit(connection: PeerConnection): Promise<boolean>
  /** A connection that was admitted has ended. */
  left(connection: PeerConnection): void
  /** What is known of each peer, as `GET /api/v1/peers` shows it. */
  overview(): Promise<readonly PeerOverview[]>
  /** Connections between two nodes in one direction, at most. */
  readonly maxConnections: number
  /** Limits of the surface on connections of peers. */
  readonly limits: NonNullable<Parameters<HttpServer['serve']>[1]['limits']>
}

/** The capabilities of the features of peers. */
export interface PeerCapabilities {
  /** The peers of this node. */
  Peers: Peers
}

declare module '../../core/plugin.ts' {
  interface Capabilities extends PeerCapabilities {}
}
