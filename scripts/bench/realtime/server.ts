/** The servers that the fan-out is compared with, one per process: a minimal node:http server, and better-sse. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createChannel, createSession } from 'better-sse'
import { serving, setupOf } from '../harness/processes.ts'

const clients = new Set<ServerResponse>()
const channel = createChannel()

/** Adds a reader, and sends an event to all readers. */
const kinds = {
  /** All responses are in a set, and every event is written to each. */
  loop: {
    join: async (_: IncomingMessage, response: ServerResponse): Promise<void> => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      response.write('retry: 1000\n\n')
      clients.add(response)
      response.once('close', () => clients.delete(response))
    },
    send: (body: string): void => {
      const frame = Buffer.from(`data: {"topic":"bench",${body.slice(1)}\n\n`)
      for (const client of clients) client.write(frame)
    },
  },
  'better-sse': {
    join: async (request: IncomingMessage, response: ServerResponse): Promise<void> =>
      void channel.register(await createSession(request, response)),
    send: (body: string): void => void channel.broadcast({ topic: 'bench', ...(JSON.parse(body) as object) }),
  },
}

const { join, send } = kinds[setupOf<keyof typeof kinds>()]
const server = createServer(async (request, response) => {
  if (request.method === 'GET') return void join(request, response)
  send(await text(request))
  response.writeHead(202).end()
})
server.listen(0, '127.0.0.1', 20_000, () => serving((server.address() as AddressInfo).port))
