/** What peers say of pushes of this node: believed where it is theirs, about that push, and not against what is known. */
import { isSvcError } from '../../../../core/errors.ts'
import type { Boards } from '../../../kbd/capabilities.ts'
import { isConsistent } from '../../../protocol/acknowledgement.ts'
import type { Acknowledgement, DeliveredPush, PeerRecord } from '../../../sync/api.ts'
import type { SyncEngine, WordTold } from '../../../sync/capabilities.ts'
import type { Fault, Faults } from '../statistics/audit-faults.ts'
import type { Tallies } from '../statistics/peer-statistics.ts'

/** What it takes. */
export interface WordParts {
  readonly sync: SyncEngine
  readonly boards: Boards
  readonly tallies: Tallies
  /** Counts a word by its state; `false` where it is none. */
  readonly count: (state: string) => void
  readonly faults: Faults
}

/**
 * Takes a word of the peer whose key the handshake proved. Rejects where it is false; the audit chain tells. `about` is the push
 * where it was read a while ago.
 */
export type Hear = (ack: Acknowledgement, endpointId: string, about?: DeliveredPush) => Promise<void>

/** Thrown for a word that is not true. */
export class FalseWord extends Error {
  readonly code = 'false_acknowledgement'
  readonly retryable = true
}

const CONTRADICTED = 'acknowledgement_contradicted'

/** Makes it. */
export function createHear({ sync, boards, tallies, faults, count }: WordParts): Hear {
  const refuse = async (receipt: DeliveredPush | undefined, peer: string, why: string): Promise<never> => {
    count('false')
    await faults.tell(toFault(receipt, peer, 'false_acknowledgement'))
    tallies.failed(peer, 'false_acknowledgement', why)
    throw new FalseWord(why)
  }

  const find = (pushId: string): Promise<DeliveredPush | undefined> =>
    sync.receipt(pushId).catch((error: unknown) => {
      if (isSvcError(error, 'push_not_found')) return undefined
      throw error
    })

  return async (ack, peer, about) => {
    const receipt = about?.pushId === ack.pushId ? about : await find(ack.pushId)
    if (receipt === undefined || ack.endpointId !== peer || !receipt.targets.includes(peer))
      return refuse(undefined, peer, 'The word of the peer is about a push that it was not sent.')
    const known = receipt.perPeer[peer]
    if (known?.ack?.signature === ack.signature) return
    const project = projectOf(receipt)
    if (!isConsistent(ack, receipt.domain))
      return refuse(receipt, peer, 'The failure or the frontier of the acknowledgement contradicts its state.')
    if (ack.state === 'applied' && receipt.domain.startsWith('kbd-control:')) {
      const { appliedFrontier } = ack
      const heads = appliedFrontier?.heads ?? []
      const pinned = receipt.frontier?.heads ?? []
      // Most often it stands where this node stood.
      const isSame = appliedFrontier !== null && pinned.every((id) => heads.includes(id))
      const covers =
        isSame ||
        (await boards.read(
          (reads) =>
            reads.known(project, heads).size < heads.length ||
            (heads.length > 0 && reads.covers(project, heads, pinned)),
        ))
      if (!covers)
        return refuse(receipt, peer, 'The peer says that it applied a frontier that lacks what the push pinned.')
    }
    const told: WordTold = ({ audit }, { changed, known: before }) => {
      if (changed) {
        audit!.append(faults.entry(toFault(receipt, peer, ack.failure?.code ?? 'ok')))
        count(ack.state)
        if (ack.appliedFrontier !== null) tallies.learn(peer, project, ack.appliedFrontier.heads)
      } else if (isContradicted(before, ack) && faults.isDue(peer, CONTRADICTED))
        audit!.append(faults.entry(toFault(receipt, peer, CONTRADICTED)))
    }
    try {
      await sync.acknowledge(ack, told, receipt)
    } catch (error) {
      if (!isSvcError(error, 'signature_invalid')) throw error
      return refuse(receipt, peer, 'The word of the peer is not signed with its key, or is about another push.')
    }
  }
}

/**
 * Two last words that differ, both signed: the one that is kept and the one that is told are the evidence. The same word under
 * another head of the chain, before the last one, is nothing new.
 */
function isContradicted(before: PeerRecord | undefined, ack: Acknowledgement): boolean {
  if (before === undefined || before.ack === null || before.state === 'received' || ack.state === 'received')
    return false
  return before.ack.signature !== ack.signature
}

function toFault(receipt: DeliveredPush | undefined, peer: string, code: string): Fault {
  const project = receipt === undefined ? null : projectOf(receipt)
  return { peer, code, project, subject: receipt?.pushId ?? null }
}

function projectOf({ domain }: DeliveredPush): string {
  return domain.slice(domain.indexOf(':') + 1)
}
