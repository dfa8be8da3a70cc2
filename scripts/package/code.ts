/** Writes the code of the entry points. For a profile the code is the proven bundle. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'tsup'
import { type Built, buildProfile } from '../build/build.ts'
import type { Bundle } from '../build/bundle/bundle.ts'
import { outputName } from '../build/generate/generate.ts'
import { toProgramFile } from '../build/generate/program-file.ts'
import { root } from '../build/paths.ts'
import { codeOf, type Entry, entries, programProfile } from './entries.ts'
import { launcherText } from './launcher.ts'

/** The external packages and the assets of the package's code. */
export interface PackageCode {
  /** Packages that are not bundled. */
  readonly externals: readonly string[]
  /** Paths, in the package, of files that are shipped beside an entry. */
  readonly assets: readonly string[]
}

/**
 * Builds and proves the profiles, and writes into `folder` the code of every entry, the command `svc.js` and its
 * `program.js`.
 * @throws SvcError the errors of the builds
 */
export async function writeCode(folder: string): Promise<PackageCode> {
  const externals = new Set<string>()
  const assets: string[] = []
  const builds = new Map<string, Built>()
  for (const entry of entries.filter(({ profile }) => profile !== undefined)) {
    // Two entries can use the same profile, which is built and proven once.
    const built = builds.get(entry.profile!) ?? (await buildProfile(entry.profile!))
    builds.set(entry.profile!, built)
    const { bundles, proofs, folder: dist } = built
    for (const [index, bundle] of bundles.entries()) {
      const { form } = bundle.target
      if (form !== (entry.form ?? 'library') && !(form === 'main' && entry.profile === programProfile)) continue
      if (form === 'main') writeFileSync(join(folder, 'program.js'), toProgramFile(bundle.text))
      else copyCode(entry, bundle, dist!, folder)
      for (const name of proofs[index]!.externals.used) externals.add(name)
      if (form === 'library') assets.push(...copyAssets(entry, bundle, dist!, folder))
    }
  }
  writeFileSync(join(folder, 'svc.js'), launcherText(), { mode: 0o755 })
  const sources = entries.filter(({ source }) => source !== undefined)
  await build({
    config: false,
    silent: true,
    clean: false,
    entry: Object.fromEntries(sources.map(({ name, source }) => [name, join(root, source!)])),
    format: ['esm'],
    platform: 'neutral',
    target: 'es2023',
    noExternal: [/^(?!node:)/],
    external: [/^node:/],
    // Deno and bundlers recognize a built-in by its prefix.
    removeNodeProtocol: false,
    splitting: false,
    outDir: folder,
    outExtension: () => ({ js: '.js' }),
  })
  return { externals: [...externals].sort(), assets }
}

/** Copies the entry, and beside it the files that it loads by name. */
function copyCode(entry: Entry, { target, parts }: Bundle, dist: string, folder: string): void {
  const file = join(folder, codeOf(entry))
  mkdirSync(dirname(file), { recursive: true })
  copyFileSync(join(dist, outputName(target)), file)
  for (const { name } of parts) copyFileSync(join(dist, name), join(dirname(file), name))
}

function copyAssets({ name }: Entry, { target }: Bundle, dist: string, folder: string): string[] {
  return target.features
    .flatMap(({ feature }) => Object.keys(feature.assets ?? {}))
    .map((asset) => {
      const path = `${name}/${asset}`
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      copyFileSync(join(dist, asset), join(folder, path))
      return path
    })
}
