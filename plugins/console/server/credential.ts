/** The credential of the runtime surface: from a file, minted, or none where the service takes anonymous requests. */
import type { CommandIo } from '../../../core/command.ts'
import { isObject } from '../../../core/is-object.ts'
import type {} from '../../auth/capabilities.ts'
import type { RuntimeClients } from '../../transport/client/api.ts'
import type { Refusal } from '../session.ts'

/** What the requests to a runtime surface carry. */
export interface Credential {
  /** Whom it names, as far as can be read from it. */
  who(): { readonly user: string | null; readonly tenant: string | null }
  /** The headers; rejects with a `CommandRefusal` if there is none at the moment. */
  fields(): Promise<Readonly<Record<string, string>>>
  /** Called when the service refused these headers; resolves with others, or undefined if there are none. */
  renewed(refused: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>> | undefined>
}

/** Whom a minted token names. */
export interface Bearer {
  readonly sub: string
  readonly tenant: string | undefined
  readonly scope: string | undefined
}

/** Life of a minted token, in seconds, and how long before its end another one is made. */
const LIFE_SECONDS = 3_600
const RENEW_BEFORE_MS = 60_000

/** A credential that is read from a file, again whenever the service refuses it. */
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

/** A credential that is made with the secret of the settings; a `Refusal` says why it cannot be. */
export function minted(io: CommandIo, clients: RuntimeClients, bearer: Bearer): Credential | Refusal {
  const mint = io.find('TokenMint')
  const refused = mint === undefined ? NO_MINT : mint.refusal()
  if (refused !== undefined && io.setting('security.jwt_required') === false) return anonymous
  if (mint === undefined || refused !== undefined) return { ...NO_MINT, ...refused, hint: HINT }
  let held: { readonly token: string; readonly untilMs: number } | undefined
  const make = async (): Promise<Readonly<Record<string, string>>> => {
    const untilMs = Date.now() + LIFE_SECONDS * 1_000 - RENEW_BEFORE_MS
    held = { token: await mint.mint({ ...bearer, ttlSeconds: LIFE_SECONDS }), untilMs }
    return clients.credential(held.token)
  }
  return {
    who: () => ({ user: bearer.sub, tenant: bearer.tenant ?? null }),
    fields: async () => (held !== undefined && Date.now() < held.untilMs ? clients.credential(held.token) : make()),
    renewed: make,
  }
}

/** Whether there is a credential, not a reason for there being none. */
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

/** What a token says of whom it names. Nothing is verified here: it is shown, and nothing follows from it. */
function whoIs(token: string, tenantClaims: readonly string[]): { user: string | null; tenant: string | null } {
  let claims: unknown
  try {
    claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  } catch {
    claims = undefined
  }
  if (!isObject(claims)) return { user: null, tenant: null }
  const textOf = (name: string): string | undefined => (typeof claims[name] === 'string' ? claims[name] : undefined)
  return { user: textOf('sub') ?? null, tenant: tenantClaims.map(textOf).find((one) => one !== undefined) ?? null }
}
