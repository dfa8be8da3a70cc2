/** Nodes in this process that exchange data over TLS on loopback. Each node has a separate folder, socket and key. */
import { sign } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { Plugin } from '../../../core/declare/plugin.ts'
import type { Command, PeerOverview, Project, Standing } from '../../../plugins/kbd/api.ts'
import { feature as core } from '../../../plugins/peer/core/feature.ts'
import type { PeerStore } from '../../../plugins/peer/registry/capabilities.ts'
import { feature as desk } from '../../../plugins/peer/registry/feature.ts'
import { feature as tls } from '../../../plugins/peer/tls/feature.ts'
import { signCommand } from '../../../plugins/protocol/sign/index.ts'
import type { PushReceipt } from '../../../plugins/sync/api.ts'
import { WAIT_MS } from '../../runner/limit.ts'
import { type Signer, signed } from '../../unit/sync/platforms.ts'
import { type Daemon, type DaemonOptions, pushOf, type Reply, startDaemon } from '../sync/daemon.ts'

/** A node under test. */
export interface Node extends Daemon {
  readonly id: string
  /** The address at which the node listens for peers. Empty if it does not listen. */
  readonly address: string
  readonly registry: PeerStore['registry']
  /** Enters another node as a peer, with the projects that both share. */
  enter(
    other: Node,
    over?: { readonly address?: string; readonly projects?: readonly string[]; readonly label?: string },
  ): Promise<void>
  /** Signs commands, each on the current heads, and submits them. */
  act(signer: Signer, ...commands: readonly Command[]): Promise<Standing>
  /** Signs a push for some nodes and submits it. */
  pushTo(
    signer: Signer,
    targets: readonly { readonly id: string }[],
    over?: Readonly<Record<string, unknown>>,
  ): Promise<PushReceipt>
  receipt(pushId: string): Promise<PushReceipt>
  /** Waits until a receipt satisfies a condition. */
  until(pushId: string, what: (receipt: PushReceipt) => boolean, limitMs?: number): Promise<PushReceipt>
  standing(project?: string): Promise<Standing>
  peers(): Promise<readonly PeerOverview[]>
}

/** Starts a node. With `peer.listen: null` it accepts no connections of peers. */
export async function startNode(options: DaemonOptions = {}, before: readonly Plugin[] = []): Promise<Node> {
  const given = { 'peer.listen': '127.0.0.1:0', 'sync.retry_first_ms': 50, 'sync.retry_max_ms': 400, ...options.given }
  const daemon = await startDaemon({ ...options, given, plugins: [desk, core, ...before, tls] })
  const found = /"peers":"([^"]+)"/.exec(daemon.logs())
  const { registry } = daemon.kernel.capability('PeerStore')
  const { endpointId: id } = daemon.kernel.capability('SyncShared').ownKey()
  const get = async <T>(path: string): Promise<T> => {
    const reply = await daemon.send({ path })
    assert.is(reply.status, 200, `${path}: ${reply.text}`)
    return reply.json() as T
  }
  const node: Node = {
    ...daemon,
    id,
    address: found?.[1] ?? '',
    registry,
    async enter(other, { address = other.address, projects = ['demo'], label } = {}) {
      const addresses = address === '' ? [] : [address]
      await registry.put({ endpointId: other.id, addresses, projects, label: label ?? null })
    },
    async act(signer, ...commands) {
      let standing: Standing = await get<Project>('/api/v1/kbd/projects/demo')
      for (const command of commands) {
        const key = { ...signer, sign: (message: Uint8Array) => sign(null, message, signer.privateKey) }
        const envelope = await signCommand(key, { project: 'demo', command, parents: standing.frontier.heads })
        const reply = await postJson(daemon, '/api/v1/kbd/projects/demo/commands', envelope)
        assert.is(reply.status, 201, reply.text)
        standing = reply.json() as unknown as Standing
      }
      const { frontier, headCount, revision } = standing
      return { frontier, headCount, revision }
    },
    async pushTo(signer, targets, over = {}) {
      const targetEndpointIds = targets.map((one) => one.id)
      const reply = await daemon.send(pushOf(signed(signer, { issuedAtMs: Date.now(), targetEndpointIds, ...over })))
      assert.is(reply.status, 201, reply.text)
      return reply.json() as unknown as PushReceipt
    },
    receipt: (pushId) => get<PushReceipt>(`/api/v2/sync/pushes/${pushId}`),
    async until(pushId, what, limitMs = WAIT_MS) {
      let receipt = await node.receipt(pushId)
      for (const sinceMs = Date.now(); !what(receipt); receipt = await node.receipt(pushId)) {
        if (Date.now() - sinceMs > limitMs) assert.unreachable(JSON.stringify(receipt, null, 1))
        await new Promise((done) => setTimeout(done, 5))
      }
      return receipt
    },
    standing: async (project = 'demo') => {
      const { frontier, headCount, revision } = await get<Project>(`/api/v1/kbd/projects/${project}`)
      return { frontier, headCount, revision }
    },
    peers: async () => (await get<{ peers: readonly PeerOverview[] }>('/api/v1/peers')).peers,
  }
  return node
}

/** Posts a value as JSON. */
export function postJson(daemon: Pick<Daemon, 'send'>, path: string, value: unknown): Promise<Reply> {
  const headers = { 'content-type': 'application/json' }
  return daemon.send({ method: 'POST', path, headers, body: JSON.stringify(value) })
}
