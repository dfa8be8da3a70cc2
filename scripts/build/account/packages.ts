/** Packages as the account lists them. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packagesAt, packagesDir } from '../paths.ts'
import { packageHash } from '../prove/packages/package-hash.ts'
import type { lockedPackages } from '../prove/packages/pins.ts'

/** One package. */
export interface PackageAccount {
  /** Name in the registry, which can differ from the install path. */
  readonly name: string
  readonly version: string
  /** Licence from the package's package.json: an SPDX expression, or null if it is missing or unreadable. */
  readonly licence: string | null
  /** Hash of all files of the package. */
  readonly sha256: string
  /** Hash of the package as npm downloads it. Absent if the lock file has none. */
  readonly integrity?: string
}

/** Path of the package that contains a file, such as `node_modules/@noble/hashes`. */
export function placeOf(path: string): string | undefined {
  const at = packagesAt(path)
  if (at < 0) return undefined
  const inside = path.replaceAll('\\', '/')
  // The path of a package that is nested in another package of this project starts at the outer `node_modules`.
  const from = inside.startsWith(`${packagesDir}/`) ? dirname(packagesDir).length + 1 : at + 1
  const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(inside.slice(at + '/node_modules/'.length)) ?? []
  return name === undefined ? undefined : `${inside.slice(from, at + '/node_modules/'.length)}${name}`
}

/**
 * Reads an installed package. `base` is the folder of the profile: packages of the profile are in that folder or in a
 * parent folder. `entries` are the entries of the lock file.
 */
export function packageAt(
  place: string,
  base: string,
  entries: ReturnType<typeof lockedPackages>,
): PackageAccount | undefined {
  const folder = folderOf(place, base)
  if (folder === undefined) return undefined
  const { name, version, license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name?: string
    version?: string
    license?: unknown
    licenses?: unknown
  }
  const locked = folder.startsWith(`${packagesDir}/`) ? entries[place] : undefined
  return {
    name: name ?? place.replace(/^.*node_modules\//, ''),
    version: version ?? '',
    licence: licenceText(license) ?? licenceText(Array.isArray(licenses) ? licenses[0] : licenses) ?? null,
    sha256: packageHash({ place, from: folder }),
    ...(locked?.integrity !== undefined && { integrity: locked.integrity }),
  }
}

/**
 * Returns the folder of a package: a package of this project first, then one beside the profile or in a parent folder.
 */
export function folderOf(place: string, base: string): string | undefined {
  const ours = join(packagesDir, '..', place)
  if (existsSync(join(ours, 'package.json'))) return ours
  for (let at = base; ; at = dirname(at)) {
    if (existsSync(join(at, place, 'package.json'))) return join(at, place)
    if (dirname(at) === at) return undefined
  }
}

function licenceText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  const { type } = (typeof value === 'object' && value !== null ? value : {}) as { type?: unknown }
  return typeof type === 'string' ? type : undefined
}
