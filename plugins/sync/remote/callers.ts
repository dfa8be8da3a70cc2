/** Callers of the runtime surface who use pushes and boards of this node: their rights and their budgets. */
import { httpFail } from '../../../core/catalogue.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import type { RemoteCaller, RemoteCallers } from '../capabilities.ts'
import { createBudget } from './budget.ts'

/** The parts of the callers. */
export interface CallersParts extends Pick<RemoteCallers, 'enabled' | 'ownerOf'> {
  /** The tenant whose users may use this node. */
  readonly tenant: string
  /** Of each caller, in a minute. */
  readonly limits: { readonly bytes: number; readonly signatures: number }
  readonly monotonic: () => number
  /** SHA-256 of a text, in hex. */
  readonly hash: (text: string) => string
}

/** Longest user id, in bytes of UTF-8, as everywhere where a user is named. */
const MAX_USER_BYTES = 256

/** Creates the callers. */
export function createRemoteCallers({ tenant, limits, monotonic, hash, ...rest }: CallersParts): RemoteCallers {
  const bytes = createBudget({ limit: limits.bytes, what: 'bytes', monotonic })
  const signatures = createBudget({ limit: limits.signatures, what: 'signatures', monotonic })
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
      return {
        tenant,
        user,
        name,
        sending: () => bytes.spend(name, declaredBytes(request)),
        verifying: () => signatures.spend(name, 1),
      }
    },
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
