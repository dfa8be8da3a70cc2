/** A built node, and a hostile peer of the node. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PeerEntry } from '../../plugins/peer/api.ts'
import { openEndpointKey } from '../../plugins/sync/api/endpoint-key.ts'
import type { EndpointKey } from '../../plugins/sync/api.ts'
import { type Liar, startLiar } from '../e2e/peer/lying-node.ts'
import { createFolder, createServer, createSigner, type Signer } from '../unit/sync/platforms.ts'
import { startTarget, type Target } from './rig.ts'

/** A node with a registered lying peer, which listens. */
export interface Scene {
  readonly target: Target
  readonly key: EndpointKey
  /** A signer that the node has enrolled. `mallory` is not enrolled. */
  readonly alice: Signer
  readonly mallory: Signer
  /** The address on which the node listens for peers, and its endpoint id. */
  readonly entry: PeerEntry
  stop(): Promise<void>
}

/** Starts the node and the liar. `more` are additional settings of the node. */
export async function openScene(
  answer: Parameters<typeof startLiar>[0] = () => ({}),
  more: Readonly<Record<string, string>> = {},
): Promise<Scene & { readonly liar: Liar }> {
  const key = openEndpointKey(createFolder())
  const liar = await startLiar(answer, key)
  const state = createFolder()
  const { endpointId } = openEndpointKey(state)
  const alice = createSigner()
  mkdirSync(state, { recursive: true, mode: 0o700 })
  const target = await startTarget('node', {
    SVC_STORAGE__DIR: state,
    SVC_PEER__LISTEN: '127.0.0.1:0',
    // Less than the default, so that it is used up soon.
    SVC_PEER__BYTES_PER_MINUTE: String(24 * 1024 * 1024),
    ...more,
    SVC_PEER__PEERS: JSON.stringify([{ endpointId: liar.id, addresses: [liar.address], projects: ['demo'] }]),
  })
  const [, address] = await target.child.waitFor(/"peers":"([^"]+)"/)
  const command = createServer({ path: join(state, 'sync.db') })
  await command.enrol(alice, ['kbd-control:demo', 'kbd-content:demo', 'kbd-control:other', 'kbd-content:other'])
  await command.close()
  return {
    target,
    key,
    alice,
    mallory: createSigner(),
    liar,
    entry: { endpointId, addresses: [address!], label: null, projects: [], source: 'cli' },
    async stop() {
      await liar.stop()
      await target.stop()
    },
  }
}
