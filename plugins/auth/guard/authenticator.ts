import { isSvcError } from '../../../core/declare/errors.ts'
import type { Guard } from '../../../core/http/guard.ts'
import { anonymous, type Identity } from '../../../core/http/identity.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import type { Clock } from '../../../core/kernel/environment.ts'
import type { Share } from '../../../core/kernel/process-slot.ts'
import type { Awaitable } from '../../../core/kernel/values.ts'
import type { Authentication, Revocations } from '../api.ts'
import type { CryptoProvider } from '../crypto/provider.ts'
import { authFail, refuse } from '../errors.ts'
import { readCredential } from './credentials.ts'
import { createTokenAuthenticator } from './token-authenticator.ts'

/** Settings and clock of the guard. */
export interface AuthenticatorOptions {
  readonly required: boolean
  /** Maximum number of cached verdicts on tokens. */
  readonly cacheEntries: number
  readonly clock: Clock
  /**
   * Called with the code of a credential that is refused, and whose request is answered as that of an anonymous caller.
   */
  readonly onIgnored?: (code: string) => void
}

/** The guard and its capabilities. */
export interface Authenticator {
  readonly guard: Guard
  readonly authentication: Authentication
  readonly revocations: Revocations
  /** Gives the guard its crypto provider; without one, every request with a credential is answered with 500. */
  hold(lease: Share<CryptoProvider>): void
  release(): void
}

/**
 * Creates the guard. It finds the credential of a request, has it verified by the feature that supports its kind, and
 * builds an identity from verified data only. A token with a cached verdict costs one look-up and no promise.
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const tokens = createTokenAuthenticator(options.cacheEntries, options.clock)
  const listeners = new Set<(credentialId: string) => void>()
  const changeListeners = new Set<() => void>()
  const watched = new WeakMap<Identity, () => boolean>()
  let verifyKey: Parameters<Authentication['onKey']>[0] = () => {
    throw refuse('api_key_invalid')
  }
  let lease: Share<CryptoProvider> | null = null
  const crypto = (): CryptoProvider => {
    if (lease === null) throw authFail('crypto_provider_conflict')
    return lease.value
  }
  const authenticate: Authenticate = (request, authorization) => {
    const presented = readCredential(request, authorization)
    if (presented.kind === 'none') throw refuse('credential_missing')
    crypto()
    return presented.kind === 'token' ? tokens.verify(presented.text) : verifyKey(presented.text, request)
  }
  const identify = options.required ? authenticate : orAnonymous(authenticate, options.onIgnored)
  return {
    guard: (request) => {
      const authorization = request.header('authorization')
      // Verdicts are cached by the whole header, so that the usual request is not parsed.
      const cached = authorization === undefined ? undefined : tokens.findCached(authorization)
      return cached ?? identify(request, authorization)
    },
    authentication: {
      required: options.required,
      crypto,
      onToken: tokens.onToken,
      onKey: (verifier) => {
        verifyKey = verifier
      },
      forgetVerdicts: tokens.forgetVerdicts,
      announceRevoked: (credentialId) => {
        for (const listener of listeners) listener(credentialId)
      },
      watch: (identity, isRevoked) => void watched.set(identity, isRevoked),
      announceChange: () => {
        tokens.forgetVerdicts()
        for (const listener of changeListeners) listener()
      },
      onTokenUse: tokens.onUse,
    },
    revocations: {
      onRevoked: (listener) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      isRevoked: (caller) => watched.get(caller)?.() ?? false,
      onChanged: (listener) => {
        changeListeners.add(listener)
        return () => void changeListeners.delete(listener)
      },
    },
    hold: (share) => {
      lease = share
    },
    release: () => {
      tokens.forgetVerdicts()
      lease?.release()
      lease = null
    },
  }
}

type Authenticate = (request: SvcRequest, authorization: string | undefined) => Awaitable<Identity>

/** Treats an invalid credential as none. Failures that are not the caller's stay errors. */
function orAnonymous(authenticate: Authenticate, onIgnored: AuthenticatorOptions['onIgnored']): Authenticate {
  const toAnonymous = (error: unknown): Identity => {
    if (!isSvcError(error) || error.status !== 401) throw error
    if (error.code !== 'credential_missing') onIgnored?.(error.code)
    return anonymous
  }
  return (request, authorization) => {
    try {
      const identity = authenticate(request, authorization)
      return identity instanceof Promise ? identity.catch(toAnonymous) : identity
    } catch (error) {
      return toAnonymous(error)
    }
  }
}
