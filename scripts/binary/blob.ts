/** The blob of a single executable: the bundle and its assets, in the form that `node:sea` reads. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toScript } from '../build/generate/program-file.ts'
import type { TargetPlan } from '../build/plan/target-plan.ts'
import { byVariant } from '../build/prove/attribute.ts'
import type { Carried } from './native-binaries.ts'

/** The blob and the file that holds it. */
export interface Blob {
  readonly file: string
  readonly bytes: Buffer
}

/**
 * Makes the blob in `folder` with the Node that will read it. The same input gives the same bytes in any folder: paths
 * in the configuration, some of which end up in the blob, are relative. The program and its code cache are assets, which a
 * few lines start. `flags` are those of {@link flagsOf}. `sbom` is what `build-info --sbom` prints.
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
  put('main.cjs', bootOf(flags, program.cache !== undefined))
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
 * Runs the program with its code cache, and tells it whether V8 took that. V8 takes compiled code only under the flags that it
 * was made with, and Node's own, of every built-in, was made with none: a flag would cost a start a quarter of its time. What
 * ours forbid holds for the main context from its birth, so they are taken back until the service has started; then they
 * hold again, for the contexts of threads.
 */
function bootOf(flags: readonly string[], cached: boolean): string {
  const off = flags.map((flag) => flag.replace(/^--/, '--no-'))
  return `'use strict'
const { setFlagsFromString } = require('node:v8')
const set = (flags) => { for (const flag of flags) setFlagsFromString(flag) }
set(${JSON.stringify(off)})
const sea = require('node:sea')
const { Script } = require('node:vm')
const script = new Script(Buffer.from(sea.getRawAsset('svc.cjs')).latin1Slice(), {
  filename: 'svc.cjs',
${cached ? "  cachedData: Buffer.from(sea.getRawAsset('svc.cache')),\n" : ''}})
const imported = async (name) => { const found = require(name); return Object.assign(Object.create(found), { default: found }) }
script.runInThisContext()(require, imported, ${cached ? "script.cachedDataRejected ? 'rejected' : 'used'" : "'none'"}, () => set(${JSON.stringify(flags)}))
`
}

/** How the executable of a target starts its Node: code from text runs only where a feature of it says that it does so. Each is a switch of V8 that `--no-` turns off. */
export function flagsOf({ features }: Pick<TargetPlan, 'features'>): string[] {
  const evaluates = features.some(({ feature, variant }) => byVariant(feature.uses, variant).includes('eval'))
  return evaluates ? [] : ['--disallow-code-generation-from-strings']
}
