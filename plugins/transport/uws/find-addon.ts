/** Addons that the user brings: a file, or a folder of the package; and which version an addon is of. */
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The file of an addon that a path names: the path itself, or the file for this platform in a folder of the package.
 */
export function addonFileAt(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) throw new Error(`there is no ${path}.`)
  if (!stats.isDirectory()) return path
  const name = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`
  for (const folder of [path, join(path, 'dist', 'bin')]) {
    const file = join(folder, name)
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) return file
  }
  throw new Error(`${path} has no ${name}: it is not built for this Node or this platform.`)
}

/** The version in the `package.json` that is nearest above a file; undefined where there is none. */
export function versionAbove(file: string): string | undefined {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const version = versionIn(folder)
    if (version !== undefined) return version
  }
  return undefined
}

/**
 * The folder of the package uWebSockets.js that is installed for a script in the folder `from`; undefined where there
 * is none.
 */
export function installedFolder(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const packageFolder = join(folder, 'node_modules', 'uWebSockets.js')
    if (versionIn(packageFolder) !== undefined) return packageFolder
    if (folder === dirname(folder)) return undefined
  }
}

/** The first version that reads a first line in pieces and serves no second request in the HTTP/1.1 vectors. */
const KNOWN = { major: 20, minor: 57 }

/** The official package, and the repack on npm that keeps its versions. Other repacks count versions of their own. */
const KNOWN_NAMES: ReadonlySet<string> = new Set(['uWebSockets.js', '@btc-vision/uwebsockets.js'])

/**
 * Whether an addon of this version, as `name@version`, is known to read requests as `server.transport` `auto` needs.
 */
export function isKnownRight(version: string | null): boolean {
  const [, name = '', major, minor] = /^(.+)@(\d+)\.(\d+)\.\d+$/.exec(version ?? '') ?? []
  return KNOWN_NAMES.has(name) && Number(major) === KNOWN.major && Number(minor) >= KNOWN.minor
}

/** Name and version: a repack counts versions of its own. */
function versionIn(folder: string): string | undefined {
  try {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>
    return typeof name === 'string' && typeof version === 'string' ? `${name}@${version}` : undefined
  } catch {
    return undefined
  }
}
