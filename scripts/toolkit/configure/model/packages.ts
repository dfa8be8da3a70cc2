/** The packages of a feature with their licences, and its built-ins. */
import { isAllowed } from '../../../build/policy/licences.ts'
import { type Catalogue, type Place, variantsOf } from './catalogue.ts'
import { type Figures, figureOf, partName } from './figures.ts'
import { licenceOf } from './licence-of.ts'
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
  const names = variantsOf(catalogue.known[id]!).flatMap((choice) => [
    partName(id, choice),
    ...packagesOf(catalogue, id, choice).map((name) => `package:${name}`),
  ])
  return [...new Set(names.flatMap((name) => figureOf(figures, place, name)?.builtins ?? []))].sort()
}

/** The packages of all variants of a feature. */
export function packageViews(catalogue: Catalogue, figures: Figures, place: Place, id: string): PackageView[] {
  const { base, licenses } = catalogue.profile
  const names = new Set(variantsOf(catalogue.known[id]!).flatMap((choice) => packagesOf(catalogue, id, choice)))
  return [...names].sort().map((name) => {
    const licence = licenceOf(name, base)
    const bytes = figureOf(figures, place, `package:${name}`)?.bytes ?? null
    return { name, licence, bytes, isAllowed: licenses === undefined || isAllowed(licence, licenses) }
  })
}
