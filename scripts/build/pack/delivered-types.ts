/** The declaration files beside a library. They refer to the package `svc` and to the user's own plugins. */
import { relative, resolve } from 'node:path'
import { outputName } from '../generate/generate.ts'
import { libraryTypes, MANIFEST, PROFILE_TYPES } from '../generate/library-types.ts'
import { homeFrom, root } from '../paths.ts'
import { matrixFeatures } from '../plan/locate-feature.ts'
import type { Plan, TargetPlan } from '../plan/target-plan.ts'

/**
 * Name of the declaration file in the package `svc` for the types of all profiles. The types of each library export are
 * in a file with the name of the export.
 */
export const TYPES_OF_ALL = 'profile'

/** Modules of the matrix that libraries export from, by name of the export. */
export const exportingModules: Readonly<Record<string, string>> = Object.assign(
  {},
  ...Object.values(matrixFeatures).map(({ exports = {} }) => exports),
) as Record<string, string>

/** The declaration files of a build, by name. Returns no files if the build has no library. */
export function deliveredTypes({ profile, targets }: Plan): Record<string, string> {
  const library = targets.find(({ form }) => form === 'library')
  if (library === undefined) return {}
  const home = homeFrom(profile.base)
  const from = (module: string): string | undefined => {
    if (module === MANIFEST || module === PROFILE_TYPES) return `'svc/types/${TYPES_OF_ALL}'`
    const path = resolve(root, module)
    const name = Object.keys(exportingModules).find((one) => resolve(root, exportingModules[one]!) === path)
    if (name !== undefined) return `'svc/types/${name}'`
    if (path.startsWith(`${root}/plugins/`)) return "'svc/plugin'"
    if (home === undefined || !/\.[cm]?ts$/.test(path)) return undefined
    return JSON.stringify(`${home}/${relative(profile.base, path).replaceAll('\\', '/')}`)
  }
  const head = `// The types of ${outputName(library)}, for a program that has the package svc beside it.\n`
  const names = targets.flatMap((target) => (target.form === 'single' ? [typesName(target)] : []))
  return {
    [typesName(library)]: head + libraryTypes(library, from),
    ...Object.fromEntries(names.map((name) => [name, `export * from './${outputName(library)}'\n`])),
  }
}

/** File name of the declarations of a library. */
export function typesName(target: Pick<TargetPlan, 'form'>): string {
  return outputName(target).replace(/\.mjs$/, '.d.mts')
}
