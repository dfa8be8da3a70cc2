/** What routes declare of their bodies. */

/** How deep and how large a JSON body may be. */
export interface JsonBounds {
  /** Levels of objects and arrays; `{}` has one. */
  readonly maxDepth: number
  /** Members of objects and items of arrays, those of all levels together. An empty object or array counts as one. */
  readonly maxMembers: number
}

/** What a route takes as its body. */
export interface BodySpec {
  /** The media type, without parameters; any other is 415 `unsupported_media_type`. */
  readonly type: string
  /** Key of the setting that holds the largest size in bytes; `server.max_body_bytes` where absent. */
  readonly limit?: string
  /** A size in bytes that no setting raises. */
  readonly maxBytes?: number
  /** Bounds of a JSON body on the runtime surface, where the route needs other ones than 64 levels and 10 000 members. */
  readonly json?: Partial<JsonBounds>
  /** Whether a request without a body is fine, whatever its content type. */
  readonly optional?: boolean
}
