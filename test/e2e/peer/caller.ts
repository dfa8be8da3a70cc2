/** A peer that sends arbitrary requests over a connection with its key. */
import { createHash, randomUUID, sign } from 'node:crypto'
import { request } from 'node:http'
import { connect, type TLSSocket } from 'node:tls'
import type { Plugin } from '../../../core/declare/plugin.ts'
import type { Clock } from '../../../core/kernel/environment.ts'
import type { Command, CommandEnvelope } from '../../../plugins/kbd/api.ts'
import { type HandshakeOptions, toHandshake } from '../../../plugins/peer/tls/handshake.ts'
import { canonicalText } from '../../../plugins/protocol/canonical.ts'
import { signCommand } from '../../../plugins/protocol/sign/index.ts'
import { openEndpointKey } from '../../../plugins/sync/api/endpoint-key.ts'
import type { AuditEntry, EndpointKey } from '../../../plugins/sync/api.ts'
import { checkAnswerOf } from '../../support/openapi.ts'
import { createFolder, createSigner, type Signer, signed } from '../../unit/sync/platforms.ts'
import { type Node, startNode } from './nodes.ts'

export const alice: Signer = createSigner()
export const mallory: Signer = createSigner()
export const boardId: string = randomUUID()
export const CREATE: Command = { type: 'board.create', boardId, title: 'Release' }

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly code: string | undefined
  readonly value: Record<string, unknown>
}

/** A peer whose requests the test writes. */
export interface Caller {
  readonly id: string
  readonly key: EndpointKey
  open(over?: Partial<HandshakeOptions>): Promise<TLSSocket>
  ask(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
}

export function callerOf(node: Node, key: EndpointKey = openEndpointKey(createFolder())): Caller {
  const [host, port] = node.address.split(':')
  const at = { host: host!, port: Number(port), servername: '' }
  const open = (over: Partial<HandshakeOptions> = {}): Promise<TLSSocket> =>
    new Promise((resolve, reject) => {
      const socket = connect({ ...toHandshake(key), ...at, ...over }, () => resolve(socket))
      socket.once('error', reject).on('error', () => undefined)
    })
  return {
    id: key.endpointId,
    key,
    open,
    async ask(method, path, body, headers = {}) {
      const socket = await open()
      socket.on('error', () => undefined)
      const bytes =
        body === undefined ? undefined : body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body))
      return new Promise((resolve, reject) => {
        const outgoing = request({
          createConnection: () => socket,
          method,
          path,
          headers: {
            host: 'peer',
            'svc-peer-version': '1',
            ...(bytes !== undefined && { 'content-type': 'application/json', 'content-length': bytes.length }),
            ...headers,
          },
        })
        outgoing.once('error', reject)
        outgoing.once('response', async (answer) => {
          let text = ''
          for await (const chunk of answer.setEncoding('utf8')) text += chunk as string
          const status = answer.statusCode!
          if (status !== 403 && status !== 404 && !path.includes('/content/'))
            checkAnswerOf(method, path, { status, headers: answer.headers, text }, 'peer')
          const value = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}
          const { code } = (value['error'] ?? {}) as { code?: string }
          resolve({ status, headers: answer.headers, text, code, value })
          socket.destroy()
        })
        outgoing.end(bytes)
      })
    },
  }
}

/** A node, and a caller that the node has entered as a peer. */
export async function withCaller(
  given: Readonly<Record<string, unknown>> = {},
  plugins: readonly Plugin[] = [],
  clock: Partial<Clock> = {},
): Promise<{ node: Node; caller: Caller }> {
  const node = await startNode({ given, clock }, plugins)
  await node.enrol(alice, ['kbd-control:demo', 'kbd-content:demo'])
  const caller = callerOf(node)
  await node.registry.put({ endpointId: caller.id, addresses: [], label: null, projects: ['demo'] })
  return { node, caller }
}

export const isClosed = (socket: TLSSocket, limitMs = 5_000): Promise<boolean> =>
  new Promise((resolve) => {
    socket.on('error', () => undefined).resume()
    const timer = setTimeout(() => resolve(false), limitMs)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(true)
    })
  })
export const envelope = (signer: Signer, command: Command, parents: readonly string[]): Promise<CommandEnvelope> =>
  signCommand(
    { ...signer, sign: (message) => sign(null, message, signer.privateKey) },
    { project: 'demo', command, parents },
  )
export const pushFor = (node: Node, signer: Signer, over: Readonly<Record<string, unknown>> = {}): object =>
  JSON.parse(
    new TextDecoder().decode(signed(signer, { issuedAtMs: Date.now(), targetEndpointIds: [node.id], ...over })),
  ) as object
export const entries = async (node: Node, kind: string): Promise<readonly AuditEntry[]> => {
  const reply = await node.send({ path: `/api/v1/audit?kind=${kind}&limit=1000` })
  return (reply.json() as unknown as { entries: readonly AuditEntry[] }).entries
}

/** The id of a command in the command graph. */
export function idOf({ signature: _, ...rest }: CommandEnvelope): string {
  return createHash('sha256').update(canonicalText(rest)).digest('hex')
}
