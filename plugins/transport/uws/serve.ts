/** Serves a surface by uWebSockets.js. */
import { httpFail } from '../../../core/catalogue.ts'
import type { Clock } from '../../../core/environment.ts'
import type { SvcError } from '../../../core/errors.ts'
import { errorReply, type Reply } from '../../../core/http/reply.ts'
import type { Surface } from '../../../core/http/surface.ts'
import type { Logger } from '../../../core/log.ts'
import { listenFailed } from '../listen-failed.ts'
import type { Listener } from '../node-http/api.ts'
import type { NoteRefusal } from '../refusals.ts'
import { HALF_HEAD_MS, STUCK_MS } from '../stop.ts'
import type { Uws, UwsApp, UwsRequestHead, UwsResponse } from './addon.ts'
import { reasonFor } from './bind-reason.ts'
import { DROPPED_BODY_BYTES, Exchange, type ExchangeOwner } from './exchange.ts'
import { type Head, readHead } from './head.ts'
import { isLarge } from './large-body.ts'
import { UwsRequest } from './request.ts'
import { writeReply } from './write.ts'

/** What a server runs with. */
export interface ServeOptions {
  readonly host: string
  readonly port: number
  readonly bodyTimeoutMs: number
  readonly clock: Clock
  readonly log: Logger
  /** Told of what is refused before a surface sees it. */
  readonly refused: NoteRefusal
}

/** How often a stop looks for clients that take nothing, in milliseconds. */
const SWEEP_MS = 100

/**
 * Opens a listener.
 * @throws SvcError `ERR_LISTEN_FAILED`
 */
export async function serveUws(uws: Uws, surface: Surface, options: ServeOptions): Promise<Listener> {
  const { clock, log } = options
  const open = new Set<Exchange>()
  const head: Head = { method: '', path: '', query: '', fields: undefined, announced: 0, last: false }
  let connections = 0
  let draining = false
  let idle: (() => void) | undefined

  const app = uws.App()
  const count = (_res: unknown, change: number): void => {
    connections += change
    if (connections === 0) idle?.()
  }
  app.filter(count)
  const take = (res: UwsResponse, req: UwsRequestHead, method: string): void => {
    try {
      handle(res, req, method)
    } catch (error) {
      log.error('A request could not be handled.', { error })
      try {
        res.close()
      } catch {
        // It has ended. Nothing may be thrown here: the library ends the process for it.
      }
    }
  }
  // The library knows this method already; to be told it costs as much as the whole look at the fields.
  app.get('/*', (res, req) => take(res, req, 'GET'))
  app.any('/*', (res, req) => take(res, req, req.getCaseSensitiveMethod()))

  const handle = (res: UwsResponse, req: UwsRequestHead, method: string): void => {
    const startedMs = clock.monotonic()
    const problem = readHead(req, method, head)
    if (problem !== undefined) {
      refuse(res, problem)
      return
    }
    const { announced, last } = head
    const request = new UwsRequest(head, res, startedMs, surface.maxBodyBytes)
    const reply = surface.handle(request)
    if (reply instanceof Promise) {
      const exchange = begin(res, request, last)
      void reply.then((value) => exchange.settle(value))
    } else if (reply.stream !== undefined || last || announced > DROPPED_BODY_BYTES || isLarge(reply)) {
      // What is behind the request comes to light first: see `Exchange.settle`.
      const exchange = begin(res, request, last)
      setImmediate(() => exchange.settle(reply))
    } else write(res, reply, method, draining)
  }

  const owner: ExchangeOwner = {
    clock,
    bodyTimeoutMs: options.bodyTimeoutMs,
    get draining() {
      return draining
    },
    ended: (exchange) => {
      open.delete(exchange)
      if (open.size === 0) idle?.()
    },
    unwritable: (error) => {
      log.error('A reply could not be written.', { error })
      return errorReply(httpFail('internal_error'))
    },
  }
  const begin = (res: UwsResponse, request: UwsRequest, last: boolean): Exchange => {
    const exchange = new Exchange(res, request, owner, last)
    open.add(exchange)
    return exchange
  }

  /** Refuses a request and closes the connection; not at once, for the reason of `Exchange.settle`. */
  const refuse = (res: UwsResponse, error: SvcError): void => {
    options.refused(error)
    let gone = false
    res.onAborted(() => {
      gone = true
    })
    setImmediate(() => {
      if (!gone) res.cork(() => write(res, errorReply(error), 'GET', true))
    })
  }

  const write = (res: UwsResponse, reply: Reply, method: string, close: boolean): void => {
    try {
      writeReply(res, reply, method, close)
    } catch (error) {
      writeReply(res, owner.unwritable(error), method, close)
    }
  }

  const until = (over: () => boolean, limitMs?: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = limitMs === undefined ? undefined : clock.setTimeout(resolve, limitMs)
      idle = () => {
        if (!over()) return
        clock.clearTimeout(timer)
        resolve()
      }
      idle()
    })

  const listener = await listen(app, options)
  const port = uws.us_socket_local_port(listener)
  let listening = true
  let closed = false
  const stopListening = (): void => {
    if (listening) uws.us_listen_socket_close(listener)
    listening = false
  }
  return {
    address: `${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    port,
    drain: async () => {
      draining = true
      stopListening()
      const sweep = setInterval(() => {
        for (const exchange of open) exchange.hurry(STUCK_MS)
      }, SWEEP_MS)
      await until(() => open.size === 0)
      clearInterval(sweep)
      // The library cannot close idle connections alone, nor say whether an answer is on its way.
      await until(() => connections === 0, HALF_HEAD_MS)
    },
    close: async () => {
      stopListening()
      if (!closed) app.close()
      closed = true
    },
  }
}

async function listen(app: UwsApp, { host, port }: ServeOptions): Promise<object> {
  const listener = await new Promise<object | false>((resolve) => app.listen(host, port, EXCLUSIVE_PORT, resolve))
  if (listener !== false) return listener
  throw listenFailed({ host, port }, await reasonFor({ host, port }))
}

const EXCLUSIVE_PORT = 1
