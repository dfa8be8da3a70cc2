/**
 * The declaration files beside a library. They refer to the package `svc` alone, and hold the types of the user's
 * plugins.
 */
import { resolve } from 'node:path'
import { outputName } from '../generate/generate.ts'
import { libraryTypes, MANIFEST, PROFILE_TYPES, type TypesAt } from '../generate/library-types.ts'
import { root } from '../paths.ts'
import { matrixFeatures } from '../plan/locate-feature.ts'
import type { Plan, TargetPlan } from '../plan/target-plan.ts'
import { ownTypes } from './own-types.ts'

/**
 * Name of the declaration file in the package `svc` for the types of all profiles. The types of each library export are
 * in a file with the name of the export.
 */
export const TYPES_OF_ALL = 'profile'

/**
 * Modules of the matrix that libraries export from, by the name of their types. That is the name of the export.
 * Features that no library has together may have exports of the same name; the last of them in the matrix has this
 * name, and the others have the id of the feature before it.
 */
export const exportingModules: Readonly<Record<string, string>> = namesOfTypes()

function namesOfTypes(): Record<string, string> {
  const named: Record<string, string> = {}
  for (const [id, { exports = {} }] of Object.entries(matrixFeatures).reverse())
    for (const [name, module] of Object.entries(exports)) named[name in named ? `${id}-${name}` : name] = module
  return named
}

/** The declaration files of a build, by name. Returns no files if the build has no library. */
export function deliveredTypes({ profile, targets }: Plan): Record<string, string> {
  const library = targets.find(({ form }) => form === 'library')
  if (library === undefined) return {}
  const isOurs = (path: string): boolean => path.startsWith(`${root}/core/`) || path.startsWith(`${root}/plugins/`)
  const modules = library.features.flatMap(({ module }) => module ?? []).map((module) => resolve(root, module))
  const copiedTypes = ownTypes(
    profile.base,
    modules.filter((path) => !isOurs(path)),
  )
  const from = (module: string): TypesAt | undefined => {
    if (module === MANIFEST || module === PROFILE_TYPES) return `'svc/types/${TYPES_OF_ALL}'`
    const path = resolve(root, module)
    const name = Object.keys(exportingModules).find((one) => resolve(root, exportingModules[one]!) === path)
    if (name !== undefined) return `'svc/types/${name}'`
    if (isOurs(path)) return "'svc/plugin'"
    // What a plugin declares for others is copied below. It exports nothing else to programs.
    if (modules.includes(path)) return undefined
    const namespace = copiedTypes.namespace(path)
    return namespace === undefined ? undefined : { namespace, names: copiedTypes.exportsOf(path) }
  }
  const head = `// The types of ${outputName(library)}, for a program that has the package svc beside it.\n`
  const names = targets.flatMap((target) => (target.form === 'single' ? [typesName(target)] : []))
  const types = libraryTypes(library, from)
  return {
    [typesName(library)]: `${[head + types.trimEnd(), ...copiedTypes.lines(), 'export {}'].join('\n')}\n`,
    ...Object.fromEntries(names.map((name) => [name, `export * from './${outputName(library)}'\n`])),
  }
}

/** File name of the declarations of a library. */
export function typesName(target: Pick<TargetPlan, 'form'>): string {
  return outputName(target).replace(/\.mjs$/, '.d.mts')
}
