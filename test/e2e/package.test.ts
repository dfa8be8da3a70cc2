/** The npm package, installed from its tarball into a separate project: its types, its code and the program. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { distDir, root } from '../../scripts/build/paths.ts'
import type { ProofFile } from '../../scripts/build/prove/dist.ts'
import { version } from '../../scripts/build/version.ts'
import { entries } from '../../scripts/package/entries.ts'
import { secret, tokenFor } from '../conformance/caller.ts'
import { attwOf } from '../reach/package-checks.ts'
import { filesOf } from '../support/docs.ts'
import { folderWith } from '../support/folder.ts'
import { skip } from '../support/skip.ts'

const test = suite('npm package')
const tarball = join(distDir(''), `svc-${version}.tgz`)
const staged = distDir('npm')

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, [...args], { cwd, encoding: 'utf8' })
  if (error !== undefined) throw error
  assert.is(status, 0, `${command} ${args.join(' ')}\n${stdout.slice(-2_000)}\n${stderr.slice(-2_000)}`)
  return stdout
}

const tool = (path: string): string => join(root, 'node_modules', path)

function addTests(): void {
  const project = folderWith({
    'package.json': '{"name":"user","version":"1.0.0","type":"module","private":true}',
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        target: 'ES2023',
        module: 'NodeNext',
        lib: ['ES2023', 'DOM', 'DOM.Iterable'],
        types: [],
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
        outDir: 'out',
      },
      include: ['*.ts'],
    }),
    'use.ts': program,
    'calls.ts': filesOf('realtime.md')['calls.ts']!,
    // A separate program, so that no other import provides the types.
    'alone/plugin.ts': pluginAlone,
    'published/plugin.ts': published,
    'published/tsconfig.json':
      '{"extends":"../tsconfig.json","compilerOptions":{"declaration":true,"composite":true,"outDir":"out"},"include":["plugin.ts"]}',
    'alone/tsconfig.json': '{"extends":"../tsconfig.json","compilerOptions":{"noEmit":true},"include":["plugin.ts"]}',
  })

  test('publint reports no problems', () => {
    assert.match(run(process.execPath, [tool('publint/src/cli.js'), staged, '--strict'], root), 'All good!')
  })

  test('the types resolve like the code for every entry', () => {
    const found = attwOf(tarball)
    for (const { subpath } of entries) assert.ok(found.entries.includes(subpath), subpath)
    assert.equal(found.problems, [])
  })

  test('the package can be installed without a network', () => {
    const args = ['install', tarball, '--offline', '--ignore-scripts', '--no-audit', '--no-fund']
    run('npm', args, project)
    const installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))
    assert.equal(installed, ['svc'], 'no other package is installed')
  })

  test('engines is the requirement of the libraries, and no addon is installed', () => {
    const manifest = JSON.parse(readFileSync(join(project, 'node_modules/svc/package.json'), 'utf8')) as {
      engines: { node: string }
      dependencies?: object
      optionalDependencies?: object
      peerDependenciesMeta: Record<string, { optional: boolean }>
    }
    assert.is(manifest.engines.node, '>=20')
    assert.equal([manifest.dependencies, manifest.optionalDependencies], [undefined, undefined])
    assert.equal(manifest.peerDependenciesMeta['koffi'], { optional: true }, 'koffi is an optional peer dependency')
  })

  test('the command runs without its addon, and names the addon if the socket needs it', () => {
    const args = ['node_modules/svc/svc.js', '--mode', 'sync']
    const env = {
      HOME: project,
      PATH: process.env['PATH'],
      SVC_SECURITY__JWT_SECRET: 'package-secret-of-at-least-32-bytes!!!',
    }
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: project, env, encoding: 'utf8' })
    assert.is(status, 1)
    assert.match(stderr, 'The package koffi is not installed: npm install koffi beside svc')
    assert.match(run(process.execPath, ['node_modules/svc/svc.js', '--version'], project), /^\d+\.\d+\.\d+\n$/)
  })

  test('a program that uses the package type-checks and runs', () => {
    run(process.execPath, [tool('typescript-native/bin/tsc'), '-p', '.'], project)
    // The last line of the output; the other lines are the log.
    const lastLine = run(process.execPath, ['out/use.js'], project).trim().split('\n').at(-1)!
    assert.equal(JSON.parse(lastLine), {
      profile: 'minimal',
      full: 'server-full',
      health: 200,
      quote: 'so be it',
      unknown: 401,
      runs: ['r', 'r'],
      refused: [401, 'credential_missing'],
      lacking: 'ERR_HOST_INCOMPLETE',
      lackingDatabase: ['embedded-native', ['database.all()']],
    })
  })

  test('a plugin that imports only svc/plugin type-checks', () => {
    run(process.execPath, [tool('typescript-native/bin/tsc'), '-p', 'alone'], project)
  })

  test('the declarations of a plugin can name every type that svc/plugin returns', () => {
    run(process.execPath, [tool('typescript/bin/tsc'), '-p', 'published'], project)
    assert.not.match(readFileSync(join(project, 'published/out/plugin.d.ts'), 'utf8'), /\bdeclarations\//)
  })

  test('the command runs from node_modules/.bin', () => {
    // As in a shell, with the Node of the tests first in PATH.
    const path = `${dirname(process.execPath)}:${process.env['PATH']}`
    assert.is(
      run('env', [`PATH=${path}`, join(project, 'node_modules/.bin/svc'), '--version'], project),
      `${version}\n`,
    )
  })

  test('the code of the package equals the proved code', () => {
    const dist = distDir('minimal')
    const { bundles } = JSON.parse(readFileSync(join(dist, 'proof.json'), 'utf8')) as Pick<ProofFile, 'bundles'>
    const names = bundles
      .filter(({ file }) => file !== 'svc.mjs' && file !== 'svc')
      .flatMap(({ file, parts }) => [file, ...Object.keys(parts)])
    assert.ok(
      names.includes('index.mjs') &&
        names.includes('single.mjs') &&
        names.some((name) => name.startsWith('argon2-wasm-')),
    )
    assert.equal(readdirSync(join(staged, 'minimal')).sort(), [...names, 'single.d.ts'].sort())
    for (const name of names)
      assert.ok(readFileSync(join(dist, name)).equals(readFileSync(join(staged, 'minimal', name))), name)
  })
}

const program = `import { createRuntime as createFull, manifest as full } from 'svc'
import { createRuntime, manifest, type Runtime } from 'svc/minimal'
import { begin } from './calls.js'
import { createClient } from 'svc/client'
import { createEmbedded } from 'svc/embedded-mobile'
import { type CallbackHost, createEmbedded as createNative, type HostDatabase, manifest as native } from 'svc/embedded-native'
import { type Capabilities, defineFeature, json, text } from 'svc/plugin'

declare module 'svc/plugin' {
  interface Capabilities {
    Quotes: { pick(): string }
  }
}

const source = defineFeature({
  id: 'quotes.source',
  provides: ['Quotes'],
  settings: { 'quotes.text': text({ default: 'so be it', summary: 'What to say.' }) },
  setup(ctx) {
    const said: string = ctx.settings['quotes.text']
    ctx.provide('Quotes', { pick: () => said })
  },
})

const page = defineFeature({
  id: 'quotes.page',
  needs: { Quotes: 'required' },
  setup({ get }) {
    const quotes: Capabilities['Quotes'] = get('Quotes')
    return { quotes }
  },
  routes: (route) => [
    route('GET /quote', { auth: 'handler', handler: (_call, { quotes }) => json(200, { quote: quotes.pick() }) }),
  ],
})

// @ts-expect-error There is no such capability.
export type Absent = Capabilities['Quotas']

const settings = { security: { jwt_secret: '${secret}' } }
const runtime: Runtime = createRuntime({ settings, plugins: [source, page] })
await runtime.ready()
const ask = (path: string): Promise<Response> => runtime.fetch(new Request('http://localhost' + path))
const handler: (request: Request) => Promise<Response> = runtime.capability('Fetch')
const health = (await handler(new Request('http://localhost/health'))).status
const { quote } = (await (await ask('/quote')).json()) as { quote: string }
const unknown = (await ask('/unknown')).status
const service = { baseUrl: 'http://localhost', fetch: (url: string, init: RequestInit) => runtime.fetch(new Request(url, init)) }
const client = createClient({ ...service, token: '${tokenFor({ user: 'ada' })}' } as Parameters<typeof createClient>[0])
const runs = [(await begin(client, 'r')).run_id, (await begin(client, 'r')).run_id]
const denied = await createClient(service as Parameters<typeof createClient>[0]).api.GET('/api/svc/runs')
const refused = denied.ok ? [] : [denied.status, denied.error.code]
// @ts-expect-error A host is given whole.
const incomplete: Parameters<typeof createEmbedded>[0] = { host: { now: () => 0 } }
const lacking = await createEmbedded(incomplete).catch(({ code }: { code: string }) => code)
// @ts-expect-error There is no such path.
type NoPath = Parameters<typeof client.api.GET<'/api/svc/run'>>
const host: CallbackHost = {
  identity: () => null, devices: { get: () => undefined }, projects: { has: () => false },
  frontier: () => ({ heads: [] }), apply: () => undefined, now: () => 0, log: () => undefined,
}
const database: Omit<HostDatabase, 'all'> = { exec: () => undefined, run: () => undefined }
// @ts-expect-error A database is given whole.
const partial: Parameters<typeof createNative>[0] = { host, database }
const missing = await createNative(partial).catch(({ details }: { details: { missing: string[] } }) => details.missing)
const lackingDatabase = [native.profile, missing]
await runtime.close()
// @ts-expect-error It is a function.
createFull.x
console.log(JSON.stringify({ profile: manifest.profile, full: full.profile, health, quote, unknown, runs, refused, lacking, lackingDatabase }))
`

/** A feature that imports only `svc/plugin`: it has the types of the capabilities of every family, and no others. */
const pluginAlone = `import { type Capabilities, defineFeature } from 'svc/plugin'

export const feature = defineFeature({
  id: 'todos',
  needs: {
    Live: 'required', Runs: 'required', ReceiptStore: 'required', Telemetry: 'optional', HttpServer: 'optional', Boards: 'later',
  },
  async setup({ get }) {
    const live: Capabilities['Live'] = get('Live')
    live.enroll('todos', ({ tenant }) => [{ identifier: String(tenant), data: null }])
    live.publish({ tenant: null }, { topic: 'todos', identifier: 'a', operation: 'insert', data: 1 })
    const { run_id, status } = await get('Runs').create({ user_id: null, tenant_id: null })
    const known: 'running' | 'finished' | 'failed' | 'cancelled' = status
    await get('Runs').append({ user_id: null, tenant_id: null }, run_id, [known])
    get('Telemetry')?.toolResult('add', 'ok')
    void get('Boards')().projects()
    // @ts-expect-error A topic has a name.
    live.enroll(7)
    // @ts-expect-error It is not in \`needs\`.
    get('Streams')
  },
})

// @ts-expect-error There is no such capability.
defineFeature({ id: 'x', needs: { Lives: 'required' } })
`

