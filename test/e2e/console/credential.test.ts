/** The credential of the console: its sources, its renewal, and that no output contains it. */
import { chmodSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Manifest } from '../../../core/declare/manifest.ts'
import { folderWith } from '../../support/folder.ts'
import { commandsNotRun } from '../../support/page-commands/not-run.ts'
import { testUnless } from '../../support/skip.ts'
import type { TestNode } from '../kbd/node.ts'
import { unbuilt } from '../sync/shipped.ts'
import { createConsoleNode, startConsole, startConsoleProcess, startRecorder, type TestConsole } from './rig.ts'

const test = suite('svc console: credential')

let node: TestNode
let origin: string
test.before(async () => {
  if (unbuilt !== undefined) return
  node = await createConsoleNode()
  origin = await node.start()
})
test.after(async () => {
  if (unbuilt === undefined) await node.stop()
})

const RUNS = 'runtime/api/svc/runs'
const write = (name: string, text: string, mode = 0o600): string => {
  const file = join(node.folder, name)
  writeFileSync(file, text)
  chmodSync(file, mode)
  return file
}
const runtimeOf = async (shown: TestConsole): Promise<unknown> =>
  ((await shown.ask('console/session')).json() as { runtime: unknown }).runtime

testUnless(test, unbuilt, 'the console creates a token for the given user, tenant and scopes', async () => {
  const shown = await startConsole(node)
  assert.equal(await runtimeOf(shown), { origin, user: 'developer', tenant: null })
  await shown.stop()
  const ada = await startConsole(node, ['--sub', 'ada', '--tenant', 'acme', '--write'])
  assert.equal(await runtimeOf(ada), { origin, user: 'ada', tenant: 'acme' })
  const made = await ada.ask(RUNS, { method: 'POST', body: { run_id: 'of-ada', thread_id: 't' } })
  assert.is(made.status, 201)
  const other = await startConsole(node, ['--sub', 'ada'])
  assert.is((await other.ask(`${RUNS}/of-ada`)).status, 404, 'the tenant differs')
  await other.stop()
  await ada.stop()
})

