/** What the sync engine takes and gives, and the interfaces that platforms and other plugins implement for it. */

import type { TraceContext } from '../../core/http/request.ts'
import type { Awaitable } from '../../core/kernel/values.ts'
import type { Acknowledgement } from '../protocol/acknowledgement.ts'
import type { Frontier } from '../protocol/pushes.ts'
import type { StoreDriver } from '../store/api.ts'
import type { AuditChain, HeadSigner } from './engine/audit/audit-types.ts'

export type { Acknowledgement } from '../protocol/acknowledgement.ts'
export type { Frontier, PushRequest } from '../protocol/pushes.ts'
export type {
  AuditChain,
  AuditEntry,
  AuditHead,
  AuditKind,
  AuditParts,
  AuditVerdict,
  CheckpointStatement,
  SignedHead,
} from './engine/audit/audit-types.ts'

/** The state of a push on this node. */
export type LocalState = 'accepted' | 'prepared' | 'applied_locally' | 'broadcast' | 'failed'
/** What a peer has confirmed. Without an entry it has confirmed nothing. */
export type PeerState = 'received' | 'applied' | 'rejected'
/** The kinds of receipt events. */
export type EventKind = LocalState | 'peer_received' | 'peer_applied' | 'peer_rejected' | 'peer_delivery_failed'

/** Why a step failed. */
export interface Failure {
  readonly code: string
  readonly message: string
  readonly retryable: boolean
}

/** One entry of `perPeer`. */
export interface PeerRecord {
  readonly state: PeerState
  readonly receivedAtMs: number | null
  readonly appliedAtMs: number | null
  readonly rejectedAtMs: number | null
  readonly updatedAtMs: number
  readonly failure: Failure | null
  /** The peer's heads right after it applied the push; null in other states. */
  readonly appliedFrontier: Frontier | null
  /** Verifies the acknowledgement, together with the other members; null if a host has recorded the state. */
  readonly ack: PeerAck | null
}

/** The signature of an acknowledgement. */
export interface PeerAck {
  readonly signerKeyId: string
  /** The head of the peer's audit chain, 64 lower-case hex; null if the peer has none. */
  readonly auditHead: string | null
  readonly signature: string
}

/** One persisted step of a push; `sequence` counts from 1 without gaps. */
export interface ReceiptEvent {
  readonly sequence: number
  readonly kind: EventKind
  readonly atMs: number
  readonly localState?: LocalState
  /** Endpoint id of the peer. */
  readonly peer?: string
  readonly peerState?: PeerState
  readonly failure?: Failure
}

/** The durable record of a push. */
export interface PushReceipt {
  readonly schemaVersion: string
  readonly pushId: string
  readonly canonicalPayloadHash: string
  readonly domain: string
  readonly targets: readonly string[]
  readonly localState: LocalState
  /** The frontier that the push pinned; null if its project has no commands. */
  readonly frontier: Frontier | null
  /** The number of commands below that frontier; null if the project has none. */
  readonly revision: number | null
  /** The endpoint id of the peer that sent the push; null for a push of this node. */
  readonly origin: string | null
  readonly perPeer: Readonly<Record<string, PeerRecord>>
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly events: readonly ReceiptEvent[]
}

/** A push as it is applied here and sent to peers: the signed text with its signature. */
export interface Envelope {
  readonly schemaVersion: string
  readonly pushId: string
  readonly domain: string
  readonly canonicalPayloadHash: string
  /** The canonical form that the signature covers. */
  readonly signedText: string
  /** Null for an unsigned push of the first version. */
  readonly signerKeyId: string | null
  readonly signature: string | null
}

/** An enrolled device. */
export interface Device {
  readonly keyId: string
  readonly deviceId: string
  /** 64 lower-case hex. */
  readonly publicKey: string
  readonly endpointId: string
  /** `family:project` or `family:*`. */
  readonly scopes: readonly string[]
  readonly label: string | null
  readonly status: 'active' | 'revoked'
  readonly enrolledAtMs: number
  readonly expiresAtMs: number | null
  readonly revokedAtMs: number | null
  readonly revokedReason: string | null
}

/** The members of a device that the engine needs. */
export type SigningDevice = Pick<Device, 'keyId' | 'scopes' | 'status' | 'expiresAtMs'>

/** Looks up devices. A throw means that it is unavailable: 503 `authority_unavailable`. */
export interface Authority {
  /** The device of a key, whatever its status; undefined if it was never enrolled. */
  device(keyId: string): Awaitable<SigningDevice | undefined>
  /**
   * The same inside the transaction that executes a push, if the devices are in the store. It sees a revocation that
   * came after `device` was called.
   */
  deviceIn?(ledger: { device(keyId: string): Device | undefined }, keyId: string): SigningDevice | undefined
}

