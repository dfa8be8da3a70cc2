/** Why a command did not do what it was asked for: a refusal of the service, or of the command itself. */
export class Refusal extends Error {
  /** As the service has it, or in its manner. */
  readonly code: string
  /** The members of the service's refusal. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}
