/** Where things are. */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the project. */
export const root: string = resolve(dirname(fileURLToPath(import.meta.url)), '../..')

/** The folder of the packages that this project installed, as the bundler knows it: by its real path. */
export const packagesDir: string = realPath(join(root, 'node_modules'))

/** Folder of what `generate` writes for a profile. */
export function buildDir(profile: string): string {
  return join(root, '.build', profile)
}

/** Folder of what a build delivers for a profile. */
export function distDir(profile: string): string {
  return join(process.env['SVC_DIST'] ?? join(root, 'dist'), profile)
}

/**
 * A path as proofs and messages show it: relative to the project, with forward slashes, so that it is the same on every
 * machine. What lies outside is shown from `base`, the folder of the user's profile, as `./…`, and a package from its
 * `node_modules` on, wherever that is.
 */
export function shown(path: string, base: string = root): string {
  const absolute = isAbsolute(path) ? path : resolve(root, path)
  const packages = absolute.replaceAll('\\', '/').lastIndexOf('/node_modules/')
  if (packages >= 0) return absolute.slice(packages + 1).replaceAll('\\', '/')
  const inside = relative(root, absolute)
  if (!inside.startsWith('..') && !isAbsolute(inside)) return inside.replaceAll('\\', '/')
  return `./${relative(base, absolute).replaceAll('\\', '/')}`
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

/** The path of a file as the account of a bundle names it: what does not stand on the disk as it is has a prefix. */
export function inputPath(input: string): string {
  return input.replace(/^(?:generated|wasm|builtin):/, '')
}

/** Folder of a module whose path is absolute or relative to the project. */
export function folderOf(module: string): string {
  return dirname(resolve(root, module))
}

/** The real path of a file, or the path itself where there is no such file. */
export function realPath(path: string): string {
  return existsSync(path) ? realpathSync.native(path) : path
}
