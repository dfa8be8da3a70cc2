/** Finds the files that the declaration of a feature names. */
import { createRequire } from 'node:module'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FeatureValue, MatrixRow } from '../../../core/declare/feature.ts'
import type { Feature, ModuleRef, NativeBinary } from '../../../core/declare/matrix.ts'
import type { Operations } from '../../../core/declare/operation.ts'
import { matrix } from '../../../profiles/matrix.ts'
import { buildFail } from '../errors.ts'
import { realPath, root } from '../paths.ts'

type Modules = 'commands' | 'storePart' | 'exports' | 'main' | 'code'

/** The source text of `() => import('./commands.ts')`. The function exists for the compiler and is never called. */
const LITERAL_IMPORT = /^\(\)\s*=>\s*import\((['"])([^'"]+)\1\)$/

/**
 * A feature. If another process has read its module, `operations` has its OpenAPI part: schemas are functions and
 * cannot be sent.
 */
export type ReadFeature = FeatureValue<string, unknown> & { readonly operations?: Operations }

/** A feature with absolute paths in place of its modules and files. */
export interface LocatedFeature extends Omit<Feature, Modules> {
  /**
   * The module of its plugin, by variant if there are several. Undefined for a feature of commands, code or exports
   * alone.
   */
  readonly plugin?: string | Readonly<Record<string, string>>
  readonly commands?: string
  readonly storePart?: string
  readonly exports?: Readonly<Record<string, string>>
  readonly main?: string
  readonly code?: string
  readonly open?: readonly string[]
  /** The feature itself. */
  readonly value: ReadFeature
  /** The module that exports it as `feature`. */
  readonly declaration: string
  /** Folder of the declaration, if the feature owns it. */
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

/** The features of the matrix, located. */
export const matrixFeatures: Readonly<Record<string, LocatedFeature>> = mapValues(matrix, (row) => ({
  ...locateFeature(row, fileOf(row.at!), root),
  folder: folderOf(row.at!),
}))

/**
 * Locates a feature by the module that exports it. Modules are relative to it, other files to `base`: by default to the
 * folder of the module.
 */
export function locateFeature(
  feature: MatrixRow,
  declaration: string,
  base: string = dirname(declaration),
): LocatedFeature {
  const {
    at: _at,
    variants,
    commands,
    storePart,
    exports,
    main,
    code,
    owns,
    assets,
    binaries,
    value,
    ...rest
  } = feature
  const toModule = (ref: ModuleRef): string => moduleOf(ref, dirname(declaration))
  const toFiles = (files: Readonly<Record<string, string>>): Record<string, string> =>
    mapValues(files, (file) => realPath(resolve(base, file)))
  const toBinary = (binary: NativeBinary): NativeBinary => ({ ...binary, files: toFiles(binary.files) })
  const plugin = variants === undefined ? (value.isPlugin ? declaration : undefined) : mapValues(variants, toModule)
  return {
    ...rest,
    value,
    declaration,
    ...(plugin !== undefined && { plugin }),
    ...(commands !== undefined && { commands: toModule(commands) }),
    ...(storePart !== undefined && { storePart: toModule(storePart) }),
    ...(exports !== undefined && { exports: mapValues(exports, toModule) }),
    ...(main !== undefined && { main: toModule(main) }),
    ...(code !== undefined && { code: toModule(code) }),
    ...(owns !== undefined && { owns: owns.map((path) => realPath(resolve(base, path))) }),
    ...(assets !== undefined && { assets: toFiles(assets) }),
    ...(binaries !== undefined && { binaries: mapValues(binaries, toBinary) }),
  }
}

/** The file that a reference names. */
export function moduleOf(ref: ModuleRef, base: string): string {
  const specifier = typeof ref === 'string' ? ref : LITERAL_IMPORT.exec(ref.toString())?.[2]
  if (specifier === undefined) {
    throw buildFail('ERR_PROFILE_INVALID', {
      message: `A module is named by ${ref.toString()}, which is no literal import.`,
      hint: "Write () => import('./commands.ts') and nothing else.",
    })
  }
  if (!specifier.startsWith('.') && !isAbsolute(specifier)) return resolvePackage(specifier, base)
  // The bundler uses real paths. A missing file is reported when it is loaded.
  return realPath(resolve(base, specifier))
}

function fileOf(at: string): string {
  return realPath(fileURLToPath(at))
}

function folderOf(at: string): string {
  return dirname(fileOf(at))
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
