/** The engine on its two platforms. The test controls the clock, the devices and the faults. */
import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import canonicalize from 'canonicalize'
import { isSvcError } from '../../../core/declare/errors.ts'
import { createNativeEd25519 } from '../../../plugins/sync/api/native-crypto.ts'
import type {
  DomainFamily,
  Ed25519Verifier,
  Envelope,
  PeerTransport,
  PushReceipt,
  SigningDevice,
} from '../../../plugins/sync/api.ts'
import { onTimers, withTimeLimit } from '../../../plugins/sync/engine/delivery/automation.ts'
import { createDevices, createStoredAuthority } from '../../../plugins/sync/engine/devices/devices.ts'
import { createDomains } from '../../../plugins/sync/engine/devices/domains.ts'
import { createProjectFamilies } from '../../../plugins/sync/engine/devices/project-families.ts'
import { createSyncEngine, type SyncEngine } from '../../../plugins/sync/engine/engine.ts'
import { defaultLimits, type EngineLimits, type EngineTimers } from '../../../plugins/sync/engine/options.ts'
import { createFileStore, type FileStore } from '../../../plugins/sync/store-sqlite/file-store.ts'
import { nativeSha256 } from '../../../plugins/sync/store-sqlite/native-sha256.ts'
import { createEmbedded } from '../../../plugins/sync/store-sqljs/create-embedded.ts'
import { folderWith } from '../../support/folder.ts'
import { registryOf } from '../../support/kernels.ts'
import { storeParts } from '../../support/store-parts.ts'

/** 2026-11-01T00:00:00Z. */
export const START_MS = 1_793_491_200_000

export const sqlWasm: Buffer = readFileSync(createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm-browser.wasm'))

/** A key pair that signs pushes. */
export interface Signer {
  readonly keyId: string
  readonly publicKey: Uint8Array
  readonly hex: string
  readonly privateKey: KeyObject
}

export function createSigner(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const bytes = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(12))
  const hex = Buffer.from(bytes).toString('hex')
  return { keyId: `ed25519:${hex}`, publicKey: bytes, hex, privateKey }
}

/**
 * The number of running verifications. They run outside the event loop, so counting its turns does not wait for them.
 */
let verifying = 0
const native = createNativeEd25519()
const countedEd25519: Ed25519Verifier = {
  async verify(...given) {
    verifying++
    try {
      return await native.verify(...given)
    } finally {
      verifying--
    }
  },
}

/** Waits until verifications, grouped commits and their follow-up work have ended. */
export async function settleLoop(): Promise<void> {
  for (let quiet = 0; quiet < 12; quiet = verifying > 0 ? 0 : quiet + 1)
    await new Promise((resolve) => setImmediate(resolve))
}

/** The members of a push; `over` replaces some of them. */
export function draft(signer: Signer, over: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    schemaVersion: '1.7',
    requestId: randomUUID(),
    domain: 'kbd-control:demo',
    targetEndpointIds: [],
    expectedFrontier: null,
    issuedAtMs: START_MS,
    signerKeyId: signer.keyId,
    ...over,
  }
}

/** The body of a push, signed. */
export function signed(signer: Signer, over: Record<string, unknown> = {}): Uint8Array {
  const request = draft(signer, over)
  const signature = sign(null, Buffer.from(canonicalize(request)!), signer.privateKey).toString('base64')
  return toBytes({ ...request, signature })
}

export function toBytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
}

/** The result of a call: the status and the code, or the receipt. */
export interface Outcome {
  readonly status: number
  readonly code?: string
  readonly receipt?: PushReceipt
  readonly details?: Readonly<Record<string, unknown>> | undefined
}

/** One engine under test. */
export interface Platform {
  readonly name: string
  readonly clock: { nowMs: number }
  submit(bytes: Uint8Array): Promise<Outcome>
  receipt(pushId: string): Promise<PushReceipt>
  enrol(signer: Signer, scopes: readonly string[], expiresAtMs?: number): Promise<void>
  revoke(keyId: string): Promise<void>
  recordPeer: SyncEngine['recordPeer']
  readonly applied: readonly string[]
  close(): Promise<void>
}

async function outcomeOf(work: Promise<{ status: number; receipt: PushReceipt }>): Promise<Outcome> {
  try {
    return await work
  } catch (error) {
    if (!isSvcError(error)) throw error
    return { status: error.status, code: error.code, details: error.details }
  }
}

/** A folder that is deleted when the process ends. */
export const createFolder = (): string => folderWith()

