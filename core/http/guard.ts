/** Runs the guard before a handler, and once more if the body arrived later than the head. */

import { httpFail } from '../kernel/catalogue.ts'
import type { Awaitable } from '../kernel/values.ts'
import type { Identity } from './identity.ts'
import type { Reply } from './reply.ts'
import type { SvcRequest } from './request.ts'

/** Returns the identity of the caller, or throws the 401 or 403. Returns a promise only if the guard must wait. */
export type Guard = (request: SvcRequest) => Awaitable<Identity>

/** The guard of a surface that no plugin guards: it refuses every caller. */
export const denyAll: Guard = () => {
  throw httpFail('credential_missing')
}

/** Sets the identity of each request before `act` runs. */
export function behindGuard(
  guard: Guard,
  act: (request: SvcRequest) => Awaitable<Reply>,
): (request: SvcRequest) => Awaitable<Reply> {
  return (request) => {
    const identity = guard(request)
    if (identity instanceof Promise) {
      return identity.then((value) => {
        request.identity = value
        return act(request)
      })
    }
    request.identity = identity
    return act(request)
  }
}

/**
 * Returns `bytes` if the guard still admits the same caller as before the bytes arrived.
 * @throws SvcError the error of the guard, or `credential_missing` if the caller is now another one
 */
export function admitAgain(request: SvcRequest, guard: Guard, bytes: Uint8Array): Awaitable<Uint8Array> {
  const { user, tenant, credential } = request.identity
  const check = (now: Identity): Uint8Array => {
    // If credentials are not required, a caller whose credential ended is now anonymous, which is another caller.
    if (now.user !== user || now.tenant !== tenant || now.credential?.id !== credential?.id)
      throw httpFail('credential_missing', { message: 'The credential ended before the body had come.' })
    request.identity = now
    return bytes
  }
  const identity = guard(request)
  return identity instanceof Promise ? identity.then(check) : check(identity)
}
