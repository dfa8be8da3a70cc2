/** Writes the code of the entry points. For a profile the code is the proven bundle. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { root } from '../build/paths.ts'
import type { ProofFile } from '../build/prove/dist.ts'
import type { Proof } from '../build/prove/prove.ts'
import { codeOf, type Entry, entries, peers, programProfile } from './entries.ts'

/** The external packages and the assets of the package's code. */
export interface PackageCode {
  /** Packages that are not bundled. */
  readonly externals: readonly string[]
  /** Paths, in the package, of files that are shipped beside an entry. */
  readonly assets: readonly string[]
}

/** The profiles whose libraries and program are in the package. */
export const packagedProfiles: readonly string[] = [...new Set(entries.flatMap(({ profile }) => profile ?? []))]

/**
 * Writes into `folder` the code of every entry, the command `svc.js` and its `program.js`. `dists` has the folder of
 * each profile's build.
 */
export async function writeCode(folder: string, dists: Readonly<Record<string, string>>): Promise<PackageCode> {
  const externals = new Set<string>()
  const assets: string[] = []
  for (const entry of entries) {
    if (entry.profile === undefined) continue
    const dist = dists[entry.profile]!
    const { bundles, files } = JSON.parse(readFileSync(join(dist, 'proof.json'), 'utf8')) as ProofFile
    const library = bundles.find(({ file }) => file === `${entry.form ?? 'index'}.mjs`)!
    const program = entry.profile === programProfile ? bundles.find(({ file }) => file === 'svc.mjs') : undefined
    copyCode(entry, library, dist, folder)
    if (program !== undefined) copyFileSync(join(dist, program.file), join(folder, 'program.js'))
    for (const { externals: outside } of [library, ...(program === undefined ? [] : [program])])
      for (const name of outside.used) externals.add(name)
    if (entry.form === undefined) assets.push(...copyAssets(entry, files, dist, folder))
  }
  writeFileSync(join(folder, 'svc.js'), launcherText(), { mode: 0o755 })
  await bundleSources(folder)
  return { externals: [...externals].sort(), assets }
}

/**
 * Bundles the entries that are source files. Built-ins keep their prefix, by which Deno and bundlers recognize them.
 */
async function bundleSources(folder: string): Promise<void> {
  const sources = entries.flatMap(({ name, source }) =>
    source === undefined ? [] : [[name, join(root, source)] as const],
  )
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(sources),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2023',
    external: ['node:*', ...Object.keys(peers)],
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    legalComments: 'none',
    outdir: folder,
    logLevel: 'error',
  })
}

/** Copies the entry, and beside it the files that it loads by name. */
function copyCode(entry: Entry, { file, parts }: Proof, dist: string, folder: string): void {
  const target = join(folder, codeOf(entry))
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(join(dist, file), target)
  for (const name of Object.keys(parts)) copyFileSync(join(dist, name), join(dirname(target), name))
}

/** Copies the files of features. */
function copyAssets({ name }: Entry, files: ProofFile['files'], dist: string, folder: string): string[] {
  return Object.entries(files)
    .filter(([, { owner }]) => owner.startsWith('feature:'))
    .map(([asset]) => {
      const path = `${name}/${asset}`
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      copyFileSync(join(dist, asset), join(folder, path))
      return path
    })
}

/** The oldest Node that the program runs on: it has the `node:sqlite` that the store of receipts needs. */
export const programNode: readonly [major: number, minor: number] = [22, 16]

/** The oldest Node that the libraries run on. */
export const libraryNode: string = '>=20'

/** Text of `svc.js`. Its syntax and its imports work in every Node that supports ES modules. */
export function launcherText(): string {
  const [major, minor] = programNode
  return `#!/usr/bin/env node
var have = process.versions.node.split('.').map(Number)
if (have[0] < ${major} || (have[0] === ${major} && have[1] < ${minor})) {
  console.error('svc: this program needs Node ${major}.${minor} or newer, and runs on ' + process.versions.node + '.')
  console.error('  \\u2192 Use a newer Node, or the single executable, which brings its own. The libraries run here.')
  process.exitCode = 1
} else {
  import('./program.js')
}
`
}
