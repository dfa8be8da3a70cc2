/** A value that must not be printed. */

const REDACTED = '[redacted]'

/**
 * Holds a secret so that logging, string building, JSON and the Node inspector all show `[redacted]`.
 *
 * @example
 * ```ts
 * import { Secret } from 'svc/plugin'
 *
 * const key = new Secret('s3cret')
 * `${key}` // → '[redacted]'
 * key.reveal() // → 's3cret'
 * ```
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The secret itself, for the code that uses it. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return REDACTED
  }

  toJSON(): string {
    return REDACTED
  }

  static {
    // `util.inspect` and `console.log` of Node print this.
    Object.defineProperty(Secret.prototype, Symbol.for('nodejs.util.inspect.custom'), { value: () => REDACTED })
  }
}
