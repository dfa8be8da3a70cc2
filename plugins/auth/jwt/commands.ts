import { parseArgs } from 'node:util'
import { type Command, type CommandIo, UsageError } from '../../../core/declare/command.ts'
import type { TokenRequest } from '../api.ts'
import type {} from '../capabilities.ts'
import { MAX_TTL_SECONDS } from '../token/mint.ts'
import { createTokenMint } from './mint.ts'

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
  {
    name: 'token',
    summary: 'Prints a bearer token for development.',
    help,
    run: runToken,
    gives: { TokenMint: createTokenMint },
  },
]

async function runToken(args: readonly string[], io: CommandIo): Promise<number> {
  const wanted = readArguments(args)
  const mint = createTokenMint(io)
  const refused = mint.refusal()
  if (refused !== undefined) {
    io.err(`svc token: ${refused.message}${refused.hint === undefined ? '' : `\n  → ${refused.hint}`}`)
    return refused.code === 'secret_unusable' ? BAD_CONFIGURATION : 1
  }
  io.out(await mint.mint(wanted))
  return 0
}

/** Reads the arguments. @throws UsageError, or the error of `parseArgs` */
function readArguments(args: readonly string[]): TokenRequest {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args: [...args], options: { sub: text, tenant: text, scope: text, ttl: text } })
  const { sub = '', tenant, scope, ttl = String(DEFAULT_TTL_SECONDS) } = values
  if (sub === '') throw new UsageError('--sub needs the name of a user.')
  if (tenant === '') throw new UsageError('--tenant needs the name of a tenant.')
  if (!/^[1-9]\d*$/.test(ttl) || Number(ttl) > MAX_TTL_SECONDS)
    throw new UsageError(`--ttl needs a number of seconds from 1 to ${MAX_TTL_SECONDS}.`)
  return { sub, tenant, scope, ttlSeconds: Number(ttl) }
}
