/** The single executables, run from another folder with an empty environment. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { suite, type Test } from 'uvu'
import * as assert from 'uvu/assert'
import { nativeBinaries } from '../../scripts/binary/native-binaries.ts'
import { host } from '../../scripts/binary/node-runtime.ts'
import { distDir } from '../../scripts/build/paths.ts'
import { plan } from '../../scripts/build/plan/plan.ts'
import { readDist } from '../../scripts/toolkit/open-dist.ts'
import { sbomOfDist } from '../../scripts/toolkit/sbom/sbom.ts'
import { startChild } from '../support/child.ts'
import { folderWith } from '../support/folder.ts'
import { skip } from '../support/skip.ts'
import { nowhere } from './cluster/nowhere.ts'

interface BuildInfo {
  readonly profile: string
  readonly executable: boolean
  readonly codeCache?: string
  readonly features: readonly { readonly id: string }[]
  readonly plugins: readonly { readonly name: string }[]
  readonly bundleSha256: string
  readonly binaries: readonly { readonly name: string; readonly sha256: string | null; readonly note?: string }[]
}

/**
 * The settings that a program needs to start, in addition to a secret. A program with additional settings has no code
 * cache.
 */
const needs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'server-full': {},
  minimal: {},
  'server-cluster': nowhere,
}
const LISTENING = /Listening\.[\s\S]*?127\.0\.0\.1:(\d+)/

for (const profile of Object.keys(needs)) {
  const test = suite(`executable of ${profile}`)
  const file = join(distDir(profile), process.platform === 'win32' ? 'svc.exe' : 'svc')
  if (existsSync(file)) addTests(test, profile, file)
  else skip(test, `executable of ${profile}`, `make binary PROFILE=${profile} has not been run`)
  test.run()
}

