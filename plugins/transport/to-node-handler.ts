/**
 * `svc/node`: a runtime as a handler of node:http, for Express, Fastify and every other host that hands out Node's
 * requests.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'

/** The part of a runtime that answers, as `createRuntime` of `svc/minimal` and `svc` makes it. */
export interface FetchRuntime {
  fetch(request: Request, from?: { readonly address?: string }): Promise<Response>
}

/** A request as Node hands it out: `IncomingMessage` of node:http, or `Http2ServerRequest`. */
export interface IncomingRequest {
  readonly rawHeaders: string[]
  readonly readableDidRead: boolean
  /** The whole path where a host such as Express has shortened `url` by the path of a mount. */
  readonly originalUrl?: string
}

/** An answer as Node takes it: `ServerResponse` of node:http, or `Http2ServerResponse`. */
export interface OutgoingResponse {
  readonly headersSent: boolean
}

/**
 * Answers a request. The promise resolves when Node has the whole answer, or the client is gone; it does not reject.
 */
export type NodeHandler = (incoming: IncomingRequest, outgoing: OutgoingResponse) => Promise<void>

/** A name or an IPv4 address, or an IPv6 address in brackets, with or without a port (RFC 9110, section 7.2). */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

const CONSUMED =
  'The body of this request was read before svc saw it. Mount the handler of svc/node in front of body parsers such as express.json().\n'

/**
 * Makes the handler of a runtime. Bodies and streams pass through piece by piece, and a client that goes away aborts
 * the signal of its request. Paths are those of the contract wherever the handler is mounted. A request of which no
 * `Request` can be made, or whose path is another one as a URL (dot segments, backslashes, absolute form), is answered
 * 400; one whose body a parser has read, 500 with a text that says so. If the host has sent a head already, nothing is
 * executed, and an answer that is not complete is broken off.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { toNodeHandler } from 'svc/node'
 *
 * // A runtime of `svc/minimal` or of your own profile.
 * const runtime = { fetch: async () => new Response('so be it') }
 * const server = createServer(toNodeHandler(runtime)).listen(0, '127.0.0.1')
 * await new Promise((resolve) => server.once('listening', resolve))
 * const { port } = server.address() as { port: number }
 * await (await fetch(`http://127.0.0.1:${port}/`)).text() // → 'so be it'
 * server.close()
 * ```
 */
export function toNodeHandler(runtime: FetchRuntime): NodeHandler {
  return async (message, to) => {
    const incoming = message as IncomingMessage & IncomingRequest
    const outgoing = to as ServerResponse
    // The host has answered already, as after a time limit of its own: no answer could be sent.
    if (outgoing.headersSent) return breakOff(outgoing)
    if (incoming.readableDidRead) return end(outgoing, 500, CONSUMED)
    const gone = new AbortController()
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) gone.abort()
    })
    const body = bodyOf(incoming)
    let request: Request
    try {
      request = toRequest(incoming, body.stream, gone.signal)
    } catch {
      return end(outgoing, 400, 'This is not a request that can be answered.\n')
    }
    try {
      const address = incoming.socket.remoteAddress
      await write(await runtime.fetch(request, address === undefined ? {} : { address }), outgoing, request.method)
    } catch {
      // The client is gone, or the runtime broke off a stream: the client sees that from a connection that ends.
      if (outgoing.headersSent) breakOff(outgoing)
      else end(outgoing, 500, 'The request could not be answered.\n')
    }
    // A body that broke off has nothing left to read.
    await body.drop().catch(() => undefined)
  }
}

function end(outgoing: ServerResponse, status: number, text: string): void {
  outgoing.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
}

/** Ends the connection of an answer that is not complete. */
function breakOff(outgoing: ServerResponse): void {
  if (!outgoing.writableEnded) outgoing.destroy()
}

/** @throws TypeError for a host, a path or a method that a `Request` does not take, or takes for another */
function toRequest(
  incoming: IncomingMessage & IncomingRequest,
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Request {
  const { method = 'GET', url = '/', originalUrl = url } = incoming
  const headers = new Headers()
  let host = 'localhost'
  const raw = incoming.rawHeaders
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const [name, value] = [raw[i] ?? '', raw[i + 1] ?? '']
    // Fields such as `:authority` are HTTP/2's own (RFC 9113, section 8.3).
    if (!name.startsWith(':')) headers.append(name, value)
    if (name === ':authority' || name.toLowerCase() === 'host') host = value
  }
  // A Host such as `x/admin?` would decide the path, which the host of the handler has already judged by `url`.
  if (!HOST.test(host)) throw new TypeError('the Host field is not a host and a port')
  const scheme = 'encrypted' in incoming.socket ? 'https' : 'http'
  const address = `${scheme}://${host}${originalUrl}`
  // A URL resolves dot segments and reverses backslashes, so that a path behind a guard of the host could be served.
  const [path = ''] = originalUrl.split('?', 1)
  if (new URL(address).pathname !== path) throw new TypeError('the path is another one as a URL')
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const init = { method, headers, signal, ...(hasBody && { body, duplex: 'half' }) }
  return new Request(address, init)
}

/** The body of a request. */
interface Body {
  /** Reads nothing before it is asked to. */
  readonly stream: ReadableStream<Uint8Array>
  /** Reads what is left and forgets it, so that the connection can be used again. */
  drop(): Promise<void>
}

function bodyOf(incoming: IncomingMessage): Body {
  let pieces: AsyncIterator<Uint8Array> | undefined
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        pieces ??= incoming.iterator({ destroyOnReturn: false })
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
  return {
    stream,
    async drop() {
      await pieces?.return?.()
      incoming.resume()
    },
  }
}

async function write(response: Response, outgoing: ServerResponse, method: string): Promise<void> {
  outgoing.statusCode = response.status
  const cookies = response.headers.getSetCookie()
  for (const [name, value] of response.headers) if (name !== 'set-cookie') outgoing.setHeader(name, value)
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies)
  if (response.body === null || method === 'HEAD') {
    await response.body?.cancel()
    outgoing.end()
    return
  }
  // The head of a stream is sent at once: its first event may come much later.
  outgoing.flushHeaders()
  await pipeline(Readable.fromWeb(response.body as NodeStream), outgoing)
}
