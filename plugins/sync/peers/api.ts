/** What is between this node and its peers: the node's key, who they are, how a push gets there, what they say of it. */
import type { TraceContext } from '../../../core/http/request.ts'
import type { Acknowledgement } from '../../protocol/acknowledgement.ts'
import type { Envelope, Frontier, PushReceipt } from '../api.ts'

export type { Acknowledgement } from '../../protocol/acknowledgement.ts'

/** What of a push its delivery goes by, as it stood when that began. */
export type DeliveredPush = Pick<
  PushReceipt,
  'pushId' | 'canonicalPayloadHash' | 'domain' | 'targets' | 'frontier' | 'perPeer'
>

/** Carries envelopes to peers. */
export interface PeerTransport {
  /**
   * A delivery ends only with the peer's last word. What it says before is told by the way, and leaves the envelope in the
   * outbox, so that a delivery that breaks off is taken up again.
   */
  readonly untilLastWord?: true
  /**
   * Hands an envelope to a peer. Resolving means that the peer's node has taken it, with its acknowledgement if there is
   * one already; rejecting means that it has not, and it is tried again unless the error has `retryable: false`.
   */
  deliver(envelope: Envelope, endpointId: string, push: DeliveredPush): Promise<Acknowledgement | undefined>
  /** Called once: acknowledgements that come later are given to `take`, which rejects a false one. */
  onAcknowledgement?(take: (ack: Acknowledgement) => Promise<void>): void
  /** A push was made in this trace: what is asked of peers about it goes on there. */
  traced?(pushId: string, trace: TraceContext): void
  /** The peers that it knows. */
  figures?(): Promise<readonly PeerFigure[]>
}

/** A node's key. */
export interface EndpointKey {
  /** 64 lower-case hex: the public key. */
  readonly endpointId: string
  /** The private key, PKCS#8. */
  readonly pem: string
  sign(message: Uint8Array): Uint8Array
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
  /** By project: the frontier that it last had, and how many of this node's commands it did not have then. */
  readonly projects: Readonly<Record<string, { readonly frontier: Frontier; readonly behind: number }>>
}
