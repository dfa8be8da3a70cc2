/** A browser without a credential gets an HTML page with its 401. The answers to other clients do not change. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { distDir } from '../../../scripts/build/paths.ts'
import { type Child, startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { skip } from '../../support/skip.ts'

const test = suite('browser page')
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const program = join(distDir('server-full'), 'svc.mjs')

for (const transport of ['node', 'uws']) {
  const name = `with ${transport}, a browser gets the same page for every path, with the usual 401 and challenge`
  if (!existsSync(program)) {
    skip(test, name, `${program} has not been built`)
    continue
  }
  test(name, async () => {
    const home = folderWith()
    const service: Child = startChild(process.execPath, {
      args: [program, '--mode', 'runtime'],
      env: {
        HOME: home,
        SVC_SERVER__PORT: '0',
        SVC_SERVER__TRANSPORT: transport,
        SVC_SECURITY__JWT_SECRET: 'a secret of the test of browsers, long enough',
      },
    })
    try {
      const [, address] = await service.waitFor(/"address":"([^"]+)"/)
      const get = (path: string, headers: Record<string, string>, method = 'GET'): Promise<Response> =>
        fetch(`http://${address}${path}`, { method, headers })
      const pages = new Set<string>()
      for (const path of ['/', '/api/svc/runs', '/api/svc/auth/keys', '/no/such/path', '/console?x=<script>']) {
        const answer = await get(path, { accept: BROWSER })
        assert.is(answer.status, 401, path)
        assert.is(answer.headers.get('www-authenticate'), 'Bearer realm="svc"')
        assert.is(answer.headers.get('content-type'), 'text/html; charset=utf-8')
        assert.is(answer.headers.get('vary'), 'Accept')
        assert.is(answer.headers.get('cache-control'), 'no-store')
        const text = await answer.text()
        pages.add(text)
        const style = /<style>([\s\S]*)<\/style>/.exec(text)![1]!
        const policy = answer.headers.get('content-security-policy')!
        assert.match(policy, `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`)
        assert.match(policy, "default-src 'none'")
      }
      assert.is(pages.size, 1)
      const [page] = pages
      assert.not.match(page!, /<script|\d+\.\d+\.\d+|server-full|https?:/)
      assert.ok(Buffer.byteLength(page!) < 4_096)
      assert.is(await (await get('/', { accept: BROWSER }, 'HEAD')).text(), '')

      const unchanged = { error: { code: 'credential_missing', message: 'A credential is required.' } }
      for (const accept of ['*/*', 'application/json', 'application/json, text/html']) {
        const answer = await get('/api/svc/runs', { accept })
        assert.equal([answer.status, answer.headers.get('vary'), await answer.json()], [401, null, unchanged], accept)
      }
      const refused = await get('/api/svc/runs', { accept: BROWSER, authorization: 'Bearer rubbish' })
      assert.equal([refused.status, refused.headers.get('content-type')], [401, 'application/json'])
      assert.is((await get('/health', { accept: BROWSER })).status, 200)
    } finally {
      assert.is((await service.stop()).code, 0, service.err)
    }
  })
}

test.run()
