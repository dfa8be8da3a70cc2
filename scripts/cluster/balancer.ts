/** A load balancer for the nodes of a cluster on one machine: each request goes to the next ready node. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isReady } from './node.ts'

/** A running balancer. */
export interface Balancer {
  readonly port: number
  /** Ports of the nodes that were ready at the last check. */
  readonly ready: ReadonlySet<number>
  stop(): Promise<void>
}

/** Options of {@link startBalancer}. */
export interface BalancerOptions {
  /** Port on 127.0.0.1; by default any free port. */
  readonly port?: number
  /** The ports of the nodes, in their order. */
  readonly nodes: readonly number[]
}

/** Milliseconds between two readiness checks of a node. */
const CHECK_MS = 100

/**
 * Headers of one connection, which are not forwarded (RFC 9110 section 7.6.1), and `x-forwarded-for`, which is set
 * here. `transfer-encoding` is forwarded, because Node encodes the body again.
 */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'x-forwarded-for',
])

/**
 * Starts a balancer. It retries a request on the next node if a node cannot be reached, or if the node breaks the
 * connection before it has answered a GET or HEAD. Every other request is sent only once.
 */
export async function startBalancer({ port = 0, nodes }: BalancerOptions): Promise<Balancer> {
  const ready = new Set<number>()
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    const first = turn++
    const inTurn = nodes.map((_, index) => nodes[(first + index) % nodes.length]!)
    const able = inTurn.filter((node) => ready.has(node))
    // If no node is ready, the nodes answer that themselves.
    pass(incoming, outgoing, able.length > 0 ? able : inTurn)
  })
  const check = async (node: number): Promise<void> => {
    if (await isReady(node)) ready.add(node)
    else ready.delete(node)
  }
  let stopped = false
  const watching = nodes.map(async (node) => {
    while (!stopped) {
      await check(node)
      await new Promise((resolve) => setTimeout(resolve, CHECK_MS))
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  }).catch((error) => {
    stopped = true
    throw error
  })
  return {
    port: (server.address() as AddressInfo).port,
    ready,
    stop: async () => {
      stopped = true
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await Promise.all([closed, ...watching])
    },
  }
}

/** Forwards a request to the first of the nodes that accepts it. */
function pass(incoming: IncomingMessage, outgoing: ServerResponse, [node, ...others]: readonly number[]): void {
  if (node === undefined) {
    fail(outgoing)
    return
  }
  const { method, headers } = incoming
  const isSafe = method === 'GET' || method === 'HEAD'
  const bare = (headers['content-length'] ?? '0') === '0' && headers['transfer-encoding'] === undefined
  let sent = false
  const toNode = request({
    host: '127.0.0.1',
    port: node,
    method,
    path: incoming.url,
    headers: [
      ...passed(incoming),
      ...['x-forwarded-for', forwardedFor(incoming), 'connection', 'close'],
      ...(bare && !isSafe && headers['content-length'] === undefined ? ['content-length', '0'] : []),
    ],
    agent: false,
  })
  // The body is only read after a node accepted the connection, so that another node can still get it.
  toNode.once('socket', (socket) =>
    socket.once('connect', () => {
      sent = true
      if (bare) toNode.end()
      else incoming.pipe(toNode)
    }),
  )
  toNode.once('response', (answer) => {
    outgoing.writeHead(answer.statusCode!, answer.statusMessage, passed(answer))
    outgoing.flushHeaders()
    answer.pipe(outgoing)
    // An incomplete answer must not look complete to the client.
    answer.once('close', () => answer.complete || outgoing.destroy())
  })
  toNode.once('error', () => {
    if (outgoing.headersSent || outgoing.destroyed) return void outgoing.destroy()
    if (!sent || (isSafe && bare)) pass(incoming, outgoing, others)
    else fail(outgoing)
  })
  outgoing.once('close', () => toNode.destroy())
}

/** The headers of a message as name and value in turn, without hop-by-hop headers and headers that are set here. */
function passed({ rawHeaders }: IncomingMessage): string[] {
  const headers: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name, value] = [rawHeaders[index]!, rawHeaders[index + 1]!]
    if (!HOP_BY_HOP.has(name.toLowerCase())) headers.push(name, value)
  }
  return headers
}

function forwardedFor({ headers, socket }: IncomingMessage): string {
  const before = headers['x-forwarded-for']
  return before === undefined ? `${socket.remoteAddress}` : `${before}, ${socket.remoteAddress}`
}

function fail(outgoing: ServerResponse): void {
  outgoing.writeHead(502, { 'content-type': 'application/json' })
  outgoing.end('{"error":{"code":"bad_gateway","message":"No node took the request."}}')
}
