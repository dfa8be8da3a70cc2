/** The types that the features of peers share, and the interface of a transport between peers. */
import type { Peer } from '../../core/http/request.ts'
import type { PeerFault } from '../kbd/api.ts'

/** The version of the wire format. */
export const PEER_VERSION = '1'

/** Why an exchange failed. */
export type LinkCode = Exclude<PeerFault['code'], 'false_acknowledgement'>

/** One request to a peer. */
export interface Exchange {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
}

/** A response with its whole body. */
export interface PeerAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

/** A link to peers: one for each transport. */
export interface PeerLink {
  /** The name of the transport in `/api/v1/peers`. */
  readonly name: string
  /** Whether the link can call the peer of an entry. A peer without an address calls this node instead. */
  reaches(entry: PeerEntry): boolean
  /**
   * Sends one request to the peer of an entry, and to no other node. Resolves with the response. Rejects with a
   * `LinkError` if there is none in time.
   */
  exchange(entry: PeerEntry, exchange: Exchange): Promise<PeerAnswer>
}

/** The error of a failed exchange. */
export interface LinkError extends Error {
  readonly code: LinkCode
  /** Set if no byte of the request can have arrived. */
  readonly isUnsent?: boolean
}

/** A connection of a peer that has proven its key. Each request of the connection has it. */
export interface PeerConnection extends Peer {
  readonly transport: 'peer'
  readonly endpointId: string
  /** Bytes received so far. */
  readonly bytesRead: number
  /** Ends the connection at once. */
  destroy(): void
}

/** The entry of a peer, which the owner of this node has made. */
export interface PeerEntry {
  /** The key of the peer, in 64 lower-case hex digits. */
  readonly endpointId: string
  /** Addresses `host:port`, in the order in which they are tried. */
  readonly addresses: readonly string[]
  readonly label: string | null
  /** The projects that the peer may read and write. */
  readonly projects: readonly string[]
  readonly source: 'cli' | 'settings'
}
