/** The other end of a bare exchange: what it costs at least to say something signed over TLS, and to hear something signed back. */
import { verify } from 'node:crypto'
import { Agent, request } from 'node:https'
import { toHandshake } from '../../../plugins/peer/tls/handshake.ts'
import { createEndpointKey, openRows, publicKeyOf } from './bare-parts.ts'
import type { Peer } from './node.ts'

/** Exchanges with a bare server; milliseconds of each. */
export interface BareClient {
  /** Signs a body, keeps it, sends it, and verifies and counts on the signed answer, one commit on each side. */
  signed(body: Buffer): Promise<number>
  /** Sends bytes, which are committed there, or fetches as many. */
  plain(method: 'PUT' | 'GET', body?: Buffer): Promise<number>
  close(): void
}

/** Makes a client; `file` is where it commits. */
export function createBareClient({ endpointId, addresses }: Peer, file: string): BareClient {
  const key = createEndpointKey()
  const commit = openRows(file)
  const there = publicKeyOf(endpointId)
  const agent = new Agent({ keepAlive: true, ...toHandshake(key), servername: '' })
  const [host, port] = addresses[0]!.split(':')
  const send = (method: string, headers: Readonly<Record<string, string>>, body?: Buffer): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const length = { 'content-length': String(body?.length ?? 0) }
      const outgoing = request(
        { agent, host, port: Number(port), method, path: '/', headers: { ...headers, ...length } },
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
      const said = await send('POST', { 'x-signature': signature, 'x-signer': key.endpointId }, body)
      if (!verify(null, body, there, Buffer.from(String(said), 'base64'))) throw new Error('not valid')
      return performance.now() - fromMs
    },
    async plain(method, body) {
      const fromMs = performance.now()
      await send(method, {}, body)
      return performance.now() - fromMs
    },
    close: () => agent.destroy(),
  }
}
