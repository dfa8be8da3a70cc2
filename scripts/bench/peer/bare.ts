/**
 * The servers that a node is compared with, in a separate process, over the same TLS. A `bare` server only verifies,
 * commits and signs, as any signed exchange does. `ready` peers apply every push at once. `hanging` peers accept the
 * connection or the request, and never answer.
 */
import { createHash, type KeyObject, verify } from 'node:crypto'
import { createServer as createHttp, type IncomingMessage } from 'node:http'
import { type AddressInfo, createServer as createTcp, type Server } from 'node:net'
import { createServer as createTls } from 'node:tls'
import { toHandshake } from '../../../plugins/peer/tls/handshake.ts'
import { canonicalText } from '../../../plugins/protocol/canonical.ts'
import type { Acknowledgement, EndpointKey, PushRequest } from '../../../plugins/sync/api.ts'
import { createEndpointKey, openRows, publicKeyOf } from './bare-parts.ts'
import { answer, started } from './child.ts'

/** The arguments of this process. */
export interface BareSetup {
  readonly kind: 'bare' | 'ready' | 'hanging'
  readonly count: number
  /** The database for the commits of a `bare` server. */
  readonly file: string
}

const { kind, count, file } = started<BareSetup>()
const keys = Array.from({ length: count }, createEndpointKey)
const commit = kind === 'bare' ? openRows(file) : () => undefined
const text = Buffer.alloc(65_536, 'a')
let signer: KeyObject | undefined

const apply = (key: EndpointKey, body: Buffer): string => {
  const { push, frontier } = JSON.parse(String(body)) as {
    push: PushRequest & { signature: string }
    frontier: Acknowledgement['appliedFrontier']
  }
  const { signature: _, ...signed } = push
  const canonicalPayloadHash = createHash('sha256').update(canonicalText(signed)).digest('hex')
  const acknowledgement = {
    context: 'svc-peer-ack-1' as const,
    pushId: push.requestId,
    endpointId: key.endpointId,
    canonicalPayloadHash,
    state: 'applied' as const,
    failure: null,
    appliedFrontier: frontier,
    auditHead: '0'.repeat(64),
  }
  const ack = {
    ...acknowledgement,
    signature: Buffer.from(key.sign(Buffer.from(canonicalText(acknowledgement)))).toString('base64'),
  }
  return JSON.stringify({ ack, need: null })
}
const exchange = (key: EndpointKey, body: Buffer, request: IncomingMessage): string | Buffer => {
  if (kind === 'ready') return apply(key, body)
  if (request.method === 'GET') return text
  const { 'x-signature': signature, 'x-signer': id } = request.headers
  if (signature !== undefined) {
    signer ??= publicKeyOf(String(id))
    if (!verify(null, body, signer, Buffer.from(String(signature), 'base64'))) throw new Error('not valid')
  }
  commit(body)
  return signature === undefined ? '{}' : Buffer.from(key.sign(body)).toString('base64')
}
const httpOf = (key: EndpointKey): ReturnType<typeof createHttp> =>
  createHttp((request, reply) => {
    const chunks: Buffer[] = []
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        if (kind === 'hanging') return
        const body = exchange(key, Buffer.concat(chunks), request)
        reply.writeHead(200, {
          'content-type': 'application/json',
          'svc-peer-version': '1',
          'content-length': Buffer.byteLength(body),
        })
        reply.end(body)
      })
  })
const open = async (key: EndpointKey, n: number): Promise<{ endpointId: string; addresses: string[] }> => {
  const http = httpOf(key)
  // A third of the hanging peers do not complete the TLS handshake.
  const server: Server =
    kind === 'hanging' && n % 3 === 0
      ? createTcp()
      : createTls(
          { ...toHandshake(key), requestCert: true, noDelay: true },
          (socket) => void http.emit('connection', socket),
        )
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { endpointId: key.endpointId, addresses: [`127.0.0.1:${(server.address() as AddressInfo).port}`] }
}
const peers = await Promise.all(keys.map(open))
answer({ peers: () => peers })
/** The calls that the process answers. */
export type BareCalls = { readonly peers: (given: undefined) => { endpointId: string; addresses: string[] }[] }