function addTests(test: Test, profile: string, file: string): void {
  const away = folderWith()
  const run = async (...args: string[]): Promise<{ code: number | null; out: string; err: string }> => {
    const child = startChild(file, { args, cwd: away, env: {} })
    const { code } = await child.exited
    return { code, out: child.out, err: child.err }
  }
  const manifests = JSON.parse(readFileSync(join(distDir(profile), 'manifest.json'), 'utf8')) as Record<
    string,
    BuildInfo
  >

  test('code from text does not run in the executable, also if it is preloaded', async () => {
    const folder = folderWith({
      'tries.cjs': `for (const run of [() => eval('1'), () => new Function('return 1')()])
  try { console.error('ran', run()) } catch (error) { console.error(error.name) }`,
    })
    const child = startChild(file, {
      args: ['--version'],
      cwd: away,
      env: { NODE_OPTIONS: `--require=${join(folder, 'tries.cjs')}` },
    })
    assert.is((await child.exited).code, 0)
    assert.is(child.err, 'EvalError\nEvalError\n')
  })

  test('code from text does not run in the threads of the executable', async () => {
    const tries = `const { parentPort } = require('node:worker_threads')
try { parentPort.postMessage('ran ' + eval('1')) } catch (error) { parentPort.postMessage(error.name) }`
    const hook = `const { Server } = require('node:net')
const { Worker } = require('node:worker_threads')
const { emit } = Server.prototype
Server.prototype.emit = function (event, ...rest) {
  if (event === 'request') new Worker(${JSON.stringify(tries)}, { eval: true }).on('message', (said) => console.error('THREAD', said))
  return emit.call(this, event, ...rest)
}`
    const home = folderWith({ 'hook.cjs': hook })
    const env = { SVC_SERVER__PORT: '0', SVC_SECURITY__JWT_SECRET: 's'.repeat(48), HOME: home, ...needs[profile] }
    const child = startChild(file, {
      cwd: away,
      env: { ...env, NODE_OPTIONS: `--require=${join(home, 'hook.cjs')}` },
    })
    const [, port] = await child.waitFor(LISTENING)
    assert.is(await statusOf(Number(port)), 200)
    await child.waitFor(/THREAD EvalError/)
    await child.stop()
  })

  test('the executable starts without bindings, under the permission model of Node', async () => {
    const child = startChild(file, {
      args: ['--version'],
      cwd: away,
      env: { NODE_OPTIONS: '--permission --allow-fs-read=*' },
    })
    assert.equal({ ...(await child.exited), out: child.out }, { code: 0, signal: null, out: '0.1.0\n' })
    assert.not.match(child.err, 'DEP0111')
  })

  test('the executable contains its SBOM, which equals the SBOM that is created from its folder', async () => {
    const { code, out } = await run('build-info', '--sbom')
    assert.is(code, 0)
    assert.is(out, `${JSON.stringify(sbomOfDist(readDist(distDir(profile)), 'svc'), null, 2)}\n`)
    assert.match(out, '"purl": "pkg:github/nodejs/node@v')
  })

  test('build-info prints the same data as the manifest', async () => {
    const { code, out } = await run('build-info', '--json')
    assert.is(code, 0)
    const info = JSON.parse(out) as BuildInfo
    assert.is(info.executable, true)
    assert.is(info.profile, profile)
    assert.match(info.bundleSha256, /^[0-9a-f]{64}$/)
    for (const key of ['features', 'plugins', 'bundleSha256', 'binaries'] as const) {
      assert.equal(info[key], manifests['svc']![key])
    }
    // V8 uses a code cache only with the same Node, flags and text. Otherwise V8 ignores the cache silently.
    const codeCache = needs[profile] === nowhere ? 'none' : 'used'
    assert.is(info.codeCache, codeCache)
    const text = await run('build-info')
    assert.is(/^code cache (.*)$/m.exec(text.out)?.[1], codeCache)
    for (const { name, sha256, note } of info.binaries) assert.match(text.out, `binary ${name} ${sha256 ?? note}`)
  })

  test('the executable contains every native addon of its features, or a note with the reason', async () => {
    const target = (await plan(profile)).targets.find(({ form }) => form === 'main')!
    const expected = nativeBinaries(target, host, process.versions.modules)
    const { binaries } = manifests['svc']!
    assert.equal(
      binaries,
      expected.map(({ shown }) => shown),
    )
    for (const { name, sha256, note } of binaries) assert.ok(sha256 !== null || (note ?? '').length > 10, name)
    for (const { file: source, shown } of expected) {
      if (source === undefined) continue
      assert.is(createHash('sha256').update(readFileSync(source)).digest('hex'), shown.sha256)
    }
  })

  if (profile === 'server-full')
    test('the executable exports traces, which need built-in modules of Node by import', async () => {
      const collector = createServer((incoming, answer) => {
        incoming.resume().once('end', () => answer.end())
        paths.push(incoming.url!)
      })
      const paths: string[] = []
      await new Promise<void>((listening) => collector.listen(0, '127.0.0.1', listening))
      const { port: at } = collector.address() as AddressInfo
      const env = { SVC_SERVER__PORT: '0', SVC_SECURITY__JWT_SECRET: 's'.repeat(48), HOME: folderWith() }
      const child = startChild(file, {
        cwd: away,
        env: { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${at}` },
      })
      const [, port] = await child.waitFor(/"address":"127\.0\.0\.1:(\d+)"/)
      assert.is(await statusOf(Number(port), '/api/live'), 401)
      await child.stop()
      collector.close()
      assert.ok(paths.includes('/v1/traces'), child.err)
    })

  test('the executable serves requests and stops cleanly', async () => {
    const home = folderWith()
    const temporary = folderWith()
    const env = {
      SVC_SERVER__PORT: '0',
      SVC_SECURITY__JWT_SECRET: 's'.repeat(48),
      HOME: home,
      TMPDIR: temporary,
      ...needs[profile],
    }
    const child = startChild(file, { cwd: away, env })
    const [, port] = await child.waitFor(LISTENING)
    assert.is(await statusOf(Number(port)), 200)
    assert.equal(await child.stop(), { code: 0, signal: null }, child.out + child.err)
    assert.is(child.err, '')
    assert.equal(readdirSync(temporary), [], 'the unpacked addons are deleted')
  })
}

function statusOf(port: number, path = '/health'): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode!))
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}
