/** The compared servers, one per process: `server.ts svc-node|svc-uws|loop|better-sse`. Prints the port. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createChannel, createSession } from 'better-sse'
import { createKernel } from '../../../core/kernel.ts'
import type { LogRecord } from '../../../core/log.ts'
import { definePlugin } from '../../../core/plugin.ts'
import { feature as live } from '../../../plugins/realtime/live/feature.ts'
import { feature as streams } from '../../../plugins/realtime/streams/feature.ts'
import { feature as nodeHttp } from '../../../plugins/transport/node-http/feature.ts'
import { feature as uws } from '../../../plugins/transport/uws/feature.ts'
import { benchManifest, openPaths } from '../manifest.ts'

const kind = process.argv[2]
if (kind === 'svc-node' || kind === 'svc-uws') await serveSvc(kind === 'svc-uws' ? 'uws' : 'node')
else if (kind === 'loop') serveLoop()
else if (kind === 'better-sse') serveBetterSse()
else throw new Error(`no such server: ${kind}`)

/** This project: the live stream, with a guard that accepts every request. */
async function serveSvc(transport: string): Promise<void> {
  const records: LogRecord[] = []
  const guard = definePlugin({
    name: 'guard',
    feature: 'guard',
    setup: (ctx) =>
      ctx.guard('runtime', () => ({
        kind: 'user',
        user: 'u',
        tenant: 't',
        scopes: ['live:publish'],
        credential: null,
      })),
  })
  const settings = {
    server: { port: 0, transport },
    realtime: { topics: ['bench', 'quiet'], max_streams: 100_000, max_streams_per_identity: 100_000 },
  }
  const kernel = createKernel(
    {
      manifest: benchManifest,
      plugins: [streams, live, nodeHttp, uws, guard],
      storeParts: [],
      absent: { settings: {}, capabilities: {} },
      open: openPaths,
    },
    {
      settings: { config: { name: 'bench', value: settings } },
      log: { enabled: () => true, write: (record) => void records.push(record) },
    },
  )
  await kernel.start()
  const listening = records.find(({ message }) => message === 'Listening.')
  if (listening?.fields?.['transport'] !== transport) throw new Error(`${transport} does not serve here`)
  process.stdout.write(`port ${String(listening.fields['address']).split(':').at(-1)}\n`)
}

/** A minimal node:http server: all responses are in a set, and every event is written to each. */
function serveLoop(): void {
  const clients = new Set<ServerResponse>()
  serve((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      response.write('retry: 1000\n\n')
      clients.add(response)
      response.once('close', () => clients.delete(response))
      return
    }
    void bodyOf(request).then((body) => {
      const frame = Buffer.from(`data: {"topic":"bench",${body.slice(1)}\n\n`)
      for (const client of clients) client.write(frame)
      response.writeHead(202).end()
    })
  })
}

function serveBetterSse(): void {
  const channel = createChannel()
  serve((request, response) => {
    if (request.method === 'GET') {
      void createSession(request, response).then((session) => channel.register(session))
      return
    }
    void bodyOf(request).then((body) => {
      channel.broadcast({ topic: 'bench', ...(JSON.parse(body) as object) })
      response.writeHead(202).end()
    })
  })
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}

function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): void {
  const server = createServer(handle)
  server.listen(0, '127.0.0.1', 20_000, () => process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`))
}
