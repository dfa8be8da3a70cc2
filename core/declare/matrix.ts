/** The types of the feature matrix: its rows are features, its columns are profiles. The build reads this data. */

import type { Contract } from '../testing/contract.ts'
import type { StorePart } from './capabilities.ts'
import type { Command, CommandGifts } from './command.ts'
import type { Stability } from './manifest.ts'
import type { Plugin } from './plugin.ts'

/**
 * The platform of a target. `bare`: ECMAScript, `TextEncoder`, `TextDecoder`, `crypto.getRandomValues`, `WebAssembly`.
 * `web`: in addition the APIs of fetch handlers. `node`: in addition Node's built-ins.
 */
export type Platform = 'bare' | 'web' | 'node'

/**
 * A way to reach code that the bundler cannot follow. `eval`: code from text, by `eval`, `Function` or `node:vm`.
 * `eval-where-allowed`: the same, by code that also works if the platform refuses it. `import`: `import()` of a
 * computed name. `require`: `require` of anything but a plain name, and the functions of `node:module`. `process`: the
 * bindings of `process`, and `getBuiltinModule` of a computed name. `worker`: threads. `wasm`: WebAssembly. `addon`:
 * native code. `spawn`: other processes. `place`: the place of the module where the target has none, or a file beside
 * the module that is not delivered, by code that works without.
 */
export type Use =
  | 'eval'
  | 'eval-where-allowed'
  | 'import'
  | 'require'
  | 'process'
  | 'worker'
  | 'wasm'
  | 'addon'
  | 'spawn'
  | 'place'

/**
 * The features of the matrix. Each adds itself in its `feature.ts`: `true`, or the names of its variants, so that the
 * compiler knows what a row may require and what a profile may choose.
 */
// biome-ignore lint/suspicious/noEmptyInterface: other modules add to it.
export interface Features {}

/** The id of a feature of the matrix. */
export type FeatureId = keyof Features & string

/**
 * A module, by a literal import that the compiler checks: `() => import('./commands.ts')`. A user's own profile may
 * also name a module by a path from the profile's file or by the name of a package.
 */
export type ModuleRef<Holds = unknown> = (() => Promise<Holds>) | string

/** The id of another feature, in a row. */
type Other<Id extends string> = Id extends FeatureId ? FeatureId : string

/**
 * One feature. Modules are relative to `at`, or to the profile's file if `at` is absent. Other paths are relative to
 * the root of the project, or to the profile's file.
 */
export interface Feature<Id extends string = string> {
  /** `import.meta.url` of the row. The folder of the row belongs to the feature. */
  readonly at?: string
  /** The function of the feature, in one line. */
  readonly summary: string
  readonly stability: Stability
  /** The first version that has the feature. */
  readonly since: string
  /** Marks a feature that will be removed. A build warns, and fails from the version that removes the feature. */
  readonly deprecated?: Deprecation
  /** The responsible team or address. */
  readonly owner?: string
  /** Features that must be in the profile too. */
  readonly requires?: readonly Other<Id>[]
  /** Features that must not be in the profile. */
  readonly conflicts?: readonly Other<Id>[]
  /** The smallest platform that the feature runs on; by variant if they differ. */
  readonly platform: Platform | Readonly<Record<string, Platform>>
  /** Module of a feature without a plugin: code that the features that require this one import. */
  readonly code?: ModuleRef
  /**
   * Module whose `commands` the feature adds to the command line. An entry without a name only provides something to
   * other commands.
   */
  readonly commands?: ModuleRef<{ readonly commands: readonly (Command | CommandGifts)[] }>
  /**
   * Module whose `storePart` says what the feature keeps in the store: its migrations, and how its rows are counted and
   * checked.
   */
  readonly storePart?: ModuleRef<{ readonly storePart: StorePart }>
  /**
   * What the feature adds to the library: module by export name. The first parameter of the module's export is the
   * registry.
   */
  readonly exports?: Readonly<Record<string, ModuleRef>>
  /**
   * Module whose `main` runs the process; its parameter is the registry. One feature of a runnable profile has such a
   * module.
   */
  readonly main?: ModuleRef<{ readonly main: (...args: never[]) => unknown }>
  /**
   * Files of the feature outside of its folder, as path prefixes. A profile without the feature must not contain any of
   * them.
   */
  readonly owns?: readonly string[]
  /**
   * Libraries of this project that its code imports: families under `plugins/` that have no feature, such as
   * `protocol`.
   */
  readonly libraries?: readonly string[]
  /**
   * Every npm package of the feature, with transitive ones; by variant if they differ. A bundle may contain no package
   * that none of its features names.
   */
  readonly packages?: readonly string[] | Readonly<Record<string, readonly string[]>>
  /**
   * The ways by which the code of the feature or of its packages reaches code that the bundler cannot follow; by
   * variant name if they differ. The proof refuses all other ways, and lists each use.
   */
  readonly uses?: readonly Use[] | Readonly<Record<string, readonly Use[]>>
  /**
   * Node's built-ins that the feature loads at run time (`process.getBuiltinModule`) and works without; by variant if
   * they differ. Code for other platforms than Node may load only these, and may import none.
   */
  readonly asks?: readonly string[] | Readonly<Record<string, readonly string[]>>
  /** npm packages that stay outside the bundle, such as native addons. */
  readonly externals?: readonly string[]
  /**
   * Files to ship beside the bundle: name in `dist/<profile>/` to the path of the source. Code that asks for its own
   * place finds them there.
   */
  readonly assets?: Readonly<Record<string, string>>
  /** Native binaries that the single executable carries, by the name of the asset. */
  readonly binaries?: Readonly<Record<string, NativeBinary>>
  readonly contract: Contract
}

