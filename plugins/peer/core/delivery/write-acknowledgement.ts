/** Writes the acknowledgement in a response of a peer. */
import type { DeliveredPush } from '../../../sync/api.ts'
import type { AcceptAcknowledgement } from '../acknowledgements/accept.ts'
import { badAnswer } from '../asking/peer-refusal.ts'
import { readAck } from '../wire/bodies.ts'

/**
 * Writes an acknowledgement. Returns whether it is final. `about` is the push, if the caller has read it already. Rejects with
 * `bad_answer` if the value is no acknowledgement, and as `accept` does.
 */
export async function writeAcknowledgement(
  accept: AcceptAcknowledgement,
  value: unknown,
  peer: string,
  about?: DeliveredPush,
): Promise<boolean> {
  const ack = readAck(value)
  if (ack === undefined) throw badAnswer('The answer of the peer has no acknowledgement of the push.')
  await accept(ack, peer, about)
  return ack.state !== 'received'
}
