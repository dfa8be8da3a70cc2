/** A fake peer whose answers the test defines, over a connection with its key. */
import { createHash } from 'node:crypto'
import { createServer as createHttp } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { toHandshake } from '../../../plugins/peer/tls/handshake.ts'
import { canonicalText } from '../../../plugins/protocol/canonical.ts'
import { openEndpointKey } from '../../../plugins/sync/api/endpoint-key.ts'
import type { Acknowledgement, EndpointKey } from '../../../plugins/sync/api.ts'
import { createFolder } from '../../unit/sync/platforms.ts'

/** A running fake peer. */
export interface Liar {
  readonly id: string
  readonly address: string
  /** The number of requests that the peer got. */
  asked(): number
  stop(): Promise<void>
}

/** An answer with another status than 200. */
export class Refusing {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly value: unknown

  constructor(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}) {
    this.status = status
    this.value = value
    this.headers = headers
  }
}

/** Starts a fake peer. `answer` gets the path and the JSON of each request, and returns a value for JSON, or octets. */
export async function startLiar(
  answer: (path: string, body: Record<string, unknown>, key: EndpointKey) => unknown,
  key: EndpointKey = openEndpointKey(createFolder()),
): Promise<Liar> {
  let asked = 0
  const http = createHttp(async (request, reply) => {
    asked++
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk as string
    const made = answer(request.url!, (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>, key)
    const { status, headers, value } = made instanceof Refusing ? made : { status: 200, headers: {}, value: made }
    reply.writeHead(status, { 'content-type': 'application/json', 'svc-peer-version': '1', ...headers })
    reply.end(value instanceof Uint8Array ? value : JSON.stringify(value))
  })
  const sockets = new Set<TLSSocket>()
  const server = createServer({ ...toHandshake(key), requestCert: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    http.emit('connection', socket)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    id: key.endpointId,
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

/** The acknowledgement of the fake peer for a push. */
export function wordOf(
  body: Record<string, unknown>,
  key: EndpointKey,
  over: Partial<Acknowledgement>,
): Acknowledgement {
  const { signature: _, ...push } = body['push'] as { requestId: string; signature: string }
  const word = {
    context: 'svc-peer-ack-1' as const,
    pushId: push.requestId,
    endpointId: key.endpointId,
    canonicalPayloadHash: createHash('sha256').update(canonicalText(push)).digest('hex'),
    state: 'received' as const,
    failure: null,
    appliedFrontier: null,
    auditHead: '0'.repeat(64),
    ...over,
  }
  return { ...word, signature: Buffer.from(key.sign(Buffer.from(canonicalText(word)))).toString('base64') }
}
