import { parseArgs } from 'node:util'
import { type Command, type CommandIo, UsageError } from '../../../core/command.ts'
import type { Secret } from '../../../core/settings/secret.ts'
import { createWebCryptoProvider } from '../crypto/web.ts'
import { splitScope } from '../token/claims.ts'
import { devClaims } from '../token/dev-claims.ts'
import { mintToken } from '../token/mint.ts'
import { readJwtSecret, refuseJwtSecret } from './secret.ts'

const DEFAULT_TTL_SECONDS = 3_600
const BAD_CONFIGURATION = 78

const help = `svc token --sub USER [--tenant TENANT] [--scope "A B"] [--ttl SECONDS]

Prints a bearer token for development, signed with the configured security.jwt_secret.

  --sub USER       the user of the token
  --tenant TENANT  the tenant; "default" without this option
  --scope "A B"    scopes, separated by blanks
  --ttl SECONDS    life of the token; ${DEFAULT_TTL_SECONDS} without this option

  curl -H "Authorization: Bearer $(svc token --sub ada)" http://127.0.0.1:8080/api/svc/auth/keys
`

/** The commands of feature `auth.jwt`. */
export const commands: readonly Command[] = [
  { name: 'token', summary: 'Prints a bearer token for development.', help, run: runToken },
]

interface TokenRequest {
  readonly sub: string
  readonly tenant: string | undefined
  readonly scope: string | undefined
  readonly ttl: number
}

async function runToken(args: readonly string[], io: CommandIo): Promise<number> {
  const wanted = readArguments(args)
  if (typeof io.setting('security.jwks_url') === 'string') {
    io.err('svc token: security.jwks_url is set, so the service accepts only tokens of that issuer.')
    return 1
  }
  const configured = io.setting('security.jwt_secret') as Secret | null
  const [refused] = refuseJwtSecret(configured, true)
  const secret = readJwtSecret(configured)
  if (refused !== undefined) {
    io.err(`svc token: ${refused.key}: ${refused.message}\n  → ${refused.hint}`)
    return BAD_CONFIGURATION
  }
  if (secret === null) return BAD_CONFIGURATION
  const { sub, tenant, scope } = wanted
  const user = { sub, tenant, scopes: scope === undefined ? undefined : splitScope(scope) }
  const claims = devClaims(user, {
    issuer: io.setting('security.jwt_issuer') as string | null,
    audience: io.setting('security.jwt_audience') as string | null,
    tenantClaims: io.setting('security.tenant_claims') as readonly string[],
    nowSeconds: Math.floor(Date.now() / 1000),
    ttlSeconds: wanted.ttl,
  })
  io.out(await mintToken(createWebCryptoProvider().hmacKey(secret), { typ: 'JWT' }, claims))
  return 0
}

/** Reads the arguments. @throws UsageError, or the error of `parseArgs` */
function readArguments(args: readonly string[]): TokenRequest {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args: [...args], options: { sub: text, tenant: text, scope: text, ttl: text } })
  const { sub = '', tenant, scope, ttl = String(DEFAULT_TTL_SECONDS) } = values
  if (sub === '') throw new UsageError('--sub needs the name of a user.')
  if (tenant === '') throw new UsageError('--tenant needs the name of a tenant.')
  if (!/^[1-9]\d{0,8}$/.test(ttl)) throw new UsageError('--ttl needs a number of seconds.')
  return { sub, tenant, scope, ttl: Number(ttl) }
}
