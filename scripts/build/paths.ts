/** Where things are. */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The root of the project. */
export const root: string = resolve(dirname(fileURLToPath(import.meta.url)), '../..')

/** Node runs no types below `node_modules`; an installed copy brings this module, which gives it the code without them. */
const loader = join(root, 'loader.js')

/** What a Node that runs modules of this project is started with. */
export const loaderArgs: readonly string[] = existsSync(loader) ? ['--import', pathToFileURL(loader).href] : []

/** The folder that builds write to: the project itself, or where an installed copy is called. */
export const workDir: string = existsSync(loader) ? realPath(process.cwd()) : root

/** The folder of the packages that this project installed, as the bundler knows it: by its real path. */
export const packagesDir: string = realPath(join(root, 'node_modules'))

/** Folder of what `generate` writes for a profile. */
export function buildDir(profile: string): string {
  return join(workDir, '.build', profile)
}

/** Folder of what a build delivers for a profile. */
export function distDir(profile: string): string {
  return join(process.env['SVC_DIST'] ?? join(workDir, 'dist'), profile)
}

/**
 * The way from the folder of a build to that of its profile, as it is without further ado: both in the folder where the build
 * is called. Undefined for a profile that lies elsewhere, since nothing that is delivered says where. A build that is made
 * again in another place is told how it was.
 */
export function homeFrom(base: string): string | undefined {
  const told = process.env['SVC_PROFILE_HOME']
  if (told !== undefined) return told === '' ? undefined : told
  const inside = relative(workDir, base)
  if (inside.startsWith('..') || isAbsolute(inside)) return undefined
  return ['..', '..', ...inside.split(/[/\\]/).filter((part) => part !== '')].join('/')
}

/**
 * A path as proofs and messages show it: relative to the project, with forward slashes, so that it is the same on every
 * machine. What lies outside is shown from `base`, the folder of the user's profile, as `./…`, and a package from its
 * `node_modules` on, wherever that is.
 */
export function shown(path: string, base: string = root): string {
  const absolute = isAbsolute(path) ? path : resolve(root, path)
  const packages = packagesAt(absolute)
  if (packages >= 0) return absolute.slice(packages + 1).replaceAll('\\', '/')
  const inside = relative(root, absolute)
  if (!inside.startsWith('..') && !isAbsolute(inside)) return inside.replaceAll('\\', '/')
  return `./${relative(base, absolute).replaceAll('\\', '/')}`
}

/** Where the innermost folder of packages begins in a path; -1 where the file is the project's own, or in no package. */
export function packagesAt(path: string): number {
  const at = path.replaceAll('\\', '/').lastIndexOf('/node_modules/')
  // The project may itself lie in such a folder.
  return path.startsWith(root) && at < root.length ? -1 : at
}

/**
 * The file behind an input, as the account of a bundle names it, or undefined where there is none: a module can be written as
 * a `data:` address, and what is generated lies in memory. Who imports a file may add `?…` or `#…` to its name; attributes are
 * shown behind it, and a mark before it where a package says that it is not for this platform.
 */
export function fileOfInput(input: string): string | undefined {
  const asWritten = resolve(root, input.replace(/^\(disabled\):/, ''))
  return [asWritten, asWritten.replace(/ with \{[^{}]*\}$/, '').replace(/[?#][^/]*$/, '')].find(isFile)
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/**
 * The path of a file as the account of a bundle names it: without the prefix of what does not stand on the disk as it is.
 */
export function inputPath(input: string): string {
  return input.replace(/^(?:generated|builtin):/, '')
}

/** Folder of a module whose path is absolute or relative to the project. */
export function folderOf(module: string): string {
  return dirname(resolve(root, module))
}

/** The real path of a file, or the path itself where there is no such file. */
export function realPath(path: string): string {
  return existsSync(path) ? realpathSync.native(path) : path
}
