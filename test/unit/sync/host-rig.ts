/** An embedding host for tests: every callback can be replaced, and its data can be inspected. */
import { isSvcError } from '../../../core/errors.ts'
import { createEmbedded, type Embedded } from '../../../plugins/sync/store-sqljs/create-embedded.ts'
import type { EmbeddedHost } from '../../../plugins/sync/store-sqljs/host.ts'
import { registryOf } from '../../support/kernels.ts'
import { createSigner, type Signer, START_MS, signed, sqlWasm } from './platforms.ts'

/** A host with its signer. */
export interface HostRig {
  readonly alice: Signer
  host: EmbeddedHost
  saved: Uint8Array | null
  saves: number
  loads: number
  /** Every call of `apply`, by push. */
  readonly applied: string[]
  readonly heads: Map<string, string[]>
  start(): Promise<Embedded>
  push(over?: Record<string, unknown>): Uint8Array
}

/** A correct host in memory, except for the members that `over` replaces. */
export function createHostRig(over: (rig: HostRig) => Partial<EmbeddedHost> = () => ({})): HostRig {
  const alice = createSigner()
  const rig: HostRig = {
    alice,
    saved: null,
    saves: 0,
    loads: 0,
    applied: [],
    heads: new Map(),
    host: {
      sqlWasm: new Uint8Array(sqlWasm),
      persistence: {
        load: () => {
          rig.loads++
          return rig.saved
        },
        save: async (bytes) => {
          rig.saved = bytes
          rig.saves++
        },
      },
      identity: () => ({ kind: 'local', user: 'me', tenant: null, scopes: [], credential: null }),
      devices: {
        get: (keyId) => ({ keyId, scopes: ['kbd-control:*'], status: 'active', expiresAtMs: null }),
      },
      projects: { has: () => true },
      frontier: (domain) => ({ heads: rig.heads.get(domain) ?? [] }),
      apply: async (domain, envelope) => {
        rig.applied.push(envelope.pushId)
        rig.heads.set(domain, [envelope.canonicalPayloadHash])
      },
      now: () => START_MS,
      log: () => {},
      timeoutMs: 40,
    },
    start: () => createEmbedded(registryOf([]), { host: rig.host }),
    push: (more = {}) => signed(alice, more),
  }
  rig.host = { ...rig.host, ...over(rig) }
  return rig
}

/**
 * The code of a refusal, with the code of its cause if the host is at fault. Returns the status if there was no
 * refusal.
 */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    return String((((await work) ?? {}) as { status?: number }).status)
  } catch (error) {
    if (!isSvcError(error)) throw error
    return isSvcError(error.cause) ? `${error.code} < ${error.cause.code}` : error.code
  }
}

/** Waits `ms` milliseconds. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** A promise that is settled from outside. */
export function deferred(): { readonly promise: Promise<void>; resolve(): void; reject(error: Error): void } {
  let resolve!: () => void
  let reject!: (error: Error) => void
  const promise = new Promise<void>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
