/** Shared by the contracts of the sync features: a device that signs, and a host that embeds the engine. */
import { getPublicKeyAsync, signAsync, utils } from '@noble/ed25519'
import canonicalize from 'canonicalize'
import type { Library } from '../../core/contract.ts'
import { toBase64, toHex } from '../protocol/codecs.ts'
import type { Embedded } from './store-sqljs/create-embedded.ts'
import type { EmbeddedHost } from './store-sqljs/host.ts'

/** A device with its key. */
export interface Signer {
  readonly keyId: string
  /** The body of a push. `over` has members that replace the usual ones. */
  push(over?: Readonly<Record<string, unknown>>): Promise<{ readonly requestId: string; readonly body: Uint8Array }>
}

/** Creates a device. Each case has its own. */
export async function createSigner(): Promise<Signer> {
  const secret = utils.randomSecretKey()
  const keyId = `ed25519:${toHex(await getPublicKeyAsync(secret))}`
  return {
    keyId,
    async push(over = {}) {
      const request = {
        schemaVersion: '1.7',
        requestId: crypto.randomUUID(),
        domain: 'kbd-control:demo',
        targetEndpointIds: [],
        expectedFrontier: null,
        issuedAtMs: Date.now(),
        signerKeyId: keyId,
        ...over,
      }
      const signature = toBase64(await signAsync(new TextEncoder().encode(canonicalize(request)), secret))
      return { requestId: request.requestId, body: new TextEncoder().encode(JSON.stringify({ ...request, signature })) }
    },
  }
}

/** The state of a host. */
export interface HostState {
  saved: Uint8Array | null
  saves: number
  readonly applied: string[]
  heads: readonly string[]
}

/** Creates a host in memory with one project and one device. `over` replaces functions of the host. */
export function createHost(
  library: Library,
  { keyId }: Signer,
  over: Partial<EmbeddedHost> = {},
): { readonly host: EmbeddedHost; readonly state: HostState; start(): Promise<Embedded> } {
  const state: HostState = { saved: null, saves: 0, applied: [], heads: [] }
  const host: EmbeddedHost = {
    sqlWasm: library.asset('sql-wasm.wasm'),
    persistence: {
      load: () => state.saved,
      save: (bytes) => {
        state.saved = bytes
        state.saves++
      },
    },
    identity: () => ({ kind: 'local', user: 'me', tenant: null, scopes: [], credential: null }),
    devices: {
      get: (id) => (id === keyId ? { keyId, scopes: ['kbd-control:demo'], status: 'active', expiresAtMs: null } : null),
    },
    projects: { has: (domain) => domain === 'kbd-control:demo' },
    frontier: () => ({ heads: state.heads }),
    apply: (_domain, envelope) => {
      state.applied.push(envelope.pushId)
      state.heads = [envelope.canonicalPayloadHash]
    },
    now: () => Date.now(),
    log: () => {},
    ...over,
  }
  const create = library.exports['createEmbedded'] as (options: { readonly host: EmbeddedHost }) => Promise<Embedded>
  return { host, state, start: () => create({ host }) }
}

/** Throws if a promise does not reject with an error of this code and status. */
export async function refusal(what: string, work: Promise<unknown>, code: string, status?: number): Promise<void> {
  const error = await work.then(
    (value) => ({ code: 'no error', message: JSON.stringify(value) }) as never,
    (thrown: { readonly code?: string; readonly status?: number; readonly message?: string }) => thrown,
  )
  if (error.code !== code || (status !== undefined && error.status !== status))
    throw new Error(
      `${what}: expected ${status ?? ''} ${code}, got ${error.status ?? ''} ${error.code}: ${error.message}`,
    )
}
