/**
 * Accepts acknowledgements of peers for pushes of this node, after checking the signer, the push, the state and the
 * frontier.
 */
import { isSvcError } from '../../../../core/declare/errors.ts'
import type { Boards } from '../../../kbd/capabilities.ts'
import { isConsistent } from '../../../protocol/acknowledgement.ts'
import type { Acknowledgement, DeliveredPush, PeerRecord } from '../../../sync/api.ts'
import type { AcknowledgementRecorded, SyncEngine } from '../../../sync/capabilities.ts'
import { auditOf } from '../../audit-of.ts'
import type { Fault, Faults } from '../statistics/audit-faults.ts'
import type { PeerStatistics } from '../statistics/peer-statistics.ts'
import { projectOf } from '../wire/bodies.ts'

/** What accepting acknowledgements needs. */
export interface AcceptParts {
  readonly sync: SyncEngine
  readonly boards: Boards
  readonly statistics: PeerStatistics
  /** Counts an acknowledgement under its state, or under `false` if it is false. */
  readonly count: (state: string) => void
  readonly faults: Faults
}

/**
 * Accepts an acknowledgement of the peer whose key the handshake proved. Rejects with `FalseAcknowledgement`, after
 * writing an audit entry, if the acknowledgement is false. `about` is the push, if the caller has read it already.
 */
export type AcceptAcknowledgement = (ack: Acknowledgement, endpointId: string, about?: DeliveredPush) => Promise<void>

/** The acknowledgement is false: it contradicts its push, its state or its signature. */
export class FalseAcknowledgement extends Error {
  readonly code = 'false_acknowledgement'
  readonly retryable = true
}

const CONTRADICTED = 'acknowledgement_contradicted'

/** Creates the check of acknowledgements. */
export function createAcceptAcknowledgement({
  sync,
  boards,
  statistics,
  faults,
  count,
}: AcceptParts): AcceptAcknowledgement {
  const refuse = async (receipt: DeliveredPush | undefined, peer: string, why: string): Promise<never> => {
    count('false')
    await faults.record(toFault(receipt, peer, 'false_acknowledgement'))
    statistics.failed(peer, 'false_acknowledgement', why)
    throw new FalseAcknowledgement(why)
  }

  const find = (pushId: string): Promise<DeliveredPush | undefined> =>
    sync.receipt(pushId).catch((error: unknown) => {
      if (isSvcError(error, 'push_not_found')) return undefined
      throw error
    })

  return async (ack, peer, about) => {
    const receipt = about?.pushId === ack.pushId ? about : await find(ack.pushId)
    if (receipt === undefined || ack.endpointId !== peer || !receipt.targets.includes(peer))
      return refuse(undefined, peer, 'The acknowledgement is about a push that was not sent to this peer.')
    const peerRecord = receipt.perPeer[peer]
    if (peerRecord?.ack?.signature === ack.signature) return
    const project = projectOf(receipt.domain)
    if (!isConsistent(ack, receipt.domain))
      return refuse(receipt, peer, 'The failure or the frontier of the acknowledgement contradicts its state.')
    if (ack.state === 'applied' && receipt.domain.startsWith('kbd-control:')) {
      const { appliedFrontier } = ack
      const heads = appliedFrontier?.heads ?? []
      const pinned = receipt.frontier?.heads ?? []
      // Usually the peer has the same heads as this node had.
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
    const recorded: AcknowledgementRecorded = (ledger, { changed, known: before }) => {
      if (changed) {
        auditOf(ledger).append(faults.entry(toFault(receipt, peer, ack.failure?.code ?? 'ok')))
        count(ack.state)
        if (ack.appliedFrontier !== null) statistics.learn(peer, project, ack.appliedFrontier.heads)
      } else if (isContradicted(before, ack) && faults.isDue(peer, CONTRADICTED))
        auditOf(ledger).append(faults.entry(toFault(receipt, peer, CONTRADICTED)))
    }
    try {
      await sync.acknowledge(ack, recorded, receipt)
    } catch (error) {
      if (!isSvcError(error, 'signature_invalid')) throw error
      return refuse(
        receipt,
        peer,
        'The acknowledgement is not signed with the key of the peer, or is about another push.',
      )
    }
  }
}

/**
 * Whether a peer has signed two final acknowledgements that differ. Acknowledgements that are not final may differ,
 * because each has the current audit head.
 */
function isContradicted(before: PeerRecord | undefined, ack: Acknowledgement): boolean {
  if (before === undefined || before.ack === null || before.state === 'received' || ack.state === 'received')
    return false
  return before.ack.signature !== ack.signature
}

function toFault(receipt: DeliveredPush | undefined, peer: string, code: string): Fault {
  const project = receipt === undefined ? null : projectOf(receipt.domain)
  return { peer, code, project, subject: receipt?.pushId ?? null }
}