/**
 * A feature whose exports have inferred types: a type without a public name is an error of the compiler (TS2742,
 * TS4023).
 */
const published = `import * as api from 'svc/plugin'
export const { choice, decimal, dictionary, flag, integer, list, secret, text, checkShape, parseJson, readJson, json, empty, closed, eventStream, refusal, defineErrors, httpFail, defineFeature, defineProfile, defineContract, isSvcError } = api
export const Err = api.SvcError
export const fail = api.defineErrors({ a: { status: 404, message: 'x' } })
export const feature = api.defineFeature({
  id: 'todos', needs: { Live: 'required', Runs: 'required', Sync: 'later', Telemetry: 'optional', Boards: 'optional later' }, provides: ['Readiness'],
  settings: { 'a.b': api.text({ default: 'x', summary: 'y' }), 'a.c': api.choice({ default: 'u', of: ['u', 'v'], summary: 'y' }), 'a.d': api.secret({ summary: 's' }) },
  setup(ctx) { helpers(ctx as never) },
})
export const helpers = (ctx: api.PluginContext) => ({ live: ctx.use('Live'), runs: ctx.use('Runs'), store: ctx.use('ReceiptStore'), auth: ctx.use('Authentication'), boards: ctx.find('Boards'), http: ctx.find('HttpServer'), peers: ctx.find('PeerStore'), clock: ctx.clock, random: ctx.random, manifest: ctx.manifest, parts: ctx.storeParts, surface: ctx.surface('runtime'), settings: ctx.settings })
export const kbd = (ctx: api.PluginContext) => ctx.use('Boards').engine
export const sync = (ctx: api.PluginContext) => ({ ...ctx.use('Sync'), ...ctx.use('Live') })
export const settings = { 'a.b': api.text({ default: 'x', summary: 'y' }), 'a.c': api.choice({ default: 'u', of: ['u', 'v'], summary: 'y' }) }
export const reply = () => api.json(200, {})
export const handler = async (request: api.SvcRequest) => ({ trace: request.trace, peer: request.peer, identity: request.identity, body: await request.body() })
export const profile = api.defineProfile({ name: 'x', summary: 'y', library: { features: {} } })
export const own = profile.own
export const contract = api.defineContract({ present: { none: 'x' }, absent: { none: 'x' } })
export const present = contract.present
`

if (existsSync(tarball)) addTests()
else skip(test, 'npm package', 'make package has not been run')
test.run()
