import { parseArgs } from 'node:util'
import type { Command, CommandIo } from '../../../core/command.ts'
import type { Secret } from '../../../core/settings/secret.ts'
import { createWebCryptoProvider } from '../crypto/web.ts'
import { splitScope } from '../token/claims.ts'
import { mintToken } from '../token/mint.ts'
import { readJwtSecret, refuseJwtSecret } from './secret.ts'

const DEFAULT_TTL_SECONDS = 3_600
const USAGE = 64
const BAD_CONFIGURATION = 78

const help = `svc token --sub USER [--tenant TENANT] [--scope "A B"] [--ttl SECONDS]

Prints a bearer token for development, signed with the configured security.jwt_secret.

  --sub USER       the user whom the token stands for
  --tenant TENANT  the tenant; without it the service takes "default"
  --scope "A B"    scopes, separated by blanks
  --ttl SECONDS    how long it is valid; ${DEFAULT_TTL_SECONDS} without it

  curl -H "Authorization: Bearer $(svc token --sub ada)" http://127.0.0.1:8080/api/svc/auth/keys
`

/** The commands of feature `auth.jwt`. */
export const commands: readonly Command[] = [
  { name: 'token', summary: 'Prints a bearer token for development.', help, run: runToken },
]

interface Wish {
  readonly sub: string
  readonly tenant: string | undefined
  readonly scope: string | undefined
  readonly ttl: number
}

async function runToken(args: readonly string[], io: CommandIo): Promise<number> {
  const wish = readWish(args)
  if (typeof wish === 'string') {
    io.err(`svc token: ${wish}\n  → svc token --help`)
    return USAGE
  }
  if (typeof io.setting('security.jwks_url') === 'string') {
    io.err('svc token: security.jwks_url is set, so tokens come from that issuer and none of ours would be accepted.')
    return 1
  }
  const configured = io.setting('security.jwt_secret') as Secret | null
  const [refused] = refuseJwtSecret(configured, true)
  if (refused !== undefined) {
    io.err(`svc token: ${refused.key}: ${refused.message}\n  → ${refused.hint}`)
    return BAD_CONFIGURATION
  }
  const secret = readJwtSecret(configured)!
  const issuedAt = Math.floor(Date.now() / 1000)
  const [tenantClaim = 'tenant_id'] = io.setting('security.tenant_claims') as readonly string[]
  const claims = {
    iss: io.setting('security.jwt_issuer') ?? undefined,
    aud: io.setting('security.jwt_audience') ?? undefined,
    sub: wish.sub,
    [tenantClaim]: wish.tenant,
    scope: wish.scope === undefined ? undefined : splitScope(wish.scope).join(' '),
    iat: issuedAt,
    exp: issuedAt + wish.ttl,
  }
  io.out(await mintToken(createWebCryptoProvider().hmacKey(secret), { typ: 'JWT' }, claims))
  return 0
}

/** What the arguments ask for, or what is wrong with them. */
function readWish(args: readonly string[]): Wish | string {
  const text = { type: 'string' } as const
  let values: { sub?: string; tenant?: string; scope?: string; ttl?: string }
  try {
    values = parseArgs({ args: [...args], options: { sub: text, tenant: text, scope: text, ttl: text } }).values
  } catch (error) {
    return (error as Error).message
  }
  const { sub = '', tenant, scope, ttl = String(DEFAULT_TTL_SECONDS) } = values
  if (sub === '') return '--sub needs the name of a user.'
  if (tenant === '') return '--tenant needs the name of a tenant.'
  if (!/^[1-9]\d{0,8}$/.test(ttl)) return '--ttl needs a number of seconds.'
  return { sub, tenant, scope, ttl: Number(ttl) }
}
