/** The hosts in docs/embedding.md run, and answer with the runtime that they mount. */
import { existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { distDir, root } from '../../scripts/build/paths.ts'
import { tokenFor } from '../conformance/caller.ts'
import { filesOf } from '../support/docs.ts'
import { folderWith } from '../support/folder.ts'
import { skip } from '../support/skip.ts'

const test = suite('docs/embedding.md')
const library = join(distDir('minimal'), 'index.mjs')

/** A project that has the library under the name of the package. */
function project(): string {
  const folder = folderWith({
    ...filesOf('embedding.md'),
    'node_modules/svc/package.json': '{"name":"svc","type":"module","exports":{"./minimal":"./index.mjs"}}',
  })
  symlinkSync(library, join(folder, 'node_modules/svc/index.mjs'))
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  symlinkSync(realpathSync(join(root, 'node_modules/hono')), join(folder, 'node_modules/hono'))
  return folder
}

type Ask = (path: string, init?: RequestInit) => Promise<Response>

/** What is true of the runtime in any host. */
async function checkRuntime(ask: Ask): Promise<void> {
  const health = await ask('/health')
  assert.is(health.status, 200)
  assert.equal(await health.json(), { status: 'ok' })
  assert.is((await ask('/api/svc/runs')).status, 401)
  const headers = { authorization: `Bearer ${tokenFor({ user: 'ada' })}`, 'content-type': 'application/json' }
  const made = await ask('/api/svc/auth/keys', { method: 'POST', headers, body: '{"name":"docs"}' })
  assert.is(made.status, 201)
  assert.match(((await made.json()) as { key: string }).key, /^svc_/)
  const broken = await ask('/api/svc/auth/keys', { method: 'POST', headers, body: '{' })
  assert.is(broken.status, 400)
  assert.is(((await broken.json()) as { error: { code: string } }).error.code, 'malformed_json')
}

if (existsSync(library)) {
  process.env['JWT_SECRET'] = 'conformance-secret-of-at-least-32-bytes!'
  const folder = project()

  test('in a server of Node', async () => {
    const host = (await import(pathToFileURL(join(folder, 'host-node.mjs')).href)) as {
      server: Server
      stop(): Promise<void>
    }
    await new Promise<void>((resolve) => host.server.listen(0, '127.0.0.1', resolve))
    const { port } = host.server.address() as AddressInfo
    await checkRuntime((path, init = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        ...init,
        headers: { connection: 'close', ...(init.headers as Record<string, string>) },
      }),
    )
    host.server.closeAllConnections()
    await host.stop()
  })

  test('in Hono', async () => {
    const { app, runtime } = (await import(pathToFileURL(join(folder, 'host-hono.mjs')).href)) as {
      app: { request: Ask }
      runtime: { close(): Promise<void> }
    }
    assert.is(await (await app.request('/')).text(), 'the host')
    await checkRuntime(app.request)
    await runtime.close()
    assert.is((await app.request('/health')).status, 503)
  })
} else skip(test, 'docs/embedding.md', 'make build PROFILE=minimal has not been run')

test.run()
