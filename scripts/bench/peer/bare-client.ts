/**
 * The client of a bare exchange, which is the lower bound of a peer exchange: a signed request over TLS, and a signed
 * answer.
 */
import { verify } from 'node:crypto'
import { Agent, request } from 'node:https'
import { toHandshake } from '../../../plugins/peer/tls/handshake.ts'
import { createEndpointKey, openRows, publicKeyOf } from './bare-parts.ts'
import type { Peer } from './node.ts'

/** Exchanges with a bare server. Each resolves to its duration in milliseconds. */
export interface BareClient {
  /** Signs a body, commits it, sends it, and verifies the signature of the answer. Both sides commit once. */
  signed(body: Buffer): Promise<number>
  close(): void
}

/** Creates a client; `file` is the database for its commits. */
export function createBareClient({ endpointId, addresses }: Peer, file: string): BareClient {
  const key = createEndpointKey()
  const commit = openRows(file)
  const serverKey = publicKeyOf(endpointId)
  const agent = new Agent({ keepAlive: true, ...toHandshake(key), servername: '' })
  const [host, port] = addresses[0]!.split(':')
  const send = (headers: Readonly<Record<string, string>>, body: Buffer): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const length = { 'content-length': String(body.length) }
      const outgoing = request(
        { agent, host, port: Number(port), method: 'POST', path: '/', headers: { ...headers, ...length } },
        (reply) => {
          const chunks: Buffer[] = []
          reply.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => resolve(Buffer.concat(chunks)))
        },
      )
      outgoing.once('error', reject).end(body)
    })
  return {
    async signed(body) {
      const fromMs = performance.now()
      const signature = Buffer.from(key.sign(body)).toString('base64')
      commit(body)
      const answer = await send({ 'x-signature': signature, 'x-signer': key.endpointId }, body)
      if (!verify(null, body, serverKey, Buffer.from(String(answer), 'base64'))) throw new Error('not valid')
      return performance.now() - fromMs
    },
    close: () => agent.destroy(),
  }
}