testUnless(test, unbuilt, 'the console renews a created token before it expires', async () => {
  const folder = folderWith({ clock: '0' })
  const clock = join(folder, 'clock')
  const preload = join(folder, 'clock.mjs')
  writeFileSync(
    preload,
    `import { readFileSync } from 'node:fs'
const { now } = Date
Date.now = () => now() + Number(readFileSync(${JSON.stringify(clock)}, 'utf8'))
`,
  )
  const turned = await createConsoleNode({ NODE_OPTIONS: `--import=${preload}` })
  const at = await turned.start()
  const shown = await startConsole(turned)
  const token = await turned.svc('token', '--sub', 'developer')
  const direct = async (): Promise<number> =>
    (
      await fetch(`${at}/api/svc/runs`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).status
  assert.equal([(await shown.ask(RUNS)).status, await direct()], [200, 200])
  for (const minutes of [59.5, 61, 500]) {
    writeFileSync(`${clock}.part`, String(minutes * 60_000))
    renameSync(`${clock}.part`, clock)
    assert.is((await shown.ask(RUNS)).status, 200, `${minutes} minutes later`)
  }
  assert.is(await direct(), 401, 'the first token has expired')
  await shown.stop()
  await turned.stop()
})

testUnless(test, unbuilt, 'a token file is read again when the service refuses the token', async () => {
  const file = write('token', 'not-a-token')
  const shown = await startConsole(node, ['--token-file', file])
  assert.is((await shown.ask(RUNS)).status, 401)
  assert.equal(await runtimeOf(shown), { origin, user: null, tenant: null })
  write('token', `${await node.svc('token', '--sub', 'ada', '--tenant', 'acme')}\n`)
  assert.is((await shown.ask(RUNS)).status, 200)
  assert.equal(await runtimeOf(shown), { origin, user: 'ada', tenant: 'acme' })
  write('token', 'not-a-token')
  assert.is((await shown.ask(RUNS)).status, 200, 'the previous token is used as long as it works')
  await shown.stop()
})

testUnless(test, unbuilt, 'an API key in the token file is sent as an API key', async () => {
  const token = await node.svc('token', '--sub', 'ada')
  const made = await fetch(`${origin}/api/svc/auth/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"name":"console"}',
  })
  const { key } = (await made.json()) as { key: string }
  const shown = await startConsole(node, ['--token-file', write('key', key)])
  assert.is((await shown.ask(RUNS)).status, 200)
  assert.not.ok(`${shown.child.out}${shown.child.err}`.includes(key))
  await shown.stop()
})

testUnless(test, unbuilt, 'a token file that other users can access is not used', async () => {
  const good = write('good', 'token')
  const link = join(node.folder, 'link')
  symlinkSync(good, link)
  const files = [
    ...[0o644, 0o640, 0o604, 0o620, 0o660, 0o700].map((mode) => write(`mode-${mode.toString(8)}`, 'token', mode)),
    link,
    node.folder,
    write('empty', ''),
    write('lines', 'one\r\nx-other: two'),
    write('long', 'x'.repeat(5_000)),
    join(node.folder, 'nowhere'),
  ]
  const tried = files.map(async (file) => {
    const child = startConsoleProcess(node, ['--token-file', file])
    assert.is((await child.exited).code, 1, file)
    assert.is(child.out, '')
    assert.match(child.err, /must be a regular file of this user with mode 0600/)
  })
  await Promise.all(tried)
})

testUnless(
  test,
  unbuilt,
  'without a usable secret the console explains why there is no runtime surface and how to get one',
  async () => {
    const cases: readonly (readonly [Record<string, string>, string])[] = [
      [{ SVC_SECURITY__JWT_SECRET: 'too-short' }, 'secret_unusable'],
      [{ SVC_SECURITY__JWKS_URL: 'https://issuer.example/keys' }, 'issuer_elsewhere'],
      [{ SVC_SERVER__PORT: '0' }, 'runtime_away'],
      [{ SVC_SERVER__HOST: 'svc.example' }, 'runtime_away'],
    ]
    for (const [env, code] of cases) {
      const shown = await startConsole(node, [], { env })
      const session = (await shown.ask('console/session')).json() as Record<string, unknown>
      assert.is(session['runtime'], null)
      const { code: refusalCode, hint } = session['runtimeRefusal'] as { code: string; hint: string }
      assert.is(refusalCode, code)
      assert.match(hint, /svc console .*--token-file/)
      const views = session['views'] as string[]
      assert.not.ok(views.includes('runs') || views.includes('live') || views.includes('keys'), String(views))
      assert.ok(views.includes('boards') && views.includes('peers'))
      const answer = await shown.ask('runtime/readyz')
      assert.equal([answer.status, answer.json().error?.code], [502, code])
      assert.is((await shown.ask('local/ready')).status, 200)
      await shown.stop()
    }
    const shown = await startConsole(node, [], {
      env: { SVC_SECURITY__JWT_REQUIRED: 'false', SVC_SECURITY__JWKS_URL: 'https://issuer.example/keys' },
    })
    assert.equal(await runtimeOf(shown), { origin, user: null, tenant: null }, 'the service takes anonymous requests')
    await shown.stop()
  },
)

testUnless(
  test,
  unbuilt,
  'with a remote runtime surface the console shows only its views, and has no local surface',
  async () => {
    const file = write('elsewhere', await node.svc('token', '--sub', 'ada'))
    const [line] = commandsNotRun('docs/console.md', 'svc console --url') as [string]
    const words = line.replace('https://svc.example', origin).replace('token.txt', file).split(' ')
    const shown = await startConsole(node, words.slice(2))
    const session = (await shown.ask('console/session')).json() as Record<string, unknown>
    assert.equal(session['views'], ['overview', 'runs', 'live', 'keys'])
    const { version, commit } = JSON.parse(await node.svc('build-info', '--json')) as Manifest
    const told = { version, profile: 'server-full', commit, isSame: null, features: null }
    assert.equal([session['local'], session['service']], [null, told])
    assert.equal(session['runtime'], { origin, user: 'ada', tenant: null })
    assert.is((await shown.ask(RUNS)).status, 200)
    for (const [path, code] of [
      ['local/ready', 'no_local_surface'],
      ['console/devices', 'no_own_store'],
      ['console/store', 'no_own_store'],
    ] as const)
      assert.equal([(await shown.ask(path)).status, (await shown.ask(path)).json().error?.code], [404, code])
    await shown.stop()
    const recorder = await startRecorder()
    const everything = await startConsole(node, ['--url', recorder.origin, '--token-file', file])
    const { views } = (await everything.ask('console/session')).json() as { views: string[] }
    assert.equal(views, ['overview', 'runs', 'live', 'keys', 'api'])
    await recorder.close()
    const away = (await everything.ask('console/session')).json() as { views: string[] }
    assert.equal(away.views, views, 'while it does not answer nothing is left out')
    await everything.stop()
  },
)

testUnless(test, unbuilt, 'wrong usage is reported before anything is opened', async () => {
  const file = write('usage', 'token')
  const wrong: readonly (readonly string[])[] = [
    ['--url', 'http://svc.example', '--token-file', file],
    ['--url', 'https://user@svc.example', '--token-file', file],
    ['--url', 'https://svc.example/path', '--token-file', file],
    ['--url', 'https://svc.example/#x', '--token-file', file],
    ['--url', 'ftp://127.0.0.1', '--token-file', file],
    ['--url', 'https://svc.example'],
    ['--url', 'https://svc.example', '--token-file', file, '--write', '--key', file],
    ['--token-file', file, '--sub', 'ada'],
    ['--key', file],
    ['--port', '65536'],
    ['--port', 'x'],
    ['--sub', ''],
    ['now'],
  ]
  const tried = wrong.map(async (args) => {
    const child = startConsoleProcess(node, args)
    assert.is((await child.exited).code, 64, args.join(' '))
    assert.is(child.out, '')
  })
  await Promise.all(tried)
})

testUnless(test, unbuilt, 'a used port ends the console with a message', async () => {
  const shown = await startConsole(node)
  const child = startConsoleProcess(node, ['--port', String(shown.port)])
  assert.is((await child.exited).code, 1)
  assert.match(child.err, /EADDRINUSE/)
  await shown.stop()
})

testUnless(test, unbuilt, 'no output, log or answer of the console contains a secret', async () => {
  await node.svc('device', 'keygen', '--out', 'secret.key')
  const token = await node.svc('token', '--sub', 'ada')
  const file = write('secret-token', token)
  const pem = readFileSync(join(node.folder, 'secret.key'), 'utf8').split('\n')[1]!
  const secrets = [node.env['SVC_SECURITY__JWT_SECRET']!, token, pem]
  const outputs: string[] = []
  for (const args of [
    ['--write', '--key', 'secret.key'],
    ['--token-file', file, '--write'],
    ['--url', 'https://127.0.0.1:1', '--token-file', file],
  ]) {
    const shown = await startConsole(node, args)
    const asks = [
      '',
      'app.js',
      'console/session',
      'console/devices',
      'console/store',
      'console/builds',
      'runtime/nothing',
      'local/nothing',
      'runtime/readyz',
    ]
    for (const path of asks) {
      const { headers, text } = await shown.ask(path)
      outputs.push(JSON.stringify(headers), text)
    }
    for (const path of ['console/sign', 'console/devices', 'local/nothing'])
      outputs.push((await shown.ask(path, { method: 'POST', body: { project: 7 } })).text)
    await shown.stop()
    outputs.push(shown.child.out, shown.child.err)
    secrets.push(shown.cookie.split('=')[1]!)
    assert.equal(shown.child.err.match(/at .*\.mjs/g), null, 'no stack trace is printed')
  }
  const all = outputs.join('\n')
  assert.ok(all.length > 10_000)
  for (const secret of secrets) assert.not.ok(all.includes(secret))
})

test.run()
