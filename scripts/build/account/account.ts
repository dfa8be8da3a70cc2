/**
 * The account of a build, `account.json` beside the proof: every file that was read, with its bytes, imports, owner and
 * package, and every feature that exists. Commands that answer questions about a build read this file instead of
 * building again.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Bundle } from '../bundle/bundle.ts'
import { outputName } from '../generate/generate.ts'
import { fileOfInput, homeFrom, inputPath, shown } from '../paths.ts'
import type { Plan, TargetPlan } from '../plan/target-plan.ts'
import { type Attributed, assetsOf, attribute, isGenerated } from '../prove/attribute.ts'
import { outsideImports } from '../prove/checks.ts'
import { formsIn } from '../prove/forms/uses.ts'
import { placeOfExternal } from '../prove/packages/identity.ts'
import { lockedPackages } from '../prove/packages/pins.ts'
import { type FeatureAccount, featuresOf } from './features.ts'
import { type PackageAccount, packageAt } from './packages.ts'

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

/** Creates the account of the bundles of one plan. */
export async function accountOf(plan: Plan, bundles: readonly Bundle[]): Promise<Account> {
  const bundleAccounts = await Promise.all(bundles.map((bundle) => bundleAccount(plan, bundle)))
  const home = homeFrom(plan.profile.base)
  const places = bundleAccounts.flatMap(({ inputs, assets, externals }) => [
    ...Object.values({ ...inputs, ...assets }).flatMap((input) => input.package ?? []),
    ...externals,
  ])
  const locked = lockedPackages()
  const packages = [...new Set(places)]
    .sort()
    .map((place) => [place, packageAt(place, plan.profile.base, locked)] as const)
  return {
    version: 1,
    toolkit: plan.targets[0]!.manifest.version,
    profile: plan.profile.name,
    summary: plan.profile.summary,
    ...(home !== undefined && Object.keys(plan.profile.own).length > 0 && { home }),
    bundles: bundleAccounts,
    packages: Object.fromEntries(packages.flatMap(([place, one]) => (one === undefined ? [] : [[place, one]]))),
    features: await featuresOf(plan),
  }
}

/**
 * Paths of the packages that contribute at least one byte to a bundle or its assets, or that a bundle loads at run
 * time.
 */
export function packagesIn({ packages }: Pick<Account, 'packages'>, bundles: readonly BundleAccount[]): string[] {
  const kept = bundles.flatMap(({ inputs, assets, externals }) => [
    ...Object.values({ ...inputs, ...assets }).flatMap(({ bytes, package: place }) => (bytes > 0 ? (place ?? []) : [])),
    ...externals,
  ])
  return [...new Set(kept)].filter((place) => Object.hasOwn(packages, place)).sort()
}

async function bundleAccount(plan: Plan, bundle: Bundle): Promise<BundleAccount> {
  const { target, metafile } = bundle
  const nameOf = (path: string): string => {
    if (isGenerated(path) && !path.startsWith('builtin:')) return `generated/${basename(path)}`
    return path in metafile.inputs ? shown(inputPath(path), plan.profile.base) : path
  }
  const toRow = ({ input, bytes, owner, package: from }: Attributed): InputAccount => {
    const imports = metafile.inputs[input]?.imports ?? []
    const file = fileOfInput(input)
    return {
      bytes,
      owner,
      ...(file !== undefined && owner !== 'registry' && { sha256: sha256(readFileSync(file)) }),
      ...(from !== undefined && { package: from.place }),
      imports: [...new Set(imports.map(({ path }) => nameOf(path)))].filter((name) => name !== '<runtime>').sort(),
    }
  }
  const used = outsideImports(bundle, await formsIn(plan, bundle))
  return {
    file: outputName(target),
    form: target.form,
    platform: target.platform,
    bytes: bundle.bytes,
    gzipBytes: bundle.gzipBytes,
    gzipTotal: bundle.gzipTotal,
    sha256: bundle.sha256,
    parts: Object.fromEntries(
      bundle.parts.map(({ name, bytes, gzipBytes, sha256: hash, later }) => [
        name,
        { bytes, gzipBytes, sha256: hash, later },
      ]),
    ),
    entry: 'generated/entry.ts',
    inputs: sorted(attribute(plan, metafile).map((one) => [nameOf(one.input), toRow(one)])),
    assets: sorted(assetsOf(plan, target).map((one) => [one.file, toRow(one)])),
    externals: used.packages.map((name) => placeOfExternal(name, plan.profile.base)),
    builtins: used.builtins,
  }
}

function sorted<V>(rows: readonly (readonly [string, V])[]): Record<string, V> {
  return Object.fromEntries([...rows].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
