/** Shared by the contracts of the sync features: a device that signs, and a host that embeds the engine. */
import { getPublicKeyAsync, signAsync, utils } from '@noble/ed25519'
import canonicalize from 'canonicalize'
import type { Library } from '../../core/testing/contract.ts'
import { toBase64, toHex } from '../protocol/codecs.ts'
import type { CallbackHost } from './embedded/host.ts'
import type { Embedded } from './embedded/start-embedded.ts'
import type { HostDatabase } from './store-host/database.ts'
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
  /** Saves of bytes, or commits of groups of writes. */
  saves: number
  readonly applied: string[]
  heads: readonly string[]
}

/** A host with its state. `start` creates an engine on what the engine before has saved. */
export interface ContractHost {
  readonly state: HostState
  start(): Promise<Embedded>
}

/** Creates a host in memory. `over` replaces functions of the host. */
export type MakeHost<Host extends CallbackHost = CallbackHost> = (
  library: Library,
  signer: Signer,
  over?: Partial<Host>,
) => ContractHost

/** A host whose receipts are in bytes. */
export const createHost: MakeHost<EmbeddedHost> = (library, signer, over = {}) => {
  const state = createState()
  const host: EmbeddedHost = {
    ...callbacksOf(state, signer),
    sqlWasm: library.asset('sql-wasm.wasm'),
    persistence: {
      load: () => state.saved,
      save: (bytes) => {
        state.saved = bytes
        state.saves++
      },
    },
    ...over,
  }
  return { state, start: () => creatorOf(library)({ host }) }
}

/** A host whose receipts are in a database in memory. `change` may replace functions of the database. */
export function createDatabaseHost(
  library: Library,
  signer: Signer,
  over: Partial<CallbackHost> = {},
  change: (database: HostDatabase) => Partial<HostDatabase> = () => ({}),
): ContractHost & { readonly database: HostDatabase } {
  const state = createState()
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const sqlite = new DatabaseSync(':memory:')
  const plain: HostDatabase = {
    exec: (sql) => sqlite.exec(sql),
    run(sql, params) {
      sqlite.prepare(sql).run(...params)
      if (sql === 'COMMIT') state.saves++
    },
    all: (sql, params) => sqlite.prepare(sql).all(...params),
  }
  const host = { ...callbacksOf(state, signer), ...over }
  const database = { ...plain, ...change(plain) }
  return { state, database, start: () => creatorOf(library)({ host, database }) }
}

function createState(): HostState {
  return { saved: null, saves: 0, applied: [], heads: [] }
}

/** The callbacks of a host with one project and one device. */
function callbacksOf(state: HostState, { keyId }: Signer): CallbackHost {
  return {
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
  }
}

/** The function of a library that creates an engine. */
function creatorOf({ exports }: Library): (options: object) => Promise<Embedded> {
  return exports['createEmbedded'] as (options: object) => Promise<Embedded>
}

/** Whether a library has an engine that needs something of its host, such as `database.exec()`. */
export async function asksFor(library: Library, name: string): Promise<boolean> {
  if (library.exports['createEmbedded'] === undefined) return false
  const missing = await creatorOf(library)({ host: {} }).then(
    () => [],
    (error: { readonly details?: { readonly missing?: readonly string[] } }) => error.details?.missing ?? [],
  )
  return missing.some((one) => one.startsWith(name))
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
