/** The handlers of the surface between peers, for nodes that have an entry. */
import type { Handler } from '../../../../core/http/route.ts'
import type { AcceptAcknowledgement } from '../acknowledgements/accept.ts'
import { createReceiveAcknowledgements } from './receive-acknowledgements.ts'
import { createReceiveCommands, type ReceiveCommandsParts } from './receive-commands.ts'
import { createReceivePush, type ReceivePushParts } from './receive-push.ts'
import { createRequestReader, type RequestReaderParts } from './request-reader.ts'
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
