/** `POST …/acks`: acknowledgements of another node for pushes of this node. */
import { empty } from '../../../../core/http/reply.ts'
import type { Handler } from '../../../../core/http/route.ts'
import { type AcceptAcknowledgement, FalseAcknowledgement } from '../acknowledgements/accept.ts'
import { listOf, malformed, members, readAck } from '../wire/bodies.ts'
import { callerOf } from '../wire/caller.ts'
import type { RequestReader } from './request-reader.ts'

/** Most acknowledgements of one request. */
const MAX_ACKS = 100

/** Creates the handler. */
export function createReceiveAcknowledgements(accept: AcceptAcknowledgement, read: RequestReader): Handler {
  return async (request) => {
    const { acks } = members(await read.parse(request), 'acks')
    const found = listOf(acks, '/acks', MAX_ACKS).map((value, i) => {
      const ack = readAck(value)
      if (ack === undefined) throw malformed(`/acks/${i}`)
      return ack
    })
    // A false acknowledgement is recorded in the audit chain and does not fail the others.
    for (const ack of found) await accept(ack, callerOf(request)).catch(ignoreFalse)
    return empty(204)
  }
}

function ignoreFalse(error: unknown): void {
  if (!(error instanceof FalseAcknowledgement)) throw error
}
