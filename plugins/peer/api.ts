/** What the features of peers share, and what a transport between peers has to give. */
import type { Peer } from '../../core/http/request.ts'
import type { Frontier } from '../protocol/pushes.ts'

/** The version of the wire. */
export const PEER_VERSION = '1'

/** Why an exchange did not come about, or what was wrong with it. */
export type LinkCode = Exclude<PeerFault['code'], 'false_acknowledgement'>

/** One request to a peer. */
export interface Exchange {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
}

/** The whole answer. */
export interface PeerAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

/** A way to peers: one for each transport. */
export interface PeerLink {
  /** How `/api/v1/peers` calls it. */
  readonly name: string
  /** Whether it can call the peer that this entry names. Who cannot be called calls by itself. */
  reaches(entry: PeerEntry): boolean
  /**
   * Sends one request to the peer that this entry names, to nobody else, and gives its answer. Rejects with a `LinkError`
   * where there is none within the time.
   */
  exchange(entry: PeerEntry, exchange: Exchange): Promise<PeerAnswer>
}

/** What `exchange` rejects with. */
export interface LinkError extends Error {
  readonly code: LinkCode
}

/** A connection of a peer whose key was proven: what a request of it carries. */
export interface PeerConnection extends Peer {
  readonly transport: 'peer'
  readonly endpointId: string
  /** Bytes that came so far. */
  readonly bytesRead: number
  /** Ends it at once. */
  destroy(): void
}

/** A peer as the owner of this node has entered it. */
export interface PeerEntry {
  /** 64 lower-case hex: the key that it proves. */
  readonly endpointId: string
  /** `host:port`, in the order in which they are tried. */
  readonly addresses: readonly string[]
  readonly label: string | null
  /** What it may read and hand in. */
  readonly projects: readonly string[]
  readonly source: 'cli' | 'settings'
}

/** Why nothing passes between this node and a peer, or what passes cannot be believed. */
export interface PeerFault {
  readonly code:
    | 'wrong_key'
    | 'not_listed'
    | 'unreachable'
    | 'timeout'
    | 'bad_answer'
    | 'false_acknowledgement'
    | 'version'
  readonly message: string
  readonly atMs: number
}

/** What is known of a peer, as `/api/v1/peers` shows it. */
export interface PeerFigure {
  readonly endpointId: string
  readonly label: string | null
  readonly transport: string
  readonly addresses: readonly string[]
  readonly state: 'never' | 'connected' | 'unreachable' | 'refused'
  readonly lastSeenAtMs: number | null
  readonly lastFailure: PeerFault | null
  /** By project: the frontier that it last had, and how many of this node's commands it is known to lack. */
  readonly projects: Readonly<Record<string, { readonly frontier: Frontier; readonly behind: number }>>
}
