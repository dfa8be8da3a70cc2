/** What the console's process and its page say to each other. Types only: the page is bundled for browsers, the process for Node. */
import type { Stability } from '../../core/manifest.ts'
import type { Device } from '../sync/api.ts'

export type { Device } from '../sync/api.ts'

/** A view of the page. */
export type ViewName =
  | 'overview'
  | 'runs'
  | 'live'
  | 'boards'
  | 'pushes'
  | 'peers'
  | 'keys'
  | 'devices'
  | 'audit'
  | 'build'
  | 'api'

/** Why something was not done. */
export interface Refusal {
  readonly code: string
  readonly message: string
  /** What to do about it: a command, or a setting. */
  readonly hint?: string | undefined
}

/** `GET console/session`. */
export interface Session {
  /** The version and the profile of the program that runs the console. */
  readonly version: string
  readonly profile: string
  /** Whether requests other than GET and HEAD are passed on. */
  readonly isWritable: boolean
  /** The device whose key signs commands; null without `--key`. */
  readonly device: { readonly keyId: string; readonly label: string | null } | null
  /** The runtime surface, and whom its credential names; null if the console cannot call it, and then `runtimeRefusal` says why. */
  readonly runtime: {
    readonly origin: string
    /** Null for an API key, and for anonymous requests. */
    readonly user: string | null
    readonly tenant: string | null
  } | null
  readonly runtimeRefusal: Refusal | null
  /** The local surface; null with `--url`, and in a profile that has none. */
  readonly local: { readonly socket: string } | null
  /** Whether the console may read the store of this node; null if it may, or if there is none. */
  readonly storeRefusal: Refusal | null
  /** Views whose routes the service has. */
  readonly views: readonly ViewName[]
  /** The features of the service. Empty with `--url`, because no route names those of a service elsewhere. */
  readonly features: readonly {
    readonly id: string
    readonly variant?: string
    readonly stability: Stability
    readonly summary: string
  }[]
}

/** The body of `POST console/sign`; the answer is the signed command, an envelope of `plugins/protocol/sign/shapes.ts`. */
export interface SignRequest {
  readonly project: string
  readonly command: Readonly<Record<string, unknown>> & { readonly type: string }
  /** The heads of the project that the command was made for. */
  readonly parents: readonly string[]
  /** `parentIssuedAtMs` of a refusal: the command is not signed with an earlier time. */
  readonly newestParentMs?: number
}

/** `GET console/devices`. */
export interface DeviceList {
  readonly devices: readonly Device[]
}

/** The body of `POST console/devices`; the answer is the `Device`. */
export interface EnrolRequest {
  /** `ed25519:` and 64 lower-case hex digits. */
  readonly keyId: string
  readonly scopes: readonly string[]
  readonly label?: string | null
  /** Unix time in milliseconds. */
  readonly expiresAtMs?: number | null
}

/** The body of `POST console/devices/revoke`; the answer is the `Device`. */
export interface RevokeRequest {
  readonly keyId: string
  readonly reason?: string | null
}

/** `GET console/store`. */
export interface StoreReport {
  readonly path: string
  /** The version of its schema, and the newest one that the program writes. */
  readonly version: number
  readonly newest: number
  /** Sizes of the file and of its log. */
  readonly bytes: number
  readonly logBytes: number
  /** How many there are of each kind of thing. */
  readonly counts: Readonly<Record<string, number>>
  /** The counts in words, such as `1 receipt, 2 devices`. */
  readonly holds: string
  /** The disk that the file is on. */
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number }
}

/** `GET console/builds`: folders beside that of the program that hold a `proof.json`. */
export interface BuildList {
  /** The folder of the program itself, if it is one of them. */
  readonly own: string | null
  readonly profiles: readonly string[]
}