/**
 * When a feature is removed, and what replaces it. Versions are those of the toolkit, or of the plugin if it has its
 * own.
 */
export interface Deprecation {
  readonly since: string
  /** The first version without the feature. */
  readonly remove: string
  /** The replacement. */
  readonly use: string
}

/** A native addon inside a single executable, which has it as an asset. */
export interface NativeBinary {
  /**
   * The file by platform and architecture, such as `linux-x64`, mostly in `node_modules/`. `{abi}` stands for the
   * module version of the Node inside.
   */
  readonly files: Readonly<Record<string, string>>
  /** What happens on a machine without the addon; `build-info` shows it. */
  readonly otherwise: string
}

/** The features of a target: true, or the name of a variant. False removes a feature that comes from `extends`. */
export type FeatureSet = { readonly [id: string]: boolean | string }

/** The features of a target, with the ids and variants that the compiler knows. */
export type MatrixSet = { readonly [Id in FeatureId]?: Features[Id] | false }

/** One bundle of a profile. */
export interface TargetSpec<F extends FeatureSet = FeatureSet> {
  readonly platform: Platform
  readonly features: F
  /**
   * Size of the code that is loaded at once, minified and compressed with gzip, in bytes. A difference of more than 5 %
   * fails the proof.
   */
  readonly gzipBytes?: number
  /** The largest allowed size, in the same measure. */
  readonly gzipLimit?: number
  /** Size of all files together, if some code is in files that are loaded later. */
  readonly gzipTotal?: number
  /** The largest allowed size of all files together. */
  readonly gzipTotalLimit?: number
  /** For a library: present if it is also delivered as one file, with the size of this file. */
  readonly single?: { readonly gzipBytes?: number; readonly gzipLimit?: number }
}

/**
 * A feature as `defineFeature` returns it. The full type, `FeatureValue`, is in feature.ts, which imports this module.
 */
type OneValue = Plugin & { readonly made: readonly unknown[] }

/** A profile: the features of the library, and of the program if there is one. */
export interface Profile<F extends FeatureSet = FeatureSet> {
  readonly name: string
  readonly summary: string
  /** The name of a standard profile on which this profile is based. Its features come first. */
  readonly extends?: string
  readonly library: Partial<TargetSpec<F>>
  /** The program. It has these features and those of the library. */
  readonly main?: Partial<TargetSpec<F>>
  /** The user's own features, by id: the module that exports each as `feature`. */
  readonly own?: Readonly<Record<string, ModuleRef<{ readonly feature: OneValue }>>>
  /** Licences (SPDX) that delivered packages may have; any licence if absent. Inherited. */
  readonly licenses?: readonly string[]
  /** The least stability of all features: `stable` refuses experimental and deprecated ones. Inherited. */
  readonly minStability?: Stability
  /**
   * Settings, by key, for the one start at the end of each build: those that plugins of the profile cannot start
   * without, such as the address of an engine, which need not answer. Inherited.
   */
  readonly startSettings?: Readonly<Record<string, unknown>>
  /** `node:` built-ins that the program may use. The library of a `bare` or `web` target may use none. */
  readonly builtins?: readonly string[]
}

/**
 * Declares a profile.
 *
 * @example
 * ```ts
 * import { defineProfile } from 'svc/plugin'
 *
 * export const profile = defineProfile({
 *   name: 'edge',
 *   summary: 'Minimal with quotes',
 *   extends: 'minimal',
 *   library: { features: { 'edge.quote': true } },
 *   own: { 'edge.quote': './quote.ts' },
 * })
 * ```
 */
export function defineProfile(profile: Profile): Profile {
  return profile
}
