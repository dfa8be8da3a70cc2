/** The handlers of the surface between peers, for nodes that have an entry. */

import { empty } from '../../../../core/http/reply.ts'
import type { Handler } from '../../../../core/http/route.ts'
import { type AcceptAcknowledgement, FalseAcknowledgement } from '../acknowledgements/accept.ts'
import { callerOf, listOf, malformed, members, readAck } from '../wire/bodies.ts'
import { createReceiveCommands, type ReceiveCommandsParts } from './receive-commands.ts'
import { createReceivePush, type ReceivePushParts } from './receive-push.ts'
import { createRequestReader, type RequestReader, type RequestReaderParts } from './request-reader.ts'
import { createServeProject, type ServeProjectParts } from './serve-project.ts'

/** What the handlers need. */
export interface ReceiveParts
  extends ReceivePushParts,
    ReceiveCommandsParts,
    Omit<ServeProjectParts, 'boards'>,
    Pick<RequestReaderParts, 'readBody'> {
  readonly accept: AcceptAcknowledgement
}

/** What a node with an entry may ask for. */
export type PeerRequest = 'push' | 'give' | 'take' | 'frontier' | 'content' | 'putContent' | 'acks'

/** Creates the handlers. */
export function createReceive(parts: ReceiveParts): Readonly<Record<PeerRequest, Handler>> {
  const read = createRequestReader(parts)
  return {
    push: createReceivePush(parts, read),
    give: createReceiveCommands(parts, read),
    ...createServeProject(parts, read),
    acks: createReceiveAcknowledgements(parts.accept, read),
  }
}

/** Most acknowledgements of one request. */
const MAX_ACKS = 100

/** Creates the handler that receives acknowledgements. */
function createReceiveAcknowledgements(accept: AcceptAcknowledgement, read: RequestReader): Handler {
  return async (request) => {
    const { acks } = members(await read.parse(request), 'acks')
    const acknowledgements = listOf(acks, '/acks', MAX_ACKS).map((value, i) => {
      const ack = readAck(value)
      if (ack === undefined) throw malformed(`/acks/${i}`)
      return ack
    })
    // A false acknowledgement is recorded in the audit chain and does not fail the others.
    for (const ack of acknowledgements) await accept(ack, callerOf(request)).catch(ignoreFalse)
    return empty(204)
  }
}

function ignoreFalse(error: unknown): void {
  if (!(error instanceof FalseAcknowledgement)) throw error
}