/** A kind of domain, such as `kbd-control:` with its projects. */
export interface DomainFamily {
  /** The part before the colon. */
  readonly name: string
  readonly takesFrontier: boolean
  /** Whether the project of this domain exists. */
  exists(domain: string, project: string): Awaitable<boolean>
  /**
   * Turns an admitted push into the envelope that is applied and sent. A throw is 503 `envelope_preparation_failed`.
   */
  prepare(envelope: Envelope): Envelope
  /** Reads the frontier and applies pushes: in the store's transaction, or at a host outside of it. */
  readonly application:
    | {
        readonly kind: 'stored'
        frontier(ledger: ProjectStates, project: string): Frontier
        /** Applies a push. Returns what it pins of its project; undefined if there is nothing to pin. */
        apply(ledger: ProjectStates, project: string, envelope: Envelope): Pinned | undefined
      }
    | {
        readonly kind: 'hosted'
        frontier(domain: string): Awaitable<Frontier | null>
        apply(domain: string, envelope: Envelope): Awaitable<void>
        /**
         * Returns what the push pins of its project, in the transaction that accepts it; undefined if there is nothing
         * to pin. Throws `frontier_mismatch` if that is not what the push expects.
         */
        pin?(ledger: ProjectReads, project: string, expected: Frontier | null): Pinned | undefined
      }
}

/** What a push pins of its project. */
export interface Pinned {
  readonly frontier: Frontier
  readonly revision: number
}

/** The state of a project with commands, inside a transaction; undefined for a project without commands. */
export type Pin = (ledger: ProjectReads, project: string) => (Pinned & { readonly headCount: number }) | undefined

/** A push that was refused after its signature was verified. */
export interface RefusedPush {
  readonly pushId: string | null
  /** The project in its domain, which need not exist; null if the domain has none. */
  readonly project: string | null
  /** A key id, or `owner` for an unsigned push. */
  readonly actor: string
  /** The code of the refusal. */
  readonly outcome: string
  /** The user who handed it in over the network; absent on the other surfaces. */
  readonly user?: string
}

/**
 * Runs `work` once, right before the running transaction commits, even if several pieces of work of the transaction ask
 * for it. It runs also if the work that asked for it is undone.
 */
export type BeforeCommit = (work: () => void) => void

/** Reads of projects, inside the running transaction. */
export interface ProjectReads {
  readonly driver: StoreDriver
  /** The audit chain of this node, if a feature of the build has one. */
  readonly audit?: AuditChain | undefined
  /** Present if the store groups commits. */
  readonly beforeCommit?: BeforeCommit
}

/** The heads of projects, inside the running transaction. */
export interface ProjectStates extends ProjectReads {
  heads(project: string): readonly string[] | undefined
  setHeads(project: string, heads: readonly string[]): void
}

/** SHA-256 of the platform, in lower-case hex. */
export type Sha256 = (bytes: Uint8Array) => string

/** Ed25519 verification of the platform, under the one rule of ed25519-rule.ts. */
export interface Ed25519Verifier {
  /**
   * Whether `signature` (64 bytes) over `message` was made with `publicKey` (32 bytes, admitted before). Never rejects.
   * `more` says that other calls follow at once, so that a platform with threads may verify them in parallel.
   */
  verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array, more?: boolean): Awaitable<boolean>
}

/** The members of a push that its delivery uses, as they were when the delivery began. */
export type DeliveredPush = Pick<
  PushReceipt,
  'pushId' | 'canonicalPayloadHash' | 'domain' | 'targets' | 'frontier' | 'perPeer'
>

/** Carries envelopes to peers. */
export interface PeerTransport {
  /**
   * Set if a delivery ends only with the final acknowledgement of the peer. Earlier acknowledgements leave the envelope
   * in the outbox, so that an interrupted delivery is resumed.
   */
  readonly untilLastWord?: true
  /**
   * Sends an envelope to a peer. Resolves once the peer's node has accepted it, with the acknowledgement if there is
   * one already. If it rejects, the engine tries again, unless the error has `retryable: false`.
   */
  deliver(envelope: Envelope, endpointId: string, push: DeliveredPush): Promise<Acknowledgement | undefined>
  /** Called once. Later acknowledgements are given to `take`, which rejects an invalid one. */
  onAcknowledgement?(take: (ack: Acknowledgement) => Promise<void>): void
  /** Called with the trace in which a push was made, so that requests to peers about it continue that trace. */
  traced?(pushId: string, trace: TraceContext): void
}

/** A node's key. */
export interface EndpointKey extends HeadSigner {
  /** The private key, PKCS#8. */
  readonly pem: string
}
