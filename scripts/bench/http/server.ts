/** One server of the comparison: `server.ts <kind>` answers GET /health on a free port, and prints the port. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createKernel } from '../../../core/kernel.ts'
import type { Plugin } from '../../../core/plugin.ts'
import { benchManifest, openPaths } from '../manifest.ts'

const BODY = '{"status":"ok"}'

const kinds: Readonly<Record<string, () => Promise<number>>> = {
  'raw-uws': rawUws,
  'raw-node': rawNode,
  fastify,
  hono,
  'svc-uws': () => svc('uws'),
  'svc-node': () => svc('node'),
}

async function rawUws(): Promise<number> {
  const { App, us_socket_local_port: portOf } = (await import('uWebSockets.js')) as unknown as RawUws
  return new Promise((resolve) => {
    App()
      .get('/health', (response) => {
        response.writeHeader('content-type', 'application/json').writeHeader('cache-control', 'no-store').end(BODY)
      })
      .listen('127.0.0.1', 0, (socket) => resolve(portOf(socket)))
  })
}

/** The part of uWebSockets.js that is used here. */
interface RawUws {
  App(): RawApp
  us_socket_local_port(socket: unknown): number
}

interface RawApp {
  get(path: string, handler: (response: RawResponse) => void): RawApp
  listen(host: string, port: number, done: (socket: unknown) => void): void
}

interface RawResponse {
  writeHeader(name: string, value: string): RawResponse
  end(body: string): void
}

async function rawNode(): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(BODY),
  }
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url === '/health') response.writeHead(200, headers).end(BODY)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function fastify(): Promise<number> {
  const { fastify: create } = await import('fastify')
  const app = create()
  app.get('/health', (_request, reply) => {
    reply.header('cache-control', 'no-store').send({ status: 'ok' })
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return Number(new URL(app.listeningOrigin).port)
}

async function hono(): Promise<number> {
  const { Hono } = await import('hono')
  const { serve } = await import('@hono/node-server')
  const app = new Hono()
  app.get('/health', (context) => context.json({ status: 'ok' }, 200, { 'cache-control': 'no-store' }))
  return new Promise((resolve) => {
    serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => resolve(port))
  })
}

/** The kernel with the probes and the transports, without plugins that log or count requests. */
async function svc(transport: 'uws' | 'node'): Promise<number> {
  const modules: readonly { readonly feature: Plugin }[] = await Promise.all([
    import('../../../plugins/probes/feature.ts'),
    import('../../../plugins/transport/node-http/feature.ts'),
    import('../../../plugins/transport/uws/feature.ts'),
  ])
  const plugins = modules.map(({ feature }) => feature)
  return new Promise((resolve, reject) => {
    const kernel = createKernel(
      { manifest: benchManifest, plugins, storeParts: [], absent: { settings: {}, capabilities: {} }, open: openPaths },
      {
        settings: { config: { name: 'bench', value: { server: { port: 0, transport } } } },
        fallbackLog: {
          enabled: () => true,
          write: ({ message, fields }) => {
            if (message === 'Listening.') resolve(Number(String(fields?.['address']).split(':').at(-1)))
          },
        },
      },
    )
    kernel.start().catch(reject)
  })
}

console.log(await kinds[process.argv[2]!]!())
