/** The files of the library of minimal: when each is loaded, what happens if one is missing, and the single file. */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../core/declare/errors.ts'
import { distDir } from '../../scripts/build/paths.ts'
import type { ProofFile } from '../../scripts/build/prove/dist.ts'
import { startChild } from '../support/child.ts'
import { folderWith } from '../support/folder.ts'
import { skip } from '../support/skip.ts'

const test = suite('files of a library')
const dist = distDir('minimal')

/** A host that creates a key, and prints the answers and the log. */
const host = `
const [file, prepare = ''] = process.argv.slice(2)
if (prepare === 'no-wasm') {
  // The fetch of Node compiles WebAssembly too, and does not catch the rejection.
  process.on('unhandledRejection', () => undefined)
  WebAssembly.compile = () => Promise.reject(new Error('Wasm code generation disallowed by embedder'))
}
if (prepare === 'alone') {
  process.getBuiltinModule = undefined
  globalThis.fetch = () => Promise.reject(new Error('no network'))
}
const { createRuntime } = await import(file)
const jwt_secret = 'a-secret-of-more-than-thirty-two-bytes'
const log = []
const runtime = createRuntime({ settings: { security: { jwt_secret, argon2_memory_kib: 64 } }, log: (entry) => log.push(entry) })
await runtime.ready()
const text = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
const head = text({ alg: 'HS256' }) + '.' + text({ sub: 'ann', exp: 4e9, scope: 'x' })
const { createHmac } = await import('node:crypto')
const authorization = 'Bearer ' + head + '.' + createHmac('sha256', jwt_secret).update(head).digest('base64url')
const ask = (method, path, body) => runtime.fetch(new Request('http://svc.test' + path, { method, headers: { authorization, 'content-type': 'application/json' }, body }))
const run = (await ask('POST', '/api/svc/runs', '{}')).status
const make = () => ask('POST', '/api/svc/auth/keys', '{"name":"k"}')
const first = await make()
const { key } = first.status === 201 ? await first.json() : {}
const used = key && (await runtime.fetch(new Request('http://svc.test/api/svc/runs', { headers: { 'x-api-key': key } }))).status
let again
if (first.status !== 201 && prepare !== '') {
  // The missing file becomes available.
  const { renameSync } = await import('node:fs')
  renameSync(prepare, prepare.replace(/\\.late$/, ''))
  again = (await make()).status
}
console.log(JSON.stringify({ run, first: first.status, used, again, log }))
await runtime.close()
`

interface HostReport {
  readonly run: number
  readonly first: number
  readonly used?: number
  readonly again?: number
  readonly log: readonly {
    readonly message: string
    readonly error?: { readonly code?: string; readonly hint?: string; readonly message?: string }
  }[]
}

/** Runs the host with a copy of the library that `change` has modified. */
async function runHost(
  entry: string,
  change: (folder: string) => void,
  prepare: (folder: string) => string,
): Promise<HostReport> {
  const folder = folderWith({ 'host.mjs': host })
  cpSync(dist, join(folder, 'lib'), { recursive: true })
  change(join(folder, 'lib'))
  const file = pathToFileURL(join(folder, 'lib', entry)).href
  const child = startChild(process.execPath, {
    args: [join(folder, 'host.mjs'), file, prepare(join(folder, 'lib'))],
    env: {},
  })
  const { code } = await child.exited
  assert.is(code, 0, child.err)
  return JSON.parse(child.out.trim().split('\n').at(-1)!) as HostReport
}

function addTests(): void {
  const { bundles } = JSON.parse(readFileSync(join(dist, 'proof.json'), 'utf8')) as ProofFile
  const { parts } = bundles.find(({ file }) => file === 'index.mjs')!
  const partLike = (start: string): string => Object.keys(parts).find((name) => name.startsWith(start))!
  const asIs = (): void => undefined

  test('only Argon2, the discovery of a provider, the runs and the calls of agents are loaded later than the entry', () => {
    const later = Object.keys(parts).filter((name) => parts[name]!.later)
    const named = later.filter((name) => !name.startsWith('chunk-'))
    const wanted = ['agent-starter-', 'argon2-javascript-', 'argon2-wasm-', 'discovery-', 'runs-'].map(partLike)
    assert.equal(named.sort(), wanted.sort())
  })

  test('a host creates and uses a key', async () => {
    const { run, first, used, log } = await runHost('index.mjs', asIs, () => '')
    assert.equal({ run, first, used }, { run: 201, first: 201, used: 200 })
    assert.not(log.some(({ message }) => message.includes('WebAssembly')))
  })

  for (const entry of ['index.mjs', 'single.mjs'])
    test(`${entry} creates and uses a key on a host without WebAssembly, and logs that it takes longer`, async () => {
      const { first, used, log } = await runHost(entry, asIs, () => 'no-wasm')
      assert.equal({ first, used }, { first: 201, used: 200 })
      assert.ok(log.some(({ message }) => message.includes('compiles no WebAssembly')))
    })

  for (const start of ['argon2-wasm-']) {
    test(`without ${start} everything except keys works, the log names the fix, and the file is found when it is available`, async () => {
      const missing = partLike(start)
      const { run, first, again, log } = await runHost(
        'index.mjs',
        (folder) => renameSync(join(folder, missing), join(folder, `${missing}.late`)),
        (folder) => join(folder, `${missing}.late`),
      )
      assert.equal({ run, first }, { run: 201, first: 500 })
      assert.is(again, 201)
      const entry = log.find(({ error }) => error?.code === 'ERR_PART_UNAVAILABLE')
      assert.match(entry?.error?.message ?? '', 'svc/minimal/single')
    })
  }

  test('without the file of the runs the runtime does not start, and reports the missing file', async () => {
    const folder = folderWith({})
    cpSync(dist, folder, { recursive: true })
    rmSync(join(folder, partLike('runs-')))
    const { createRuntime } = (await import(pathToFileURL(join(folder, 'index.mjs')).href)) as {
      createRuntime(options: unknown): { ready(): Promise<void>; close(): Promise<void> }
    }
    const runtime = createRuntime({ settings: { security: { jwt_required: false } } })
    const error = await runtime.ready().then(
      () => undefined,
      (error: unknown) => error,
    )
    await runtime.close()
    assert.ok(isSvcError(error, 'ERR_PART_UNAVAILABLE'), String(error))
  })

  test('the single file works without other files, built-in modules or network', async () => {
    const keepOne = (folder: string): void => {
      rmSync(folder, { recursive: true })
      mkdirSync(folder)
      cpSync(join(dist, 'single.mjs'), join(folder, 'single.mjs'))
    }
    const { run, first, used } = await runHost('single.mjs', keepOne, () => 'alone')
    assert.equal({ run, first, used }, { run: 201, first: 201, used: 200 })
  })
}

if (existsSync(join(dist, 'proof.json'))) addTests()
else skip(test, 'the files of a library', 'minimal has not been built')

test.run()
