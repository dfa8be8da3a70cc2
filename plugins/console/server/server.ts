/** The loopback server of the console: checks first, then the entry, then the routes. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { httpFail } from '../../../core/catalogue.ts'
import { CommandRefusal } from '../../../core/command.ts'
import { isSvcError } from '../../../core/errors.ts'
import type { Refusal } from '../session.ts'
import { sendRefusal, setCommonHeaders } from './answers.ts'
import { checkMethod, checkSender, targetOf } from './checks.ts'
import { createEntry, type Entry } from './entry.ts'
import type { Routes } from './routes.ts'

/** What the server is made with. */
export interface ServerOptions {
  /** 0 for a free one. */
  readonly port: number
  readonly isWritable: boolean
  /** Makes the routes, once the entry is known. */
  routes(entry: Entry): Routes
  /** Called when somebody has come in. */
  entered(): void
  /** Called with an unexpected error, which is answered with 500. */
  failed(error: unknown): void
}

/** A server that listens. */
export interface ConsoleServer {
  readonly entry: Entry
  close(): Promise<void>
}

/** Listens on the loopback address. Rejects if the port is taken. */
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
    entry.check(request)
    checkMethod(request, isWritable)
    // The cookie is for this folder; what else has it was not sent by a browser.
    const inside = target.path.startsWith(entry.folder) ? target.path.slice(entry.folder.length - 1) : undefined
    if (inside === undefined) throw httpFail('not_found')
    return route(request, response, { ...target, path: inside })
  }
  return {
    entry,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        // Streams have no end of their own.
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
  // Half an answer cannot be taken back: the page sees that it broke off.
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
  return httpFail('internal_error', { message: 'The console failed. Its terminal says why.' })
}
