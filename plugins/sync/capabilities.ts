/** What the sync features give to other plugins at run time. */

import type { Reply } from '../../core/http/reply.ts'
import type { SvcRequest } from '../../core/http/request.ts'
import type { LogRecord } from '../../core/kernel/log.ts'
import type { Awaitable } from '../../core/kernel/values.ts'
import type { ReadinessReport } from '../probes/api.ts'
import type { DeviceKey } from '../protocol/sign/index.ts'
import type {
  DomainFamily,
  Ed25519Verifier,
  EndpointKey,
  PeerTransport,
  Pin,
  RefusedPush,
  Sha256,
  SigningDevice,
} from './api.ts'
import type { PushCaller } from './engine/admission/admitted.ts'
import type { Incoming } from './engine/admission/incoming.ts'
import type { AuditChain, AuditParts } from './engine/audit/audit-types.ts'
import type { Devices } from './engine/devices/devices.ts'
import type { SyncEngine } from './engine/engine.ts'
import type { EngineLimits } from './engine/options.ts'
import type { LedgerReads, ReceiptStore } from './engine/store/api.ts'
import type { StoreInfo } from './store-sqlite/maintenance.ts'

export type { AskedPush, Incoming, IncomingPush } from './engine/admission/incoming.ts'
export type { AcknowledgementRecorded } from './engine/delivery/record-acknowledgement.ts'
export type { SyncEngine } from './engine/engine.ts'
export type { Ledger, LedgerReads, ReceiptStore } from './engine/store/api.ts'

/** What other entry points for signed bytes share with the entry point for pushes. */
export interface SyncShared {
  readonly limits: EngineLimits
  readonly sha256: Sha256
  readonly verify: Ed25519Verifier['verify']
  /** Parses strictly; throws `malformed_json` or `canonicalization_failed`. */
  readonly admitJson: (bytes: Uint8Array) => unknown
  /** RFC 8785. */
  readonly canonicalText: (value: unknown) => string
  readonly toBase64: (bytes: Uint8Array) => string
  /** Strict; undefined for anything else. */
  readonly fromBase64: (text: string) => Uint8Array | undefined
  readonly fromKeyId: (keyId: string) => Uint8Array | undefined
  readonly isAdmissibleKey: (publicKey: Uint8Array) => boolean
  /** Names of all projects, with commands or without, in order. */
  readonly projectNames: (ledger: LedgerReads) => readonly string[]
  /** The tenant of `sync.live_tenant`, whose users see the data of this node. */
  readonly liveTenant: string
  /** Admits pushes of other nodes. */
  readonly incoming: Incoming
  /** The key of this node; made at its first use. */
  readonly ownKey: () => EndpointKey
}

/** Members that only a service has, and an embedded engine does not. */
export type ServedPart = 'incoming' | 'ownKey'

/** What an embedded engine gives to a feature of the same build that works over its store and its host. */
export interface EmbeddedParts {
  readonly store: ReceiptStore
  readonly shared: Omit<SyncShared, 'liveTenant' | 'projectNames' | ServedPart>
  /** The device of a key, as the host says; undefined if no engine may take its key. */
  device(keyId: string): Awaitable<SigningDevice | undefined>
  /** Whether the host has the project of a domain. */
  exists(domain: string): Promise<boolean>
  /** Unix time in milliseconds, by the host's clock. */
  now(): number
  /** Lets other work of the event loop run, if the host or the realm has timers. */
  yieldLoop(): Promise<void>
  /**
   * Runs a call like those of the engine: with an identity, outside of callbacks of the host, and before the engine is
   * closed.
   */
  asCaller<T>(work: () => Promise<T>): Promise<T>
  /** Makes the refusal `envelope_preparation_failed` of a push. */
  unprepared(message: string, hint: string): Error
  /** Writes to the host's log. */
  log(record: Omit<LogRecord, 'timeMs'>): void
}

/** What a feature adds to an embedded engine. */
export interface EmbeddedAddition {
  /** What pushes pin of their project. */
  readonly pin: Pin
  /** Called with each refused push whose signer was proven. */
  readonly refused: PushAudit
  /** What the library of the feature takes from the engine. */
  readonly parts: object
}

/** What a feature that works with pushes adds to its tables in the store. */
export interface SyncStorePart {
  /** Makes the audit chain over a table of this part. One feature of a build has it. */
  readonly audit?: (parts: AuditParts) => AuditChain
  /** Adds the feature to an embedded engine. One feature of a build has it. */
  readonly embed?: (parts: EmbeddedParts) => EmbeddedAddition
}

/** What the entry points for signed bytes need of their platform. */
export interface SyncPlatform {
  readonly ed25519: Ed25519Verifier
  /** The key of this node; made at its first use. */
  readonly ownKey: () => EndpointKey
  /** Lets other work of the event loop run. */
  readonly yieldLoop: () => Promise<void>
  /** Called at the start. Throws if the key of this node cannot be used. */
  start?(store: Pick<ReceiptStore, 'read'>): Awaitable<void>
}

/**
 * Called with each refused push whose signature was verified. If the call rejects, that error is the answer to the
 * push.
 */
export type PushAudit = (push: RefusedPush) => Promise<void>

/** The key of a node, for commands of its owner. */
export interface NodeKey {
  own(): Promise<EndpointKey>
  /** Replaces the key and records that in the audit chain. The old key is lost. No service may run in the folder. */
  rotate(): Promise<EndpointKey>
}

/** A user who hands in a push, and the limit of its signatures. */
export interface RemotePushCaller extends PushCaller {
  /** Called before a signature is verified. What it throws refuses the push. */
  verifying(): void
}

