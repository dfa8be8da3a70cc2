/** Paths of the project, of builds and of packages. */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The root of the project. */
export const root: string = resolve(dirname(fileURLToPath(import.meta.url)), '../..')

/**
 * Node does not strip types below `node_modules`. An installed copy contains this module, which gives Node the code
 * without types.
 */
const loader = join(root, 'loader.js')

/** Whether this is an installed copy of the toolkit, and not the project. */
export const isInstalled: boolean = existsSync(loader)

/**
 * The same for this project, where the Makefile bundles it from `scripts/loader.ts`. Node can do without it, in twice
 * the time.
 */
const ownLoader = join(root, '.build', 'loader.js')

/** Node arguments for a process that runs modules of this project. */
export const loaderArgs: readonly string[] = [loader, ownLoader]
  .filter((file) => existsSync(file))
  .slice(0, 1)
  .flatMap((file) => ['--import', pathToFileURL(file).href])

/** The command that shows the features, or one profile with its sizes, as it is called here. */
export function matrixCommand(profile?: string): string {
  if (isInstalled) return `npx svc-build matrix${profile === undefined ? '' : ` ${profile}`}`
  return `make matrix${profile === undefined ? '' : ` PROFILE=${profile}`}`
}

/** The folder that builds write to: the project root, or the current directory if the toolkit is an installed copy. */
export const workDir: string = isInstalled ? realPath(process.cwd()) : root

/** The folder of the packages that this project installed, as a real path, because the bundler uses real paths. */
export const packagesDir: string = realPath(join(root, 'node_modules'))

/** The path from a folder to a file as an import has it. A name may begin with a dot, such as `.build`. */
export function importPath(folder: string, file: string): string {
  const path = relative(folder, file).replaceAll('\\', '/')
  return /^\.\.?(?:\/|$)/.test(path) ? path : `./${path}`
}

/** Folder that `generate` writes to for a profile. */
export function buildDir(profile: string): string {
  return join(workDir, '.build', profile)
}

/** Folder of the delivered files of a profile. */
export function distDir(profile: string): string {
  return join(process.env['SVC_DIST'] ?? join(workDir, 'dist'), profile)
}

/** File name of an executable in `dist/<profile>/`. */
export const EXECUTABLE: string = process.platform === 'win32' ? 'svc.exe' : 'svc'

/**
 * Relative path from the folder of a build to the folder of its profile. The default assumes that both are in the
 * folder where the build is called. The variable SVC_PROFILE_HOME overrides the default, for a rebuild in another
 * place. Returns undefined for a profile outside that folder, because delivered files must not contain its location.
 */
export function homeFrom(base: string): string | undefined {
  const override = process.env['SVC_PROFILE_HOME']
  if (override !== undefined) return override === '' ? undefined : override
  const inside = relative(workDir, base)
  if (inside.startsWith('..') || isAbsolute(inside)) return undefined
  return ['..', '..', ...inside.split(/[/\\]/).filter((part) => part !== '')].join('/')
}

/**
 * A path as proofs and messages show it: relative to the project, with forward slashes, so that the text is the same on
 * every machine. A path outside the project and its packages is relative to `base`, the folder of the user's profile,
 * and starts with `./`.
 */
export function shown(path: string, base: string = root): string {
  const absolute = isAbsolute(path) ? path : resolve(root, path)
  if (absolute.startsWith(`${packagesDir}/`))
    return absolute.slice(dirname(packagesDir).length + 1).replaceAll('\\', '/')
  const inside = relative(root, absolute)
  if (!inside.startsWith('..') && !isAbsolute(inside)) return inside.replaceAll('\\', '/')
  return `./${relative(base, absolute).replaceAll('\\', '/')}`
}

/** Index of the innermost `node_modules` folder in a path; -1 if the file is not in a package. */
export function packagesAt(path: string): number {
  const at = path.replaceAll('\\', '/').lastIndexOf('/node_modules/')
  // The project itself can be inside a `node_modules` folder.
  return path.startsWith(root) && at < root.length ? -1 : at
}

/**
 * Returns the file of an input of a metafile, or undefined if there is none: a module can be a `data:` URL, and
 * generated files exist only in memory. The importing file can add `?…` or `#…` to the name. esbuild adds import
 * attributes after the name, and `(disabled):` before it if a package disables the file for this platform.
 */
export function fileOfInput(input: string): string | undefined {
  const asWritten = resolve(root, input.replace(/^\(disabled\):/, ''))
  return [asWritten, asWritten.replace(/ with \{[^{}]*\}$/, '').replace(/[?#][^/]*$/, '')].find(isFile)
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/** The path of an input, without the namespace prefix of inputs that are not on the disk. */
export function inputPath(input: string): string {
  return input.replace(/^(?:generated|builtin):/, '')
}

/** Folder of a module whose path is absolute or relative to the project. */
export function folderOf(module: string): string {
  return dirname(resolve(root, module))
}

/** The real path of a file, or the path itself if there is no such file. */
export function realPath(path: string): string {
  return existsSync(path) ? realpathSync.native(path) : path
}