export interface ServerOptions {
  readonly path?: string
  readonly transport?: PeerTransport
  readonly timers?: EngineTimers
  /** The clock of the engine. By default it is `clock`, which the test sets. */
  readonly now?: () => number
  readonly limits?: Partial<EngineLimits>
  readonly audit?: Record<string, unknown>[]
  /** Domain families in addition to the families of boards. */
  readonly families?: readonly DomainFamily[]
}

/** The engine as in the server. */
export function createServer(
  options: ServerOptions = {},
): Platform & { readonly path: string; readonly store: FileStore; readonly engine: SyncEngine } {
  const clock = { nowMs: START_MS }
  const now = options.now ?? ((): number => clock.nowMs)
  const path = options.path ?? join(createFolder(), 'sync.db')
  const store = createFileStore({ path, now, parts: storeParts })
  const families = [...createProjectFamilies(store), ...(options.families ?? [])]
  const domains = createDomains(families)
  const devices = createDevices(store, families, { now, uuid: randomUUID })
  const applied: string[] = []
  const engine = createSyncEngine(
    {
      store,
      authority: createStoredAuthority(store),
      domains,
      sha256: nativeSha256,
      ed25519: countedEd25519,
      now,
      limits: { ...defaultLimits, ...options.limits },
      log: { log: (_level, _message, fields) => void (fields?.['audit'] === true && options.audit?.push(fields)) },
      yieldLoop: () => new Promise((resolve) => setImmediate(resolve)),
      uuid: randomUUID,
      transport:
        options.timers && options.transport ? withTimeLimit(options.transport, options.timers) : options.transport,
    },
    options.timers && onTimers(options.timers),
  )
  return {
    name: 'server',
    path,
    clock,
    store,
    engine,
    applied,
    submit: (bytes) => outcomeOf(engine.submit(bytes)),
    receipt: engine.receipt,
    recordPeer: engine.recordPeer,
    enrol: async (signer, scopes, expiresAtMs) =>
      void (await devices.enrol({
        publicKey: signer.publicKey,
        scopes,
        label: null,
        expiresAtMs: expiresAtMs ?? null,
      })),
    revoke: async (keyId) => void (await devices.revoke(keyId, null)),
    close: async () => {
      await engine.stop()
      await store.close()
    },
  }
}

/** The saved bytes and the faults of an embedded host. */
export interface HostState {
  saved: Uint8Array | null
  saves: number
  failSave: boolean
  failApply: boolean
}

/** The engine as in an embedding host: the host stores devices, projects and frontiers. */
export async function createHosted(
  state: HostState = { saved: null, saves: 0, failSave: false, failApply: false },
  deliver?: (envelope: Envelope, endpointId: string) => Promise<void>,
): Promise<Platform & { readonly state: HostState; readonly embedded: Awaited<ReturnType<typeof createEmbedded>> }> {
  const clock = { nowMs: START_MS }
  const devices = new Map<string, SigningDevice>()
  const projects = new Set<string>()
  const heads = new Map<string, string[]>()
  const applied: string[] = []
  const embedded = await createEmbedded(registryOf([]), {
    host: {
      sqlWasm: new Uint8Array(sqlWasm),
      persistence: {
        load: () => state.saved,
        save: async (bytes) => {
          if (state.failSave) throw new Error('disk full')
          state.saved = bytes.slice()
          state.saves++
        },
      },
      identity: () => ({ kind: 'local', user: 'me', tenant: null, scopes: [], credential: null }),
      devices: { get: (keyId) => devices.get(keyId) },
      projects: { has: (domain) => projects.has(domain.slice(domain.indexOf(':') + 1)) },
      frontier: (domain) => ({ heads: heads.get(domain) ?? [] }),
      apply: async (domain, envelope) => {
        if (state.failApply) throw new Error('no')
        if (!applied.includes(envelope.pushId)) applied.push(envelope.pushId)
        if (domain.startsWith('kbd-control:')) heads.set(domain, [envelope.canonicalPayloadHash])
      },
      ...(deliver === undefined ? {} : { deliver }),
      now: () => clock.nowMs,
      log: () => {},
    },
  })
  return {
    name: 'embedded',
    clock,
    state,
    embedded,
    applied,
    submit: (bytes) => outcomeOf(embedded.sync.submit(bytes)),
    receipt: embedded.sync.receipt,
    recordPeer: embedded.sync.recordPeer,
    enrol: async (signer, scopes, expiresAtMs) => {
      const device = { keyId: signer.keyId, scopes, status: 'active', expiresAtMs: expiresAtMs ?? null } as const
      devices.set(signer.keyId, device)
      for (const scope of scopes) if (!scope.endsWith(':*')) projects.add(scope.slice(scope.indexOf(':') + 1))
    },
    revoke: async (keyId) => void devices.set(keyId, { ...devices.get(keyId)!, status: 'revoked' }),
    close: embedded.close,
  }
}
