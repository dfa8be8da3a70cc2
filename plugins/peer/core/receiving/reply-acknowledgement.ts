/** Replies with the acknowledgement of a push. */
import { json, type PlainReply } from '../../../../core/http/reply.ts'
import type { SvcRequest } from '../../../../core/http/request.ts'
import type { Acknowledgement } from '../../../sync/api.ts'
import type { AcknowledgementSender } from '../acknowledgements/send.ts'
import { callerOf } from '../wire/bodies.ts'

/** The body of a response that has an acknowledgement. */
export type Acknowledged = Readonly<Record<string, unknown>> & { readonly ack: Acknowledgement }

/**
 * The response with an acknowledgement of a push to a project. A final acknowledgement is sent separately if the caller
 * has disconnected. An applied push wakes the waiting pushes of its project, because it may have brought what they
 * lacked.
 */
export function replyAcknowledgement(
  sender: Pick<AcknowledgementSender, 'send' | 'wake'>,
  request: SvcRequest,
  project: string,
  value: Acknowledged,
): PlainReply {
  const { ack } = value
  if (ack.state !== 'received' && request.signal.aborted) sender.send(callerOf(request), ack)
  if (ack.state === 'applied') sender.wake(project)
  return json(200, value)
}
