/** The packages of a feature with their licences, and its built-ins. */

import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describedAt } from '../../../build/account/packages.ts'
import { root } from '../../../build/paths.ts'
import { isAllowed } from '../../../build/policy/policy.ts'
import { type Catalogue, type Place, variantsOf } from './catalogue.ts'
import { type Figures, figureOf, partName } from './figures.ts'
import { packagesOf } from './size.ts'

/** A package of a feature. */
export interface PackageView {
  readonly name: string
  readonly licence: string | null
  readonly bytes: number | null
  /** Whether the `licenses` of the profile allow it. */
  readonly isAllowed: boolean
}

/** The built-ins that the measured files of a feature and of its packages import. */
export function builtinsOf(catalogue: Catalogue, figures: Figures, place: Place, id: string): string[] {
  const names = variantsOf(catalogue.knownFeatures[id]!).flatMap((choice) => [
    partName(id, choice),
    ...packagesOf(catalogue, id, choice).map((name) => `package:${name}`),
  ])
  return [...new Set(names.flatMap((name) => figureOf(figures, place, name)?.builtins ?? []))].sort()
}

/** The packages of all variants of a feature. */
export function packageViews(catalogue: Catalogue, figures: Figures, place: Place, id: string): PackageView[] {
  const { base, licenses } = catalogue.profile
  const names = new Set(variantsOf(catalogue.knownFeatures[id]!).flatMap((choice) => packagesOf(catalogue, id, choice)))
  return [...names].sort().map((name) => {
    const licence = licenceOf(name, base)
    const bytes = figureOf(figures, place, `package:${name}`)?.bytes ?? null
    return { name, licence, bytes, isAllowed: licenses === undefined || isAllowed(licence, licenses) }
  })
}

const licences = new Map<string, string | null>()

/**
 * The licence that the package.json of a package names; null without a licence or a package. `base` is the folder of
 * the profile.
 */
export function licenceOf(name: string, base: string): string | null {
  const key = `${base}\n${name}`
  const cachedLicence = licences.get(key)
  if (cachedLicence !== undefined) return cachedLicence
  const places = [join(root, 'package.json'), join(base, 'package.json')]
  const folders = places.flatMap((from) => createRequire(from).resolve.paths(name) ?? []).map((at) => join(at, name))
  const folder = folders.find((one) => existsSync(join(one, 'package.json')))
  const licence = folder === undefined ? null : describedAt(folder).licence
  licences.set(key, licence)
  return licence
}
