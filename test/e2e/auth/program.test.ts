/** The shipped program: refusals at the start, tokens from its command line, and no secret in any output. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createKeyText } from '../../../plugins/auth/api-keys/key-text/key-text.ts'
import { distDir } from '../../../scripts/build/paths.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { type Child, startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { skip } from '../../support/skip.ts'

const SECRET = 'the very secret secret of the program test'
const PROFILES = ['minimal', 'server-full'] as const

for (const profile of PROFILES) {
  const program = join(distDir(profile), 'svc.mjs')
  if (!existsSync(program)) {
    skip(test, `${profile}: the program`, `${program} has not been built`)
    continue
  }
  const folder = folderWith()
  const base = { HOME: folder, XDG_STATE_HOME: folder, XDG_RUNTIME_DIR: folder, NO_COLOR: '1', RUST_LOG: 'trace' }
  const run = (args: readonly string[], env: Readonly<Record<string, string>>): Child =>
    startChild(process.execPath, { args: [program, ...args], env: { ...base, ...env } })

  test(`${profile}: with an unsafe secret the program exits with 78 and explains the problem and the fix`, async () => {
    const cases: readonly [env: Record<string, string>, says: RegExp][] = [
      [{}, /built-in fallback[\s\S]*SVC_SECURITY__JWT_SECRET/],
      [{ SVC_SECURITY__JWT_SECRET: 'short but secret' }, /shorter than the 32 bytes[\s\S]*openssl rand/],
      [{ SVC_SECURITY__JWKS_URL: 'http://idp.example/jwks' }, /plain http[\s\S]*https/],
      [{ SVC_SECURITY__JWT_SECRET: SECRET, SVC_SECURITY__JWT_LEEWAY_SECONDS: '61' }, /jwt_leeway_seconds|JWT_LEEWAY/i],
    ]
    for (const [env, says] of cases) {
      const child = run([], { SVC_SERVER__PORT: '0', ...env })
      const { code } = await child.exited
      assert.is(code, 78, child.err)
      assert.match(child.err, says)
      assert.not.ok(child.err.includes('short but secret') || child.err.includes(SECRET))
    }
  })

  test(`${profile}: svc token creates tokens that the service accepts, and the service refuses others`, async () => {
    const env = {
      SVC_SECURITY__JWT_SECRET: SECRET,
      SVC_SECURITY__JWT_ISSUER: 'https://issuer.example',
      SVC_SECURITY__JWT_AUDIENCE: 'svc',
    }
    const mint = async (...args: readonly string[]): Promise<string> => {
      const child = run(['token', ...args], env)
      assert.is((await child.exited).code, 0, child.err)
      assert.match(child.out, /^[\w-]+\.[\w-]+\.[\w-]+\n$/)
      return child.out.trim()
    }
    const token = await mint('--sub', 'ada', '--tenant', 'acme', '--scope', 'a  b', '--ttl', '60')
    const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>
    assert.is(Number(claims['exp']) - Number(claims['iat']), 60)
    assert.is(claims['tenant_id'], 'acme')
    assert.is(claims['scope'], 'a b')
    for (const args of [[], ['--sub', ''], ['--sub', 'x', '--ttl', '0'], ['--sub', 'x', '--ttl', '1h'], ['--nope']]) {
      const wrong = run(['token', ...args], env)
      assert.is((await wrong.exited).code, 64)
      assert.is(wrong.out, '')
    }
    const elsewhere = run(['token', '--sub', 'ada'], { SVC_SECURITY__JWKS_URL: 'https://idp.example/jwks' })
    assert.is((await elsewhere.exited).code, 1)

    const port = await freePort()
    const service = run([], { ...env, SVC_SERVER__PORT: String(port) })
    await service.waitFor(new RegExp(`:${port}`))
    const list = (as: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}/api/svc/auth/keys`, { headers: { authorization: `Bearer ${as}` } })
    assert.is((await list(token)).status, 200)
    assert.is((await list(`${token}x`)).status, 401)
    assert.is((await service.stop()).code, 0)
  })

  for (const format of profile === 'minimal' ? ['json'] : ['json', 'compact', 'pretty'])
    test(`${profile}, ${format}: no secret, token, key or hash is in the log or in an answer, at the finest level`, async () => {
      const port = await freePort()
      const environment = { SVC_SERVER__LOG_FORMAT: format, SVC_SERVER__PORT: String(port) }
      const service = run([], { SVC_SECURITY__JWT_SECRET: SECRET, ...environment })
      await service.waitFor(new RegExp(`:${port}`))
      const minted = run(['token', '--sub', 'ada'], { SVC_SECURITY__JWT_SECRET: SECRET })
      await minted.exited
      const token = minted.out.trim()
      const answers: string[] = []
      const send = async (
        path: string,
        headers: Record<string, string>,
        method = 'GET',
        body?: object,
      ): Promise<string> => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, {
          method,
          headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        return response.text()
      }
      const keep = async (...request: Parameters<typeof send>): Promise<void> =>
        void answers.push(await send(...request))
      const bearer = { authorization: `Bearer ${token}` }
      const made = JSON.parse(await send('/api/svc/auth/keys', bearer, 'POST', { name: 'ci' })) as {
        key: string
        record: { id: string }
      }
      const { key, record } = made
      const exchanged = JSON.parse(await send('/api/svc/auth/exchange', { 'x-api-key': key }, 'POST')) as {
        access_token: string
      }
      const guess = createKeyText((length) => crypto.getRandomValues(new Uint8Array(length)), record.id).text
      const broken = `${token.slice(0, -3)}AAA`
      await keep('/nowhere', bearer)
      await keep('/nowhere', { 'x-api-key': key })
      await keep('/nowhere', { 'x-api-key': guess })
      await keep('/nowhere', { 'x-api-key': `${key}x` })
      await keep('/nowhere', { authorization: `Bearer ${broken}` })
      await keep('/nowhere', { authorization: `Bearer ${exchanged.access_token}` })
      await keep('/nowhere', { authorization: `Basic ${key}` })
      // A refused credential may be a valid one with a typing error, or one of another service.
      const foreign = 'sk-live-51H8zqKJ2eZvKYlo2C'
      await keep(`/nowhere/${foreign}?access_token=${foreign}`, { ...bearer, cookie: `session=${foreign}` })
      await keep('/nowhere', { authorization: `Bearer ${foreign}`, 'x-api-key': foreign })
      await keep('/api/svc/auth/exchange', { 'x-api-key': key }, 'POST', { api_key: guess })
      await keep('/api/svc/auth/exchange', {}, 'POST', { api_key: guess })
      await keep('/api/svc/auth/keys', bearer)
      await keep(`/api/svc/auth/keys/${record.id}`, bearer, 'DELETE')
      await keep('/nowhere', { authorization: `Bearer ${exchanged.access_token}` })
      assert.is((await service.stop()).code, 0)

      const all = `${service.out}\n${service.err}\n${answers.join('\n')}`
      const parts = [token, broken, exchanged.access_token].flatMap((text) => text.split('.').slice(1))
      // The first part of a key is its public name.
      const secrets = [SECRET, ...parts, key.slice(21), guess.slice(21), foreign, '$argon2']
      for (const secret of secrets) assert.not.ok(all.includes(secret), `${secret.slice(0, 12)}… was said`)
      assert.match(service.out, /API keys are kept in memory/)
      assert.ok(answers.length === 14 && answers.some((text) => text.includes('api_key_invalid')))
    })
}

test.run()
