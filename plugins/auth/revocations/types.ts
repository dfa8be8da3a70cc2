/** Revocations, as stores, verifiers and the list of a node use them. */
import type { Awaitable } from '../../../core/kernel/values.ts'

/** A user of a tenant, and the user who acts for it, if any. */
export interface Subject {
  readonly tenant: string
  readonly user: string
  readonly actor?: string
}

/**
 * What a credential says of its issue. A credential of this service carries the numbers of the last revocations that
 * its node had applied for its user and its actor, so that no clocks are compared. Of a token of another issuer only
 * the time is known.
 */
export type Issue =
  | { readonly marks: RevocationMarks; readonly jti?: string | undefined }
  | {
      readonly iat: number | undefined
      readonly jti: string | undefined
      readonly leewaySeconds: number
    }

/** The numbers of the last revocations of a user and of its actor; 0 stands for none. */
export type RevocationMarks = readonly [user: number, actor: number]

/** The users and tokens that were revoked, as far as this node has applied it. */
export interface RevokedUsers {
  /** What a credential has to carry that is issued now. */
  marks(subject: Subject): RevocationMarks
  /** Whether a credential was issued before its user, or its actor, was revoked, or was revoked itself. */
  isRevoked(subject: Subject, issue: Issue): boolean
  /**
   * Whether there is a revocation of the user or its actor, so that the answer of `isRevoked` can depend on the time.
   */
  concerns(subject: Subject): boolean
  /** When the user or its actor was revoked last, in Unix milliseconds; null if neither was. */
  revokedAtMs(subject: Subject): number | null
}

/** A revocation of a user, or of one of its tokens. Times are Unix milliseconds. */
export interface Revocation {
  /** Larger than the number of every earlier revocation. */
  readonly number: number
  /** Larger for every later change of the same revocation. */
  readonly change: number
  readonly tenant: string
  readonly user: string
  /** The id of the only token that is revoked; null if all credentials of the user are. */
  readonly jti: string | null
  readonly notBeforeMs: number
  readonly reason: string | null
  readonly liftedAtMs: number | null
}

/** A revocation that is being made. */
export interface RevocationDraft extends Pick<Revocation, 'tenant' | 'user' | 'jti' | 'reason'> {
  /**
   * When the revocation may be forgotten, because its token has expired by then; Infinity for a user and for tokens of
   * other issuers.
   */
  readonly endMs: number
}

/** Most revocations that are kept. */
export interface RevocationBounds {
  readonly maxRevocations: number
  readonly maxRevocationsPerTenant: number
}

/** Revokes users, for other features. */
export interface UserRevocations {
  /** Whether revocations survive a restart of the process. */
  readonly durable: boolean
  /** @throws SvcError `overloaded` if there is no room, or the store cannot be written */
  revoke(draft: RevocationDraft): Promise<Revocation>
  /** @throws SvcError `not_found` if the user is not revoked, `overloaded` */
  lift(subject: Subject): Promise<Revocation>
  /** As of {@link RevocationStore}. @throws SvcError `overloaded` */
  eraseReasons(subject: Subject): Awaitable<number>
  /** The tenants in which a user, or one of its tokens, is revoked. */
  tenantsOf(user: string): readonly string[]
}

/** Keeps revocations. Every node has all of them in memory, because each request is checked against them. */
export interface RevocationStore {
  /** Whether revocations survive a restart of the process. */
  readonly durable: boolean
  /**
   * Called before each use of a token. Throws `overloaded` if this node does not know revocations that may exist for
   * too long.
   */
  readonly checkAge?: () => void
  /** Makes a revocation, or renews one; null if there is no room. Readers get it before this resolves. */
  revoke(draft: RevocationDraft, nowMs: number, bounds: RevocationBounds): Awaitable<Revocation | null>
  /** Lifts the revocation of a user; null if there is none. Readers get it before this resolves. */
  lift(subject: Subject, nowMs: number): Awaitable<Revocation | null>
  /**
   * Removes the reasons of the revocations of a user and of its tokens; returns how many there were. The revocations
   * stay in force. A store without it keeps the reasons.
   */
  eraseReasons?(subject: Subject): Awaitable<number>
  /**
   * Calls `listener` with all revocations that are stored, in the order of their numbers, and then with each change.
   */
  follow(listener: (changed: readonly Revocation[]) => void): void
}
