/** The shipped program: its command line, its configuration file and its environment. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { distDir } from '../../scripts/build/paths.ts'
import { WAIT_MS } from '../runner/limit.ts'
import { startChild } from '../support/child.ts'
import { folderWith } from '../support/folder.ts'
import { skip } from '../support/skip.ts'

const test = suite('the program')
const SECRET = 'the very secret secret of the program test'

interface Outcome {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

for (const profile of ['minimal', 'server-full'] as const) {
  const program = join(distDir(profile), 'svc.mjs')
  if (!existsSync(program)) {
    skip(test, `${profile}: the program`, `${program} has not been built`)
    continue
  }
  const folder = folderWith({
    'latin.json': '',
    'broken.json': '{\n  "security": { "jwt_secret": "hunter2hunter2hunter2hunter2hunter2", }\n}',
    'word.json': 'hunter2hunter2',
    'bom.json': `\uFEFF{"server":{"port":"no port"}}`,
    'sync.json': '{"server":{"mode":"sync"}}',
    'nulls.json': `{"security":{"jwt_secret":"${SECRET}","jwt_issuer":null,"jwks_url":null}}`,
  })
  writeFileSync(join(folder, 'latin.json'), Buffer.from('{"server":{"host":"\xe9"}}', 'latin1'))
  const base = { HOME: folder, SVC_SERVER__PORT: '0', SVC_SECURITY__JWT_SECRET: SECRET, RUST_LOG: 'info' }
  const options = (
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): Parameters<typeof startChild>[1] => ({
    args: ['--disable-warning=ExperimentalWarning', program, ...args],
    env: { ...base, ...env },
    cwd: folder,
  })
  const run = async (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> => {
    const child = startChild(process.execPath, options(args, env))
    const timer = setTimeout(() => child.kill('SIGKILL'), WAIT_MS)
    const { code } = await child.exited
    clearTimeout(timer)
    return { code, out: child.out, err: child.err }
  }
  /** Starts the program as a service, waits until it listens, stops it, and returns its log. */
  const serve = async (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> => {
    const child = startChild(process.execPath, options(args, env))
    await child.waitFor(/Listening\./)
    const { code } = await child.stop()
    assert.is(code, 0, child.err)
    return child.out
  }

  test(`${profile}: with an unusable configuration file the program exits with 78 and shows none of its content`, async () => {
    const cases: readonly [file: string, says: RegExp][] = [
      ['none.json', /none\.json cannot be read: there is no such file/],
      ['.', /cannot be read: it is a folder/],
      ['latin.json', /latin\.json is not UTF-8/],
      ['broken.json', /broken\.json is not JSON/],
      ['word.json', /word\.json is not JSON/],
    ]
    for (const [file, says] of cases) {
      const { code, err } = await run(['--config', file])
      assert.is(code, 78, err)
      assert.match(err, says)
      assert.not.match(err, /hunter2|jwt_secret/)
    }
  })

  test(`${profile}: a byte order mark in the configuration file is ignored`, async () => {
    const { code, err } = await run(['--config', 'bom.json'], { SVC_SERVER__PORT: '1' })
    assert.is(code, 78)
    assert.match(err, /bom\.json: server\.port: expected an integer/)
  })

  test(`${profile}: null means not set, if not set is the default`, async () => {
    await serve(['--config', 'nulls.json', '--mode', 'runtime'])
  })

  test(`${profile}: the program warns of a variable with a typo or wrong underscores in the name of a setting`, async () => {
    const log = await serve(['--mode', 'runtime'], { SVC_SERVER_PORT: '1', SVC_SERVRE__PORT: '1', SVC_HOME: '/x' })
    assert.match(log, /SVC_SERVER_PORT: no such setting; did you mean SVC_SERVER__PORT\?/)
    assert.match(log, /SVC_SERVRE__PORT: no such setting; did you mean SVC_SERVER__PORT\?/)
    assert.not.match(log, /SVC_HOME/)
  })

  test(`${profile}: an invalid directive of a filter is reported once, even if the filter would hide the report`, async () => {
    const child = startChild(process.execPath, options(['--mode', 'runtime'], { RUST_LOG: '=,svc=loud' }))
    await child.waitFor(/RUST_LOG: skipped what is no directive/)
    await child.stop('SIGKILL')
    const strict = await serve(['--mode', 'all'], { RUST_LOG: 'info,svc::kernel=loud,svc::telemetry=error' })
    assert.is(strict.match(/RUST_LOG: skipped/g)?.length, 1)
  })

  test(`${profile}: commands accept --config too`, async () => {
    const { code, err } = await run(['token', '--sub', 'ada', '--config', 'bom.json'])
    assert.is(code, 78, err)
    assert.match(err, /bom\.json/)
    const given = await run(['token', '--config=nulls.json', '--sub', 'ada'], { SVC_SECURITY__JWT_SECRET: SECRET })
    assert.is(given.code, 0, given.err)
    assert.is((await run(['token', '--sub', 'ada', '--config'])).code, 64)
  })

  if (profile === 'minimal') {
    test('minimal: with a mode that serves nothing the program exits with 78 and names the profiles that have the mode', async () => {
      for (const [args, env] of [
        [['--mode', 'sync'], {}],
        [[], { SVC_SERVER__MODE: 'sync' }],
        [['--config', 'sync.json'], {}],
      ] as const) {
        const { code, err } = await run(args, env)
        assert.is(code, 78, err)
        assert.match(err, /minimal has no local sync API[\s\S]*server-full/)
      }
    })
  } else {
    test('server-full: an empty variable of OpenTelemetry counts as not set', async () => {
      await serve(['--mode', 'runtime'], { OTEL_SERVICE_NAME: '', OTEL_EXPORTER_OTLP_ENDPOINT: '' })
    })

    test('server-full: svc socket prints the socket on which the service listens, for any environment', async () => {
      for (const env of [{ XDG_RUNTIME_DIR: join(folder, 'run') }, { XDG_STATE_HOME: join(folder, 'state') }]) {
        const { out } = await run(['socket'], env)
        const child = startChild(process.execPath, options(['--mode', 'sync'], env))
        try {
          const [, socket] = await child.waitFor(/"socket":"([^"]+)"/)
          assert.is(out.trim(), socket)
        } finally {
          await child.stop()
        }
      }
    })

    test('server-full: the local surface alone starts without a secret for bearer tokens', async () => {
      const { SVC_SECURITY__JWT_SECRET: _, ...env } = base
      const start = (mode: string): ReturnType<typeof startChild> =>
        startChild(process.execPath, { ...options(['--mode', mode], {}), env })
      const child = start('sync')
      await child.waitFor(/"socket":"/)
      const { code } = await child.stop()
      assert.is(code, 0, child.err)
      assert.not.match(child.out, /bearer/)
      const refused = start('all')
      assert.is((await refused.exited).code, 78)
      assert.match(refused.err, /jwt_secret/i)
    })
  }
}

test.run()
