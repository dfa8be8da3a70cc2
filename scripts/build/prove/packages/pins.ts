/**
 * What the packages of the lock file hold. The lock file has the hash of each package as it is downloaded, which says
 * nothing of what lies in `node_modules` a day later; `package-trees.json` has the hash of its files beside it.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../paths.ts'
import { isUnreadAt } from './unread.ts'

/** One package as it is pinned. */
export interface Pin {
  readonly version: string
  /** Hash of the package as npm downloads it, from the lock file. */
  readonly integrity: string
  /** Hash of its files. */
  readonly sha256: string
}

/** An entry of package-lock.json, as far as it matters here. */
export interface Locked {
  readonly version: string
  /** Name in the registry, where it is installed under another. */
  readonly name?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
}

/** The file with the pins. */
export const pinsFile: string = join(root, 'package-trees.json')

/** The lock file, under the name that an installed copy has it by. */
export const lockFile: string = ['lock.json', 'package-lock.json']
  .map((name) => join(root, name))
  .find((file) => existsSync(file))!

/** The entries of a lock file, by place such as `node_modules/pino`. */
export function lockedPackages(file: string = lockFile): Record<string, Locked> {
  const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Locked> }
  return lock.packages
}

/** The pins, by the same places. */
export function pins(): Record<string, Pin> {
  return JSON.parse(readFileSync(pinsFile, 'utf8')) as Record<string, Pin>
}

/**
 * Whether a file of a package of the lock file is in its hash. Of Node only the program is, not the hundred megabytes around it.
 * npm runs an install script of esbuild, which replaces a script that nothing here starts with the program of this platform.
 */
export function counts(place: string, file: string): boolean {
  if (/^node_modules\/node-(?:bin-)?(?:linux|darwin|win)-/.test(place)) return /^bin\/node(?:\.exe)?$/.test(file)
  return !(place.endsWith('node_modules/esbuild') && file === 'bin/esbuild') && !isUnreadAt(place, file)
}
