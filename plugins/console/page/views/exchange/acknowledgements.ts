/** Verifies the records of peers in a receipt by the signatures of these peers. */
import { ACKNOWLEDGEMENT_CONTEXT } from '../../../../protocol/acknowledgement.ts'
import { verifyAcknowledgement } from '../../../../protocol/sign/index.ts'
import type { PeerRecord, Receipt } from './shapes.ts'

/**
 * The result of the check: signed by the peer, contradicted by the signature, or recorded by a host without a
 * signature.
 */
export type AcknowledgementProof = 'signed' | 'contradicted' | 'unsigned'

/** Builds the acknowledgement again from the receipt, and verifies that the peer signed it. */
export async function proofOf(
  { pushId, canonicalPayloadHash }: Pick<Receipt, 'pushId' | 'canonicalPayloadHash'>,
  endpointId: string,
  { state, failure, appliedFrontier, ack }: PeerRecord,
): Promise<AcknowledgementProof> {
  if (ack === null) return 'unsigned'
  const { auditHead, signature, signerKeyId } = ack
  // The peer itself signs, so that the key in the receipt must be the key of the peer.
  if (signerKeyId !== `ed25519:${endpointId}`) return 'contradicted'
  const acknowledgement = {
    context: ACKNOWLEDGEMENT_CONTEXT,
    pushId,
    endpointId,
    canonicalPayloadHash,
    state,
    failure,
    appliedFrontier,
    auditHead,
    signature,
  }
  return (await verifyAcknowledgement(acknowledgement, { pushId, canonicalPayloadHash })) ? 'signed' : 'contradicted'
}

/** The proofs of all peers of a receipt, by endpoint id. */
export async function proofsOf(receipt: Receipt): Promise<ReadonlyMap<string, AcknowledgementProof>> {
  const proofs = new Map<string, AcknowledgementProof>()
  for (const [endpointId, record] of Object.entries(receipt.perPeer)) {
    proofs.set(endpointId, await proofOf(receipt, endpointId, record))
    // A signature takes a few milliseconds. The page can be drawn between two of them.
    await new Promise((resolve) => setTimeout(resolve))
  }
  return proofs
}
