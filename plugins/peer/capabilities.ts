/** The capabilities of the features of peers. */
import type { HttpServer } from '../transport/node-http/api.ts'
import type { PeerConnection, PeerLink } from './api.ts'

/** The peers of this node, for the transports between peers. */
export interface Peers {
  /** Adds a link. Exchanges with a peer use the first link that reaches it. */
  addLink(link: PeerLink): void
  /** Sets the addresses at which this node listens, for its pairing codes. */
  listensAt(addresses: readonly string[]): void
  /**
   * Whether a connection is admitted: its key has an entry and its peer may have one more connection, or a pairing is
   * open.
   */
  admit(connection: PeerConnection): Promise<boolean>
  /** Call this when an admitted connection has ended. */
  left(connection: PeerConnection): void
  /** Most connections between two nodes in one direction. */
  readonly maxConnections: number
  /** Limits of the surface on connections of peers. */
  readonly limits: NonNullable<Parameters<HttpServer['serve']>[1]['limits']>
}

/** The capabilities of the features of peers. */
export interface PeerCapabilities {
  /** The peers of this node. */
  Peers: Peers
}

declare module '../../core/declare/plugin.ts' {
  interface Capabilities extends PeerCapabilities {}
}
