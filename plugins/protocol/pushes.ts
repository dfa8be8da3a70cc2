/** The types of pushes, which a device signs so that the state of a project is applied and sent. */

/** The `schemaVersion` of push requests and of receipts. */
export const PUSH_SCHEMA_VERSION = '1.7'

/** The causal frontier of a project: ascending, unique hashes, 64 lower-case hex each. */
export interface Frontier {
  readonly heads: readonly string[]
}

/** The body of a push, as defined in interface.md part 2. */
export interface PushRequest {
  readonly schemaVersion: string
  readonly requestId: string
  readonly domain: string
  readonly targetEndpointIds: readonly string[]
  readonly expectedFrontier: Frontier | null
  /** Unix time in milliseconds. */
  readonly issuedAtMs: number
  readonly signerKeyId: string
  readonly signature: string
}
