/** Rows of the feature matrix and its columns, the profiles: data that the build reads. */
import type { Contract } from './contract.ts'
import type { Stability } from './manifest.ts'

/**
 * What a target can rely on. `bare`: ECMAScript, `TextEncoder`, `TextDecoder`, `crypto.getRandomValues`,
 * `WebAssembly`. `web`: besides, what fetch handlers have. `node`: besides, Node's built-ins.
 */
export type Platform = 'bare' | 'web' | 'node'

/**
 * One feature. Paths are relative to the root of the project, or absolute. In a profile of the user's own they are relative
 * to its file; there a module may also be the name of a package.
 */
export interface Feature {
  /** What it does, in one line. */
  readonly summary: string
  readonly stability: Stability
  /** Version that had it first. */
  readonly since: string
  /** Features that must be in the profile too. */
  readonly requires?: readonly string[]
  /** Features that must not be in the profile. */
  readonly conflicts?: readonly string[]
  /** The least platform that it runs on. */
  readonly platform: Platform
  /** Module whose `plugin` implements it; by variant name where there are several implementations. */
  readonly plugin?: string | Readonly<Record<string, string>>
  /** Module that stands for it where it has none of the others: what the features that require it import. */
  readonly code?: string
  /** Module whose `commands` it adds to the command line. */
  readonly commands?: string
  /** What it adds to the library: export name to module; the module's export of that name takes the registry first. */
  readonly exports?: Readonly<Record<string, string>>
  /** Module whose `main` takes the registry and runs the process; one feature of a runnable profile has it. */
  readonly main?: string
  /**
   * Files that are its own, as path prefixes, where that is not the folder of its plugin module. A profile without the
   * feature must not contain any of them.
   */
  readonly owns?: readonly string[]
  /**
   * Every npm package that it brings, transitive ones too; by variant name where they differ. A bundle may contain no
   * package that none of its features names.
   */
  readonly packages?: readonly string[] | Readonly<Record<string, readonly string[]>>
  /** npm packages that stay outside the bundle, such as native addons. */
  readonly externals?: readonly string[]
  /** Files to ship beside the bundle: name in `dist/<profile>/` to module path of the source. */
  readonly assets?: Readonly<Record<string, string>>
  /** Native binaries that the single executable carries, by the name of the asset. */
  readonly binaries?: Readonly<Record<string, NativeBinary>>
  readonly contract: Contract
}

/** A native addon inside a single executable; plugins/transport/native-asset.ts loads it from there. */
export interface NativeBinary {
  /**
   * The file by platform and architecture, such as `linux-x64`, mostly in `node_modules/`. `{abi}` stands for the module
   * version of the Node inside.
   */
  readonly files: Readonly<Record<string, string>>
  /** What happens where there is none; `build-info` shows it. */
  readonly otherwise: string
}

/** The features of a target: true, or the name of a variant; false takes away what `extends` brought. */
export type FeatureSet = Readonly<Record<string, boolean | string>>

/** One bundle of a profile. */
export interface TargetSpec {
  readonly platform: Platform
  readonly features: FeatureSet
  /** Size that the bundle has, minified and compressed with gzip. More or less than this, by over 2 %, fails the proof. */
  readonly gzipBytes?: number
  /** Size that it must never exceed, in the same measure. */
  readonly gzipLimit?: number
}

/** A profile: what goes into the library, and into the runnable program where there is one. */
export interface Profile {
  readonly name: string
  readonly summary: string
  /** A profile to start from: one of ours by name. Its features come first. */
  readonly extends?: string
  readonly library: Partial<TargetSpec>
  /** The program; its features are those of the library and these. */
  readonly main?: Partial<TargetSpec>
  /** Features of the user's own, by id. */
  readonly own?: Readonly<Record<string, Feature>>
  /** `node:` built-ins that the program may use. The library of a `bare` or `web` target may use none. */
  readonly builtins?: readonly string[]
}

/** Declares the matrix. */
export function defineMatrix<const M extends Readonly<Record<string, Feature>>>(matrix: M): M {
  return matrix
}

/** Declares a profile. */
export function defineProfile(profile: Profile): Profile {
  return profile
}
