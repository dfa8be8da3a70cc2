/** The hosts in docs/embedding.md run, and serve the runtime that they mount. */
import { existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type FetchRuntime, toNodeHandler } from '../../plugins/transport/to-node-handler.ts'
import { distDir, root } from '../../scripts/build/paths.ts'
import { tokenFor } from '../conformance/caller.ts'
import { installed } from '../reach/runtimes/installed.ts'
import { WAIT_MS } from '../runner/limit.ts'
import { startChild } from '../support/child.ts'
import { filesOf } from '../support/docs.ts'
import { folderWith } from '../support/folder.ts'
import { skip, testUnless } from '../support/skip.ts'

const test = suite('docs/embedding.md')
const library = join(distDir('npm'), 'minimal/index.mjs')

/** A project with the package in node_modules, as npm installs it. */
function project(): string {
  const folder = folderWith({ ...filesOf('embedding.md'), 'package.json': '{ "private": true }' })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(distDir('npm'), join(folder, 'node_modules/svc'))
  for (const host of ['hono', 'express', 'fastify'])
    symlinkSync(realpathSync(join(root, 'node_modules', host)), join(folder, 'node_modules', host))
  return folder
}

/** The part of Express that is used here. Express has no types. */
interface Express {
  (): {
    use(...handlers: readonly unknown[]): void
    listen(port: number, host: string, then: () => void): Server
  }
  json(): unknown
}

type Ask = (path: string, init?: RequestInit) => Promise<Response>

/** Checks that hold for the runtime in any host. */
async function checkRuntime(ask: Ask): Promise<void> {
  const health = await ask('/health')
  assert.is(health.status, 200)
  assert.equal(await health.json(), { status: 'ok' })
  await checkKeys(ask)
}

/** Checks that hold for the paths under `/api/svc`. */
async function checkKeys(ask: Ask): Promise<void> {
  assert.is((await ask('/api/svc/runs')).status, 401)
  const headers = { authorization: `Bearer ${tokenFor({ user: 'ada' })}`, 'content-type': 'application/json' }
  const created = await ask('/api/svc/auth/keys', { method: 'POST', headers, body: '{"name":"docs"}' })
  assert.is(created.status, 201)
  assert.match(((await created.json()) as { key: string }).key, /^svc_/)
  const broken = await ask('/api/svc/auth/keys', { method: 'POST', headers, body: '{' })
  assert.is(broken.status, 400)
  assert.is(((await broken.json()) as { error: { code: string } }).error.code, 'malformed_json')
}

