/**
 * The project's own standards: each tool must report nothing. What a tool found out about files that have not changed
 * since is kept in `.build/`.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/build/paths.ts'

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

function hashOf(...texts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(`${text.length}:`).update(text)
  return hash.digest('base64url')
}

/** Runs a tool of `node_modules/`, and fails if it reports anything. */
function run(tool: string, ...args: readonly string[]): void {
  const options = { cwd: root, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [join('node_modules', tool), ...args], options)
  assert.is(status, 0, `${stdout}\n${stderr}`)
}

test('types: tsc', () => {
  const kept = ['--incremental', '--tsBuildInfoFile', '.build/tsc.tsbuildinfo']
  run('typescript-native/bin/tsc', '-p', '.', '--noEmit', ...kept)
})

/** Files that passed with the same settings, as hashes of all that Biome's judgement of a file depends on. */
const linted = join(root, '.build/linted.json')

/** Rules of Biome that read other files too. With one of them every file would have to be checked in each run. */
const OF_SEVERAL_FILES =
  /"domains"|noImportCycles|noPrivateImports|noUndeclaredDependencies|noUnresolvedImports|useImportExtensions/

test('lint and formatting: biome', () => {
  const config = textOf('biome.json')
  assert.not.match(config, OF_SEVERAL_FILES)
  // Which rules are on depends on the packages of the project.
  const settings = [config, textOf('package.json'), textOf('node_modules/@biomejs/biome/package.json')]
  const { files } = JSON.parse(config) as { files: { includes: readonly string[] } }
  const all = globSync(
    files.includes.filter((pattern) => !pattern.startsWith('!')),
    { cwd: root },
  )
  assert.ok(all.length > 2_000)
  const hashes = new Map(all.map((file) => [file, hashOf(...settings, file, textOf(file))]))
  const passed = new Set(existsSync(linted) ? (JSON.parse(readFileSync(linted, 'utf8')) as readonly string[]) : [])
  const changed = all.filter((file) => !passed.has(hashes.get(file)!))
  if (changed.length > 0)
    run('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--no-errors-on-unmatched', ...changed)
  writeFileSync(linted, JSON.stringify([...hashes.values()]))
})

test('dead code: knip', () => {
  // Knip compares the files themselves with what it kept of them, but not its settings.
  const settings = hashOf(textOf('knip.ts'), textOf('package.json'), textOf('tsconfig.json'))
  run('knip/bin/knip.js', '--no-progress', '--cache', '--cache-location', join('.build/knip', settings))
})

test.run()
