/** The steps of `svc/embedded-mobile` with `svc/sign`: a key, a signed push, its receipt, a restart, a full medium. */
import { codeOf, ok, type Step, same } from './runner.ts'

/** The part of `svc/embedded-mobile` that the steps use. */
export interface EmbeddedLibrary {
  createEmbedded(options: { host: object }): Promise<Engine>
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

const DOMAIN = 'kbd-control:demo'

/**
 * The steps, in their order. `sqlWasm` is `sql-wasm.wasm` in the form that the platform has: its bytes, or a compiled
 * module.
 */
export function embeddedSteps(
  { createEmbedded }: EmbeddedLibrary,
  { createDeviceKey, signPush }: SignLibrary,
  sqlWasm: unknown,
): Step[] {
  let key: DeviceKey
  let engine: Engine
  let push: Uint8Array
  let receipt: Receipt
  const medium = createMedium()
  const open = (): Promise<Engine> => createEmbedded({ host: hostWith(medium, () => key.keyId, sqlWasm) })
  const sign = async (): Promise<Uint8Array> =>
    new TextEncoder().encode(JSON.stringify(await signPush(key, { domain: DOMAIN, targetEndpointIds: [] })))
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
      name: 'opens without stored bytes',
      work: async () => {
        engine = await open()
      },
    },
    {
      name: 'applies a signed push',
      work: async () => {
        push = await sign()
        const taken = await engine.sync.submit(push)
        receipt = taken.receipt
        same('answer', [taken.status, receipt.localState, medium.applied], [201, 'applied_locally', 1])
      },
    },
    {
      name: 'accepts the same bytes as a replay',
      work: async () => {
        const { status } = await engine.sync.submit(push)
        same('answer', [status, medium.applied], [200, 1])
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
        const signed = JSON.parse(new TextDecoder().decode(await sign())) as { signature: string }
        const { signature } = JSON.parse(new TextDecoder().decode(push)) as { signature: string }
        const bytes = new TextEncoder().encode(JSON.stringify({ ...signed, signature }))
        same('code', await codeOf(engine.sync.submit(bytes)), 'signature_invalid')
      },
    },
    {
      name: 'refuses writes while the medium is full, and accepts them afterwards',
      work: async () => {
        const next = await sign()
        medium.full = true
        same('code', await codeOf(engine.sync.submit(next)), 'receipt_store_unavailable')
        medium.full = false
        same('answer', [(await engine.sync.submit(next)).status, medium.applied], [201, 2])
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
    { name: 'closes', work: () => engine.close() },
  ]
}

interface Medium {
  saved: Uint8Array | null
  full: boolean
  applied: number
  head: string | undefined
}

function createMedium(): Medium {
  return { saved: null, full: false, applied: 0, head: undefined }
}

function hostWith(medium: Medium, keyId: () => string, sqlWasm: unknown): object {
  return {
    sqlWasm,
    persistence: {
      load: () => medium.saved,
      save: async (bytes: Uint8Array) => {
        if (medium.full) throw new Error('the medium is full')
        medium.saved = bytes
      },
    },
    identity: () => ({ kind: 'local', user: 'me', tenant: null, scopes: [], credential: null }),
    devices: {
      get: (id: string) =>
        id === keyId() ? { keyId: id, scopes: [DOMAIN], status: 'active', expiresAtMs: null } : null,
    },
    projects: { has: (domain: string) => domain === DOMAIN },
    frontier: () => ({ heads: medium.head === undefined ? [] : [medium.head] }),
    apply: async (_domain: string, envelope: { canonicalPayloadHash: string }) => {
      medium.applied++
      medium.head = envelope.canonicalPayloadHash
    },
    now: () => Date.now(),
    log: () => {},
  }
}
