/** `svc-build init` in folders as people have them. */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loaderArgs, root } from '../../../scripts/build/paths.ts'
import { folderWith } from '../../support/folder.ts'

const test = suite('init')

function init(folder: string, ...words: string[]): { status: number | null; stdout: string; stderr: string } {
  const cli = join(root, 'scripts/toolkit/cli.ts')
  const args = ['--disable-warning=ExperimentalWarning', ...loaderArgs, cli, 'init', ...words]
  return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
}

test('in a CommonJS folder init keeps package.json, and offers the command that changes it', () => {
  const text = '{ "name": "mine", "type": "commonjs" }\n'
  const folder = folderWith({ 'package.json': text })
  const { status, stderr } = init(folder)
  assert.is(status, 0, stderr)
  assert.match(stderr, 'package.json says "type": "commonjs"')
  assert.match(stderr, '→ npm pkg set type=module')
  assert.is(readFileSync(join(folder, 'package.json'), 'utf8'), text)
  assert.is(init(folderWith({ 'package.json': '{ "type": "module" }' })).stderr, '')
})

test('another package of the name svc is noticed, also above the folder; that of the toolkit is not', () => {
  const manifest = (more: object): string => JSON.stringify({ name: 'svc', version: '2.3.4', ...more })
  const strange = folderWith({ 'node_modules/svc/package.json': manifest({ main: 'x.js' }), 'apps/one/x': '' })
  const { stderr } = init(join(strange, 'apps/one'))
  assert.match(stderr, /node_modules\/svc is another package of the name svc \(version 2\.3\.4\)/)
  assert.match(stderr, /→ npm uninstall svc && npm install \.\/svc-\d/)
  const ours = folderWith({ 'node_modules/svc/package.json': manifest({ exports: { './plugin': './plugin.js' } }) })
  assert.is(init(ours).stderr, '')
})

test('init plugin renames files, ids, routes, settings, errors, types and texts, so that two plugins can be in one profile', () => {
  const folder = folderWith()
  assert.is(init(folder, 'plugin', 'weather').status, 0)
  const files = globSync('weather/**', { cwd: folder }).filter((file) => file.endsWith('.ts'))
  assert.equal(files.sort(), ['weather/feature.ts', 'weather/profile.ts'])
  const texts = files.map((file) => `${file}\n${readFileSync(join(folder, file), 'utf8')}`)
  for (const text of texts) assert.not.match(text, /quote|docs-edge/i)
  const all = texts.join('\n')
  for (const name of [
    "name: 'weather'",
    "'edge.weather': true",
    "route('GET /edge/weather/:number'",
    "route('POST /edge/weathers'",
    "'weather.author': text(",
    "'weather.webhook_secret': secret(",
    'weather_missing',
    "counter('edge_weathers_total'",
    "own: { 'edge.weather': './feature.ts' }",
    'settings: { weather: { author: 7 } }',
    'weather\\.author',
    "closed('Weather'",
    "id: 'addWeather'",
  ])
    assert.ok(all.includes(name), name)
  assert.not.match(all, /edge\.(?:author|webhook_secret)/)
})

test('a name that the example uses for something else, or that TypeScript reserves, is refused before anything is written', () => {
  for (const name of ['text', 'request', 'delete', 'webhook', 'case']) {
    const folder = folderWith()
    const { status, stderr } = init(folder, 'plugin', name)
    assert.is(status, 64, name)
    assert.match(stderr, `"${name}" is`)
    assert.equal(globSync('*', { cwd: folder }), [])
  }
})

test.run()
