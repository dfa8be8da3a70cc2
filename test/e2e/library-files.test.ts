/** The files of minimal's library: what is loaded when, what happens where one is missing, and the single file. */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../core/errors.ts'
import { distDir } from '../../scripts/build/paths.ts'
import type { ProofFile } from '../../scripts/build/prove/dist.ts'
import { startChild } from '../support/child.ts'
import { folderWith } from '../support/folder.ts'
import { skip } from '../support/skip.ts'

const test = suite('files of a library')
const dist = distDir('minimal')

/** A host that makes a key: what it was answered, and what was logged. */
const host = `
const [file, prepare = ''] = process.argv.slice(2)
if (prepare === 'no-wasm') {
  // The fetch of Node itself compiles WebAssembly, and does not catch what comes of that.
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
  // What was missing comes late.
  const { renameSync } = await import('node:fs')
  renameSync(prepare, prepare.replace(/\\.late$/, ''))
  again = (await make()).status
}
console.log(JSON.stringify({ run, first: first.status, used, again, log }))
await runtime.close()
`

interface Told {
  readonly run: number
  readonly first: number
  readonly used?: number
  readonly again?: number
  readonly log: readonly {
    readonly message: string
    readonly error?: { readonly code?: string; readonly hint?: string; readonly message?: string }
  }[]
}

/** Runs the host on a copy of the library, changed by `change`. */
async function tell(
  entry: string,
  change: (folder: string) => void,
  prepare: (folder: string) => string,
): Promise<Told> {
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
  return JSON.parse(child.out.trim().split('\n').at(-1)!) as Told
}

function addTests(): void {
  const { bundles } = JSON.parse(readFileSync(join(dist, 'proof.json'), 'utf8')) as ProofFile
  const { parts } = bundles.find(({ file }) => file === 'index.mjs')!
  const partLike = (start: string): string => Object.keys(parts).find((name) => name.startsWith(start))!
  const asIs = (): void => undefined

  test('Argon2 is loaded later, and everything else with the entry', () => {
    const later = Object.keys(parts).filter((name) => parts[name]!.later)
    const named = later.filter((name) => !name.startsWith('chunk-'))
    assert.equal(named.sort(), [partLike('argon2-javascript-'), partLike('argon2-wasm-'), partLike('runs-')].sort())
  })

  test('a host makes and uses a key', async () => {
    const { run, first, used, log } = await tell('index.mjs', asIs, () => '')
    assert.equal({ run, first, used }, { run: 201, first: 201, used: 200 })
    assert.not(log.some(({ message }) => message.includes('WebAssembly')))
  })

  for (const entry of ['index.mjs', 'single.mjs'])
    test(`${entry} on a host that compiles no WebAssembly makes and uses a key, and says that it takes longer`, async () => {
      const { first, used, log } = await tell(entry, asIs, () => 'no-wasm')
      assert.equal({ first, used }, { first: 201, used: 200 })
      assert.ok(log.some(({ message }) => message.includes('compiles no WebAssembly')))
    })

  for (const start of ['argon2-wasm-']) {
    test(`without ${start} all but keys works, the log says what to do, and what comes late is found`, async () => {
      const missing = partLike(start)
      const { run, first, again, log } = await tell(
        'index.mjs',
        (folder) => renameSync(join(folder, missing), join(folder, `${missing}.late`)),
        (folder) => join(folder, `${missing}.late`),
      )
      assert.equal({ run, first }, { run: 201, first: 500 })
      assert.is(again, 201)
      const told = log.find(({ error }) => error?.code === 'ERR_PART_UNAVAILABLE')
      assert.match(told?.error?.message ?? '', 'svc/minimal/single')
    })
  }

  test('without the runs it does not start, and says what is missing', async () => {
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

  test('the single file needs no other, no built-in and no network', async () => {
    const keepOne = (folder: string): void => {
      rmSync(folder, { recursive: true })
      mkdirSync(folder)
      cpSync(join(dist, 'single.mjs'), join(folder, 'single.mjs'))
    }
    const { run, first, used } = await tell('single.mjs', keepOne, () => 'alone')
    assert.equal({ run, first, used }, { run: 201, first: 201, used: 200 })
  })
}

if (existsSync(join(dist, 'proof.json'))) addTests()
else skip(test, 'the files of a library', 'minimal has not been built')

test.run()
