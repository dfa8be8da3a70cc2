/** The plugin in docs/plugins.md is built and proved, and passes its contract. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { buildDir, distDir, root } from '../../scripts/build/paths.ts'
import type { ProofFile } from '../../scripts/build/prove/dist.ts'
import { sendTo } from '../e2e/sync/daemon.ts'
import { BUILD_MS } from '../runner/limit.ts'
import { startChild } from '../support/child.ts'
import { isDeep } from '../support/count.ts'
import { filesOf } from '../support/docs.ts'
import { folderWith } from '../support/folder.ts'

const test = suite('docs/plugins.md')
const files = filesOf('plugins.md')
const folder = folderWith({
  ...files,
  'full.ts': `import { profile as edge } from './edge.ts'
export const profile = { ...edge, name: 'docs-edge-full', extends: 'server-full', library: { features: { 'edge.quote': true } } }
`,
})

async function run(script: string, ...words: string[]): Promise<string> {
  const args = [join(root, script), ...(words.length === 0 ? ['edge.ts'] : words)]
  const env = { ...process.env, SVC_TEST_DEEP: isDeep() ? '1' : '0' }
  const child = startChild(process.execPath, { args, cwd: folder, env })
  const { code } = await child.exited
  assert.is(code, 0, `${child.out}\n${child.err}`)
  return child.out
}

test.after(() => {
  for (const name of ['docs-edge', 'docs-edge-full']) {
    for (const folder of [buildDir(name), distDir(name)]) rmSync(folder, { recursive: true, force: true })
  }
  rmSync(join(root, '.build/conformance/docs-edge.json'), { force: true })
})

/** A hash over the sources, docs and tests of the project. */
function projectHash(): string {
  const hash = createHash('sha256')
  for (const part of [
    'core',
    'plugins',
    'profiles',
    'scripts',
    'docs',
    'test',
    'openapi.json',
    'README.md',
    'package.json',
  ]) {
    const path = join(root, part)
    const names = statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }).sort() : ['']
    for (const name of names.filter((file) => !file.includes('node_modules'))) {
      // A file can be gone by now.
      if (statSync(join(path, name), { throwIfNoEntry: false })?.isFile())
        hash.update(`${part}/${name}\n`).update(readFileSync(join(path, name)))
    }
  }
  return hash.digest('hex')
}

const hashBefore = projectHash()

test('the page shows the plugin with its contract in one file, and a profile', () => {
  assert.equal(Object.keys(files).sort(), ['edge.ts', 'quote.ts'])
})

test('the contract test of a profile that is not built fails, because no case runs', async () => {
  const child = startChild(process.execPath, { args: [join(root, 'test/conformance/one.ts'), 'edge.ts'], cwd: folder })
  assert.is((await child.exited).code, 1, child.out)
  assert.match(child.out, /no case of any contract runs on this profile/)
})

test('the profile on the page is built and proved: its bytes, its define, and every absent feature', async () => {
  assert.match(await run('scripts/build/cli.ts'), 'dist/docs-edge/')
  const { bundles } = JSON.parse(readFileSync(join(distDir('docs-edge'), 'proof.json'), 'utf8')) as ProofFile
  const [library] = bundles
  assert.is(bundles.length, 1)
  assert.ok(library!.in['feature:edge.quote']!.bytes > 100)
  assert.is(library!.defines['__EDGE_QUOTE__'], true)
  for (const [name, { bytes, mutation }] of Object.entries(library!.out)) {
    assert.is(bytes, 0)
    assert.ok(mutation !== '', name)
  }
  assert.ok(Object.keys(library!.out).length > 20)
  const text = readFileSync(join(distDir('docs-edge'), 'index.mjs'), 'utf8')
  for (const described of ['Quotes by number', 'A quote by its number.', 'quote_unsigned`', 'edge_quotes_total'])
    assert.not.match(text, described)
  for (const made of ['index.mjs', 'manifest.json', 'proof.json'])
    for (const path of [folder, root])
      assert.not.ok(readFileSync(join(distDir('docs-edge'), made), 'utf8').includes(path), `${made} has ${path}`)
})

test('the feature is in the matrix of its profile, with its bytes', async () => {
  assert.match(await run('scripts/toolkit/cli.ts', 'matrix', 'edge.ts'), /^edge\.quote +\d+\.\d$/m)
})

test('the plugin passes its contract', async () => {
  assert.match(await run('test/conformance/one.ts'), /docs-edge +library +[1-9]\d* +0 /)
})

test('the OpenAPI document that a program with the plugin prints and serves has its operations', async () => {
  await run('scripts/build/cli.ts', 'full.ts')
  const program = join(distDir('docs-edge-full'), 'svc.mjs')
  const printing = startChild(process.execPath, { args: [program, 'openapi'], cwd: folder })
  assert.is((await printing.exited).code, 0, printing.err)
  const { paths, components } = JSON.parse(printing.out) as {
    paths: Record<string, Record<string, { operationId: string; responses: Record<string, { description: string }> }>>
    components: { schemas: Record<string, unknown> }
  }
  const quote = paths['/edge/quote/{number}']!['get']!
  assert.is(quote.operationId, 'quote')
  assert.is(quote.responses['200']!.description, 'The quote.')
  assert.is(quote.responses['404']!.description, '`quote_missing`')
  assert.ok(components.schemas['Quote'])
  const ours = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as { paths: object }
  assert.equal(Object.keys(paths), [...Object.keys(ours.paths), '/edge/quote/{number}', '/edge/quotes'].sort())

  const socketPath = join(folder, 'run', 's.sock')
  const serving = startChild(process.execPath, {
    args: [program, '--mode', 'sync'],
    cwd: folder,
    env: {
      HOME: folder,
      SVC_SECURITY__JWT_SECRET: 's'.repeat(48),
      SVC_SYNC__SOCKET_PATH: socketPath,
      SVC_STORAGE__DIR: join(folder, 'state'),
    },
  })
  await serving.waitFor(/"socket":"/, BUILD_MS)
  const served = await sendTo({ socketPath }, { path: '/openapi.json' })
  assert.ok(served.text === printing.out)
  assert.is((await serving.stop()).code, 0, serving.err)
})

test('no file of the project changes', () => {
  assert.is(projectHash(), hashBefore)
})

test.run()
