/** The credential of the runtime surface: from a file, minted, or none if the service accepts anonymous requests. */
import type { CommandIo } from '../../../core/declare/command.ts'
import { isObject } from '../../../core/kernel/values.ts'
import type {} from '../../auth/capabilities.ts'
import type { RuntimeClients } from '../../transport/client/api.ts'
import type { Refusal } from '../session.ts'

/** The credential of requests to a runtime surface. */
export interface Credential {
  /** The user and the tenant of the credential, as far as they can be read from it. */
  who(): { readonly user: string | null; readonly tenant: string | null }
  /** Returns the headers. Rejects with a `CommandRefusal` if there is no credential at the moment. */
  fields(): Promise<Readonly<Record<string, string>>>
  /**
   * Called when the service has refused these headers. Resolves to different headers, or undefined if there are none.
   */
  renewed(refused: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>> | undefined>
}

/** The user, the tenant and the scope of a minted token. */
export interface Bearer {
  readonly sub: string
  readonly tenant: string | undefined
  readonly scope: string | undefined
}

/** The lifetime of a minted token, and how long before its expiry a new token is minted. */
const LIFE_SECONDS = 3_600
const RENEW_BEFORE_MS = 60_000

/** A credential from a file, which is read again each time the service refuses the token. */
export function fromFile(file: string, clients: RuntimeClients, claims: readonly string[]): Credential {
  let token = clients.readToken(file)
  return {
    who: () => whoIs(token, claims),
    fields: async () => clients.credential(token),
    async renewed(refused) {
      token = clients.readToken(file)
      const next = clients.credential(token)
      return JSON.stringify(next) === JSON.stringify(refused) ? undefined : next
    },
  }
}

/**
 * A credential that is minted with the secret of the settings, or a `Refusal` with the reason why it cannot be minted.
 */
export function minted(io: CommandIo, clients: RuntimeClients, bearer: Bearer): Credential | Refusal {
  const mint = io.find('TokenMint')
  const refused = mint === undefined ? NO_MINT : mint.refusal()
  if (refused !== undefined && io.setting('security.jwt_required') === false) return anonymous
  if (mint === undefined || refused !== undefined) return { ...NO_MINT, ...refused, hint: HINT }
  let current: { readonly token: string; readonly untilMs: number } | undefined
  const mintToken = async (): Promise<Readonly<Record<string, string>>> => {
    const untilMs = Date.now() + LIFE_SECONDS * 1_000 - RENEW_BEFORE_MS
    current = { token: await mint.mint({ ...bearer, ttlSeconds: LIFE_SECONDS }), untilMs }
    return clients.credential(current.token)
  }
  return {
    who: () => ({ user: bearer.sub, tenant: bearer.tenant ?? null }),
    fields: async () =>
      current !== undefined && Date.now() < current.untilMs ? clients.credential(current.token) : mintToken(),
    renewed: mintToken,
  }
}

/** Whether a value is a credential and not a refusal. */
export function isCredential(value: Credential | Refusal): value is Credential {
  return 'fields' in value
}

const NO_MINT: Refusal = { code: 'token_missing', message: 'This profile has no feature that makes tokens.' }
const HINT = 'Give the console a token or an API key: svc console --token-file <file>'

const anonymous: Credential = {
  who: () => ({ user: null, tenant: null }),
  fields: async () => ({}),
  renewed: async () => undefined,
}

/** Reads the user and the tenant of a token. The token is not verified, because the page only shows them. */
function whoIs(token: string, tenantClaims: readonly string[]): { user: string | null; tenant: string | null } {
  let claims: unknown
  try {
    claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  } catch {
    claims = undefined
  }
  if (!isObject(claims)) return { user: null, tenant: null }
  const textOf = (name: string): string | undefined => (typeof claims[name] === 'string' ? claims[name] : undefined)
  return {
    user: textOf('sub') ?? null,
    tenant: tenantClaims.map(textOf).find((tenant) => tenant !== undefined) ?? null,
  }
}