/** The handlers of pushes and receipts. */
export interface PushHandlers {
  /** Takes the push in the body. Without a caller, it is a push of the owner of this node. */
  push(request: SvcRequest, caller?: RemotePushCaller): Promise<Reply>
  /** The receipt of the push that the path names. */
  receipt(request: SvcRequest): Promise<Reply>
  /** The events of that push, as a stream. */
  events(request: SvcRequest): Promise<Reply>
}

/** The user of the runtime surface who handed in a push. */
export interface PushOwner {
  readonly tenant: string
  readonly user: string
}

/** Callers of the runtime surface who use what is of this node: pushes and boards. */
export interface RemoteCallers {
  /** Whether the runtime surface serves them. */
  readonly enabled: boolean
  /** The user who handed in a push over the network; undefined for any other push. Also while they are not served. */
  ownerOf(pushId: string): Promise<PushOwner | undefined>
  /**
   * Checks the caller of a request, before its body is read. With `scope` null, any verified credential is enough.
   * `otherTenant` is the answer to callers of other tenants.
   * @throws SvcError `forbidden` without the scope, `otherTenant()`
   */
  admit(request: SvcRequest, scope: string | null, otherTenant: () => Error): RemoteCaller
}

/** A caller that may use what is of this node. */
export interface RemoteCaller extends PushOwner {
  /** Names the caller where a name has a bounded length: 64 hex digits after `user:`. */
  readonly name: string
  /**
   * Names the acting key that the caller comes from, whose users are counted together too: `key:` and the id of the
   * key. Null for all others.
   */
  readonly actingKey: string | null
  /** Counts the bytes of the body, before it is read. @throws SvcError `rate_limited` */
  sending(): void
  /** Counts a signature, before it is verified. @throws SvcError `rate_limited` */
  verifying(): void
}

/** What a new invitation allows. */
export interface InvitationWish {
  readonly scopes: readonly string[]
  readonly label: string | null
  /** Seconds after its enrolment at which the device expires; null for never. */
  readonly deviceSeconds: number | null
  /** How long the code is valid. */
  readonly codeSeconds: number
}

/** A new invitation. Nothing else has its code: the store has a hash. */
export interface NewInvitation {
  readonly id: string
  /** `svcd1-<id>-<secret>`. */
  readonly code: string
  readonly scopes: readonly string[]
  /** Unix time in milliseconds, at which the code is void. */
  readonly expiresAtMs: number
}

/** An invitation as its owner sees it. */
export interface ListedInvitation extends Omit<NewInvitation, 'code'> {
  readonly label: string | null
  readonly state: 'open' | 'used' | 'void'
  /** The device that used it. */
  readonly keyId: string | null
}

/** The invitations of a node, for its owner. */
export interface NodeInvitations {
  /** @throws Error for scopes that no device may have, or if too many invitations are open */
  invite(wish: InvitationWish): Promise<NewInvitation>
  /** Open ones, and those that ended within a day. */
  list(): Promise<readonly ListedInvitation[]>
  /** Makes an open invitation void. Returns false if there is no open one with the id. */
  cancel(id: string): Promise<boolean>
  /** The QR code of a text: a text for each row, with `1` for dark and `0` for light. */
  qrOf(code: string): readonly string[]
  /** The QR code of a text for a terminal. */
  drawn(code: string): string
}

/** The capabilities of the sync features. */
export interface SyncCapabilities {
  /** Durable receipts, devices and projects. */
  ReceiptStore: ReceiptStore
  /** Cryptography and the key of this node; without one, those of Node with a key beside the store. */
  SyncPlatform: SyncPlatform
  /** The sync engine of this process. */
  Sync: SyncEngine
  /** What pushes pin of their project. Without it they pin nothing. */
  ProjectPin: Pin
  /** Where refused pushes are recorded. */
  PushAudit: PushAudit
  /** The checks of `/ready` of the local surface. */
  LocalReadiness: () => Promise<ReadinessReport>
  /** The handlers of pushes and receipts, for every surface. */
  PushHandlers: PushHandlers
  /** Callers of the runtime surface. */
  RemoteCallers: RemoteCallers
  /** Delivers envelopes to peers. Without it pushes with targets are refused. */
  PeerTransport: PeerTransport
  /** What an entry point for signed bytes needs, for other families. */
  SyncShared: SyncShared
  /** Families of domains beside `kbd-control` and `kbd-content`. */
  DomainFamilies: readonly DomainFamily[]
}

declare module '../../core/declare/plugin.ts' {
  interface Capabilities extends SyncCapabilities {}
  interface StorePart extends SyncStorePart {}
  interface CommandCapabilities {
    /** Opens the private key of a device in a PEM file. Throws if the file is no Ed25519 key. */
    DeviceKeyFile: (file: string) => DeviceKey
    /** Opens the store of the configured folder for one piece of work. Throws if the folder belongs to another user. */
    NodeStore: <T>(work: (store: ReceiptStore) => Promise<T>) => Promise<T>
    /** The action `invite` of `svc device`, with its arguments. */
    InviteDevice: (args: readonly string[]) => Promise<void>
    /**
     * The invitations of this node, in the store of the configured folder. Calls reject if the folder belongs to
     * another user.
     */
    NodeInvitations: NodeInvitations
    /** The key of this node, in the configured folder; made at its first use. */
    NodeKey: NodeKey
    /**
     * The devices of this node, in the store of the configured folder. Calls reject if the folder belongs to another
     * user.
     */
    NodeDevices: Devices
    /**
     * Counts what is in the store of the configured folder; `holds` has the counts in words. Throws if there is none,
     * or the folder belongs to another user.
     */
    NodeStoreInfo: () => StoreInfo & { readonly holds: string }
  }
}
