/** What peers say of pushes of this node: believed where it is theirs, about that push, and not against what is known. */
import { isSvcError } from '../../../core/errors.ts'
import type { Boards } from '../../kbd/capabilities.ts'
import type { PushReceipt } from '../../sync/api.ts'
import type { ReceiptStore, SyncEngine } from '../../sync/capabilities.ts'
import type { Acknowledgement } from '../../sync/peers/api.ts'
import type { Tallies } from './tallies.ts'

/** What it takes. */
export interface WordParts {
  readonly sync: SyncEngine
  readonly store: ReceiptStore
  readonly boards: Boards
  readonly tallies: Tallies
  readonly now: () => number
  /** Equal faults of a peer are told to the audit chain once a minute. */
  /** Counts a word by its state; `false` where it is none. */
  readonly count: (state: string) => void
  readonly mayTell: (peer: string, code: string) => boolean
}

/** Takes a word of the peer whose key the handshake proved. Rejects where it is false; the audit chain tells. */
export type Hear = (ack: Acknowledgement, endpointId: string) => Promise<void>

/** Thrown for a word that is not true. */
export class FalseWord extends Error {
  readonly code = 'false_acknowledgement'
  readonly retryable = true
}

/** Makes it. */
export function createHear({ sync, store, boards, tallies, now, mayTell, count }: WordParts): Hear {
  const tell = async (receipt: PushReceipt | undefined, peer: string, outcome: string): Promise<void> => {
    if (outcome !== 'ok' && !mayTell(peer, outcome)) return
    const project = receipt === undefined ? null : projectOf(receipt)
    await store.write(({ audit }) =>
      audit!.append({
        atMs: now(),
        kind: 'peer',
        project,
        subject: receipt?.pushId ?? null,
        actor: `ed25519:${peer}`,
        outcome,
      }),
    )
  }
  const refuse = async (receipt: PushReceipt | undefined, peer: string, why: string): Promise<never> => {
    count('false')
    await tell(receipt, peer, 'false_acknowledgement')
    tallies.failed(peer, 'false_acknowledgement', why)
    throw new FalseWord(why)
  }

  return async (ack, peer) => {
    const receipt = await sync.receipt(ack.pushId).catch((error: unknown) => {
      if (isSvcError(error, 'push_not_found')) return undefined
      throw error
    })
    if (receipt === undefined || ack.endpointId !== peer || !receipt.targets.includes(peer))
      return refuse(undefined, peer, 'The word of the peer is about a push that it was not sent.')
    const known = receipt.perPeer[peer]
    if (known?.ack?.signature === ack.signature) return
    const project = projectOf(receipt)
    if (ack.state === 'applied' && receipt.domain.startsWith('kbd-control:')) {
      const { appliedFrontier } = ack
      const covers = await boards.read((reads) => {
        const heads = appliedFrontier?.heads ?? []
        const pinned = receipt.frontier?.heads ?? []
        if (pinned.length === 0) return appliedFrontier !== null
        const isKnown = (id: string): boolean => reads.command(project, id) !== undefined
        return heads.some((id) => !isKnown(id)) || (heads.length > 0 && reads.covers(project, heads, pinned))
      })
      if (!covers)
        return refuse(receipt, peer, 'The peer says that it applied a frontier that lacks what the push pinned.')
    }
    try {
      await sync.acknowledge(ack)
    } catch (error) {
      if (!isSvcError(error, 'signature_invalid')) throw error
      return refuse(receipt, peer, 'The word of the peer is not signed with its key, or is about another push.')
    }
    const isLast = known !== undefined && known.state !== 'received' && known.ack !== null
    // Two last words that differ, both signed: what is kept and what is told here are the evidence.
    if (isLast && ack.state !== 'received') return tell(receipt, peer, 'acknowledgement_contradicted')
    count(ack.state)
    if (ack.appliedFrontier !== null) tallies.learn(peer, project, ack.appliedFrontier.heads)
    await tell(receipt, peer, ack.failure?.code ?? 'ok')
  }
}

function projectOf({ domain }: PushReceipt): string {
  return domain.slice(domain.indexOf(':') + 1)
}
