/** The shipped console beside a node, and requests to the console, both as a browser sends them and malformed ones. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { freePort } from '../../../scripts/free-port.ts'
import { type Child, startChild } from '../../support/child.ts'
import { closed } from '../../support/closed.ts'
import { createNode, programArgs, type TestNode } from '../kbd/node.ts'
import { START_MS } from '../sync/shipped.ts'

/** An answer with its body. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  json(): Record<string, unknown> & { readonly error?: { code: string; message: string; hint?: string } }
}

/** A request to the console. */
export interface Ask {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Sends no cookie. */
  readonly isStranger?: boolean
}

/** A running console of a test. */
export interface TestConsole {
  readonly child: Child
  readonly port: number
  readonly origin: string
  /** The secret folder, with a slash at both ends, and the cookie. */
  readonly folder: string
  readonly cookie: string
  /**
   * Sends a request below the folder, with the cookie. For methods other than GET and HEAD it adds the origin of the
   * console.
   */
  ask(path: string, ask?: Ask): Promise<Answer>
  /** Like `ask`, but returns the answer with its body unread. */
  open(path: string, ask?: Ask): Promise<IncomingMessage>
  /**
   * Sends raw bytes, and returns everything that is received until the connection closes, after at most `waitMs` of
   * silence.
   */
  raw(bytes: string, waitMs?: number): Promise<string>
  stop(): Promise<void>
}

/** A node whose runtime surface has a fixed port, so that the console can find it. */
export async function createConsoleNode(more: Readonly<Record<string, string>> = {}): Promise<TestNode> {
  return createNode({ SVC_SERVER__PORT: String(await freePort()), ...more })
}

/** The options of a console in addition to its arguments. */
export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly uid?: number
  /** Arguments of Node, before the program. */
  readonly nodeArgs?: readonly string[]
}

/** Starts `svc console`, without an entry. */
export function startConsoleProcess(node: TestNode, args: readonly string[] = [], options: StartOptions = {}): Child {
  return startChild(process.execPath, {
    args: [...(options.nodeArgs ?? []), ...programArgs, 'console', ...args],
    cwd: node.folder,
    env: { ...node.env, ...options.env },
    hasInput: true,
    ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
  })
}

/** Starts `svc console` and enters with the address that it prints. */
export async function startConsole(
  node: TestNode,
  args: readonly string[] = [],
  options: StartOptions = {},
): Promise<TestConsole> {
  const child = startConsoleProcess(node, args, options)
  const [address] = await child.waitFor(/http:\/\/127\.0\.0\.1:\d+\/enter\?code=[\w-]+/, START_MS)
  const { origin, port } = new URL(address)
  const entered = await sendTo(Number(port), address.slice(origin.length), {})
  const { location, 'set-cookie': [setCookie = ''] = [] } = entered.headers
  if (location === undefined) throw new Error(`no entry: ${entered.status} ${entered.text}`)
  const cookie = setCookie.split(';', 1)[0]!
  const complete = ({ isStranger, method = 'GET', headers = {}, body }: Ask): Sent => ({
    method,
    headers: {
      ...(isStranger !== true && { cookie }),
      ...(method !== 'GET' && method !== 'HEAD' && { origin }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  })
  return {
    child,
    port: Number(port),
    origin,
    folder: location,
    cookie,
    ask: (path, ask = {}) => sendTo(Number(port), location + path, complete(ask)),
    open: (path, ask = {}) => openAt(Number(port), location + path, complete(ask)),
    raw: (bytes, waitMs = 2_000) => rawTo(Number(port), bytes, waitMs),
    stop: async () => void (await child.stop('SIGINT')),
  }
}

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** Sends a request to a port of loopback, without added headers, and reads the answer. */
export async function sendTo(port: number, path: string, sent: Sent): Promise<Answer> {
  const answer = await openAt(port, path, sent)
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += chunk as string
  return { status: answer.statusCode!, headers: answer.headers, text, json: () => JSON.parse(text) as never }
}

function openAt(port: number, path: string, { method = 'GET', headers = {}, body }: Sent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const outgoing = request(
      { host: '127.0.0.1', port, path, method, headers: { ...length, ...headers }, agent: false },
      resolve,
    )
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}

async function rawTo(port: number, bytes: string, waitMs: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk
  })
  socket.setTimeout(waitMs, () => socket.destroy())
  socket.write(bytes, 'latin1')
  await closed(socket)
  return text
}

/** A request that a recorder got. */
export interface Recorded {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A remote runtime surface that records its requests. */
export interface Recorder {
  readonly origin: string
  readonly requests: readonly Recorded[]
  /** Resolves when the client has closed the connection of `GET /stream`. */
  readonly streamEnded: Promise<void>
  close(): Promise<void>
}

/**
 * Starts a recorder. It answers `/stream` with a stream that does not end, and every other request with 200 and the
 * given headers.
 */
export async function startRecorder(answers: Readonly<Record<string, string>> = {}): Promise<Recorder> {
  const requests: Recorded[] = []
  let ended: () => void = () => undefined
  const streamEnded = new Promise<void>((resolve) => (ended = resolve))
  const server = createServer(async (incoming, outgoing) => {
    let body = ''
    for await (const chunk of incoming.setEncoding('utf8')) body += chunk as string
    requests.push({ method: incoming.method!, url: incoming.url!, headers: incoming.headers, body })
    if (incoming.url === '/stream') {
      outgoing.once('close', ended)
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
    } else outgoing.writeHead(200, { 'content-type': 'text/html', ...answers }).end('<script src="/app.js"></script>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    streamEnded,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
