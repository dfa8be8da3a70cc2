/** Who may use the local surface: the same user over the Unix socket, the holder of the token over loopback TCP. */
import { defineErrors, type ErrorCatalogue } from '../../../core/declare/errors.ts'
import { credential_missing, transport_forbidden } from '../../../core/declare/shared-codes.ts'
import type { Guard } from '../../../core/http/guard.ts'
import type { Identity } from '../../../core/http/identity.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import type { TokenCheck } from './token-file.ts'

/** The access by loopback TCP. */
export interface TcpAccess {
  readonly isToken: TokenCheck
  /** The values of `Host` that name this listener. */
  readonly hosts: ReadonlySet<string>
}

type GuardCode = 'credential_missing' | 'credential_invalid' | 'transport_forbidden'

/** The refusals of the guard. */
export const guardFail: ErrorCatalogue<GuardCode> = defineErrors<GuardCode>({
  credential_missing,
  credential_invalid: { status: 401, message: 'The credential is not the one of the token file.' },
  transport_forbidden,
})

const BEARER = /^bearer +([\x21-\x7e]+) *$/i

/**
 * Creates the guard. `tcp` returns the access once the loopback listener is open. Without a listener TCP is refused.
 */
export function createLocalGuard(user: string, tcp: () => TcpAccess | undefined): Guard {
  const identity: Identity = Object.freeze({ kind: 'local', user, tenant: null, scopes: [], credential: null })
  return (request) => {
    // The socket admits this user alone, before a byte is read.
    if (request.peer.transport === 'unix') return identity
    const access = tcp()
    if (request.peer.transport !== 'tcp' || access === undefined) throw guardFail('transport_forbidden')
    // A web page can make a browser call loopback addresses. These two headers show that the caller is a browser.
    if (!access.hosts.has((request.header('host') ?? '').toLowerCase()) || request.header('origin') !== undefined)
      throw guardFail('transport_forbidden')
    checkToken(request, access.isToken)
    return identity
  }
}

/** The valid values of `Host` for a listener on a loopback port. */
export function loopbackHosts(port: number): ReadonlySet<string> {
  return new Set([`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`])
}

function checkToken(request: SvcRequest, isToken: TokenCheck): void {
  const header = request.header('authorization')
  if (header === undefined) throw guardFail('credential_missing')
  const token = BEARER.exec(header)?.[1]
  if (token === undefined || !isToken(token))
    throw guardFail('credential_invalid', {
      headers: { 'www-authenticate': 'Bearer realm="svc", error="invalid_token"' },
    })
}
