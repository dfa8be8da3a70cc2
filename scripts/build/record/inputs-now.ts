/**
 * What a build depends on, as it is now. This file loads nothing of the builder, so that a build of unchanged sources
 * is answered at once.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, workDir } from '../paths.ts'
import { stampOf } from '../prove/packages/tree-hash.ts'
import { commitOf } from '../stamp.ts'

/** Everything that a build depends on. Two builds with equal inputs make the same files. */
export interface Inputs {
  /** The Node that builds, the folder that it writes to, and the variables that a build reads. */
  readonly surroundings: string
  /** A stamp of the toolkit: the inode, size and times of each of its files. */
  readonly toolkit: string
  /** A stamp for the folder of each package with a file in the build. */
  readonly packages: Readonly<Record<string, string>>
  /** SHA-256 of each file of the user, by absolute path; null where there is none. */
  readonly files: Readonly<Record<string, string | null>>
  /** SHA-256 of the names in each folder in which a new file could take the place of one that was read. */
  readonly folders: Readonly<Record<string, string>>
}

/** Whether the inputs of a build are still the same. Ends at the first difference, and looks at sources first. */
export function areUnchanged({ toolkit, surroundings, files, folders, packages }: Inputs): boolean {
  const same = <V>(before: Readonly<Record<string, V>>, value: (name: string) => V): boolean =>
    Object.entries(before).every(([name, one]) => value(name) === one)
  return (
    toolkit === toolkitStamp() &&
    same(files, contentOf) &&
    surroundings === surroundingsWith(commitOf()) &&
    same(folders, namesIn) &&
    same(packages, packageStamp)
  )
}

/** The names of what a build depends on. */
export interface Places {
  readonly packages: readonly string[]
  readonly files: readonly string[]
  readonly folders: readonly string[]
}

/** The inputs of a build that has delivered `commit`: what is in the places now. */
export function inputsAt({ packages, files, folders }: Places, commit: string): Inputs {
  const all = <V>(names: readonly string[], value: (name: string) => V): Record<string, V> =>
    Object.fromEntries([...new Set(names)].sort().map((name) => [name, value(name)]))
  return {
    surroundings: surroundingsWith(commit),
    toolkit: toolkitStamp(),
    packages: all(packages, packageStamp),
    files: all(files, contentOf),
    folders: all(folders, namesIn),
  }
}

function packageStamp(folder: string): string {
  return existsSync(folder) ? stampOf(folder) : 'gone'
}

function contentOf(file: string): string | null {
  return existsSync(file) ? sha256(readFileSync(file)) : null
}

/** The variables that change what is built, or where. */
const VARIABLES = ['SVC_DIST', 'SVC_PROFILE_HOME', 'ESBUILD_BINARY_PATH', 'NODE_PATH', 'NODE_OPTIONS']

function surroundingsWith(commit: string): string {
  const { execPath, version, platform, arch, env } = process
  const variables = VARIABLES.map((name) => env[name] ?? null)
  return JSON.stringify([execPath, version, platform, arch, workDir, commit, variables])
}

/** The folders and files of the toolkit that a build reads. */
const OURS = ['core', 'plugins', 'profiles', 'scripts']
const OUR_FILES = /^(?:loader\.js|openapi\.json|package\.json|package-trees\.json|package-lock\.json|lock\.json)$/

/** Changes with every file of the toolkit. */
export function toolkitStamp(): string {
  const folders = OURS.map((name) => join(root, name)).filter((folder) => existsSync(folder))
  const files = readdirSync(root).filter((name) => OUR_FILES.test(name))
  return sha256(
    JSON.stringify([
      ...folders.map((folder) => stampOf(folder)),
      ...files.map((name) => [name, sha256(readFileSync(join(root, name)))]),
    ]),
  )
}

/** The names in a folder; those in scopes too, since a folder of packages has them one level deeper. */
function namesIn(folder: string): string {
  if (!existsSync(folder)) return 'gone'
  const names = readdirSync(folder).sort()
  const scoped = names.filter((name) => name.startsWith('@'))
  return sha256(JSON.stringify([names, scoped.map((name) => readdirSync(join(folder, name)).sort())]))
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
