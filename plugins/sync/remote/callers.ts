/** Callers of the runtime surface who use pushes and boards of this node: their rights and their budgets. */

import type { Identity } from '../../../core/http/identity.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import type { RemoteCaller, RemoteCallers } from '../capabilities.ts'
import { type Budget, createBudget } from './budget.ts'

/** The parts of the callers. */
export interface CallersParts extends Pick<RemoteCallers, 'enabled' | 'ownerOf'> {
  /** The tenant whose users may use this node. */
  readonly tenant: string
  /** Of each caller, in a minute. */
  readonly limits: { readonly bytes: number; readonly signatures: number }
  /** The acting key of a caller; null if the caller comes from no key that may act. */
  readonly actingKey: (caller: Identity) => string | null
  readonly monotonic: () => number
  /** SHA-256 of a text, in hex. */
  readonly hash: (text: string) => string
}

/**
 * An acting key may use as much as so many users, for all users whom it acts for and itself together. Otherwise one
 * caller could use anything, because such a key can name any number of users. The signatures of an acting key take 5 s
 * of a processor in a minute at most.
 */
const ACTING_KEY_USERS = 64

/** Longest user id, in bytes of UTF-8, as everywhere where a user is named. */
const MAX_USER_BYTES = 256

/** Creates the callers. */
export function createRemoteCallers({
  tenant,
  limits,
  actingKey,
  monotonic,
  hash,
  ...rest
}: CallersParts): RemoteCallers {
  const budgets = (what: keyof typeof limits): Budgets => ({
    ofUsers: createBudget({ limit: limits[what], what, monotonic }),
    ofKeys: createBudget({ limit: limits[what] * ACTING_KEY_USERS, what, monotonic }),
  })
  const [bytes, signatures] = [budgets('bytes'), budgets('signatures')]
  return {
    ...rest,
    admit(request, scope, otherTenant): RemoteCaller {
      const { kind, user, scopes } = request.identity
      if (kind !== 'user' || user === null)
        throw httpFail('forbidden', { message: 'This needs a credential of a user.' })
      if (scope !== null && !scopes.includes(scope))
        throw httpFail('forbidden', { message: `This needs the scope ${scope}.` })
      if (request.identity.tenant !== tenant) throw otherTenant()
      if (!isUserId(user)) throw httpFail('forbidden', { message: `This needs a user id of ${USER_FORM}.` })
      const name = `user:${hash(JSON.stringify([tenant, user]))}`
      const key = actingKey(request.identity)
      const names = { name, actingKey: key === null ? null : `key:${key}` }
      return {
        tenant,
        user,
        ...names,
        sending: () => spend(bytes, names, declaredBytes(request)),
        verifying: () => spend(signatures, names, 1),
      }
    },
  }
}

/** What each user may use, and each acting key. */
interface Budgets {
  readonly ofUsers: Budget
  readonly ofKeys: Budget
}

/** Counts what a caller uses. What is refused for the user is not counted against the key. */
function spend(
  { ofUsers, ofKeys }: Budgets,
  { name, actingKey }: Pick<RemoteCaller, 'name' | 'actingKey'>,
  amount: number,
): void {
  if (actingKey !== null) ofKeys.spend(actingKey, amount)
  try {
    ofUsers.spend(name, amount)
  } catch (error) {
    if (actingKey !== null) ofKeys.refund(actingKey, amount)
    throw error
  }
}

/** A body without a declared length counts as the largest one, because it is counted before it is read. */
function declaredBytes(request: SvcRequest): number {
  const declared = request.header('content-length')
  return declared === undefined ? request.bodyLimit : Number(declared)
}

const USER_FORM = `1 to ${MAX_USER_BYTES} bytes of UTF-8 without control characters`

/** Whether the store keeps a user id as it is. SQLite ends a text at U+0000, and a lone surrogate has no UTF-8. */
function isUserId(user: string): boolean {
  if (user === '' || user.length > MAX_USER_BYTES || /[\p{Cc}\p{Cs}]/u.test(user)) return false
  return new TextEncoder().encode(user).length <= MAX_USER_BYTES
}
