/** Tells packages apart: the identity of a package is its real folder, and not the name that an import uses. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { packagesAt, packagesDir, root } from '../../paths.ts'

/** A package that is installed, or linked, somewhere on this machine. */
export interface PackageIdentity {
  /** The real path of its folder. */
  readonly folder: string
  /** The name by which features refer to the package. */
  readonly name: string
  /**
   * The folder as records name it, the same on every machine: `node_modules/pino` for a package of this project,
   * `./node_modules/ms` or `./../../packages/greeter` for one of a user, relative to the folder of the profile.
   */
  readonly place: string
}

/**
 * The package that a file belongs to, by its real path; undefined for a file of the project or of the user's own
 * package.
 */
export function packageOf(file: string, base: string): PackageIdentity | undefined {
  const path = file.replaceAll('\\', '/')
  const at = packagesAt(path)
  if (at >= 0) {
    const [, folder, name] = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(path) ?? []
    return folder === undefined || name === undefined ? undefined : { folder, name, place: placeOf(folder, base) }
  }
  if (path.startsWith(`${root}/`)) return undefined
  const linked = namedFolder(dirname(path))
  // The folder that contains the profile is the user's own package, and a monorepo around it has a package.json too.
  if (linked === undefined || `${base}/`.startsWith(`${linked.folder}/`)) return undefined
  return { ...linked, place: placeOf(linked.folder, base) }
}

/** The folder of a place. */
export function folderAt(place: string, base: string): string {
  return place.startsWith('./') ? resolve(base, place) : join(packagesDir, '..', place)
}

/**
 * The place of a package that a bundle loads by name at run time: one of this project, or the nearest from the profile
 * on.
 */
export function placeOfExternal(name: string, base: string): string {
  const ours = join(packagesDir, name)
  if (existsSync(ours)) return placeOf(ours, base)
  for (let at = base; dirname(at) !== at; at = dirname(at)) {
    const folder = join(at, 'node_modules', name)
    if (existsSync(folder)) return placeOf(folder, base)
  }
  return `./node_modules/${name}`
}

function placeOf(folder: string, base: string): string {
  if (folder.startsWith(`${packagesDir}/`)) return folder.slice(dirname(packagesDir).length + 1)
  return `./${relative(base, folder).replaceAll('\\', '/')}`
}

const named = new Map<string, Pick<PackageIdentity, 'folder' | 'name'> | undefined>()

/** The nearest folder, from `folder` upwards, with a package.json that has a name. */
function namedFolder(folder: string): Pick<PackageIdentity, 'folder' | 'name'> | undefined {
  if (named.has(folder)) return named.get(folder)
  const name = nameIn(join(folder, 'package.json'))
  const parent = dirname(folder)
  const identity = name !== undefined ? { folder, name } : parent === folder ? undefined : namedFolder(parent)
  named.set(folder, identity)
  return identity
}

function nameIn(file: string): string | undefined {
  if (!existsSync(file)) return undefined
  try {
    const { name } = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown }
    return typeof name === 'string' && name !== '' ? name : undefined
  } catch {
    // esbuild reports a package.json that it cannot read.
    return undefined
  }
}
