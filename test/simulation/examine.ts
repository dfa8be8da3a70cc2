/** What must be so at the end, once all is mended. */

import { acknowledgedText } from '../../plugins/protocol/acknowledgement.ts'
import { fromBase64 } from '../../plugins/protocol/codecs.ts'
import type { Acknowledgement, PushReceipt } from '../../plugins/sync/api.ts'
import { OTHER, PROJECT } from './client.ts'
import type { Cast } from './cluster.ts'
import type { Judge } from './judge.ts'
import { ed25519 } from './keys.ts'
import type { SimulatedNode } from './node.ts'
import type { World } from './world.ts'

/** Longer than any run. */
const LONGEST_RUN_MS = 600_000

/** Judges the end of a run: equal boards, last words that are true, chains that verify. */
export async function examine(parts: {
  readonly world: World
  readonly judge: Judge
  readonly owners: { readonly nodes: readonly SimulatedNode[] }
  readonly cast: Cast
}): Promise<void> {
  const { world, judge, owners, cast } = parts
  const honest = cast.honest(owners.nodes)
  const states: string[] = []
  let over = false
  const work = async (): Promise<void> => {
    for (const node of honest) {
      judge.compare(node)
      const boards = node.kernel.capability('Boards')
      const { state, wanted } = await boards.read((reads) => ({
        state: reads.snapshotText(PROJECT),
        wanted: reads.wantedContent(PROJECT, 10),
      }))
      states.push(state)
      if (state !== states[0]) judge.blame('converged', node.name, `${difference(states[0]!, state)}`)
      if (wanted.length > 0) judge.blame('converged', node.name, `${wanted.length} texts are missing`)
      const verdict = await node.ask('GET', '/api/v1/audit/verify')
      if (verdict?.body['ok'] !== true) judge.blame('sound', node.name, `audit ${JSON.stringify(verdict?.body)}`)
      world.tell(`${node.name} ends with ${JSON.stringify(verdict?.body['head'])} ${state.length}`)
    }
    for (const node of honest) for (const receipt of await receiptsOf(node)) judgeReceipt(receipt, node, honest, judge)
  }
  work()
    .catch((error: unknown) => judge.blame('sound', 'all', String((error as Error).stack)))
    .finally(() => (over = true))
  if (!(await world.until(() => over, 60_000))) judge.blame('sound', 'all', 'the examination never ended')
}

async function receiptsOf(node: SimulatedNode): Promise<readonly PushReceipt[]> {
  const sync = node.kernel.capability('Sync')
  const ids = node.disk.rows<[id: string]>('SELECT push_id FROM receipts WHERE origin IS NULL ORDER BY no')
  const receipts: PushReceipt[] = []
  for (const [id] of ids) {
    const receipt = await sync.receipt(id)
    receipts.push(receipt)
  }
  return receipts
}

/** Each honest target has said its last word; every word is signed with the key of whose it is. */
function judgeReceipt(receipt: PushReceipt, node: SimulatedNode, honest: readonly SimulatedNode[], judge: Judge): void {
  const { pushId, targets, perPeer, canonicalPayloadHash, domain } = receipt
  for (const [endpointId, { state, failure, appliedFrontier, ack }] of Object.entries(perPeer)) {
    const said = { pushId, endpointId, canonicalPayloadHash, state, failure, appliedFrontier }
    const word = { context: 'svc-peer-ack-1', ...said, ...ack } as unknown as Acknowledgement
    const message = new TextEncoder().encode(acknowledgedText(word))
    const key = Buffer.from(endpointId, 'hex')
    if ((state === 'rejected') !== (failure !== null) || (state !== 'applied' && appliedFrontier !== null))
      judge.blame('truthful', node.name, `the word of ${endpointId.slice(0, 8)} on ${pushId} contradicts itself`)
    if (ack === null || ed25519.verify(fromBase64(ack.signature)!, message, key) !== true)
      judge.blame('truthful', node.name, `the word of ${endpointId.slice(0, 8)} on ${pushId} does not verify`)
  }
  // Not every target may have this one.
  if (domain.endsWith(`:${OTHER}`)) return
  // Time settles it before its peers are well again, by a clock that has been set since.
  if ((node.kernel.setting('sync.settle_after_ms') as number) < LONGEST_RUN_MS) return
  for (const peer of honest) {
    if (!targets.includes(peer.key.endpointId)) continue
    const state = perPeer[peer.key.endpointId]?.state
    if (state !== 'applied' && state !== 'rejected')
      judge.blame('converged', node.name, `no last word of ${peer.name} on ${pushId}: ${state}`)
  }
}

/** Where two texts part. */
function difference(one: string, other: string): string {
  let at = 0
  while (one[at] === other[at]) at++
  return `«${one.slice(at - 40, at + 60)}» is not «${other.slice(at - 40, at + 60)}»`
}