if (existsSync(library)) {
  process.env['JWT_SECRET'] = 'conformance-secret-of-at-least-32-bytes!'
  const folder = project()

  /** Sends requests to a listening server, each on a new connection. */
  const sendTo =
    (server: Server): Ask =>
    (path, init = {}) =>
      fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
        ...init,
        headers: { connection: 'close', ...(init.headers as Record<string, string>) },
      })

  /** The host's own routes work beside the runtime's. */
  async function checkOwn(ask: Ask): Promise<void> {
    const headers = { 'content-type': 'application/json' }
    const own = await ask('/own', { method: 'POST', headers, body: '{"a":1}' })
    assert.is(own.status, 200)
    assert.equal(await own.json(), { a: 1 })
  }

  /** A stream is delivered while it is written, and a reader that disconnects frees its place. */
  async function checkStream(ask: Ask): Promise<void> {
    const headers = { authorization: `Bearer ${tokenFor({ user: 'streams' })}` }
    // More streams than one identity may have at once: disconnected streams must not count.
    for (let i = 0; i < 40; i++) {
      const gone = new AbortController()
      let stream = await ask('/api/live', { headers, signal: gone.signal })
      for (let tries = 0; stream.status === 429 && tries < 3_000; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 20))
        stream = await ask('/api/live', { headers, signal: gone.signal })
      }
      assert.is(stream.status, 200)
      const first = await stream.body!.getReader().read()
      assert.match(new TextDecoder().decode(first.value), 'retry: 1000')
      gone.abort()
    }
  }

  test('the runtime runs in a server of Node', async () => {
    const host = (await import(pathToFileURL(join(folder, 'host-node.mjs')).href)) as {
      server: Server
      stop(): Promise<void>
    }
    await new Promise<void>((resolve) => host.server.listen(0, '127.0.0.1', resolve))
    await checkRuntime(sendTo(host.server))
    await checkStream(sendTo(host.server))
    host.server.closeAllConnections()
    await host.stop()
  })

  test('the runtime runs in Express', async () => {
    const { app, runtime } = (await import(pathToFileURL(join(folder, 'host-express.mjs')).href)) as {
      app: { listen(port: number, host: string, then: () => void): Server }
      runtime: { close(): Promise<void> }
    }
    let server!: Server
    await new Promise<void>((resolve) => (server = app.listen(0, '127.0.0.1', resolve)))
    await checkRuntime(sendTo(server))
    await checkOwn(sendTo(server))
    await checkStream(sendTo(server))
    server.closeAllConnections()
    server.close()
    await runtime.close()
  })

  test('in Express, the runtime runs mounted at a path, and refuses a request behind a body parser', async () => {
    const { createRuntime } = (await import(pathToFileURL(library).href)) as {
      createRuntime(options: unknown): FetchRuntime & { close(): Promise<void> }
    }
    const runtime = createRuntime({ settings: { security: { jwt_secret: process.env['JWT_SECRET'] } } })
    const { default: express } = (await import('express' as string)) as { default: Express }
    const app = express()
    app.use('/health', toNodeHandler(runtime))
    app.use(express.json())
    app.use(toNodeHandler(runtime))
    let server!: Server
    await new Promise<void>((resolve) => (server = app.listen(0, '127.0.0.1', () => resolve())))
    const ask = sendTo(server)
    assert.equal(await (await ask('/health')).json(), { status: 'ok' }, 'the whole path counts')
    const headers = { authorization: `Bearer ${tokenFor({ user: 'ada' })}`, 'content-type': 'application/json' }
    const eaten = await ask('/api/svc/auth/keys', { method: 'POST', headers, body: '{"name":"eaten"}' })
    assert.is(eaten.status, 500)
    assert.match(await eaten.text(), /in front of body parsers/)
    server.closeAllConnections()
    server.close()
    await runtime.close()
  })

  test('the runtime runs in route handlers, as in Next.js', async () => {
    const file = join(folder, 'app/api/svc/[...path]/route.mjs')
    const route = (await import(pathToFileURL(file).href)) as Record<string, unknown>
    assert.equal([route['runtime'], route['dynamic']], ['nodejs', 'force-dynamic'])
    const ask: Ask = async (path, init = {}) => {
      const handler = route[init.method ?? 'GET'] as (request: Request, context: unknown) => Promise<Response>
      return handler(new Request(`http://localhost:3000${path}`, init), { params: Promise.resolve({}) })
    }
    await checkKeys(ask)
    const anonymous = await ask('/api/svc/auth/keys', { method: 'OPTIONS' })
    assert.is(anonymous.status, 401)
    const { svc } = globalThis as unknown as { svc: FetchRuntime & { close(): Promise<void> } }
    await import(`${pathToFileURL(file).href}?again`)
    assert.is((globalThis as unknown as { svc: unknown }).svc, svc, 'a file that is loaded again keeps the runtime')
    await svc.close()
  })

  test('a token for development is accepted, and is not created in production', async () => {
    const run = (env: NodeJS.ProcessEnv): ReturnType<typeof startChild> =>
      startChild(process.execPath, { args: ['dev-token.mjs'], cwd: folder, env })
    const env = { JWT_SECRET: process.env['JWT_SECRET'] }
    const child = run(env)
    assert.is((await child.exited).code, 0, child.err)
    assert.match(child.out, /^200 \{/)
    const refused = run({ ...env, NODE_ENV: 'production' })
    assert.is((await refused.exited).code, 1)
    assert.match(refused.err, /ERR_DEV_TOKEN_PRODUCTION/)
  })

  test('the runtime runs in Fastify', async () => {
    const { app } = (await import(pathToFileURL(join(folder, 'host-fastify.mjs')).href)) as {
      app: {
        readonly server: Server
        listen(where: { port: number; host: string }): Promise<string>
        close(): Promise<void>
      }
    }
    await app.listen({ port: 0, host: '127.0.0.1' })
    await checkRuntime(sendTo(app.server))
    await checkOwn(sendTo(app.server))
    await checkStream(sendTo(app.server))
    app.server.closeAllConnections()
    await app.close()
  })

  test('the runtime runs in Hono', async () => {
    const { app, runtime } = (await import(pathToFileURL(join(folder, 'host-hono.mjs')).href)) as {
      app: { request: Ask }
      runtime: { close(): Promise<void> }
    }
    assert.is(await (await app.request('/')).text(), 'the host')
    await checkRuntime(app.request)
    await runtime.close()
    assert.is((await app.request('/health')).status, 503)
  })
  for (const { title, file, program, absent, args } of [
    {
      title: 'the runtime runs on Bun, with Hono',
      file: 'host-bun.mjs',
      ...installed('@oven/bun-linux-x64', 'bin/bun'),
      args: [],
    },
    {
      title: 'the runtime runs on Deno',
      file: 'host-deno.mjs',
      ...installed('@deno/linux-x64-glibc', 'deno'),
      args: ['run', '--no-prompt', '--cached-only', '--allow-net=127.0.0.1', '--allow-env=JWT_SECRET,PORT'],
    },
  ])
    testUnless(test, absent, title, async () => {
      const env = { JWT_SECRET: process.env['JWT_SECRET'], PORT: '0', HOME: folder, NO_COLOR: '1' }
      const host = startChild(program, { args: [...args, file], cwd: folder, env })
      const [, origin] = await host.waitFor(/listens on (http:\/\/127\.0\.0\.1:\d+)\//, WAIT_MS)
      const ask: Ask = (path, init) => fetch(`${origin}${path}`, init)
      try {
        await checkRuntime(ask)
        await checkStream(ask)
      } finally {
        assert.is((await host.stop()).code, 0, host.err)
      }
    })
} else skip(test, 'docs/embedding.md', 'make package has not been run')

test.run()
