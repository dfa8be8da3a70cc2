import type { Identity } from '../../../core/http/identity.ts'
import type { Clock } from '../../../core/kernel/environment.ts'
import type { Awaitable } from '../../../core/kernel/values.ts'
import type { TokenVerifier, Verdict } from '../api.ts'
import { refuse } from '../errors.ts'
import { readCompactJws } from '../token/compact-jws.ts'
import { toAuthorization } from './credentials.ts'
import { createVerdictCache } from './verdict-cache.ts'

/** Verifies bearer tokens and caches the verdicts. */
export interface TokenAuthenticator {
  /** Registers the verifier of tokens whose header has this `typ`; undefined stands for all other tokens. */
  onToken(typ: string | undefined, verifier: TokenVerifier): void
  /** Returns the identity of an `Authorization` header whose cached verdict needs no check, or undefined. */
  findCached(authorization: string): Identity | undefined
  /** @throws SvcError with status 401 */
  verify(token: string): Awaitable<Identity>
  /** Calls `check` before each use of a token, cached or not. */
  onUse(check: () => void): void
  /** Drops all verdicts, those of verifications under way included. */
  forgetVerdicts(): void
}

/** Creates the authenticator. `cacheEntries` limits the number of cached verdicts. */
export function createTokenAuthenticator(cacheEntries: number, clock: Clock): TokenAuthenticator {
  const verdicts = createVerdictCache<Verdict>(cacheEntries, clock)
  const verifiers = new Map<string | undefined, TokenVerifier>()
  let generation = 0
  let checkUse: (() => void) | undefined

  const verifyAnew = (token: string, authorization: string): Awaitable<Identity> => {
    const jws = readCompactJws(token)
    const verifier = verifiers.get(jws.header.typ) ?? verifiers.get(undefined)
    if (verifier === undefined) throw refuse('token_algorithm_rejected')
    const startedIn = generation
    const cache = (verdict: Verdict): Identity => {
      const { keepUntilMs: untilMs, keepForMs } = verdict
      // A key that was withdrawn during the verification must not leave a verdict behind.
      if (startedIn === generation) verdicts.set(authorization, verdict, { untilMs, keepForMs })
      return verdict.identity
    }
    const verdict = verifier(jws)
    return verdict instanceof Promise ? verdict.then(cache) : cache(verdict)
  }
  return {
    onToken: (typ, verifier) => void verifiers.set(typ, verifier),
    onUse: (check) => {
      checkUse = check
    },
    findCached: (authorization) => {
      const cached = verdicts.get(authorization)
      if (cached?.recheck !== null) return undefined
      checkUse?.()
      return cached.identity
    },
    verify: (token) => {
      checkUse?.()
      const authorization = toAuthorization(token)
      const cached = verdicts.get(authorization)
      return cached === undefined ? verifyAnew(token, authorization) : recheck(cached)
    },
    forgetVerdicts: () => {
      generation++
      verdicts.clear()
    },
  }
}

function recheck(verdict: Verdict): Awaitable<Identity> {
  const checked = verdict.recheck?.()
  return checked instanceof Promise ? checked.then(() => verdict.identity) : verdict.identity
}
