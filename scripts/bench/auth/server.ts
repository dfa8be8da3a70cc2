/** One server of the comparison in a separate process: `server.ts`, controlled over IPC. */

import { json } from '../../../core/http/reply.ts'
import type { RouteSpec } from '../../../core/http/route.ts'
import { createKernel } from '../../../core/kernel.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import { benchManifest, openPaths } from '../manifest.ts'
import type { ServerSetup } from './servers.ts'

const ANSWER = { hello: 'world', numbers: [1, 2, 3] }
const route: RouteSpec = { surface: 'runtime', method: 'GET', path: '/bench', summary: 'A small JSON.' }

const starters: Readonly<Record<ServerSetup['kind'], (setup: ServerSetup) => Promise<number>>> = {
  'raw-uws': startRaw,
  fastify: startFastify,
  hono: startHono,
  svc: startSvc,
}

process.once('message', (setup: ServerSetup) => {
  starters[setup.kind](setup).then(
    (port) => {
      process.on('message', () => process.send!({ cpu: process.cpuUsage() }))
      process.send!({ port })
    },
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.once('disconnect', () => process.exit(0))

/** uWebSockets.js without a framework. With `tokens` it looks the header up in a map, like an ideal cache. */
async function startRaw({ tokens }: ServerSetup): Promise<number> {
  const { App, us_socket_local_port: portOf } = (await import('uWebSockets.js')) as unknown as RawUws
  const users = tokens === undefined ? undefined : new Map(tokens.map((token, index) => [token, { user: index }]))
  const body = JSON.stringify(ANSWER)
  return new Promise((resolve) => {
    App()
      .get('/bench', (response, request) => {
        const user = users === undefined ? {} : users.get(request.getHeader('authorization'))
        const status = user === undefined ? '401 Unauthorized' : '200 OK'
        response.cork(() => response.writeStatus(status).writeHeader('content-type', 'application/json').end(body))
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
  get(path: string, handler: (response: RawResponse, request: { getHeader(name: string): string }) => void): RawApp
  listen(host: string, port: number, done: (socket: unknown) => void): void
}

interface RawResponse {
  cork(work: () => void): void
  writeStatus(status: string): RawResponse
  writeHeader(name: string, value: string): RawResponse
  end(body: string): RawResponse
}

async function startFastify({ secret, pem, cache = false }: ServerSetup): Promise<number> {
  const { fastify } = await import('fastify')
  const { default: jwt } = await import('@fastify/jwt')
  const app = fastify()
  await app.register(jwt, {
    secret: pem === undefined ? secret! : { public: pem, private: '' },
    verify: { cache, algorithms: [pem === undefined ? 'HS256' : 'RS256'] },
  })
  app.get('/bench', { onRequest: (request) => request.jwtVerify() }, async () => ANSWER)
  await app.listen({ host: '127.0.0.1', port: 0 })
  return Number(new URL(app.listeningOrigin).port)
}

async function startHono({ secret }: ServerSetup): Promise<number> {
  const { Hono } = await import('hono')
  const { jwt } = await import('hono/jwt')
  const { serve } = await import('@hono/node-server')
  const app = new Hono()
  app.use('/bench', jwt({ secret: secret!, alg: 'HS256' }))
  app.get('/bench', (context) => context.json(ANSWER))
  return new Promise((resolve) => {
    serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => resolve(port))
  })
}

async function startSvc({ secret, jwksUrl, transport = 'node-http' }: ServerSetup): Promise<number> {
  const { feature: guard } = await import('../../../plugins/auth/guard/feature.ts')
  const { variant } = await import('../../../plugins/auth/guard/node.ts')
  const { feature: keys } = await import('../../../plugins/auth/api-keys/feature.ts')
  const { variant: threads } = await import('../../../plugins/auth/api-keys/threads.ts')
  const modules: readonly { readonly feature: Plugin }[] = await Promise.all([
    import('../../../plugins/auth/jwt/feature.ts'),
    import('../../../plugins/auth/jwks/feature.ts'),
    import('../../../plugins/auth/exchange/feature.ts'),
    import('../../../plugins/transport/node-http/feature.ts'),
    import('../../../plugins/transport/uws/feature.ts'),
  ])
  const app = definePlugin({
    name: 'bench',
    feature: 'bench',
    routes: [route],
    setup: (ctx) => ctx.route(route, () => json(200, ANSWER)),
  })
  let listening = (_port: number): void => {}
  const port = new Promise<number>((resolve) => {
    listening = resolve
  })
  const security = jwksUrl === undefined ? { jwt_secret: secret! } : { jwks_url: jwksUrl }
  const kernel = createKernel(
    {
      manifest: benchManifest,
      plugins: [guard.with(variant), keys.with(threads), ...modules.map(({ feature }) => feature), app],
      storeParts: [],
      absent: { settings: {}, capabilities: {} },
      open: openPaths,
    },
    {
      settings: {
        config: {
          name: 'bench',
          value: { security, server: { port: 0, transport: transport === 'uws' ? 'uws' : 'node' } },
        },
      },
      log: {
        enabled: () => true,
        write: ({ message, fields }) => {
          if (message === 'Listening.') listening(Number(String(fields?.['address']).split(':').at(-1)))
        },
      },
    },
  )
  await kernel.start()
  return port
}
