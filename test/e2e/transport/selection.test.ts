/** Tests which server `server.transport` selects, and what the log says about the choice. */
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import { feature as nodeHttp } from '../../../plugins/transport/node-http/feature.ts'
import { feature as uws } from '../../../plugins/transport/uws/feature.ts'
import { addonFileAt, isKnownRight, versionAbove } from '../../../plugins/transport/uws/find-addon.ts'
import { addonOf } from './addon-of.ts'
import { type Rig, startRig } from './rig.ts'

const both = [nodeHttp, uws]
const test = suite('server.transport')
let rig: Rig | undefined
test.after.each(async () => {
  await rig?.stop()
  rig = undefined
})

/** Starts a service and returns the transport and the warnings that it logged. */
async function chosen(
  settings: Readonly<Record<string, unknown>>,
): Promise<{ transport: unknown; warnings: string[] }> {
  rig = await startRig(both, [], settings)
  const listening = rig.records.filter(({ message }) => message === 'Listening.')
  assert.is(listening.length, 1)
  assert.match(String(listening[0]!.fields!['address']), /^127\.0\.0\.1:\d+$/)
  await rig.dial('GET /health HTTP/1.1\r\nHost: a\r\n\r\n').until((text) => text.endsWith('{"status":"ok"}'))
  return {
    transport: listening[0]!.fields!['transport'],
    warnings: rig.records.filter(({ level }) => level === 'warn').map(({ fields }) => String(fields!['reason'])),
  }
}

test('auto with the bundled addon selects node:http, and so does node', async () => {
  assert.equal(await chosen({}), { transport: 'node', warnings: [] })
  await rig!.stop()
  assert.equal(await chosen({ transport: 'node' }), { transport: 'node', warnings: [] })
})

test('uws is selected if the setting asks for it', async () => {
  assert.equal(await chosen({ transport: 'uws' }), { transport: 'uws', warnings: [] })
})

test('the start fails if the loaded addon has another limit of request heads', async () => {
  await chosen({ transport: 'uws' })
  await rig!.stop()
  await startRig(both, [], { transport: 'uws', max_header_bytes: 8_192 }).then(
    async (started) => {
      await started.stop()
      assert.unreachable()
    },
    (error: unknown) => {
      assert.ok(isSvcError(error, 'ERR_UWS_UNAVAILABLE'), String(error))
      assert.match(error.message, /server\.max_header_bytes 16384/)
    },
  )
})

test('the start fails if uws is set and cannot be used', async () => {
  await startRig(both, [], { transport: 'uws', idle_timeout_ms: 5_000 }).then(
    async (started) => {
      await started.stop()
      assert.unreachable()
    },
    (error: unknown) => assert.ok(isSvcError(error, 'ERR_UWS_UNAVAILABLE'), String(error)),
  )
})

test('an addon of the user is found by its file or by its package folder, and has a version', () => {
  const folder = dirname(fileURLToPath(import.meta.resolve('uWebSockets.js')))
  const file = addonFileAt(join(folder, 'bin'))
  assert.match(file, /uws_\w+_\w+_\d+\.node$/)
  assert.is(addonFileAt(dirname(folder)), file)
  assert.is(addonFileAt(file), file)
  assert.match(String(versionAbove(file)), /^uws-pack@/)
  assert.throws(() => addonFileAt(join(folder, 'nothing.node')), /there is no /)
  assert.throws(() => addonFileAt(tmpdir()), /is not built for this Node or this platform/)
})

test('versions of the official package from 20.57 on are known to be right', () => {
  for (const version of ['uWebSockets.js@20.57.0', 'uWebSockets.js@20.60.1', '@btc-vision/uwebsockets.js@20.57.0'])
    assert.ok(isKnownRight(version), version)
  const others = [
    'uWebSockets.js@20.56.0',
    'uWebSockets.js@21.0.0',
    'uWebSockets.js@20.57.0-x',
    'uws-pack@20.99.0',
    '@x/y@20.57.0',
  ]
  for (const version of [...others, 'uWebSockets.js', '', null]) assert.not.ok(isKnownRight(version), String(version))
})

test('auto selects node:http with a logged reason if the addon is unusable or not known to be right', async () => {
  const right = addonOf('uWebSockets.js', '20.57.0')
  const cases: readonly [reason: RegExp, settings: Readonly<Record<string, unknown>>][] = [
    [/its version is uws-pack@20\.0\.8/, { uws_addon: addonOf('uws-pack', '20.0.8') }],
    [/its version is uWebSockets\.js@20\.56\.0/, { uws_addon: addonOf('uWebSockets.js', '20.56.0') }],
    [/there is no /, { uws_addon: `${right}x` }],
    [/trusted_proxies is set/, { uws_addon: right, trusted_proxies: ['10.0.0.1'] }],
    [/idle_timeout_ms fixed/, { uws_addon: right, idle_timeout_ms: 5_000 }],
  ]
  for (const [reason, settings] of cases) {
    const { transport, warnings } = await chosen(settings)
    assert.is(transport, 'node', String(reason))
    assert.is(warnings.length, 1)
    assert.match(warnings[0]!, reason)
    await rig!.stop()
  }
})

test('the start fails if another addon than the loaded one is set', async () => {
  await chosen({ transport: 'uws' })
  await rig!.stop()
  await startRig(both, [], { transport: 'uws', uws_addon: '/nowhere/uws.node' }).then(
    async (started) => {
      await started.stop()
      assert.unreachable()
    },
    (error: unknown) => assert.ok(isSvcError(error, 'ERR_UWS_UNAVAILABLE'), String(error)),
  )
})

test('no port is opened without the runtime surface', async () => {
  rig = await startRig(both, [], { mode: 'sync' })
  assert.not.ok(rig.records.some(({ message }) => message === 'Listening.'))
})

test('uws logs once what it parses less strictly', async () => {
  await chosen({ transport: 'uws' })
  const said = rig!.records.filter(({ message }) => /less strictly than node:http/.test(message))
  assert.is(said.length, 1)
  assert.match(String(said[0]!.fields!['version']), /^uws-pack@\d+\.\d+\.\d+$/)
})

test('uws behind a trusted proxy needs the setting that the proxy is strict', async () => {
  const proxied = { transport: 'uws', trusted_proxies: ['10.0.0.1'] }
  await startRig(both, [], proxied).then(
    async (started) => {
      await started.stop()
      assert.unreachable()
    },
    (error: unknown) => {
      assert.ok(isSvcError(error, 'ERR_SETTINGS_INVALID'), String(error))
      assert.match(error.message, /server\.transport: uWebSockets\.js/)
      assert.match(error.message, /server\.uws_behind_proxy=true/)
    },
  )
  assert.is((await chosen({ ...proxied, uws_behind_proxy: true })).transport, 'uws')
  await rig!.stop()
  assert.is((await chosen({ trusted_proxies: ['10.0.0.1'] })).transport, 'node')
})

test.run()
