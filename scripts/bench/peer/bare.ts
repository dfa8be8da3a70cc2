/**
 * A bare signed exchange over the same TLS, which is the lower bound of a push: a signed request, and a signed answer.
 * Both sides commit once. This file is the client, and as a process of its own the server.
 */
import { createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { createServer as createHttp } from 'node:http'
import { Agent, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { buffer } from 'node:stream/consumers'
import { createServer as createTls } from 'node:tls'
import { toHandshake } from '../../../plugins/peer/tls/handshake.ts'
import type { EndpointKey } from '../../../plugins/sync/api.ts'
import { setupOf } from '../harness/processes.ts'
import { answer } from './child.ts'
import type { Peer } from './node.ts'

/** The calls that the server's process answers. */
export type BareCalls = { readonly where: (argument: undefined) => Peer }

/** Exchanges with a bare server. */
export interface BareClient {
  /** Signs a body, commits it, sends it, and verifies the signature of the answer. Resolves to milliseconds. */
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
      const options = { agent, host, port: Number(port), method: 'POST', headers }
      const outgoing = request(options, (reply) => void buffer(reply).then(resolve, reject))
      outgoing.once('error', reject).end(body)
    })
  return {
    async signed(body) {
      const fromMs = performance.now()
      const signature = Buffer.from(key.sign(body)).toString('base64')
      commit(body)
      const reply = await send({ 'x-signature': signature, 'x-signer': key.endpointId }, body)
      if (!verify(null, body, serverKey, Buffer.from(String(reply), 'base64'))) throw new Error('not valid')
      return performance.now() - fromMs
    },
    close: () => agent.destroy(),
  }
}

async function serve(): Promise<void> {
  const { file } = setupOf<{ readonly file: string }>()
  const key = createEndpointKey()
  const commit = openRows(file)
  const http = createHttp(async (incoming, reply) => {
    const body = await buffer(incoming)
    const { 'x-signature': signature, 'x-signer': signer } = incoming.headers
    if (!verify(null, body, publicKeyOf(String(signer)), Buffer.from(String(signature), 'base64')))
      throw new Error('not valid')
    commit(body)
    reply.end(Buffer.from(key.sign(body)).toString('base64'))
  })
  const options = { ...toHandshake(key), requestCert: true, noDelay: true }
  const server = createTls(options, (socket) => void http.emit('connection', socket))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  answer({ where: () => ({ endpointId: key.endpointId, addresses: [`127.0.0.1:${port}`] }) } satisfies BareCalls)
}

function createEndpointKey(): EndpointKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    endpointId: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'),
    pem: String(privateKey.export({ format: 'pem', type: 'pkcs8' })),
    sign: (message) => sign(null, message, privateKey),
  }
}

/** Opens a database. The returned function commits one row to the disk. */
function openRows(file: string): (bytes: Uint8Array) => void {
  const database = new DatabaseSync(file)
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE IF NOT EXISTS t (n INTEGER PRIMARY KEY, r)',
  )
  const insert = database.prepare('INSERT INTO t (r) VALUES (?)')
  return (bytes) => void insert.run(bytes)
}

/** The first bytes of a SubjectPublicKeyInfo of Ed25519 (RFC 8410). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

function publicKeyOf(endpointId: string): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI, Buffer.from(endpointId, 'hex')]), format: 'der', type: 'spki' })
}

if (process.argv[1] === import.meta.filename) await serve()
