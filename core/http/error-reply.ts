/** Converts the error of a route to a reply, and logs the details that a client must not see. */

import { isSvcError } from '../declare/errors.ts'
import { httpFail } from '../kernel/catalogue.ts'
import type { Logger } from '../kernel/log.ts'
import { errorReply, type Reply } from './reply.ts'
import type { SvcRequest } from './request.ts'

/** The parts of error replies. */
export interface ErrorReplyParts {
  readonly log: Logger
  /** A fresh id that connects an `internal_error` with its log entry. */
  readonly newId: () => string
}

/** Creates the function that answers an error. */
export function createErrorReplies({ log, newId }: ErrorReplyParts): (error: unknown, request: SvcRequest) => Reply {
  const describe = (error: unknown, request: SvcRequest): Reply => {
    const context = { method: request.method, path: request.route, error }
    if (isSvcError(error, 'client_gone')) log.debug('A client went away before its request was complete.', context)
    if (isSvcError(error) && error.status < 500) return errorReply(error)
    if (isSvcError(error) && error.status > 500) {
      log.warn(error.message, { code: error.code, ...context })
      return errorReply(error)
    }
    const traceId = request.trace?.traceId ?? newId()
    log.error('A request failed.', { traceId, ...context })
    // A 500 of a catalogue keeps its code. Any other error is an `internal_error`, and its cause stays in the log.
    const shown = isSvcError(error) && !error.code.startsWith('ERR_') ? error : httpFail('internal_error')
    return errorReply(shown, { traceId })
  }
  return (error, request) => {
    try {
      return describe(error, request)
    } catch (broken) {
      // Details that have no JSON, such as a bigint, are a mistake of a plugin. The client still gets an answer.
      return describe(broken, request)
    }
  }
}
