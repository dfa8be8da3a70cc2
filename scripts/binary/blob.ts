/** Creates the blob of a single executable: the bundle and its assets, in the format that `node:sea` reads. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { asksForPlace, toScript } from '../build/generate/program-file.ts'
import type { TargetPlan } from '../build/plan/target-plan.ts'
import { byVariant } from '../build/prove/attribute.ts'
import type { Carried } from './native-binaries.ts'

/** The blob and its file. */
export interface Blob {
  readonly file: string
  readonly bytes: Buffer
}

/**
 * Creates the blob in `folder` with the Node that will read it. The same input gives the same bytes in any folder: the
 * paths in the configuration are relative, because some of them are written into the blob. The program and its code
 * cache are assets, which a short boot script starts. `flags` are those of {@link flagsOf}. `sbom` is the output of
 * `build-info --sbom`.
 */
export function makeBlob(
  folder: string,
  node: string,
  program: { readonly text: string; readonly cache: Buffer | undefined },
  binaries: readonly Carried[],
  flags: readonly string[],
  sbom: string,
): Blob {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const put = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  put('main.cjs', bootOf(flags, program.cache !== undefined, asksForPlace(program.text)))
  put('svc.cjs', toScript(program.text))
  put('binaries.json', `${JSON.stringify(binaries.map(({ shown }) => shown))}\n`)
  const assets: Record<string, string> = { 'binaries.json': 'binaries.json', 'svc.cjs': 'svc.cjs' }
  for (const { name, file } of binaries) {
    if (file === undefined) continue
    copyFileSync(file, join(folder, name))
    assets[name] = name
  }
  if (program.cache !== undefined) {
    writeFileSync(join(folder, 'svc.cache'), program.cache)
    assets['svc.cache'] = 'svc.cache'
  }
  put('sbom.json', sbom)
  assets['sbom.json'] = 'sbom.json'
  const configuration = {
    main: 'main.cjs',
    output: 'svc.blob',
    disableExperimentalSEAWarning: true,
    useSnapshot: false,
    useCodeCache: false,
    execArgv: flags,
    assets,
  }
  put('sea.json', JSON.stringify(configuration, null, 2))
  execFileSync(node, ['--experimental-sea-config', 'sea.json'], { cwd: folder, stdio: 'pipe' })
  const file = join(folder, configuration.output)
  return { file, bytes: readFileSync(file) }
}

/**
 * The boot script. It runs the program with its code cache, and passes it whether V8 accepted the cache. V8 accepts a
 * code cache only under the flags that it was created with, and Node's own cache of built-ins was created without
 * flags: keeping a flag on would make the start a quarter slower. A flag also applies to the main context from its
 * creation. So the boot script turns the flags off, and on again after the service has started; then they apply to the
 * contexts of threads. The place of a program that asks for it is the file of the executable.
 */
function bootOf(flags: readonly string[], cached: boolean, placed: boolean): string {
  const off = flags.map((flag) => flag.replace(/^--/, '--no-'))
  const place = placed ? ', { filename: __filename, dirname: __dirname, url: pathToFileURL(__filename).href }' : ''
  return `'use strict'
const { setFlagsFromString } = require('node:v8')
const set = (flags) => { for (const flag of flags) setFlagsFromString(flag) }
set(${JSON.stringify(off)})
const sea = require('node:sea')
const { Script } = require('node:vm')
${placed ? "const { pathToFileURL } = require('node:url')\n" : ''}const script = new Script(Buffer.from(sea.getRawAsset('svc.cjs')).latin1Slice(), {
  filename: 'svc.cjs',
${cached ? "  cachedData: Buffer.from(sea.getRawAsset('svc.cache')),\n" : ''}})
const imported = async (name) => { const module = require(name); return Object.assign(Object.create(module), { default: module }) }
script.runInThisContext()(require, imported, ${cached ? "script.cachedDataRejected ? 'rejected' : 'used'" : "'none'"}, () => set(${JSON.stringify(flags)})${place})
`
}

/**
 * The V8 flags of a target's executable. Code generation from strings is allowed only if a feature declares `eval` in
 * `uses`. `--no-` turns each flag off.
 */
export function flagsOf({ features }: Pick<TargetPlan, 'features'>): string[] {
  const evaluates = features.some(({ feature, variant }) => byVariant(feature.uses, variant).includes('eval'))
  return evaluates ? [] : ['--disallow-code-generation-from-strings']
}

/** The marker in every Node binary that records whether a blob is present. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/**
 * Changes an executable in place. postject runs in a separate process, because its warnings about unknown sections are
 * only useful on failure. `platform` is the platform of the executable.
 */
export function inject(executable: string, blob: string, platform: string): void {
  const cli = join(fileURLToPath(import.meta.resolve('postject')), '../cli.js')
  const segment = platform.startsWith('darwin-') ? ['--macho-segment-name', 'NODE_SEA'] : []
  const args = [executable, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE, ...segment]
  execFileSync(process.execPath, [cli, ...args], { stdio: 'pipe' })
}
