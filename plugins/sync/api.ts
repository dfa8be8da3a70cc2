/** What the sync engine takes and gives, and the interfaces that platforms and other plugins implement for it. */

import type { Awaitable } from '../../core/awaitable.ts'
import type { TraceContext } from '../../core/http/request.ts'
import type { Acknowledgement } from '../protocol/acknowledgement.ts'
import type { Frontier } from '../protocol/pushes.ts'
import type { AuditChain } from './engine/audit/audit-chain.ts'
import type { SqlDriver, SqlValue } from './engine/store/driver.ts'

export type { Acknowledgement } from '../protocol/acknowledgement.ts'
export type { Frontier, PushRequest } from '../protocol/pushes.ts'
export type {
  AuditChain,
  AuditEntry,
  AuditHead,
  AuditKind,
  AuditParts,
  AuditStatement,
  AuditVerdict,
  CheckpointStatement,
} from './engine/audit/audit-chain.ts'
export type { Migration } from './engine/store/migration.ts'

/** Where a push stands on this node. */
export type LocalState = 'accepted' | 'prepared' | 'applied_locally' | 'broadcast' | 'failed'
/** What a peer has confirmed; no entry means nothing yet. */
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
  /** The peer's heads right after it applied the push; null for every other word. */
  readonly appliedFrontier: Frontier | null
  /** With the members around it, what verifies the peer's word; null for the word of a host. */
  readonly ack: PeerAck | null
}

/** What proves a peer's word. */
export interface PeerAck {
  readonly signerKeyId: string
  /** The head of the peer's audit chain, 64 lower-case hex; null in words of peers that keep none. */
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
  /** What the push pinned of its project; null where the project has no commands. */
  readonly frontier: Frontier | null
  /** The number of commands below that frontier; null where the project has none. */
  readonly revision: number | null
  /** The endpoint id of the peer that handed the push in; null for a push of this node. */
  readonly origin: string | null
  readonly perPeer: Readonly<Record<string, PeerRecord>>
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly events: readonly ReceiptEvent[]
}

/** What is applied here and handed to peers: the signed text and what proves it. */
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

/** What the engine needs of a device; a host may give no more than this. */
export type SigningDevice = Pick<Device, 'keyId' | 'scopes' | 'status' | 'expiresAtMs'>

/** Says who may sign. A throw means that it cannot be asked: 503 `authority_unavailable`. */
export interface Authority {
  /** The device of a key, whatever its status. Undefined where it was never enrolled. */
  device(keyId: string): Awaitable<SigningDevice | undefined>
  /**
   * The same inside the transaction that executes a push, where the devices are in the store: what was revoked since it was
   * asked above is seen there.
   */
  deviceIn?(ledger: { device(keyId: string): Device | undefined }, keyId: string): SigningDevice | undefined
}

/** A kind of domain: `kbd-control:` with its projects, for instance. */
export interface DomainFamily {
  /** The part before the colon. */
  readonly name: string
  readonly takesFrontier: boolean
  /** Whether the project of this domain exists. */
  exists(domain: string, project: string): Awaitable<boolean>
  /** Turns an admitted push into what is applied and sent. A throw is 503 `envelope_preparation_failed`. */
  prepare(envelope: Envelope): Envelope
  /** Where the frontier lives and how a push moves it: in the store's transaction, or at a host outside it. */
  readonly application:
    | {
        readonly kind: 'stored'
        frontier(ledger: ProjectStates, project: string): Frontier
        /** Gives what the push pins of its project; undefined where there is nothing to pin. */
        apply(ledger: ProjectStates, project: string, envelope: Envelope): Pinned | undefined
      }
    | {
        readonly kind: 'hosted'
        frontier(domain: string): Awaitable<Frontier | null>
        apply(domain: string, envelope: Envelope): Awaitable<void>
        /**
         * Gives what the push pins of its project, in the transaction that decides it; undefined where there is nothing to
         * pin. Throws `frontier_mismatch` where that is not what the push expects.
         */
        pin?(ledger: ProjectReads, project: string, expected: Frontier | null): Pinned | undefined
      }
}

/** What a push pins of its project. */
export interface Pinned {
  readonly frontier: Frontier
  readonly revision: number
}

/** Where a project with commands stands, inside a transaction; undefined for one without. */
export type Pin = (ledger: ProjectReads, project: string) => (Pinned & { readonly headCount: number }) | undefined

/** A push that was refused although its signer was proven. */
export interface RefusedPush {
  readonly pushId: string | null
  /** As its domain names it, whether there is one or not; null where it names none. */
  readonly project: string | null
  /** A key id, or `owner` for an unsigned push. */
  readonly actor: string
  /** The code of the refusal. */
  readonly outcome: string
}

/** The database itself, for what other families keep in it: one object for as long as it is open. */
export type LedgerDriver = Pick<SqlDriver, 'exec' | 'prepare'>

/** The store as `svc store check` hands it to a feature that keeps something of its own in it. */
export interface StoreCheckSubject {
  /** For reading alone. */
  readonly driver: LedgerDriver
  /** An empty database that is thrown away. */
  readonly scratch: LedgerDriver
  readonly sums: {
    /** Throws if the last value of a row is not the sum of the others. */
    check(row: readonly SqlValue[]): void
  }
  readonly sha256: Sha256
  /** RFC 8785. */
  readonly canonicalText: (value: unknown) => string
  readonly toBase64: (bytes: Uint8Array) => string
  readonly fromBase64: (text: string) => Uint8Array | undefined
}

/**
 * What a feature adds to `svc store check`: names what of its own is not as it was written. It runs on stores of every version,
 * and names nothing where its tables are not there yet.
 */
export type StoreCheck = (subject: StoreCheckSubject) => readonly string[]

/**
 * Runs `work` once right before the running transaction commits, however many of it ask for it: for what costs less when
 * it is done for all of them. It runs also where what asked for it is undone.
 */
export type BeforeCommit = (work: () => void) => void

/** What is kept of projects, inside the running transaction. */
export interface ProjectReads {
  readonly driver: LedgerDriver
  /** The audit chain of this node, where the platform keeps one. */
  readonly audit?: AuditChain | undefined
  /** Of a store that groups commits. */
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
   * Whether `signature` (64 bytes) over `message` was made with `publicKey` (32 bytes, admitted before). Never rejects. `more`
   * says that others follow at once: a platform that has threads need not wait for them.
   */
  verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array, more?: boolean): Awaitable<boolean>
}

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
}

/** A node's key. */
export interface EndpointKey {
  /** 64 lower-case hex: the public key. */
  readonly endpointId: string
  /** The private key, PKCS#8. */
  readonly pem: string
  sign(message: Uint8Array): Uint8Array
}
