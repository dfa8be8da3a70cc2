/** The declarations of routes about their bodies. */

/** The largest depth and size of a JSON body. */
export interface JsonBounds {
  /** Levels of objects and arrays; `{}` has one. */
  readonly maxDepth: number
  /** Members of objects and items of arrays, of all levels together. An empty object or array counts as one. */
  readonly maxMembers: number
}

/** The body that a route accepts. */
export interface BodySpec {
  /** The media type, without parameters; any other is 415 `unsupported_media_type`. */
  readonly type: string
  /** Key of the setting with the largest size in bytes; `server.max_body_bytes` if absent. */
  readonly limit?: string
  /** A size in bytes that no setting raises. */
  readonly maxBytes?: number
  /**
   * Bounds of a JSON body on the runtime surface, if the route needs other bounds than 64 levels and 10 000 members.
   */
  readonly json?: Partial<JsonBounds>
  /** Whether a request without a body is accepted. Its content type is then not checked. */
  readonly optional?: boolean
}
