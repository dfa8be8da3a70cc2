/**
 * A proxy to a node on which whole exchanges are lost, lose their answer, or are delayed, sent twice, overtaken or cut
 * in the middle of the answer. The proxy has the keys of both ends, because otherwise it could only see TLS.
 */
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import type { PeerAnswer } from '../../../plugins/peer/api.ts'
import { provenBy, toHandshake } from '../../../plugins/peer/tls/handshake.ts'
import { createLink, type TlsLink } from '../../../plugins/peer/tls/link.ts'
import type { EndpointKey } from '../../../plugins/sync/api.ts'

/** The faults of an exchange. */
export const FATES = ['lost', 'answer lost', 'held up', 'twice', 'overtaken', 'cut'] as const

export interface Way {
  readonly address: string
  /** The current port of the node. */
  port: number
  /** Whether faults are on. */
  bad: boolean
  /** The number of faults by kind. */
  readonly counts: Record<string, number>
  close(): Promise<void>
}

/** One of this many exchanges has a fault, and the longest delay in milliseconds. */
const [ONE_IN, LONGEST_MS] = [3, 40]

/** Opens a proxy to the node with this key. `keyOf` returns the keys of its callers. */
export async function openWay(own: EndpointKey, keyOf: (id: string) => EndpointKey | undefined): Promise<Way> {
  const links = new Map<string, TlsLink>()
  const sockets = new Set<Socket>()
  const open = new Set<Promise<unknown>>()
  const wait = (): Promise<void> => new Promise((done) => setTimeout(done, Math.random() * LONGEST_MS))
  const linkOf = (id: string): TlsLink => {
    let link = links.get(id)
    if (link === undefined)
      links.set(
        id,
        (link = createLink({ key: () => keyOf(id)!, timeoutMs: 10_000, idleTimeoutMs: 5_000, maxConnections: 3 })),
      )
    return link
  }
  const carry = async (message: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk)
    const id = provenBy(message.socket as TLSSocket)!
    const {
      host: _host,
      connection: _connection,
      'content-length': length,
      ...headers
    } = message.headers as Record<string, string>
    const send = (): Promise<PeerAnswer> =>
      linkOf(id).exchange(
        { endpointId: own.endpointId, addresses: [`127.0.0.1:${way.port}`], label: null, projects: [], source: 'cli' },
        {
          method: message.method as 'GET',
          path: message.url!,
          headers,
          ...(length !== undefined && { body: Buffer.concat(chunks) }),
        },
      )
    const fate = way.bad && Math.random() * ONE_IN < 1 ? FATES[Math.floor(Math.random() * FATES.length)] : undefined
    if (fate !== undefined) way.counts[fate] = (way.counts[fate] ?? 0) + 1
    const drop = (): void => void message.socket.destroy()
    if (fate === 'lost') return drop()
    if (fate === 'held up') await wait()
    if (fate === 'overtaken') {
      // The caller gives up, and later exchanges arrive before this one.
      drop()
      await wait()
      return void (await send().catch(() => undefined))
    }
    if (fate === 'twice') await send().catch(() => undefined)
    const answer = await send().catch(() => undefined)
    if (answer === undefined || fate === 'answer lost') return drop()
    const { 'content-length': _length, connection: _, ...fields } = answer.headers as Record<string, string>
    reply.writeHead(answer.status, { ...fields, 'content-length': String(answer.body.length) })
    if (fate !== 'cut') return void reply.end(answer.body)
    reply.write(answer.body.subarray(0, answer.body.length / 2))
    setTimeout(drop, 1)
  }
  const http = createHttp((message, reply) => {
    const work = carry(message, reply).catch(() => message.socket.destroy())
    open.add(work)
    void work.finally(() => open.delete(work))
  })
  const server = createServer({ ...toHandshake(own), requestCert: true }, (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    http.emit('connection', socket)
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const way: Way = {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    port: 0,
    bad: true,
    counts: {},
    async close() {
      for (const socket of sockets) socket.destroy()
      await Promise.all(open)
      for (const link of links.values()) link.close()
      await new Promise((done) => server.close(done))
    },
  }
  return way
}
