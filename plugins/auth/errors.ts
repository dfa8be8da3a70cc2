import { defineErrors, type ErrorCatalogue, type ErrorOptions, type SvcError } from '../../core/declare/errors.ts'
import { credential_missing } from '../../core/declare/shared-codes.ts'

/** Codes of requests without a valid credential. Each is answered with 401 and a challenge. */
export type CredentialCode =
  | 'credential_missing'
  | 'token_malformed'
  | 'token_signature_invalid'
  | 'token_expired'
  | 'token_not_yet_valid'
  | 'token_revoked'
  | 'token_issuer_mismatch'
  | 'token_audience_mismatch'
  | 'token_claims_invalid'
  | 'token_algorithm_rejected'
  | 'jwks_key_unknown'
  | 'jwks_unavailable'
  | 'api_key_invalid'

/** The errors of authentication. Errors that every surface can answer are in the kernel's catalogue. */
export const authFail: ErrorCatalogue<CredentialCode | 'crypto_provider_conflict'> = defineErrors({
  credential_missing,
  token_malformed: { status: 401, message: 'The bearer token is not a compact JWS in strict base64url.' },
  token_signature_invalid: { status: 401, message: 'The signature of the token does not verify.' },
  token_expired: { status: 401, message: 'The token has expired.' },
  token_not_yet_valid: { status: 401, message: 'The token is not valid yet.' },
  token_revoked: { status: 401, message: 'The token was issued before its user was revoked, or was revoked itself.' },
  token_issuer_mismatch: { status: 401, message: 'The token is not from the configured issuer.' },
  token_audience_mismatch: { status: 401, message: 'The token is not for the configured audience.' },
  token_claims_invalid: { status: 401, message: 'A claim of the token is missing or has the wrong type.' },
  token_algorithm_rejected: { status: 401, message: 'The algorithm of the token is not accepted here.' },
  jwks_key_unknown: { status: 401, message: 'The token names no key of the configured key set.' },
  jwks_unavailable: { status: 401, message: 'The configured key set cannot be read.' },
  api_key_invalid: { status: 401, message: 'The API key is not valid.' },

  crypto_provider_conflict: {
    status: 500,
    message: 'Another component owns the crypto provider of this process, so no credential can be verified.',
    hint: 'Start svc before the component that sets globalThis[Symbol.for("svc.crypto.provider")].',
  },
})

const CHALLENGE_REFUSED = 'Bearer realm="svc", error="invalid_token"'

/**
 * Creates a 401 error with its challenge (RFC 6750 section 3). `error="invalid_token"` is sent only if the request has
 * a credential, which is the case for every code but `credential_missing`.
 */
export function refuse(code: CredentialCode, options: ErrorOptions = {}): SvcError {
  if (code === 'credential_missing') return authFail(code, options)
  return authFail(code, { ...options, headers: { 'www-authenticate': CHALLENGE_REFUSED, ...options.headers } })
}
