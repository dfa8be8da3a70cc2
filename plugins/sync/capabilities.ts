/** What the sync features give to other plugins at run time. */
import type { Awaitable } from '../../core/awaitable.ts'
import type { DomainFamily, Ed25519Verifier, Pin, RefusedPush, Sha256, SigningDevice, StoreCheck } from './api.ts'
import type { Domains } from './engine/domains.ts'
import type { SyncEngine } from './engine/engine.ts'
import type { EngineLimits } from './engine/options.ts'
import type { LedgerReads, ReceiptStore } from './engine/store/api.ts'
import type { EndpointKey, PeerTransport } from './peers/api.ts'

export type { SyncEngine } from './engine/engine.ts'
export type { WordTold } from './engine/peers.ts'
export type { LedgerReads, ReceiptStore } from './engine/store/api.ts'

/** What other doors for signed bytes share with that for pushes. */
export interface SyncDoor {
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
  /** The tenant of `sync.live_tenant`: whose users see what this node holds. */
  readonly liveTenant: string
  /** From now on pushes pin what `pin` says. */
  pinBy(pin: Pin): void
  /** What pushes pin. */
  readonly pin: Pin
  /** The families of domains, whose pushes are told to the audit chain. */
  readonly domains: Domains
  /** The key of this node; made at its first use. */
  readonly ownKey: () => EndpointKey
  /** Pushes go to their targets by this; called before the start, where no `PeerTransport` is provided. */
  carryBy(transport: PeerTransport): void
  /** By what pushes go to their targets; undefined where this build has nothing for that. */
  readonly carrier: () => PeerTransport | undefined
  /** From now on `tell` hears of refused pushes whose signer was proven; what it rejects with is the answer then. */
  tellRefusedBy(tell: (push: RefusedPush) => Promise<void>): void
}

/** What only a service has at its door. */
export type ServedPart = 'pin' | 'domains' | 'ownKey' | 'carryBy' | 'carrier'

/** What an embedded engine gives to a library of boards in the same build, which runs over its store and its host. */
export interface EmbeddedParts {
  readonly store: ReceiptStore
  readonly door: Omit<SyncDoor, 'liveTenant' | ServedPart>
  /** The host's word on a device; one whose key no engine may take is not there. */
  device(keyId: string): Awaitable<SigningDevice | undefined>
  /** The host's word on the project of a domain. */
  exists(domain: string): Promise<boolean>
  /** Unix time in milliseconds, by the host's clock. */
  now(): number
  /** Lets other work of the loop run, where the host or the realm has timers. */
  yieldLoop(): Promise<void>
  /** Runs a call as one of the engine's own: for somebody, not inside a callback of the host, not after the end. */
  asCaller<T>(work: () => Promise<T>): Promise<T>
  /** Tells the host's log of what went wrong and failed no call. */
  failed(error: unknown): void
}

/** What the door for signed bytes takes of its platform. */
export interface SyncPlatform {
  readonly ed25519: Ed25519Verifier
  /** The key of this node; made at its first use. */
  readonly ownKey: () => EndpointKey
  /** Lets other work of the loop run. */
  readonly yieldLoop: () => Promise<void>
  /** Called at the start: throws where the key of this node cannot be used. */
  start?(store: Pick<ReceiptStore, 'read'>): Awaitable<void>
}

/** The service that runs, as commands ask it. Each call rejects with the `code` of a refusal, `service_away` where nobody answers. */
export interface LocalService {
  get<T>(path: string): Promise<T>
  /** Undefined where the answer is another than 200. */
  getBytes(path: string): Promise<Uint8Array | undefined>
  send<T>(method: 'GET' | 'POST' | 'PUT', path: string, type?: string, body?: string): Promise<T>
}

/** The capabilities of the sync features. */
export interface SyncCapabilities {
  /** Durable receipts, devices and projects. */
  ReceiptStore: ReceiptStore
  /** Cryptography and the key of this node; without one, those of Node with a key beside the store. */
  SyncPlatform: SyncPlatform
  /** The sync engine of this process. */
  Sync: SyncEngine
  /** Carries envelopes to peers; without one, pushes with targets are refused. */
  PeerTransport: PeerTransport
  /** What a door for signed bytes needs, for other families. */
  SyncDoor: SyncDoor
  /** Families of domains beside `kbd-control` and `kbd-content`. */
  DomainFamilies: readonly DomainFamily[]
}

declare module '../../core/plugin.ts' {
  interface Capabilities extends SyncCapabilities {}
  interface CommandCapabilities {
    /** Opens the service at a socket, by default at the configured one. */
    LocalService: (socketPath?: string) => LocalService
    /** Looks at what boards keep in the store. */
    StoreCheck: StoreCheck
  }
}
