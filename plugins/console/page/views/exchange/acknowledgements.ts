/** Checks what a receipt says of its peers against the signatures of those peers. */
import { ACKNOWLEDGEMENT_CONTEXT } from '../../../../protocol/acknowledgement.ts'
import { verifyAcknowledgement } from '../../../../protocol/sign/index.ts'
import type { PeerRecord, Receipt } from './shapes.ts'

/** What came of the check: signed by the peer, not so, or recorded by a host without a signature. */
export type Proof = 'signed' | 'contradicted' | 'unsigned'

/** Puts the acknowledgement together again from the receipt, and verifies that the peer signed it. */
export async function proofOf(
  { pushId, canonicalPayloadHash }: Pick<Receipt, 'pushId' | 'canonicalPayloadHash'>,
  endpointId: string,
  { state, failure, appliedFrontier, ack }: PeerRecord,
): Promise<Proof> {
  if (ack === null) return 'unsigned'
  const { auditHead, signature, signerKeyId } = ack
  // The one who signs is the peer itself; the receipt names the key too, and it has to be the same.
  if (signerKeyId !== `ed25519:${endpointId}`) return 'contradicted'
  const said = {
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
  return (await verifyAcknowledgement(said, { pushId, canonicalPayloadHash })) ? 'signed' : 'contradicted'
}

/** The proofs of all peers of a receipt, by endpoint id. */
export async function proofsOf(receipt: Receipt): Promise<ReadonlyMap<string, Proof>> {
  const proofs = new Map<string, Proof>()
  for (const [endpointId, record] of Object.entries(receipt.perPeer)) {
    proofs.set(endpointId, await proofOf(receipt, endpointId, record))
    // One signature takes a few milliseconds; the page is drawn between two.
    await new Promise((resolve) => setTimeout(resolve))
  }
  return proofs
}
