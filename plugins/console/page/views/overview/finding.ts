/** A problem that the verdict names. */

/** A problem of the service. */
export interface Finding {
  readonly what: string
  /** Unix time in milliseconds; undefined if it is not known. */
  readonly sinceMs: number | undefined
  readonly affects: string
  readonly next: string
  /** A view of the page with more about it. */
  readonly href?: string
}
