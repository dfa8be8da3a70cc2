/** The checks at the end of a run, after everything has been repaired. */

import { acknowledgedText } from '../../plugins/protocol/acknowledgement.ts'
import { fromBase64 } from '../../plugins/protocol/codecs.ts'
import type { Acknowledgement, PushReceipt } from '../../plugins/sync/api.ts'
import { claimsOf, judgeClaims } from './claims.ts'
import { type Clients, OTHER, PROJECT } from './client.ts'
import type { Cast } from './cluster.ts'
import type { Judge } from './judge.ts'
import { ed25519 } from './keys.ts'
import type { SimulatedNode } from './node.ts'
import type { World } from './world.ts'

/** Longer than any run, in milliseconds. */
const LONGEST_RUN_MS = 600_000

/** Checks the end of a run: equal boards, true final acknowledgements, and audit chains that verify. */
export async function examine(parts: {
  readonly world: World
  readonly judge: Judge
  readonly owners: { readonly nodes: readonly SimulatedNode[] }
  readonly cast: Cast
  readonly clients: Pick<Clients, 'all'>
}): Promise<void> {
  const { world, judge, owners, cast, clients } = parts
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
    for (const node of honest) world.count('claims that takers saw', judgeClaims(await claimsOf(node), node, judge))
    for (const submission of clients.all)
      for (const node of honest) {
        if (submission.isRight !== true || submission.taken.size === 0 || node.skewMs !== 0) continue
        if (node.disk.rows('SELECT 1 FROM kbd_commands WHERE id = ?', submission.id).length === 0)
          judge.blame('writable', node.name, `the command ${submission.id} of a right clock did not arrive`)
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

/**
 * Checks that each honest target has given its final acknowledgement, and that each acknowledgement is signed with the
 * key of its endpoint.
 */
function judgeReceipt(receipt: PushReceipt, node: SimulatedNode, honest: readonly SimulatedNode[], judge: Judge): void {
  const { pushId, targets, perPeer, canonicalPayloadHash, domain } = receipt
  for (const [endpointId, { state, failure, appliedFrontier, ack }] of Object.entries(perPeer)) {
    const members = { pushId, endpointId, canonicalPayloadHash, state, failure, appliedFrontier }
    const acknowledgement = { context: 'svc-peer-ack-1', ...members, ...ack } as unknown as Acknowledgement
    const message = new TextEncoder().encode(acknowledgedText(acknowledgement))
    const key = Buffer.from(endpointId, 'hex')
    if ((state === 'rejected') !== (failure !== null) || (state !== 'applied' && appliedFrontier !== null))
      judge.blame(
        'truthful',
        node.name,
        `the acknowledgement of ${endpointId.slice(0, 8)} for ${pushId} contradicts itself`,
      )
    if (ack === null || ed25519.verify(fromBase64(ack.signature)!, message, key) !== true)
      judge.blame(
        'truthful',
        node.name,
        `the acknowledgement of ${endpointId.slice(0, 8)} for ${pushId} does not verify`,
      )
  }
  // By a clock that is off by a year a push is stale, or settled.
  if (node.isWild) return
  // Not every target may read this project.
  if (domain.endsWith(`:${OTHER}`)) return
  // The push settles by time before its peers are repaired, by a clock that has been changed since.
  if ((node.kernel.setting('sync.settle_after_ms') as number) < LONGEST_RUN_MS) return
  for (const peer of honest) {
    if (!targets.includes(peer.key.endpointId) || peer.isWild) continue
    const state = perPeer[peer.key.endpointId]?.state
    if (state !== 'applied' && state !== 'rejected')
      judge.blame('converged', node.name, `no final acknowledgement of ${peer.name} for ${pushId}: ${state}`)
  }
}

/** The first difference of two texts. */
function difference(one: string, other: string): string {
  let at = 0
  while (one[at] === other[at]) at++
  return `«${one.slice(at - 40, at + 60)}» is not «${other.slice(at - 40, at + 60)}»`
}
