/** Requests to a running service over its Unix socket. */
import { type IncomingMessage, request } from 'node:http'
import { asOwner, foreignOwner } from '../../store-sqlite/owner.ts'

/** An answer whose body has not been read. */
export type LocalAnswer = IncomingMessage

/** Sends one request. Rejects if no service listens on the socket. */
export function send(
  socketPath: string,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<LocalAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const outgoing = request(
      { socketPath, method, path, headers: { host: 'localhost', ...length, ...headers }, agent: false },
      resolve,
    )
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}

/**
 * Why a socket does not answer, in a sentence. A service closes the connections of other users without an answer, and
 * the system refuses them at the folder of the socket.
 */
export function noAnswer(socketPath: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  const owner = code === 'ENOENT' || code === 'ECONNREFUSED' ? undefined : foreignOwner(socketPath)
  if (owner !== undefined) return `The socket ${socketPath} belongs to the user ${owner.name}. ${asOwner(owner)}`
  return `No service answers at ${socketPath} (${code ?? String(error)}).`
}

/** The whole body as text. */
export async function readText(answer: LocalAnswer): Promise<string> {
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += chunk as string
  return text
}

/** One event of an event stream. */
export interface StreamEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

/** The events of a body as they come (WHATWG HTML 9.2.6, as far as our own streams use it: LF, one data line). */
export async function* readEvents(answer: LocalAnswer): AsyncGenerator<StreamEvent> {
  let rest = ''
  for await (const chunk of answer.setEncoding('utf8')) {
    const blocks = (rest + (chunk as string)).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => {
          const colon = line.indexOf(':')
          return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')] as const
        }),
      )
      const data = fields.get('data')
      if (data !== undefined) yield { id: fields.get('id'), event: fields.get('event') ?? 'message', data }
    }
  }
}
