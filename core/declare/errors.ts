/**
 * `SvcError`, the error that surfaces answer with, and the catalogues that declare its codes.
 *
 * A catalogue is a table beside the code that throws its errors. The documentation and the
 * tests read the tables, so a code exists only where it is declared.
 */

/** One row of a catalogue. */
export interface ErrorRow {
  /**
   * HTTP status that carries this code to a client; absent for codes that never leave the process (they map to 500).
   */
  readonly status?: number
  /** The default message. It contains no value that a client sent. */
  readonly message: string
  /** The action that the reader can take. */
  readonly hint?: string | undefined
  /** Headers of every HTTP reply with this code, lower-case names; an occurrence may replace them. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What one occurrence of an error adds to its row. */
export interface ErrorOptions {
  /** Replaces the default message. Never contains a token, a key or a signature. */
  readonly message?: string
  readonly hint?: string | undefined
  readonly cause?: unknown
  /** Extra members of the error envelope, such as `pushId`. */
  readonly details?: Readonly<Record<string, unknown>>
  /** Headers of the HTTP reply, lower-case names, such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * An error with a stable machine-readable `code`.
 *
 * @example
 * ```ts
 * import { SvcError } from 'svc/plugin'
 *
 * const error = new SvcError('quote_unknown', { status: 404, message: 'There is no such quote.' })
 * error.code // → 'quote_unknown'
 * ```
 */
export class SvcError extends Error {
  override readonly name = 'SvcError'
  readonly code: string
  /** HTTP status; 500 if the catalogue names none. */
  readonly status: number
  readonly hint: string | undefined
  declare readonly details: Readonly<Record<string, unknown>> | undefined
  readonly headers: Readonly<Record<string, string>> | undefined

  constructor(code: string, row: ErrorRow, options: ErrorOptions = {}) {
    super(options.message ?? row.message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.status = row.status ?? 500
    this.hint = options.hint ?? row.hint
    // The inspector would print nested members, cut off, which repeat the message.
    Object.defineProperty(this, 'details', { value: options.details })
    this.headers =
      row.headers && options.headers ? { ...row.headers, ...options.headers } : (options.headers ?? row.headers)
  }
}

/** Makes errors of the declared codes. `rows` is the table of the codes. */
export interface ErrorCatalogue<Code extends string = string> {
  (code: Code, options?: ErrorOptions): SvcError
  readonly rows: Readonly<Record<Code, ErrorRow>>
}

/**
 * Turns a table of codes into a function that makes errors:
 * `const fail = defineErrors({ not_found: { status: 404, message: '…' } })`, then `throw fail('not_found')`.
 *
 * @example
 * ```ts
 * import { defineErrors } from 'svc/plugin'
 *
 * const fail = defineErrors({ quote_unknown: { status: 404, message: 'There is no such quote.' } })
 * fail('quote_unknown').status // → 404
 * ```
 */
export function defineErrors<Code extends string>(rows: Readonly<Record<Code, ErrorRow>>): ErrorCatalogue<Code> {
  const make = (code: Code, options?: ErrorOptions): SvcError =>
    new SvcError(code, rows[code] ?? { message: code }, options)
  return Object.assign(make, { rows })
}

/**
 * Whether `value` is an error of this project, optionally with a given code. Works across bundles, each of which has
 * its own class.
 *
 * @example
 * ```ts
 * import { httpFail, isSvcError } from 'svc/plugin'
 *
 * isSvcError(httpFail('forbidden'), 'forbidden') // → true
 * isSvcError(new Error('forbidden')) // → false
 * ```
 */
export function isSvcError(value: unknown, code?: string): value is SvcError {
  return (
    value instanceof Error &&
    value.name === 'SvcError' &&
    'code' in value &&
    (code === undefined || value.code === code)
  )
}
