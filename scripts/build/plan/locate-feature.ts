/** Finds the files that the declaration of a feature names. */
import { createRequire } from 'node:module'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FeatureValue, RowOfValue } from '../../../core/declare/feature.ts'
import type { Feature, ModuleRef, NativeBinary } from '../../../core/feature.ts'
import type { Operations } from '../../../core/operation.ts'
import { matrix } from '../../../profiles/matrix.ts'
import { buildFail } from '../errors.ts'
import { realPath, root } from '../paths.ts'

type Modules = 'plugin' | 'commands' | 'storePart' | 'exports' | 'main' | 'code' | 'operations'

/** The source text of `() => import('./plugin.ts')`. The function exists for the compiler and is never called. */
const LITERAL_IMPORT = /^\(\)\s*=>\s*import\((['"])([^'"]+)\1\)$/

/** A feature that is one value. One that was read as data has its operations, because its schemas cannot be sent. */
export type ReadFeature = FeatureValue<string, unknown> & { readonly operations?: Operations }

/** A feature with absolute paths in place of its modules and files. */
export interface LocatedFeature extends Omit<Feature, Modules> {
  readonly plugin?: string | Readonly<Record<string, string>>
  readonly commands?: string
  readonly storePart?: string
  readonly exports?: Readonly<Record<string, string>>
  readonly main?: string
  readonly code?: string
  readonly operations?: string
  /** The feature itself, if it is one value. */
  readonly value?: ReadFeature
  /** The module that exports the value as `feature`. It is `plugin` too, unless the feature has variants. */
  readonly declaration?: string
  /** Folder of the feature's declaration, which the feature owns. Undefined if the declaration has no `at`. */
  readonly folder?: string
}

/** The modules that a feature names, of all its variants. */
export function modulesOf(feature: LocatedFeature): string[] {
  const { declaration, plugin, code, commands, storePart, main, exports = {} } = feature
  const plugins = typeof plugin === 'object' ? Object.values(plugin) : [plugin]
  return [declaration, ...plugins, code, commands, storePart, main, ...Object.values(exports)].filter(
    (module) => module !== undefined,
  )
}

/** Locates the features of a set. `base` is the folder that paths are relative to if a declaration has no `at`. */
export function locateFeatures(
  features: Readonly<Record<string, RowOfValue>>,
  base: string,
): Record<string, LocatedFeature> {
  return mapValues(features, (feature) => locateFeature(feature, base))
}

/** The features of the matrix, located. */
export const matrixFeatures: Readonly<Record<string, LocatedFeature>> = locateFeatures(
  matrix as Readonly<Record<string, RowOfValue>>,
  root,
)

/** Locates one feature. `declaration` is the module that exports the feature, if its row does not say where it is. */
export function locateFeature(
  feature: RowOfValue,
  base: string,
  declaration: string | undefined = declarationOf(feature),
): LocatedFeature {
  const {
    at,
    variants,
    plugin = variants ?? (feature.value?.isPlugin === false ? undefined : declaration),
    commands,
    storePart,
    exports,
    main,
    code,
    operations,
    owns,
    assets,
    binaries,
    ...rest
  } = feature
  const folder = at === undefined ? undefined : folderOf(at)
  const toModule = (ref: ModuleRef): string => moduleOf(ref, folder ?? base)
  const toFiles = (files: Readonly<Record<string, string>>): Record<string, string> =>
    mapValues(files, (file) => realPath(resolve(base, file)))
  const toBinary = (binary: NativeBinary): NativeBinary => ({ ...binary, files: toFiles(binary.files) })
  return {
    ...rest,
    ...(folder !== undefined && { folder }),
    ...(declaration !== undefined && { declaration }),
    ...(plugin !== undefined && { plugin: isRef(plugin) ? toModule(plugin) : mapValues(plugin, toModule) }),
    ...(commands !== undefined && { commands: toModule(commands) }),
    ...(storePart !== undefined && { storePart: toModule(storePart) }),
    ...(exports !== undefined && { exports: mapValues(exports, toModule) }),
    ...(main !== undefined && { main: toModule(main) }),
    ...(code !== undefined && { code: toModule(code) }),
    ...(operations !== undefined && { operations: toModule(operations) }),
    ...(owns !== undefined && { owns: owns.map((path) => realPath(resolve(base, path))) }),
    ...(assets !== undefined && { assets: toFiles(assets) }),
    ...(binaries !== undefined && { binaries: mapValues(binaries, toBinary) }),
  }
}

/** The module of a feature that is one value. */
function declarationOf({ at, value }: RowOfValue): string | undefined {
  return value === undefined || at === undefined ? undefined : fileURLToPath(at)
}

function isRef(plugin: ModuleRef | Readonly<Record<string, ModuleRef>>): plugin is ModuleRef {
  return typeof plugin !== 'object'
}

/** The file that a reference names. */
export function moduleOf(ref: ModuleRef, base: string): string {
  const specifier = typeof ref === 'string' ? ref : LITERAL_IMPORT.exec(ref.toString())?.[2]
  if (specifier === undefined) {
    throw buildFail('ERR_PROFILE_INVALID', {
      message: `A module is named by ${ref.toString()}, which is no literal import.`,
      hint: "Write () => import('./plugin.ts') and nothing else.",
    })
  }
  if (!specifier.startsWith('.') && !isAbsolute(specifier)) return resolvePackage(specifier, base)
  // The bundler uses real paths. A missing file is reported when it is loaded.
  return realPath(resolve(base, specifier))
}

function folderOf(at: string): string {
  try {
    return realPath(dirname(fileURLToPath(at)))
  } catch (cause) {
    throw buildFail('ERR_PROFILE_INVALID', {
      message: `A row says that it stands at ${JSON.stringify(at)}, which is no file.`,
      hint: 'Write at: import.meta.url and nothing else.',
      cause,
    })
  }
}

function mapValues<V, W>(values: Readonly<Record<string, V>>, change: (value: V) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}

function resolvePackage(specifier: string, base: string): string {
  try {
    return createRequire(join(base, 'package.json')).resolve(specifier)
  } catch (cause) {
    throw buildFail('ERR_PROFILE_INVALID', {
      message: `The package "${specifier}" cannot be found from ${base}.`,
      hint: 'Install it beside the profile, or name the plugin by a path that starts with "./".',
      cause,
    })
  }
}
