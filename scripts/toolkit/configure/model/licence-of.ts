/** The licence of an installed package. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describedAt } from '../../../build/account/packages.ts'
import { root } from '../../../build/paths.ts'

const licences = new Map<string, string | null>()

/** The licence that the package.json of a package names; null without a licence or a package. `base` is the folder of the profile. */
export function licenceOf(name: string, base: string): string | null {
  const key = `${base}\n${name}`
  const known = licences.get(key)
  if (known !== undefined) return known
  const places = [join(root, 'package.json'), join(base, 'package.json')]
  const folders = places.flatMap((from) => createRequire(from).resolve.paths(name) ?? []).map((at) => join(at, name))
  const folder = folders.find((one) => existsSync(join(one, 'package.json')))
  const licence = folder === undefined ? null : describedAt(folder).licence
  licences.set(key, licence)
  return licence
}
