/** SIGHUP to the shipped program: settings that change without a restart, settings that do not, and invalid files. */
import { existsSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { freePort } from '../../../scripts/free-port.ts'
import { until } from '../../../scripts/until.ts'
import { type Child, startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { testUnless } from '../../support/skip.ts'
import { hasProgram } from '../../unit/telemetry/programs.ts'
import { createIssuerKey, serveKeys, startKeyEndpoint } from '../auth/key-endpoint.ts'
import { shippedProgram as program, unbuilt } from '../telemetry/built-service.ts'

const SECRET = 'reload-secret-of-at-least-32-bytes!!!!'
const PEER = '207a067892821e25d770f1fba0c47c11ff4b813e54162ece9eb839e076231ab6'
const FORMER = '4cb5abf6ad79fbf5abbccafcc269d85cd2651ed4b885b5869f241aedf0a5ba29'

/** The line that a reload writes. */
const SAID = /"message":"The settings were (?:not )?read again/

interface Rig {
  readonly folder: string
  readonly port: number
  readonly service: Child
  /** Writes the file and sends the signal. Resolves with the log line that reports the result. */
  reload(config: unknown): Promise<Record<string, unknown>>
  /** Status of a request to the runtime surface. */
  status(path: string, token?: string): Promise<number>
  /** The endpoint ids of the peers of the running node. */
  peers(): Promise<readonly string[]>
}

async function start(config: object, more: NodeJS.ProcessEnv = {}): Promise<Rig> {
  const folder = folderWith({ 'config.json': JSON.stringify(config) })
  const port = await freePort()
  const env = {
    HOME: folder,
    XDG_RUNTIME_DIR: folder,
    SVC_SERVER__PORT: String(port),
    SVC_SECURITY__JWT_SECRET: SECRET,
    ...more,
  }
  const service = startChild(process.execPath, { args: [program, '--config', 'config.json'], env, cwd: folder })
  await service.waitFor(/"socket":/)
  let seen = 0
  const ask = (options: object, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const sent = request({ ...options, headers, agent: false }, (reply) => {
        let text = ''
        reply.setEncoding('utf8').on('data', (piece: string) => (text += piece))
        reply.once('end', () => resolve({ status: reply.statusCode!, text }))
      })
      sent.once('error', reject).end()
    })
  return {
    folder,
    port,
    service,
    async reload(next) {
      writeFileSync(join(folder, 'config.json'), typeof next === 'string' ? next : JSON.stringify(next))
      process.kill(service.pid, 'SIGHUP')
      const lines = (): string[] =>
        service.out
          .split('\n')
          .slice(0, -1)
          .filter((line) => SAID.test(line))
      await until('the reload is logged', () => lines().length > seen, 60_000)
      assert.is(lines().length, ++seen, 'one line for each signal')
      return JSON.parse(lines().at(-1)!) as Record<string, unknown>
    },
    status: async (path, token) =>
      (await ask({ host: '127.0.0.1', port, path }, token === undefined ? {} : { authorization: `Bearer ${token}` }))
        .status,
    async peers() {
      const { status, text } = await ask({ socketPath: join(folder, 'svc', 'sync.sock'), path: '/api/v1/peers' })
      assert.is(status, 200, text)
      return (JSON.parse(text) as { peers: { endpointId: string }[] }).peers.map(({ endpointId }) => endpointId)
    },
  }
}

testUnless(
  test,
  unbuilt,
  'the log filter and the peers of the file apply at once; other settings need a restart',
  async () => {
    const rig = await start({ peer: { peers: [{ endpointId: FORMER }] } })
    assert.equal(await rig.peers(), [FORMER])
    await rig.service.waitFor(/GET \/api\/v1\/peers 200/)

    const line = await rig.reload({
      logs: { filter: 'warn' },
      peer: { peers: [{ endpointId: PEER }] },
      server: { cors_origins: ['https://a.example'] },
    })
    assert.equal(line['changed'], ['logs.filter', 'peer.peers'])
    assert.equal(line['restart'], ['server.cors_origins'])
    assert.equal(await rig.peers(), [PEER])
    assert.is(await rig.status('/health'), 200)

    // At the next signal the restart is still needed. The filter has hidden the requests in between.
    const again = await rig.reload({ logs: { filter: 'info' }, server: { cors_origins: ['https://a.example'] } })
    assert.equal([again['changed'], again['restart']], [['logs.filter', 'peer.peers'], ['server.cors_origins']])
    assert.equal(await rig.peers(), [])
    await rig.service.waitFor(/GET \/api\/v1\/peers 200[\s\S]*GET \/api\/v1\/peers 200/)
    assert.is(rig.service.out.match(/GET \/api\/v1\/peers 200/g)?.length, 2)
    assert.not.match(rig.service.out, 'GET /health 200')

    assert.is(
      (await rig.reload({ logs: { filter: 'info' } }))['message'],
      'The settings were read again; none has changed.',
    )
    assert.is((await rig.service.stop()).code, 0)
  },
)

testUnless(
  test,
  unbuilt,
  'an invalid file changes no value, and the log explains why without quoting the file',
  async () => {
    const rig = await start({ peer: { peers: [{ endpointId: PEER }] } })
    for (const [config, reason] of [
      [`{"security": {"jwt_secret": "${SECRET}", }`, /--config config\.json is not JSON/],
      [{ peer: { peers: [] }, logs: { filter: 7 } }, /config\.json: logs\.filter: expected a text/],
      [{ peer: { peers: [] }, peers: 1 }, /config\.json: peers: no such setting/],
      [{ peer: { peers: [] }, security: { jwks_url: 'http://issuer.example/keys' } }, /plain http to another host/],
    ] as const) {
      const line = await rig.reload(config)
      assert.is(line['message'], 'The settings were not read again; all keep their values.')
      assert.is(line['level'], 'ERROR')
      assert.match(String(line['reason']), reason)
      assert.equal(await rig.peers(), [PEER])
    }
    assert.not.match(rig.service.out, SECRET)
    assert.is((await rig.service.stop()).code, 0)
  },
)

testUnless(
  test,
  unbuilt,
  'the key set is fetched again, and another URL replaces the previous one at once',
  async () => {
    const [one, two, three] = [createIssuerKey('one'), createIssuerKey('two'), createIssuerKey('three')]
    const claims = { sub: 'ada', exp: Math.floor(Date.now() / 1000) + 600 }
    const [first, second] = [await startKeyEndpoint(serveKeys(one)), await startKeyEndpoint(serveKeys(three))]
    const rig = await start({ security: { jwks_url: first.url } })
    // A valid token gets 404 for an unknown path.
    assert.is(await rig.status('/none', one.token(claims)), 404)

    first.behave(serveKeys(two))
    await rig.reload({ security: { jwks_url: first.url } })
    await until('the key is known', async () => (await rig.status('/none', two.token(claims))) === 404, 60_000)
    assert.is(await rig.status('/none', one.token(claims)), 401, 'a key that was withdrawn')

    first.behave((_, response) => void response.writeHead(500).end())
    await rig.reload({ security: { jwks_url: first.url } })
    await rig.service.waitFor(/The JWKS could not be read/)
    assert.is(await rig.status('/none', two.token(claims)), 404, 'the old keys stay')

    const line = await rig.reload({ security: { jwks_url: second.url } })
    assert.equal(line['changed'], ['security.jwks_url'])
    assert.is(await rig.status('/none', two.token(claims)), 401, 'a token of the former issuer')
    assert.is(await rig.status('/none', three.token(claims)), 404)

    assert.equal((await rig.reload({}))['changed'], ['security.jwks_url'])
    assert.is(await rig.status('/none', three.token(claims)), 401, 'without a JWKS the secret counts')
    const svc = startChild(process.execPath, {
      args: [program, 'token', '--sub', 'ada'],
      env: { HOME: rig.folder, SVC_SECURITY__JWT_SECRET: SECRET },
    })
    await svc.exited
    assert.is(await rig.status('/none', svc.out.trim()), 404)
    await rig.service.stop()
    await first.stop()
    await second.stop()
  },
)

testUnless(test, unbuilt, 'settings that are valid together only after a restart change nothing', async () => {
  const issuer = await startKeyEndpoint(serveKeys(createIssuerKey('one')))
  const config = { security: { jwks_url: issuer.url } }
  const rig = await start(config, { SVC_SECURITY__JWT_SECRET: undefined })
  const line = await rig.reload({ security: { jwt_secret: SECRET }, logs: { filter: 'off' } })
  assert.match(String(line['reason']), /need a restart, since security\.jwt_secret cannot change before/)
  assert.is((await rig.reload(config))['message'], 'The settings were read again; none has changed.')
  await rig.service.stop()
  await issuer.stop()
})

testUnless(
  test,
  unbuilt ?? (hasProgram('script') ? undefined : 'script(1) is not installed'),
  'a service whose terminal is closed stops',
  async () => {
    const folder = folderWith()
    const env = { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder, SVC_STORAGE__DIR: join(folder, 'state') }
    const own = { SVC_SERVER__PORT: String(await freePort()), SVC_SECURITY__JWT_SECRET: SECRET }
    const log = join(folder, 'log')
    const command = `echo pid $$; exec '${process.execPath}' '${program}'`
    const terminal = startChild('script', { args: ['-qfec', command, log], env: { ...env, ...own } })
    const pid = Number((await terminal.waitFor(/pid (\d+)/))[1])
    await terminal.waitFor(/sync\.sock/)
    process.kill(pid, 'SIGHUP')
    await terminal.waitFor(/read again; none has changed/)
    terminal.kill('SIGKILL')
    await until('the process has ended', () => !existsSync(`/proc/${pid}`), 60_000)
  },
)

test.run()
