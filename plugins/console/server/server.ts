/** The loopback server of the console: the checks come first, then the entry, then the routes. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { CommandRefusal } from '../../../core/declare/command.ts'
import { isSvcError } from '../../../core/declare/errors.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import type { Refusal } from '../session.ts'
import { sendRefusal, setCommonHeaders } from './answers.ts'
import { checkMethod, checkSender, targetOf } from './checks.ts'
import { type ConsoleEntry, createEntry } from './entry.ts'
import type { Routes } from './routes.ts'

/** Options of the server. */
export interface ServerOptions {
  /** 0 for a free port. */
  readonly port: number
  readonly isWritable: boolean
  /** Creates the routes behind the entry. */
  routes(entry: ConsoleEntry): Routes
  /** Called when a code has been exchanged for the cookie. */
  entered(): void
  /** Called with an unexpected error, which is answered with 500. */
  failed(error: unknown): void
}

/** A listening server. */
export interface ConsoleServer {
  readonly entry: ConsoleEntry
  close(): Promise<void>
}

/** Listens on the loopback address. Rejects if the port is in use. */
export async function openServer({ port, isWritable, routes, entered, failed }: ServerOptions): Promise<ConsoleServer> {
  let answer: (request: IncomingMessage, response: ServerResponse) => Promise<void> = async () => undefined
  const server = createServer((request, response) => {
    setCommonHeaders(response, false)
    answer(request, response).catch((error: unknown) => refuse(request, response, error, failed))
  })
  const bound = await listen(server, port)
  const entry = createEntry(bound, entered)
  const route = routes(entry)
  answer = async (request, response) => {
    const path = request.url?.split('?', 1)[0]
    checkSender(request, bound, path === '/enter')
    const target = targetOf(request)
    if (path === '/enter') return entry.enter(request, response, target.query)
    const browser = entry.check(request)
    browser.follows(response)
    response.setHeader('x-console-instance', entry.instance)
    // Browsers send the cookie only for this folder. Another path with the cookie is not from a browser.
    const inside = target.path.startsWith(entry.folder) ? target.path.slice(entry.folder.length - 1) : undefined
    // A console that only reads lets its browsers sign out too.
    if (inside === '/console/sign-out' && request.method === 'POST') {
      browser.leave(response)
      return void response.writeHead(204).end()
    }
    checkMethod(request, isWritable)
    if (inside === undefined) throw httpFail('not_found')
    return route(request, response, { ...target, path: inside })
  }
  return {
    entry,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        // Streams do not end by themselves.
        server.closeAllConnections()
      }),
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.removeListener('error', reject)
      resolve((server.address() as { port: number }).port)
    })
  })
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  failed: (error: unknown) => void,
): void {
  // The error cannot replace an answer that has begun. The connection breaks off, so that the page notices the error.
  if (response.headersSent || response.destroyed) return void response.destroy()
  const { status, code, message, hint } = toRefusal(error, failed)
  sendRefusal(request, response, status, { code, message, hint })
}

function toRefusal(error: unknown, failed: (error: unknown) => void): Refusal & { readonly status: number } {
  if (isSvcError(error)) return error
  if (error instanceof CommandRefusal) {
    const hint = error.details['hint']
    return { status: 502, code: error.code, message: error.message, hint: typeof hint === 'string' ? hint : undefined }
  }
  failed(error)
  return httpFail('internal_error', { message: 'The console failed. The error is in the terminal of svc console.' })
}
