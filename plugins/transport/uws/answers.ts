/** Answers the requests of a server. */

import type { SvcError } from '../../../core/declare/errors.ts'
import { errorReply, type Reply, type ReplyHeaders } from '../../../core/http/reply.ts'
import type { Surface } from '../../../core/http/surface.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import type { Clock } from '../../../core/kernel/environment.ts'
import type { Logger } from '../../../core/kernel/log.ts'
import type { NoteRefusal } from '../refusals.ts'
import type { UwsRequestHead, UwsResponse } from './addon.ts'
import { DROPPED_BODY_BYTES, Exchange, type ExchangeOwner } from './exchange.ts'
import { type Head, readHead } from './head.ts'
import { isLarge } from './large-body.ts'
import type { Load } from './load.ts'
import { UwsRequest } from './request.ts'
import { writeReply } from './write.ts'

/** What requests are answered with. */
export interface AnswerOptions {
  readonly bodyTimeoutMs: number
  /** Whether a stop has begun, so that each reply is the last one of its connection. */
  readonly stopping: () => boolean
  readonly clock: Clock
  readonly log: Logger
  /** Called for each request that is refused before the surface gets it. */
  readonly refused: NoteRefusal
}

/**
 * The handler that the library calls for each request. It throws nothing: the library ends the process if a handler
 * throws.
 */
export type Take = (res: UwsResponse, req: UwsRequestHead, method: string) => void

/** Makes the handler. */
export function createAnswers(surface: Surface, options: AnswerOptions, load: Load): Take {
  const { clock, log, stopping } = options
  const head: Head = {
    method: '',
    path: '',
    query: '',
    fields: undefined,
    announced: 0,
    last: false,
    asked: false,
    waits: false,
  }
  const owner: ExchangeOwner = {
    clock,
    bodyTimeoutMs: options.bodyTimeoutMs,
    stopping,
    ended: (exchange) => load.remove(exchange),
    unwritable: (error) => {
      log.error('A reply could not be written.', { error })
      return errorReply(httpFail('internal_error'))
    },
  }
  const begin = (res: UwsResponse, request: UwsRequest): Exchange => {
    const exchange = new Exchange(res, request, owner, head)
    load.open.add(exchange)
    return exchange
  }
  const handle: Take = (res, req, method) => {
    const startedMs = clock.monotonic()
    const problem = readHead(req, method, head) ?? proxyHeaderProblem(res)
    if (problem !== undefined) {
      options.refused(problem)
      refuse(res, problem, surface.crossOrigin(originOf(head)), owner)
      return
    }
    const { announced, last, waits } = head
    const request = new UwsRequest(head, res, startedMs, surface.maxBodyBytes)
    const reply = surface.handle(request)
    if (reply instanceof Promise) {
      const exchange = begin(res, request)
      void reply.then((value) => exchange.settle(value))
    } else if (reply.stream !== undefined || last || waits || announced > DROPPED_BODY_BYTES || isLarge(reply)) {
      // The library must read what follows the request first: see `Exchange.settle`.
      const exchange = begin(res, request)
      setImmediate(() => exchange.settle(reply))
    } else write(res, reply, method, stopping(), owner)
  }
  return (res, req, method) => {
    try {
      handle(res, req, method)
    } catch (error) {
      log.error('A request could not be handled.', { error })
      closeQuietly(res)
    }
  }
}

/** The refusal of a connection that began with a PROXY protocol header: no setting names a proxy that may send one. */
function proxyHeaderProblem(res: UwsResponse): SvcError | undefined {
  if (res.getProxiedRemoteAddress().byteLength === 0) return undefined
  return httpFail('malformed_request', { message: 'This server does not speak the PROXY protocol.' })
}

function originOf(head: Head): string | undefined {
  let field = head.fields
  while (field !== undefined && field.name !== 'origin') field = field.next
  return field?.value
}

/**
 * Refuses a request and closes the connection. The answer is sent in the next turn of the event loop: see
 * `Exchange.settle`.
 */
function refuse(res: UwsResponse, error: SvcError, more: ReplyHeaders, owner: ExchangeOwner): void {
  const reply = errorReply(error)
  const headers = { ...reply.headers, ...more }
  let gone = false
  res.onAborted(() => {
    gone = true
  })
  setImmediate(() => {
    if (!gone) res.cork(() => write(res, { ...reply, headers }, 'GET', true, owner))
  })
}

function write(res: UwsResponse, reply: Reply, method: string, close: boolean, owner: ExchangeOwner): void {
  try {
    writeReply(res, reply, method, close)
  } catch (error) {
    writeReply(res, owner.unwritable(error), method, close)
  }
}

function closeQuietly(res: UwsResponse): void {
  try {
    res.close()
  } catch {
    // The response has ended already.
  }
}
