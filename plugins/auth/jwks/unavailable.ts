import type { SvcError } from '../../../core/errors.ts'
import { refuse } from '../errors.ts'

/** Why a key set cannot be used. Callers get the text, so it contains nothing of the address or of the answer. */
const problems = {
  not_reached: 'The endpoint of the configured key set cannot be reached.',
  not_readable: 'The endpoint of the configured key set answers with something other than a key set.',
  not_discovered: 'The discovery document of the configured issuer cannot be used.',
  no_usable_key: 'The configured key set has no key that verifies RS256.',
}

/** The `reason` in the error envelope of `jwks_unavailable`. */
export type JwksProblem = keyof typeof problems

/** Makes the 401 `jwks_unavailable` with its reason. `cause` is for the log; it quotes nothing of the answer. */
export function unavailable(reason: JwksProblem, cause?: unknown): SvcError {
  return refuse('jwks_unavailable', { message: problems[reason], details: { reason }, cause })
}
