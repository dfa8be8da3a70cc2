/** Checks the installed packages that a build reads, and its tools, against the lock file. */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { Metafile } from 'esbuild'
import type { Bundle } from '../../bundle/bundle.ts'
import { externalsOf } from '../../bundle/esbuild-options.ts'
import type { Problem } from '../../errors.ts'
import { once } from '../../once.ts'
import { inputPath, packagesDir, realPath, root } from '../../paths.ts'
import type { TargetPlan } from '../../plan/target-plan.ts'
import { folderAt, type PackageIdentity, packageOf, placeOfExternal } from './identity.ts'
import { type Installed, isInside, packageHash } from './package-hash.ts'
import { counts, type Locked, lockedPackages, type Pin, pins } from './pins.ts'

/** A package as the proof lists it. */
export interface ProvenPackage {
  readonly version: string
  /** Hash of all files of the package. */
  readonly sha256: string
  /** Whether the lock file names the package. False for a package beside a user's profile. */
  readonly locked: boolean
}

/** The expected packages. */
export interface Pinned {
  readonly locked: Readonly<Record<string, Locked>>
  readonly pins: Readonly<Record<string, Pin>>
}

/**
 * Returns the packages of a bundle and of the build tools, by place such as `node_modules/pino`, and all problems with
 * them. `base` is the folder of the profile.
 */
export function checkPackages(
  bundle: Bundle,
  base: string,
  pinned: Pinned = { locked: lockedPackages(), pins: pins() },
): { packages: Record<string, ProvenPackage>; problems: Problem[] } {
  const packages: Record<string, ProvenPackage> = {}
  const problems = [...checkToolsOfProcess(), ...uncountedIn(bundle, base)]
  for (const one of installedFor(bundle, base)) {
    const { place, from } = one
    const inside = isInside(from)
    const { version } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as { version?: string }
    const sha256 = packageHash(one)
    packages[place] = { version: version ?? '', sha256, locked: inside }
    const wrong = inside ? packageProblem(place, sha256, pinned) : undefined
    if (wrong !== undefined) problems.push({ code: 'ERR_PROOF_PACKAGE', ...wrong })
  }
  return { packages, problems }
}

/** The installed packages of a bundle and of the build tools. `base` is the folder of the profile. */
export function installedFor(bundle: Bundle, base: string): Installed[] {
  const packages = new Map<string, Installed>()
  const add = ({ place, folder }: Pick<PackageIdentity, 'place' | 'folder'>): void =>
    void packages.set(place, { place, from: folder })
  for (const file of [...tools(), ...filesOf(bundle)]) {
    const one = packageOf(file, base)
    if (one !== undefined) add(one)
  }
  for (const name of externalsOf(bundle.target)) {
    const place = placeOfExternal(name, base)
    const folder = folderAt(place, base)
    if (existsSync(folder)) add({ place, folder: realPath(folder) })
  }
  return [...packages.values()].sort((a, b) => (a.place < b.place ? -1 : 1))
}

function packageProblem(
  place: string,
  sha256: string,
  { locked, pins }: Pinned,
): Pick<Problem, 'message' | 'hint'> | undefined {
  const pin = pins[place]
  if (pin === undefined || pin.integrity !== locked[place]?.integrity) {
    const hint = 'Run make pins after a change of package-lock.json, and look at what it writes.'
    return { message: `${place} is not pinned as the lock file has it.`, hint }
  }
  if (pin.sha256 === sha256) return undefined
  const hint = `Take ${place} away and run make install; its files are not those of version ${pin.version}.`
  return { message: `${place} differs from the package that the lock file names.`, hint }
}

/**
 * Checks the running Node and esbuild: the process can be started by another Node, and an environment variable can
 * replace esbuild.
 */
function checkToolsOfProcess(): Problem[] {
  const problems: Problem[] = []
  const fail = (message: string, hint: string): void => void problems.push({ code: 'ERR_PROOF_PACKAGE', message, hint })
  if (!realpathSync(process.execPath).startsWith(`${packagesDir}/`)) {
    fail(
      `${process.execPath} is not the Node that the lock file names.`,
      'Start it by make, which takes the pinned one.',
    )
  }
  if (process.env['ESBUILD_BINARY_PATH'] !== undefined) {
    fail('ESBUILD_BINARY_PATH puts another program in the place of esbuild.', 'Unset it.')
  }
  return problems
}

/**
 * A file of each package that builds bundles, executables and proofs: Node, esbuild with its program, TypeScript,
 * postject.
 */
function tools(): string[] {
  const commander = createRequire(join(packagesDir, 'postject/package.json')).resolve('commander')
  const files = [
    ...['esbuild', 'typescript', 'postject'].map((name) => join(packagesDir, name, 'package.json')),
    join(packagesDir, '@esbuild', `${process.platform}-${process.arch}`, 'package.json'),
    realPath(commander),
    realpathSync(process.execPath),
  ]
  return files.filter((file) => existsSync(file))
}

/** The real paths of the files of a bundle. */
function filesOf({ target, metafile }: Bundle): readonly string[] {
  return realPaths(target, metafile)
}

const realPaths = once((target: TargetPlan, metafile: Metafile) =>
  [...Object.keys(metafile.inputs).map(inputPath), ...carriedFiles(target)].map((file) =>
    realPath(resolve(root, file)),
  ),
)

/** Reports files of a bundle that the hash of their package does not include. */
function uncountedIn(bundle: Bundle, base: string): Problem[] {
  return filesOf(bundle).flatMap((file) => {
    const { folder, place } = packageOf(file, base) ?? {}
    if (folder === undefined || place === undefined || !isInside(folder)) return []
    if (counts(place, file.slice(folder.length + 1))) return []
    const hint = 'Take it out of scripts/build/prove/packages/unread.ts, and run make pins.'
    return { code: 'ERR_PROOF_PACKAGE', message: `${place}${file.slice(folder.length)} has no hash.`, hint }
  })
}

function carriedFiles({ features }: TargetPlan): string[] {
  const abi = process.versions.modules
  const binaries = features.flatMap(({ feature }) => Object.values(feature.binaries ?? {}))
  const files = binaries.flatMap(
    ({ files }) => files[`${process.platform}-${process.arch}`]?.replace('{abi}', abi) ?? [],
  )
  const assets = features.flatMap(({ feature }) => Object.values(feature.assets ?? {}))
  return [...files, ...assets].filter((file) => existsSync(resolve(root, file)))
}
