/**
 * The pins of the packages in the lock file. The lock file has the hash of each package as npm downloads it, which does
 * not detect later changes in `node_modules`. `package-trees.json` also has the hash of the installed files.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../paths.ts'
import { isUnreadAt } from './unread.ts'

/** The pin of one package. */
export interface Pin {
  readonly version: string
  /** Hash of the package as npm downloads it, from the lock file. */
  readonly integrity: string
  /** Hash of the package's files. */
  readonly sha256: string
}

/** The used members of an entry in package-lock.json. */
export interface Locked {
  readonly version: string
  /** Name in the registry, if the package is installed under another name. */
  readonly name?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
}

/** The file with the pins. */
export const pinsFile: string = join(root, 'package-trees.json')

/** The lock file. An installed copy of the toolkit has it as `lock.json`. */
export const lockFile: string = ['lock.json', 'package-lock.json']
  .map((name) => join(root, name))
  .find((file) => existsSync(file))!

/** The entries of a lock file, by path such as `node_modules/pino`. */
export function lockedPackages(file: string = lockFile): Record<string, Locked> {
  const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Locked> }
  return lock.packages
}

/** The pins, by the same paths. */
export function pins(): Record<string, Pin> {
  return JSON.parse(readFileSync(pinsFile, 'utf8')) as Record<string, Pin>
}

/**
 * Whether the hash of a package includes a file. For Node only the program is included, not the hundred megabytes of
 * other files. For esbuild `bin/esbuild` is excluded: npm runs an install script that replaces it with this platform's
 * program, and nothing here starts it.
 */
export function counts(place: string, file: string): boolean {
  if (/^node_modules\/node-(?:bin-)?(?:linux|darwin|win)-/.test(place)) return /^bin\/node(?:\.exe)?$/.test(file)
  return !(place.endsWith('node_modules/esbuild') && file === 'bin/esbuild') && !isUnreadAt(place, file)
}
