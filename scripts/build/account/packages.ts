/** Packages as the account lists them. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderAt } from '../prove/packages/identity.ts'
import { packageHash } from '../prove/packages/package-hash.ts'
import type { lockedPackages } from '../prove/packages/pins.ts'

/** One package. */
export interface PackageAccount {
  /** Name in the registry, which can differ from the install path. */
  readonly name: string
  readonly version: string
  /** The text of the licence in the package's package.json, which may be no SPDX expression; null if there is none. */
  readonly licence: string | null
  /** Hash of all files of the package. */
  readonly sha256: string
  /** Hash of the package as npm downloads it. Absent if the lock file has none. */
  readonly integrity?: string
}

/**
 * Reads an installed package; undefined if there is none at that place. `base` is the folder of the profile, `entries`
 * are the entries of the lock file.
 */
export function packageAt(
  place: string,
  base: string,
  entries: ReturnType<typeof lockedPackages>,
): PackageAccount | undefined {
  const folder = folderAt(place, base)
  if (!existsSync(join(folder, 'package.json'))) return undefined
  const { name, version, licence } = describedAt(folder)
  const locked = place.startsWith('./') ? undefined : entries[place]
  return {
    name: name ?? place.replace(/^.*node_modules\//, ''),
    version: version ?? '',
    licence,
    sha256: packageHash({ place, from: folder }),
    ...(locked?.integrity !== undefined && { integrity: locked.integrity }),
  }
}

/** What the package.json in a folder says; the licence is null if it names none. */
export function describedAt(folder: string): {
  readonly name: string | undefined
  readonly version: string | undefined
  readonly licence: string | null
} {
  const { name, version, license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name?: string
    version?: string
    license?: unknown
    licenses?: unknown
  }
  const licence = licenceText(license) ?? licenceText(Array.isArray(licenses) ? licenses[0] : licenses) ?? null
  return { name, version, licence }
}

function licenceText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  const { type } = (typeof value === 'object' && value !== null ? value : {}) as { type?: unknown }
  return typeof type === 'string' ? type : undefined
}
