/** The verified identity of a caller. */

/** The credential of an identity. Streams end when their credential ends. */
export interface Credential {
  /** Stable id of the credential (a key id, a token id); never the credential itself. */
  readonly id: string
  /** Unix time in milliseconds at which the credential expires; null if it does not expire. */
  readonly expiresAtMs: number | null
  /** Id of the API key that is the credential, or that was exchanged for it. Absent without one. */
  readonly keyId?: string
  /**
   * Stable id of the shared secret that signed the credential; streams end when the secret is removed. Absent without
   * one.
   */
  readonly signedBy?: string
}

/** The caller of a request. Built only after verification. */
export interface Identity {
  readonly kind: 'anonymous' | 'user' | 'local' | 'peer'
  readonly user: string | null
  readonly tenant: string | null
  readonly scopes: readonly string[]
  readonly credential: Credential | null
  /** The user of the same tenant who acts for `user` (RFC 8693 section 4.1). Absent if the caller acts for itself. */
  readonly actor?: string
}

/** The identity of a request without a verified credential. */
export const anonymous: Identity = Object.freeze({
  kind: 'anonymous',
  user: null,
  tenant: null,
  scopes: Object.freeze([]),
  credential: null,
})
