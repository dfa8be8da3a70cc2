import type { Awaitable } from '../../../core/awaitable.ts'
import type { Clock } from '../../../core/environment.ts'
import { isSvcError } from '../../../core/errors.ts'
import type { Guard } from '../../../core/http/access/guard.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import { anonymous, type Identity } from '../../../core/identity.ts'
import type { Share } from '../../../core/process-slot.ts'
import type { Authentication, Revocations, TokenVerifier, Verdict } from '../api.ts'
import type { CryptoProvider } from '../crypto/provider.ts'
import { authFail, refuse } from '../errors.ts'
import { readCompactJws } from '../token/compact-jws.ts'
import { readCredential, toAuthorization } from './credentials.ts'
import { createVerdictCache } from './verdict-cache.ts'

/** What the guard works with. */
export interface AuthenticatorOptions {
  readonly required: boolean
  /** How many verdicts on tokens are kept. */
  readonly cacheEntries: number
  readonly clock: Clock
}

/** The guard with all that hangs on it. */
export interface Authenticator {
  readonly guard: Guard
  readonly authentication: Authentication
  readonly revocations: Revocations
  /** Gives the guard its crypto provider; without one, every request with a credential is a 500. */
  hold(lease: Share<CryptoProvider>): void
  release(): void
}

/**
 * Makes the guard: it finds the credential, lets the feature that knows its kind verify it, and builds an identity from
 * nothing else. A token whose verdict is kept costs one look-up and no promise.
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const verdicts = createVerdictCache<Verdict>(options.cacheEntries, options.clock)
  const verifiers = new Map<string | undefined, TokenVerifier>()
  const listeners = new Set<(credentialId: string) => void>()
  let verifyKey: Parameters<Authentication['onKey']>[0] = () => {
    throw refuse('api_key_invalid')
  }
  let lease: Share<CryptoProvider> | null = null
  let generation = 0

  const crypto = (): CryptoProvider => {
    if (lease === null) throw authFail('crypto_provider_conflict')
    return lease.value
  }

  const verifyToken = (text: string): Awaitable<Identity> => {
    const authorization = toAuthorization(text)
    const kept = verdicts.get(authorization)
    if (kept !== undefined) return uphold(kept)
    const jws = readCompactJws(text)
    const verifier = verifiers.get(jws.header.typ) ?? verifiers.get(undefined)
    if (verifier === undefined) throw refuse('token_algorithm_rejected')
    const startedIn = generation
    const keep = (verdict: Verdict): Identity => {
      // Keys that went away while the token was being verified took its verdict with them.
      const { keepUntilMs: untilMs, keepForMs } = verdict
      if (startedIn === generation) verdicts.set(authorization, verdict, { untilMs, keepForMs })
      return verdict.identity
    }
    const verdict = verifier(jws)
    return verdict instanceof Promise ? verdict.then(keep) : keep(verdict)
  }

  const authenticate = (request: SvcRequest, authorization: string | undefined): Awaitable<Identity> => {
    const presented = readCredential(request, authorization)
    if (presented.kind === 'none') throw refuse('credential_missing')
    crypto()
    return presented.kind === 'token' ? verifyToken(presented.text) : verifyKey(presented.text, request)
  }

  const authenticateOrNot = (request: SvcRequest, authorization: string | undefined): Awaitable<Identity> => {
    try {
      const identity = authenticate(request, authorization)
      return identity instanceof Promise ? identity.catch(toAnonymous) : identity
    } catch (error) {
      return toAnonymous(error)
    }
  }
  const settle = options.required ? authenticate : authenticateOrNot

  return {
    guard: (request) => {
      const authorization = request.header('authorization')
      if (authorization !== undefined) {
        // Kept verdicts are found by the header as a whole, so that the usual request is not even taken apart.
        const kept = verdicts.get(authorization)
        if (kept !== undefined && kept.recheck === null) return kept.identity
      }
      return settle(request, authorization)
    },
    authentication: {
      required: options.required,
      crypto,
      onToken: (typ, verifier) => void verifiers.set(typ, verifier),
      onKey: (verifier) => {
        verifyKey = verifier
      },
      forgetVerdicts: () => {
        generation++
        verdicts.clear()
      },
      announceRevoked: (credentialId) => {
        for (const listener of listeners) listener(credentialId)
      },
    },
    revocations: {
      onRevoked: (listener) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    hold: (given) => {
      lease = given
    },
    release: () => {
      verdicts.clear()
      lease?.release()
      lease = null
    },
  }
}

function uphold(verdict: Verdict): Awaitable<Identity> {
  const checked = verdict.recheck?.()
  return checked instanceof Promise ? checked.then(() => verdict.identity) : verdict.identity
}

/** With required mode off a credential that is not valid counts as none; what is wrong with us stays an error. */
function toAnonymous(error: unknown): Identity {
  if (isSvcError(error) && error.status === 401) return anonymous
  throw error
}
