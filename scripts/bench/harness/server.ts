/** One server of a comparison in a process of its own: a bare server, another framework, or our kernel. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { definePlugin, type Plugin } from '../../../core/declare/plugin.ts'
import { json } from '../../../core/http/reply.ts'
import type { RouteSpec } from '../../../core/http/route.ts'
import { freePort } from '../../free-port.ts'
import { startKernel } from './kernel.ts'
import { serving, setupOf } from './processes.ts'

/** The kind and the configuration of a server. */
export interface ServerSetup {
  readonly kind: 'raw-uws' | 'raw-node' | 'fastify' | 'hono' | 'svc'
  /** The path that answers with a small JSON; by default `/bench`. */
  readonly path?: string
  /** HS256 secret of Fastify's and Hono's plugin; without it they check nothing. */
  readonly secret?: string
  /** Whether Fastify's plugin caches verified tokens. */
  readonly cache?: boolean
  readonly transport?: 'uws' | 'node'
  /** Features of our kernel by folder, with the name of a variant: `auth/guard`, `auth/guard+node`. */
  readonly features?: readonly string[]
  readonly settings?: Readonly<Record<string, unknown>>
  readonly environment?: Readonly<Record<string, string>>
}

const setup = setupOf<ServerSetup>()
const { path = '/bench', secret } = setup
const ANSWER = { status: 'ok' }
const BODY = JSON.stringify(ANSWER)

const kinds: Readonly<Record<ServerSetup['kind'], () => Promise<number>>> = {
  'raw-uws': rawUws,
  'raw-node': rawNode,
  fastify,
  hono,
  svc,
}

async function rawUws(): Promise<number> {
  const { App, us_socket_local_port: portOf } = (await import('uWebSockets.js')) as unknown as RawUws
  return new Promise((resolve) => {
    App()
      .get(path, (response) => {
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
    ...{ 'content-type': 'application/json', 'cache-control': 'no-store' },
    'content-length': Buffer.byteLength(BODY),
  }
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url === path) response.writeHead(200, headers).end(BODY)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function fastify(): Promise<number> {
  const { fastify: create } = await import('fastify')
  const app = create()
  if (secret !== undefined) {
    const { default: jwt } = await import('@fastify/jwt')
    await app.register(jwt, { secret, verify: { cache: setup.cache ?? false, algorithms: ['HS256'] } })
    app.addHook('onRequest', (request) => request.jwtVerify())
  }
  app.get(path, (_request, reply) => {
    reply.header('cache-control', 'no-store').send(ANSWER)
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return Number(new URL(app.listeningOrigin).port)
}

async function hono(): Promise<number> {
  const { Hono } = await import('hono')
  const { jwt } = await import('hono/jwt')
  const { serve } = await import('@hono/node-server')
  const app = new Hono()
  if (secret !== undefined) app.use(path, jwt({ secret, alg: 'HS256' }))
  app.get(path, (context) => context.json(ANSWER, 200, { 'cache-control': 'no-store' }))
  return new Promise((resolve) => {
    serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => resolve(port))
  })
}

/** Our kernel, with a route `/bench` of its own. Without a guard among the features, every request is accepted. */
async function svc(): Promise<number> {
  const { transport = 'node', features = [], settings = {}, environment = {} } = setup
  // Fails without the addon, because the service would then silently use node:http.
  if (transport === 'uws') await import('uWebSockets.js')
  const port = await freePort()
  const route: RouteSpec = { surface: 'runtime', method: 'GET', path: '/bench', summary: 'A small JSON.' }
  const app = definePlugin({
    name: 'bench',
    feature: 'bench',
    routes: [route],
    setup: (ctx) => {
      ctx.route(route, () => json(200, ANSWER))
      if (features.some((name) => name.startsWith('auth/guard'))) return
      const identity = { kind: 'user', user: 'u', tenant: 't', scopes: ['live:publish'], credential: null } as const
      ctx.guard('runtime', () => identity)
    },
  })
  await startKernel({
    plugins: [...(await Promise.all([...features, 'transport/node-http', 'transport/uws'].map(pluginOf))), app],
    settings: { ...settings, server: { port, transport } },
    environment: { RUST_LOG: 'off', ...environment },
  })
  return port
}

async function pluginOf(name: string): Promise<Plugin> {
  const [folder, variant] = name.split('+')
  const { feature } = await import(`../../../plugins/${folder}/feature.ts`)
  return variant === undefined
    ? feature
    : feature.with((await import(`../../../plugins/${folder}/${variant}.ts`)).variant)
}

serving(await kinds[setup.kind]())
