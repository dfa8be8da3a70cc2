/** The commands that every program has, run with the shipped program. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { distDir } from '../../../scripts/build/paths.ts'
import { startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { skip } from '../../support/skip.ts'
import { hasProgram } from '../../unit/telemetry/programs.ts'

const SECRET = 'the very secret secret of the command test'

interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

for (const profile of ['minimal', 'server-full']) {
  const program = join(distDir(profile), 'svc.mjs')
  if (!existsSync(program)) {
    skip(test, `${profile}: commands`, `${program} has not been built`)
    continue
  }
  const folder = folderWith({ 'good.json': JSON.stringify({ server: { port: 8123 } }), 'bad.json': '{"server": 1}' })
  const base = { HOME: folder, XDG_STATE_HOME: folder, XDG_RUNTIME_DIR: folder, NO_COLOR: '1' }
  const env = { ...base, SVC_SECURITY__JWT_SECRET: SECRET }
  const run = async (args: readonly string[], environment: NodeJS.ProcessEnv = env): Promise<Ran> => {
    const child = startChild(process.execPath, { args: [program, ...args], env: environment, cwd: folder })
    const { code } = await child.exited
    return { code, out: child.out, err: child.err }
  }

  test(`${profile}: an argument that is not UTF-8 is wrong usage`, () => {
    // A shell, because arguments that Node passes are always UTF-8.
    const line = 'exec "$0" "$1" print-config --config "$(printf "a\\377")"'
    const { status, stderr } = spawnSync('sh', ['-c', line, process.execPath, program], { env, encoding: 'utf8' })
    assert.is(status, 64, stderr)
    assert.match(stderr, 'svc: An argument is not UTF-8.')
  })

  if (existsSync('/dev/full'))
    test(`${profile}: output that cannot be written ends with 1 and a sentence`, () => {
      for (const args of [['--help'], ['build-info'], ['print-config']]) {
        const { status, stderr } = spawnSync(
          'sh',
          ['-c', 'exec "$0" "$@" > /dev/full', process.execPath, program, ...args],
          {
            env,
            encoding: 'utf8',
          },
        )
        assert.is(status, 1, stderr)
        assert.match(stderr, 'svc: The output cannot be written (ENOSPC).')
      }
    })
  else skip(test, `${profile}: output that cannot be written`, 'there is no /dev/full')

  test(`${profile}: check-config confirms valid settings or reports all errors, and opens nothing`, async () => {
    const right = await run(['check-config', '--config', 'good.json'])
    assert.is(right.code, 0, right.err)
    assert.match(right.out, /^The settings are right\. 2 settings are set;/)
    const wrong = await run(['check-config', '--config', 'good.json'], {
      ...base,
      SVC_SECURITY__JWT_SECRET: 'too short',
      SVC_SECURITY__JWKS_URL: 'http://issuer.example/keys',
      SVC_SERVER__PORT: 'x',
      SVC_SERVER__HOTS: 'a',
    })
    assert.is(wrong.code, 78)
    assert.is(wrong.out, '')
    // With a JWKS the secret is not used, so its error is not reported.
    assert.match(wrong.err, /^svc: 2 settings are invalid:/)
    assert.match(wrong.err, 'SVC_SERVER__PORT: expected an integer from 0 to 65535')
    assert.match(wrong.err, 'SVC_SECURITY__JWKS_URL: plain http to another host')
    assert.match(wrong.err, 'SVC_SERVER__HOTS: no such setting; did you mean SVC_SERVER__HOST? (ignored)')
    const short = await run(['check-config'], { ...base, SVC_SECURITY__JWT_SECRET: 'too short', SVC_SERVER__PORT: 'x' })
    assert.match(short.err, /^svc: 2 settings are invalid:[\s\S]*shorter than the 32 bytes/)
    assert.not.match(short.err, 'too short')
    assert.is((await run(['check-config', '--nope'])).code, 64)
  })

  test(`${profile}: print-config shows values with their sources, and no secret`, async () => {
    const args = ['print-config', '--config', 'good.json', '--json']
    const all = await run(args, { ...env, SVC_SERVER__HOST: '127.0.0.1', RUST_LOG: 'warn' })
    assert.is(all.code, 0, all.err)
    const settings = JSON.parse(all.out) as Record<string, { value: unknown; source: string }>
    assert.equal(settings['server.port'], { value: 8123, source: 'good.json: server.port' })
    assert.equal(settings['server.host'], { value: '127.0.0.1', source: 'SVC_SERVER__HOST' })
    assert.equal(settings['logs.filter'], { value: 'warn', source: 'RUST_LOG', reload: true })
    assert.equal(settings['security.jwt_secret'], {
      ...{ value: '[redacted]', source: 'SVC_SECURITY__JWT_SECRET', reload: 'contents' },
    })
    assert.equal(settings['server.max_body_bytes'], { value: 1_048_576, source: 'default' })
    assert.is(settings['sync.socket_path'] !== undefined, profile === 'server-full')
    const few = await run(['print-config', '--set'])
    assert.is(few.out, 'security.jwt_secret  "[redacted]"  SVC_SECURITY__JWT_SECRET  SIGHUP (contents)\n')
    assert.not.match(all.out + few.out, SECRET)
  })

  test(`${profile}: config diff shows what differs from the defaults, and no secret`, async () => {
    const some = await run(['config', 'diff', '--config', 'good.json'], { ...env, SVC_SERVER__HOST: '127.0.0.1' })
    assert.is(some.code, 0, some.err)
    assert.match(some.out, 'server.port: 8080 → 8123  (good.json: server.port)\n')
    assert.match(some.out, 'security.jwt_secret: null → "[redacted]"  (SVC_SECURITY__JWT_SECRET)  SIGHUP (contents)\n')
    const files =
      profile === 'server-full' ? { SVC_SERVER__TLS__CERT: '/tls.crt', SVC_SERVER__TLS__KEY: '/tls.key' } : {}
    const marked = await run(['config', 'diff'], { ...env, ...files, SVC_LOGS__FILTER: 'warn' })
    assert.match(marked.out, 'logs.filter: "info,svc=debug" → "warn"  (SVC_LOGS__FILTER)  SIGHUP\n')
    for (const [name, file] of Object.entries(files))
      assert.match(marked.out, `: null → "${file}"  (${name})  SIGHUP (contents)\n`)
    assert.not.match(some.out, 'server.host', 'a setting that is set to its default does not differ')
    const json = JSON.parse((await run(['config', 'diff', '--config', 'good.json', '--json'])).out) as object
    assert.equal(Reflect.get(json, 'server.port'), { from: 8080, to: 8123, source: 'good.json: server.port' })
    const wrong = await run(['config', 'difference'])
    assert.is(wrong.code, 64)
    assert.match(wrong.err, /no "svc config difference"/)
    assert.not.match(some.out + wrong.err, SECRET)
  })

  test(`${profile}: health distinguishes a ready service, a service that is not ready, and no service`, async () => {
    let ready = true
    const probed: string[] = []
    const service = createServer((request, response) => {
      probed.push(request.url!)
      response.writeHead(ready ? 200 : 503, { 'content-type': 'application/json' }).end('{"status":"as it is"}')
    })
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
    const { port } = service.address() as AddressInfo
    const at = { ...env, SVC_SERVER__PORT: String(port), SVC_SERVER__HOST: '0.0.0.0' }
    assert.equal(await run(['health'], at), { code: 0, out: '{"status":"as it is"}\n', err: '' })
    assert.is((await run(['health', '--live', '--address', `127.0.0.1:${port}`])).code, 0)
    ready = false
    assert.equal(await run(['health'], at), { code: 1, out: '', err: '{"status":"as it is"}\n' })
    assert.equal(probed, ['/readyz', '/health', '/readyz'])
    await new Promise((resolve) => service.close(resolve))
    const gone = await run(['health'], at)
    assert.is(gone.code, 1)
    assert.match(gone.err, /^No answer from 127\.0\.0\.1:\d+: /)
    assert.match((await run(['health'], { ...env, SVC_SERVER__PORT: '0' })).err, /server\.port is 0[\s\S]*--address/)
    assert.is((await run(['health', '--address', 'nowhere'])).code, 64)
    assert.is((await run(['health', '--local'])).code, profile === 'server-full' ? 1 : 64)
  })

  test(`${profile}: completion scripts run in their shells and name every command`, async () => {
    const names = [...(await run(['--help'])).out.matchAll(/^ {2}([a-z][a-z-]+) {2}/gm)].map(([, name]) => name!)
    assert.ok(names.includes('health') && names.includes('completion'))
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, out, err } = await run(['completion', shell])
      assert.is(code, 0, err)
      for (const name of names) assert.match(out, name)
    }
    assert.is((await run(['completion', 'tcsh'])).code, 64)
    if (!hasProgram('bash')) return
    const { out } = await run(['completion', 'bash'])
    const ask = `${out}\nCOMP_WORDS=(svc print-config --); COMP_CWORD=2; _svc; echo "\${COMPREPLY[@]}"`
    const bash = startChild('bash', { args: ['-c', ask] })
    assert.is((await bash.exited).code, 0, bash.err)
    assert.match(bash.out, '--json --set')
  })
}

test.run()
