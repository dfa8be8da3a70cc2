/**
 * The account of a build, `account.json` beside the proof: every file that was read, with its bytes, imports, owner and
 * package, and every feature that exists. Commands that answer questions about a build read this file instead of
 * building again.
 */
import type { TargetPlan } from '../plan/target-plan.ts'
import type { FeatureAccount } from './features.ts'
import type { PackageAccount } from './packages.ts'

/** Name of the file in `dist/<profile>/`. */
export const ACCOUNT = 'account.json'

/** One input file of a bundle, or a file that is shipped beside the bundle. */
export interface InputAccount {
  /** Bytes of the bundle that come from this file; 0 if tree shaking removed all of it. */
  readonly bytes: number
  /** The owner as in the proof: `feature:<id>`, `package:<name>`, `core`, … */
  readonly owner: string
  /** SHA-256 of the file. Absent for generated text and for inputs that are not files, such as `data:` modules. */
  readonly sha256?: string
  /** Path of the package that contains the file, such as `node_modules/pino`. */
  readonly package?: string
  /** Imports of the file: other files by name, built-ins, and packages outside the bundle. */
  readonly imports: readonly string[]
}

/** One bundle. */
export interface BundleAccount {
  /** File in `dist/<profile>/`. */
  readonly file: string
  readonly form: TargetPlan['form']
  readonly platform: string
  /** Size of all files of the bundle. */
  readonly bytes: number
  /** Size of the files that are loaded at start, each file compressed separately. */
  readonly gzipBytes: number
  /** Size of all files of the bundle, each file compressed separately. */
  readonly gzipTotal: number
  /**
   * SHA-256 as in the proof: the hash inside the bundle is replaced by zeros. For a bundle of several files, the hash
   * of the entry file.
   */
  readonly sha256: string
  /** The other files of the bundle, by name. */
  readonly parts: Readonly<Record<string, PartAccount>>
  /** Name of the input that is the entry point. */
  readonly entry: string
  readonly inputs: Readonly<Record<string, InputAccount>>
  /** Files beside the bundle, by name of the source. */
  readonly assets: Readonly<Record<string, InputAccount>>
  /** Paths of packages outside the bundle that the bundle loads at run time. */
  readonly externals: readonly string[]
  readonly builtins: readonly string[]
}

/** A file of a bundle beside its entry. */
export interface PartAccount {
  readonly bytes: number
  readonly gzipBytes: number
  readonly sha256: string
  /** True if the file is loaded on first use, false if it is loaded with the entry. */
  readonly later: boolean
}

/** `account.json`. */
export interface Account {
  readonly version: 1
  readonly toolkit: string
  readonly profile: string
  readonly summary: string
  /**
   * Relative path from this file's folder to the folder of the profile. Present only if the profile declares features,
   * because a program may need their types.
   */
  readonly home?: string
  readonly bundles: readonly BundleAccount[]
  /** Packages of which at least one file was read, by path. */
  readonly packages: Readonly<Record<string, PackageAccount>>
  /** Every feature that exists for this profile, present or absent. */
  readonly features: Readonly<Record<string, FeatureAccount>>
}

/**
 * Paths of the packages that contribute at least one byte to a bundle or its assets, or that a bundle loads at run
 * time.
 */
export function packagesIn({ packages }: Pick<Account, 'packages'>, bundles: readonly BundleAccount[]): string[] {
  const places = bundles.flatMap(({ inputs, assets, externals }) => [
    ...Object.values({ ...inputs, ...assets }).flatMap(({ bytes, package: place }) => (bytes > 0 ? (place ?? []) : [])),
    ...externals,
  ])
  return [...new Set(places)].filter((place) => Object.hasOwn(packages, place)).sort()
}

/** The package URL of an npm package: `pkg:npm/%40noble/hashes@2.4.0`. */
export function npmPurl(name: string, version: string): string {
  const path = name.split('/').map(encodeURIComponent).join('/')
  return `pkg:npm/${path}@${encodeURIComponent(version)}`
}
