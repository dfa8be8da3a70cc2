/** Adapts a running process to a target, over TCP or over its Unix socket. */
import { type IncomingMessage, request } from 'node:http'
import type { Answer, OpenAnswer, Send, Target } from '../../core/testing/contract.ts'
import { toWire } from './wire.ts'

/** The address of a process. */
export type Address = { readonly port: number } | { readonly socketPath: string }

/** The longest time until an answer begins, in milliseconds. */
const ANSWER_LIMIT_MS = 30_000

/** Creates a target that sends requests to an address. */
export function httpTarget(address: Address, logs: () => string): Target {
  return {
    request: async (send) => {
      const response = await begin(address, send)
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) text += chunk as string
      return toAnswer(response, text)
    },
    open: async (send) => {
      const response = await begin(address, send)
      return toOpen(response)
    },
    logs,
  }
}

function begin(address: Address, send: Send): Promise<IncomingMessage> {
  const { headers, body } = toWire(send)
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const outgoing = request(
      {
        ...('port' in address ? { host: '127.0.0.1', port: address.port } : { socketPath: address.socketPath }),
        method: send.method ?? 'GET',
        path: send.path,
        headers: { ...length, ...headers },
        agent: false,
        timeout: ANSWER_LIMIT_MS,
      },
      resolve,
    )
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${ANSWER_LIMIT_MS} ms`)))
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function flat(response: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]))
}

function toAnswer(response: IncomingMessage, text: string): Answer {
  return { status: response.statusCode!, headers: flat(response), text, json: () => JSON.parse(text) as unknown }
}

function toOpen(response: IncomingMessage): OpenAnswer {
  const pieces = response.setEncoding('utf8')[Symbol.asyncIterator]() as AsyncIterator<string>
  return {
    status: response.statusCode!,
    headers: flat(response),
    next: async () => {
      const { done, value } = await pieces.next()
      return done ? undefined : value
    },
    close: () => response.destroy(),
  }
}
