/**
 * The steps of an embedded engine with `svc/sign`: a key, a signed push, its receipt, a restart, a full medium,
 * retention.
 */
import { codeOf, ok, type Step, same } from './runner.ts'

/** The part of an embedded library that the steps use. */
export interface EmbeddedLibrary {
  createEmbedded(options: object): Promise<Engine>
}

interface Engine {
  readonly sync: {
    submit(bytes: Uint8Array): Promise<{ status: number; receipt: Receipt }>
    receipt(pushId: string): Promise<Receipt>
    events(pushId: string, after: number): AsyncIterable<{ kind: string }>
  }
  close(): Promise<void>
}

interface Receipt {
  readonly pushId: string
  readonly localState: string
}

/** `svc/sign`. */
export interface SignLibrary {
  createDeviceKey(secret?: Uint8Array): Promise<DeviceKey>
  signPush(key: DeviceKey, push: object): Promise<object>
}

interface DeviceKey {
  readonly keyId: string
  readonly secret: Uint8Array
}

/** The medium of a store, and what the host of an engine gives for it. */
export interface Medium {
  /** Whether writes fail. */
  full: boolean
  /** The options of the engine, given those of the host that do not depend on the medium. */
  options(host: object): object | Promise<object>
}

const DOMAIN = 'kbd-control:demo'
const DAY_MS = 86_400_000
/** The shortest retention of receipts. */
const RETENTION_DAYS = 8

/** What the project of the host has applied, and the clock of the host. */
interface Project {
  applied: number
  head: string | undefined
  nowMs: number
}

/** The steps, in their order. */
export function engineSteps({ createEmbedded }: EmbeddedLibrary, sign: SignLibrary, medium: Medium): Step[] {
  const { createDeviceKey, signPush } = sign
  let key: DeviceKey
  let engine: Engine
  let push: Uint8Array
  let receipt: Receipt
  const project: Project = { applied: 0, head: undefined, nowMs: Date.now() }
  const open = async (): Promise<Engine> => {
    const options = await medium.options(hostOf(project, () => key.keyId))
    return createEmbedded({ ...options, limits: { retentionDays: RETENTION_DAYS } })
  }
  const signed = async (): Promise<Uint8Array> => {
    const draft = { domain: DOMAIN, targetEndpointIds: [], issuedAtMs: project.nowMs }
    return new TextEncoder().encode(JSON.stringify(await signPush(key, draft)))
  }
  return [
    {
      name: 'creates a key, and the same key from its secret',
      work: async () => {
        key = await createDeviceKey()
        ok('an id of the form ed25519:<64 hex digits>', /^ed25519:[0-9a-f]{64}$/.test(key.keyId))
        same('key id', (await createDeviceKey(key.secret)).keyId, key.keyId)
      },
    },
    {
      name: 'reports an incomplete host',
      work: async () => same('code', await codeOf(createEmbedded({ host: {} })), 'ERR_HOST_INCOMPLETE'),
    },
    {
      name: 'opens an empty store',
      work: async () => {
        engine = await open()
      },
    },
    {
      name: 'applies a signed push',
      work: async () => {
        push = await signed()
        const taken = await engine.sync.submit(push)
        receipt = taken.receipt
        same('answer', [taken.status, receipt.localState, project.applied], [201, 'applied_locally', 1])
      },
    },
    {
      name: 'accepts the same bytes as a replay',
      work: async () => {
        const { status } = await engine.sync.submit(push)
        same('answer', [status, project.applied], [200, 1])
      },
    },
    {
      name: 'gives the events of the push to their end',
      work: async () => {
        const kinds: string[] = []
        for await (const { kind } of engine.sync.events(receipt.pushId, 0)) kinds.push(kind)
        ok(`at least two events, not ${kinds.length}`, kinds.length >= 2)
      },
    },
    {
      name: 'refuses a push with another signature',
      work: async () => {
        const other = JSON.parse(new TextDecoder().decode(await signed())) as { signature: string }
        const { signature } = JSON.parse(new TextDecoder().decode(push)) as { signature: string }
        const bytes = new TextEncoder().encode(JSON.stringify({ ...other, signature }))
        same('code', await codeOf(engine.sync.submit(bytes)), 'signature_invalid')
      },
    },
    {
      name: 'refuses writes while the medium is full, and accepts them afterwards',
      work: async () => {
        const next = await signed()
        medium.full = true
        same('code', await codeOf(engine.sync.submit(next)), 'receipt_store_unavailable')
        medium.full = false
        same('answer', [(await engine.sync.submit(next)).status, project.applied], [201, 2])
      },
    },
    {
      name: 'finds its receipts after a restart',
      work: async () => {
        await engine.close()
        engine = await open()
        same('receipt', await engine.sync.receipt(receipt.pushId), receipt)
        same('replay', (await engine.sync.submit(push)).status, 200)
      },
    },
    {
      name: 'removes receipts after their retention, and does not execute a removed push again',
      work: async () => {
        project.nowMs += (RETENTION_DAYS + 1) * DAY_MS
        same('answer', [(await engine.sync.submit(await signed())).status, project.applied], [201, 3])
        same('receipt', await codeOf(engine.sync.receipt(receipt.pushId)), 'push_not_found')
        same('code', await codeOf(engine.sync.submit(push)), 'request_stale')
      },
    },
    { name: 'closes', work: () => engine.close() },
  ]
}

function hostOf(project: Project, keyId: () => string): object {
  return {
    identity: () => ({ kind: 'local', user: 'me', tenant: null, scopes: [], credential: null }),
    devices: {
      get: (id: string) =>
        id === keyId() ? { keyId: id, scopes: [DOMAIN], status: 'active', expiresAtMs: null } : null,
    },
    projects: { has: (domain: string) => domain === DOMAIN },
    frontier: () => ({ heads: project.head === undefined ? [] : [project.head] }),
    apply: async (_domain: string, envelope: { canonicalPayloadHash: string }) => {
      project.applied++
      project.head = envelope.canonicalPayloadHash
    },
    now: () => project.nowMs,
    log: () => {},
  }
}
