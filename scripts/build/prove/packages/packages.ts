/** Checks the installed packages that a build reads, and its tools, against the lock file. */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import type { Bundle } from '../../bundle/bundle.ts'
import { externalsOf } from '../../bundle/esbuild-options.ts'
import type { Problem } from '../../errors.ts'
import { inputPath, packagesAt, packagesDir, realPath, root } from '../../paths.ts'
import type { TargetPlan } from '../../plan/target-plan.ts'
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
 * Returns the packages of a bundle and of the build tools, by path such as `node_modules/pino`, and all problems with
 * them.
 */
export function checkPackages(
  bundle: Bundle,
  pinned: Pinned = { locked: lockedPackages(), pins: pins() },
): { packages: Record<string, ProvenPackage>; problems: Problem[] } {
  const packages: Record<string, ProvenPackage> = {}
  const problems = [...checkToolsOfProcess(), ...uncountedIn(bundle)]
  for (const one of installedFor(bundle)) {
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

/** The installed packages of a bundle and of the build tools. */
export function installedFor(bundle: Bundle): Installed[] {
  const folders = new Set([...tools(), ...packagesOf(bundle)])
  return [...folders].sort().map((from) => ({
    place: from.slice(isInside(from) ? dirname(packagesDir).length + 1 : from.lastIndexOf('/node_modules/') + 1),
    from,
  }))
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
 * Folders of the packages that build bundles, executables and proofs: Node, esbuild with its program, TypeScript,
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
  return files.flatMap((file) => folderOf(file) ?? []).filter((folder) => existsSync(folder))
}

/** Folders of the packages that a bundle contains, ships beside it, or loads at run time. */
function packagesOf(bundle: Bundle): string[] {
  const externals = externalsOf(bundle.target).map((name) => join(packagesDir, name))
  return [
    ...filesOf(bundle).flatMap((file) => folderOf(file) ?? []),
    ...externals.filter((folder) => existsSync(folder)),
  ]
}

function filesOf({ target, metafile }: Bundle): string[] {
  return [...Object.keys(metafile.inputs).map(inputPath), ...carriedFiles(target)].map((file) =>
    realPath(resolve(root, file)),
  )
}

/** Reports files of a bundle that the hash of their package does not include. */
function uncountedIn(bundle: Bundle): Problem[] {
  return filesOf(bundle).flatMap((file) => {
    const folder = folderOf(file)
    if (folder === undefined || !isInside(folder)) return []
    const place = folder.slice(dirname(packagesDir).length + 1)
    if (counts(place, file.slice(folder.length + 1))) return []
    const hint = 'Take it out of scripts/build/prove/packages/unread.ts, and run make pins.'
    return { code: 'ERR_PROOF_PACKAGE', message: `${file.slice(dirname(packagesDir).length + 1)} has no hash.`, hint }
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

/** The folder of the package that contains a file; undefined if the file is in no package. */
function folderOf(file: string): string | undefined {
  const path = file.replaceAll('\\', '/')
  if (packagesAt(path) < 0) return undefined
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0]
}
