/**
 * The server that a node is compared with, in a separate process, over the same TLS. It only verifies, commits and signs, as any
 * signed exchange does.
 */
import { verify } from 'node:crypto'
import { createServer as createHttp } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTls } from 'node:tls'
import { toHandshake } from '../../../plugins/peer/tls/handshake.ts'
import { createEndpointKey, openRows, publicKeyOf } from './bare-parts.ts'
import { answer, started } from './child.ts'
import type { Peer } from './node.ts'

/** The arguments of this process: the database for its commits. */
export interface BareSetup {
  readonly file: string
}

/** The calls that the process answers. */
export type BareCalls = { readonly where: (given: undefined) => Peer }

const { file } = started<BareSetup>()
const key = createEndpointKey()
const commit = openRows(file)

const http = createHttp((request, reply) => {
  const chunks: Buffer[] = []
  request
    .on('data', (chunk: Buffer) => chunks.push(chunk))
    .on('end', () => {
      const body = Buffer.concat(chunks)
      const { 'x-signature': signature, 'x-signer': signer } = request.headers
      if (!verify(null, body, publicKeyOf(String(signer)), Buffer.from(String(signature), 'base64')))
        throw new Error('not valid')
      commit(body)
      reply.end(Buffer.from(key.sign(body)).toString('base64'))
    })
})
const server = createTls(
  { ...toHandshake(key), requestCert: true, noDelay: true },
  (socket) => void http.emit('connection', socket),
)
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const { port } = server.address() as AddressInfo
answer({ where: () => ({ endpointId: key.endpointId, addresses: [`127.0.0.1:${port}`] }) })
