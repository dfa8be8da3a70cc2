/**
 * The JSON between the console's server and its page. Only types, because the page is bundled for browsers and the
 * server for Node.
 */
import type { Stability } from '../../core/declare/manifest.ts'
import type { Device } from '../sync/api.ts'
import type { NewInvitation } from '../sync/capabilities.ts'

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

/** Why a request was refused. */
export interface Refusal {
  readonly code: string
  readonly message: string
  /** How to solve the problem: a command, or a setting. */
  readonly hint?: string | undefined
}

/** `GET console/session`. */
export interface Session {
  /** The build of the program that runs the console. */
  readonly program: Build
  /** The build of the running service, as the service has told; null if it does not answer, or does not say. */
  readonly service: ServiceBuild | null
  /** Whether requests other than GET and HEAD are passed on. */
  readonly isWritable: boolean
  /** Whether devices can be invited: the service has `sync.remote`, and the console its store. */
  readonly mayInvite: boolean
  /** The device whose key signs commands; null without `--key`. */
  readonly device: { readonly keyId: string; readonly label: string | null } | null
  /**
   * The runtime surface and the user of its credential. Null if the console cannot call it: `runtimeRefusal` has the
   * reason.
   */
  readonly runtime: {
    readonly origin: string
    /** Null for an API key, and for anonymous requests. */
    readonly user: string | null
    readonly tenant: string | null
  } | null
  readonly runtimeRefusal: Refusal | null
  /** The local surface; null with `--url`, and in a profile that has none. */
  readonly local: { readonly socket: string } | null
  /** Why the console cannot read the store of this node. Null if it can, or if there is no store. */
  readonly storeRefusal: Refusal | null
  /** The views whose routes the service has. */
  readonly views: readonly ViewName[]
  /** The ways to call the commands of the program that runs the console, such as `svc audit verify [--json]`. */
  readonly usages: readonly CommandUsage[]
}

/** One way to call a command. */
export interface CommandUsage {
  readonly usage: string
  /** What the command does, in one line. */
  readonly summary: string
}

/** A build. */
export interface Build {
  readonly version: string
  readonly profile: string
  /** `unknown` without a repository. */
  readonly commit: string
}

/** The build of a running service. */
export interface ServiceBuild extends Build {
  /** Whether it is the build of the program that runs the console; null if its hash is not known. */
  readonly isSame: boolean | null
  /** Null if the service does not say. */
  readonly features: readonly FeatureOfBuild[] | null
}

/**
 * A feature of a running service. The summary and the stability are null if the program of the console does not have
 * the feature.
 */
export interface FeatureOfBuild {
  readonly id: string
  readonly variant?: string
  readonly stability: Stability | null
  readonly summary: string | null
}

/**
 * The body of `POST console/sign`; the answer is the signed command, an envelope of `plugins/protocol/sign/shapes.ts`.
 */
export interface SignRequest {
  readonly project: string
  readonly command: Readonly<Record<string, unknown>> & { readonly type: string }
  /** The heads of the project on which the command is based. */
  readonly parents: readonly string[]
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

/** The body of `POST console/invitations`; the answer is a `ShownInvitation`. */
export interface InviteRequest {
  readonly scopes: readonly string[]
  readonly label?: string | null
  /** Seconds after its enrolment at which the device expires; null for never. */
  readonly deviceSeconds?: number | null
}

/** A new invitation. No other answer has its code. */
export interface ShownInvitation extends NewInvitation {
  /** The QR code: a text for each row, with `1` for dark and `0` for light. */
  readonly qr: readonly string[]
}

/** The body of `POST console/invitations/cancel`. */
export interface CancelRequest {
  readonly id: string
}

/** `GET console/store`. */
export interface StoreReport {
  readonly path: string
  /** The version of the schema of the store, and the newest version that the program writes. */
  readonly version: number
  readonly newest: number
  /** The sizes of the database file and of its log. */
  readonly bytes: number
  readonly logBytes: number
  /** The number of records of each kind. */
  readonly counts: Readonly<Record<string, number>>
  /** The counts as text, such as `1 receipt, 2 devices`. */
  readonly holds: string
  /** The disk that the file is on. */
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number }
}

/** `GET console/builds`: the folders with a `proof.json` beside the folder of the program, and that folder itself. */
export interface BuildList {
  /** The folder of the program; null if it has no `proof.json`. */
  readonly own: string | null
  readonly profiles: readonly string[]
}
