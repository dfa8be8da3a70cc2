/**
 * A node with the plugins of the shipped program, without its local socket, in a separate process; peers connect over
 * TLS on loopback.
 */
import { createPrivateKey, randomUUID, sign } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { feature as boards } from '../../../plugins/kbd/api/feature.ts'
import type { CommandEnvelope } from '../../../plugins/kbd/api.ts'
import { feature as audit } from '../../../plugins/kbd/audit/feature.ts'
import { storePart as boardStorePart } from '../../../plugins/kbd/engine/store-part.ts'
import type { PeerEntry } from '../../../plugins/peer/api.ts'
import { feature as core } from '../../../plugins/peer/core/feature.ts'
import { proveAll } from '../../../plugins/peer/core/proving/prove-commands.ts'
import { feature as desk } from '../../../plugins/peer/registry/feature.ts'
import { storePart as peerStorePart } from '../../../plugins/peer/registry/store-part.ts'
import { feature as tls } from '../../../plugins/peer/tls/feature.ts'
import { type DeviceKey, signCommand, signPush } from '../../../plugins/protocol/sign/index.ts'
import { feature as streams } from '../../../plugins/realtime/streams/feature.ts'
import { feature as api } from '../../../plugins/sync/api/feature.ts'
import { createDevices } from '../../../plugins/sync/engine/devices/devices.ts'
import { createProjectFamilies } from '../../../plugins/sync/engine/devices/project-families.ts'
import { feature as store } from '../../../plugins/sync/store-sqlite/feature.ts'
import { feature as http } from '../../../plugins/transport/node-http/feature.ts'
import { startKernel } from '../harness/kernel.ts'
import { setupOf } from '../harness/processes.ts'
import { answer } from './child.ts'

/** The arguments of a node's process. */
export interface NodeSetup {
  readonly folder: string
  /** The enrolled device that signs commands and pushes. */
  readonly device: { readonly pem: string; readonly keyId: string }
}

/** A peer to add. */
export type Peer = Pick<PeerEntry, 'endpointId' | 'addresses'>

/** The calls that a node answers. */
export interface NodeCalls {
  where(argument: undefined): Peer
  /** Adds a peer. */
  enter(peer: Peer): Promise<void>
  /** Only verifies and commits commands. Resolves to milliseconds. */
  admit(commands: readonly CommandEnvelope[]): Promise<number>
  /** Pushes once to a peer. Resolves to the milliseconds until its final acknowledgement. */
  push(target: string): Promise<number>
  /**
   * Sends pushes to one peer, each after one new command. Resolves to the milliseconds from the push's response to the
   * peer's stored acknowledgement.
   */
  pushes(argument: readonly [target: string, rounds: number]): Promise<number[]>
  revision(argument: undefined): Promise<number>
}

/** Commands per slice, as in a push. */
const SLICE = 256
const { folder, device } = setupOf<NodeSetup>()
mkdirSync(join(folder, 'state'), { mode: 0o700 })
let address = ''
const kernel = await startKernel({
  plugins: [store, streams, api, boards, audit, desk, core, http, tls],
  storeParts: [boardStorePart, peerStorePart],
  settings: {
    storage: { dir: join(folder, 'state') },
    server: { mode: 'sync', port: 0 },
    peer: { listen: '127.0.0.1:0', bytes_per_minute: 2 ** 40 },
    sync: { window_past_ms: 86_400_000, retry_first_ms: 1_000 },
  },
  log: {
    enabled: (level) => level === 'info' || level === 'error',
    write: (record) => void (address = /"peers":"([^"]+)"/.exec(JSON.stringify(record))?.[1] ?? address),
  },
})
const [sync, receipts, ownKey] = [
  kernel.capability('Sync'),
  kernel.capability('ReceiptStore'),
  kernel.capability('SyncShared').ownKey(),
]
const [kbd, { registry }] = [kernel.capability('Boards'), kernel.capability('PeerStore')]
const devices = createDevices(receipts, createProjectFamilies(receipts), { now: Date.now, uuid: randomUUID })
const scopes = ['kbd-control:bench', 'kbd-content:bench']
const publicKey = Buffer.from(device.keyId.slice('ed25519:'.length), 'hex')
await devices.enrol({ publicKey, scopes, label: null, expiresAtMs: null })
const privateKey = createPrivateKey(device.pem)
const key: DeviceKey = { keyId: device.keyId, publicKey, sign: (message) => sign(null, message, privateKey) }
const encoder = new TextEncoder()

async function act(command: CommandEnvelope['command']): Promise<void> {
  const { frontier } = await kbd.read((reads) => reads.standing('bench'))
  const envelope = await signCommand(key, { project: 'bench', command, parents: frontier.heads })
  await kbd.enter('bench', encoder.encode(JSON.stringify(envelope)))
}

/**
 * Submits a push and waits for the final acknowledgement of a peer. Returns the milliseconds until it is stored. The
 * time starts at the submission or at its response; the benchmark of sync measures the time until the response.
 */
async function push(target: string, from: 'submitted' | 'answered'): Promise<number> {
  const request = await signPush(key, { domain: 'kbd-control:bench', targetEndpointIds: [target] })
  const body = encoder.encode(JSON.stringify(request))
  let fromMs = performance.now()
  const atMs = await new Promise<number>((resolve, reject) => {
    const leave = sync.watch(request.requestId, () => {
      const nowMs = performance.now()
      void sync.receipt(request.requestId).then(({ perPeer }) => {
        if (perPeer[target]?.state !== 'applied') return
        leave()
        resolve(nowMs)
      })
    })
    const answered = (): void => {
      if (from === 'answered') fromMs = performance.now()
    }
    sync.submit(body).then(answered, reject)
  })
  return atMs - fromMs
}

let count = 0

const calls: NodeCalls = {
  where: () => ({ endpointId: ownKey.endpointId, addresses: [address] }),
  async enter(peer) {
    await registry.put({ ...peer, label: null, projects: ['bench'] })
  },
  async admit(commands) {
    const fromMs = performance.now()
    for (let at = 0; at < commands.length; at += SLICE) {
      const proven = await proveAll(kbd, 'bench', commands.slice(at, at + SLICE))
      const { refusal } = await kbd.engine.admit('bench', proven.commands)
      if (proven.bad !== undefined || refusal !== undefined) throw new Error('A command was refused.')
    }
    return performance.now() - fromMs
  },
  push: (target) => push(target, 'submitted'),
  async pushes([target, rounds]) {
    const durations: number[] = []
    for (let n = 0; n < rounds; n++) {
      await act({ type: 'board.update', boardId: '00000000-0000-4000-8000-000000000001', title: `Title ${count++}` })
      durations.push(await push(target, 'answered'))
    }
    return durations
  },
  revision: () => kbd.read((reads) => reads.standing('bench').revision),
}
answer(calls)
