/** The scopes that let a caller name other users of its tenant, and the check of a user id that a caller names. */
import { httpFail } from '../../../core/kernel/catalogue.ts'
import type { Logger } from '../../../core/kernel/log.ts'
import type { Delegation } from '../api.ts'
import { readKeyCredential } from '../credential-ids.ts'

/** Every scope with this prefix is reserved. One that is not a {@link ReservedScope} has no effect. */
export const RESERVED_PREFIX = 'svc:'

/** Longest user id that a caller may name, in bytes of UTF-8. */
const MAX_USER_BYTES = 256

/** The settings of the capability, and its log. */
export interface DelegationOptions {
  readonly enabled: boolean
  readonly actingKeyShare: number
  readonly log: Pick<Logger, 'record'>
}

/** Creates the capability. While `enabled` is false, no caller has a reserved scope. */
export function createDelegation({ enabled, actingKeyShare, log }: DelegationOptions): Delegation {
  const has: Delegation['has'] = (caller, scope) => enabled && caller.kind === 'user' && caller.scopes.includes(scope)
  const demand: Delegation['demand'] = (caller, scope) => {
    if (has(caller, scope)) return
    throw httpFail('forbidden', { message: `This needs the scope ${scope}, and security.delegation to be true.` })
  }
  return {
    enabled,
    has,
    demand,
    userId: readUserId,
    actingKeyShare,
    actingKey: (caller) => {
      const key = readKeyCredential(caller.credential)
      return key !== null && (caller.actor !== undefined || has(caller, 'svc:act')) ? key : null
    },
    userOf: ({ query, identity }, scope) => {
      const [first, ...others] = new URLSearchParams(query).getAll('user')
      if (first === undefined) return undefined
      if (others.length > 0) throw httpFail('malformed_request', { message: 'user: expected once' })
      const user = readUserId(first, 'user')
      if (user !== identity.user) demand(identity, scope)
      return user
    },
    record: (by, message, fields) =>
      log.record(message, {
        ...(by.kind === 'local' ? { owner: by.user } : { actor: by.actor ?? by.user }),
        ...fields,
      }),
  }
}

/**
 * Reads the id of a user that a caller names: 1 to 256 bytes of UTF-8, without control characters, not `*`.
 * @throws SvcError `malformed_request` that names `member`
 */
export function readUserId(value: unknown, member: string): string {
  if (isUserId(value)) return value
  const expected = `a user id of 1 to ${MAX_USER_BYTES} bytes of UTF-8, without control characters, not "*"`
  throw httpFail('malformed_request', { message: `${member}: expected ${expected}` })
}

function isUserId(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value !== '*' &&
    // The text is not encoded before its length is checked: each UTF-16 unit takes at least one byte.
    value.length <= MAX_USER_BYTES &&
    // Control characters, and surrogates without a partner, which have no UTF-8.
    !/[\p{Cc}\p{Cs}]/u.test(value) &&
    new TextEncoder().encode(value).length <= MAX_USER_BYTES
  )
}
