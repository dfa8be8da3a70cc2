/**
 * The account of a build, `account.json` beside the proof: every file that was read, with its bytes, imports, owner and
 * package, and every feature there is. What asks about a build later reads it, and builds nothing again.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Bundle } from '../bundle/bundle.ts'
import { outputName } from '../generate/generate.ts'
import { fileOfInput, homeFrom, inputPath, root, shown } from '../paths.ts'
import type { Plan, TargetPlan } from '../plan/target-plan.ts'
import { assetsOf, attribute, isGenerated } from '../prove/attribute.ts'
import { outsideImports } from '../prove/checks.ts'
import { formsIn } from '../prove/forms/uses.ts'
import { lockedPackages } from '../prove/packages/pins.ts'
import { type FeatureAccount, featuresOf } from './features.ts'
import { type PackageAccount, packageAt, placeOf } from './packages.ts'

/** Name of the file in `dist/<profile>/`. */
export const ACCOUNT = 'account.json'

/** One file that a bundle was made from, or that is shipped beside it. */
export interface InputAccount {
  /** Bytes of the bundle that come from it; 0 where all of it was shaken out. */
  readonly bytes: number
  /** As the proof says it: `feature:<id>`, `package:<name>`, `core`, … */
  readonly owner: string
  /** SHA-256 of the file; none of what was generated or taken out of another file. */
  readonly sha256?: string
  /** Place of its package, such as `node_modules/pino`. */
  readonly package?: string
  /** What it imports: other files by name, built-ins and packages outside of the bundle. */
  readonly imports: readonly string[]
}

/** One bundle. */
export interface BundleAccount {
  /** File in `dist/<profile>/`. */
  readonly file: string
  readonly form: TargetPlan['form']
  readonly platform: string
  /** Of all its files. */
  readonly bytes: number
  /** Of what is loaded at once, each file compressed by itself. */
  readonly gzipBytes: number
  /** Of all its files. */
  readonly gzipTotal: number
  /** SHA-256 with its own hash as zeros, as the proof has it; of a bundle of several files, that of the first. */
  readonly sha256: string
  /** The other files of the bundle, by name. */
  readonly parts: Readonly<Record<string, PartAccount>>
  /** Name of the input where it begins. */
  readonly entry: string
  readonly inputs: Readonly<Record<string, InputAccount>>
  /** Files beside the bundle, by name of the source. */
  readonly assets: Readonly<Record<string, InputAccount>>
  /** Places of packages outside of the bundle that it asks for at run time. */
  readonly externals: readonly string[]
  readonly builtins: readonly string[]
}

/** A file of a bundle beside its entry. */
export interface PartAccount {
  readonly bytes: number
  readonly gzipBytes: number
  readonly sha256: string
  /** Whether it is loaded when it is first needed. */
  readonly later: boolean
}

/** `account.json`. */
export interface Account {
  readonly version: 1
  readonly toolkit: string
  readonly profile: string
  readonly summary: string
  /** The way from here to the folder of the profile, where it has features of its own whose types a program may need. */
  readonly home?: string
  readonly bundles: readonly BundleAccount[]
  /** Packages of which some file was read, by place. */
  readonly packages: Readonly<Record<string, PackageAccount>>
  /** Every feature that there is for this profile. */
  readonly features: Readonly<Record<string, FeatureAccount>>
}

/** Makes the account of what was bundled. */
export async function accountOf(plan: Plan, bundles: readonly Bundle[]): Promise<Account> {
  const made = await Promise.all(bundles.map((one) => bundleAccount(plan, one)))
  const home = homeFrom(plan.profile.base)
  const places = made.flatMap(({ inputs, assets, externals }) => [
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
    bundles: made,
    packages: Object.fromEntries(packages.flatMap(([place, one]) => (one === undefined ? [] : [[place, one]]))),
    features: await featuresOf(plan),
  }
}

/** Places of the packages of which a bundle keeps a byte, ships a file, or asks for one at run time. */
export function packagesIn({ packages }: Pick<Account, 'packages'>, bundles: readonly BundleAccount[]): string[] {
  const kept = bundles.flatMap(({ inputs, assets, externals }) => [
    ...Object.values({ ...inputs, ...assets }).flatMap(({ bytes, package: place }) => (bytes > 0 ? (place ?? []) : [])),
    ...externals,
  ])
  return [...new Set(kept)].filter((place) => Object.hasOwn(packages, place)).sort()
}

async function bundleAccount(plan: Plan, one: Bundle): Promise<BundleAccount> {
  const { target, metafile } = one
  const nameOf = (path: string): string => {
    if (isGenerated(path) && !path.startsWith('builtin:')) return `generated/${basename(path)}`
    return path in metafile.inputs ? shown(inputPath(path), plan.profile.base) : path
  }
  const toRow = (input: string, bytes: number, owner: string): InputAccount => {
    const place = placeOf(resolve(root, inputPath(input)))
    const imports = metafile.inputs[input]?.imports ?? []
    const file = fileOfInput(input)
    return {
      bytes,
      owner,
      ...(file !== undefined && owner !== 'registry' && { sha256: sha256(readFileSync(file)) }),
      ...(place !== undefined && { package: place }),
      imports: [...new Set(imports.map(({ path }) => nameOf(path)))].filter((name) => name !== '<runtime>').sort(),
    }
  }
  const used = outsideImports(one, await formsIn(plan, one))
  return {
    file: outputName(target),
    form: target.form,
    platform: target.platform,
    bytes: one.bytes,
    gzipBytes: one.gzipBytes,
    gzipTotal: one.gzipTotal,
    sha256: one.sha256,
    parts: Object.fromEntries(
      one.parts.map(({ name, bytes, gzipBytes, sha256: hash, later }) => [
        name,
        { bytes, gzipBytes, sha256: hash, later },
      ]),
    ),
    entry: 'generated/entry.ts',
    inputs: sorted(
      attribute(plan, metafile).map(({ input, bytes, owner }) => [nameOf(input), toRow(input, bytes, owner)]),
    ),
    assets: sorted(assetsOf(plan, target).map(({ file, input, bytes, owner }) => [file, toRow(input, bytes, owner)])),
    externals: used.packages.map((name) => join('node_modules', name)),
    builtins: used.builtins,
  }
}

function sorted<V>(rows: readonly (readonly [string, V])[]): Record<string, V> {
  return Object.fromEntries([...rows].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
