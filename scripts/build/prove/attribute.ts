/** Finds the owner of every file in a bundle. */
import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Metafile } from 'esbuild'
import { once } from '../once.ts'
import { buildDir, fileOfInput, inputPath, packagesDir, realPath, root, shown } from '../paths.ts'
import { type LocatedFeature, modulesOf } from '../plan/locate-feature.ts'
import type { PlannedFeature } from '../plan/plan-feature.ts'
import type { Plan, TargetPlan } from '../plan/target-plan.ts'
import { type PackageIdentity, packageOf } from './packages/identity.ts'

/** One file of a bundle. */
export interface Attributed {
  /** Path as messages show it. */
  readonly file: string
  /** Key of the file in the metafile, or the path of an asset. */
  readonly input: string
  readonly isAsset?: true
  /** Bytes of the bundle that come from this file; 0 if tree shaking removed all of it. */
  readonly bytes: number
  /**
   * The owner: `feature:<id>`, `variant:<id>=<name>`, `package:<name>`, `foreign:<name>` (a package that this project
   * did not install), `core`, `shared:<family>` (code of a plugin family that no feature owns), `registry` (generated),
   * or `stray`.
   */
  readonly owner: string
  /** The package that contains the file, whatever owns the file: a feature can be a package. */
  readonly package?: PackageIdentity
}

/** Attributes all inputs of all files of a bundle, including inputs that tree shaking emptied. */
export const attribute: (plan: Plan, metafile: Metafile) => readonly Attributed[] = once((plan, metafile) => {
  const bytes = new Map<string, number>()
  for (const { inputs } of Object.values(metafile.outputs))
    for (const input in inputs) bytes.set(input, (bytes.get(input) ?? 0) + inputs[input]!.bytesInOutput)
  const name = namer(plan)
  return Object.keys(metafile.inputs).map((input) => ({ ...name(input), input, bytes: bytes.get(input) ?? 0 }))
})

type Named = Pick<Attributed, 'file' | 'owner' | 'package'>

const namers = new WeakMap<Plan['knownFeatures'], (input: string) => Named>()

/**
 * Returns a cached function from an input to its shown path and owner, because the controls look up the same inputs
 * many times.
 */
function namer({ knownFeatures, profile: { base, name: profile } }: Plan): (input: string) => Named {
  let name = namers.get(knownFeatures)
  if (name === undefined) {
    const owned = ownership(knownFeatures)
    const seen = new Map<string, Named>()
    name = (input) => {
      let named = seen.get(input)
      if (named === undefined) {
        named = nameOf(input, base, owned, profile)
        seen.set(input, named)
      }
      return named
    }
    namers.set(knownFeatures, name)
  }
  return name
}

function nameOf(input: string, base: string, owned: readonly Owned[], profile: string): Named {
  const file = fileOfInput(input)
  const named = shown(inputPath(input), base)
  // A generated input is in memory or in the profile's build folder. Another file with such a name has an owner like
  // any other file.
  if (isGenerated(input) && (file === undefined || isInBuild(file, profile))) return { file: named, owner: 'registry' }
  const from = file === undefined ? undefined : packageOf(file, base)
  return { file: named, owner: ownerOf(file, from, owned), ...(from !== undefined && { package: from }) }
}

/** The files that a target ships beside its bundle, with their sizes in bytes. */
export function assetsOf(plan: Plan, { features }: TargetPlan): Attributed[] {
  const name = namer(plan)
  const sources = features.flatMap(({ feature }) => Object.values(feature.assets ?? {}))
  return sources.map((source) => {
    const input = realPath(resolve(root, source))
    return { ...name(input), input, isAsset: true, bytes: statSync(input).size }
  })
}

/** Owners that every target may contain: the kernel and its only package. */
export const ofKernel: readonly string[] = ['core', 'registry', 'package:itty-router']

/** Owners that a target may contain. */
export function allowedOwners(plan: Plan, target: TargetPlan): Set<string> {
  const allowed = new Set(ofKernel)
  for (const planned of target.features) for (const owner of ownersBy(plan, planned)) allowed.add(owner)
  return allowed
}

/**
 * The owners that one feature permits in a bundle. Packages beside a user's profile are permitted only for the features
 * of that profile, because an altered copy there must not pass for the package that a standard feature names.
 */
export function ownersBy({ profile }: Pick<Plan, 'profile'>, { id, variant, feature }: PlannedFeature): string[] {
  const kinds = id in profile.ownFeatures ? ['package', 'foreign'] : ['package']
  return [
    `feature:${id}`,
    ...(variant === undefined ? [] : [`variant:${id}=${variant}`]),
    ...byVariant(feature.packages, variant).flatMap((name) => kinds.map((kind) => `${kind}:${name}`)),
    ...[...familiesOf(feature), ...(id in profile.ownFeatures ? [] : (feature.libraries ?? []))].map(
      (family) => `shared:${family}`,
    ),
  ]
}

/** The value of a member that can differ by variant: for one variant, or for all variants together. */
export function byVariant<V>(
  value: readonly V[] | Readonly<Record<string, readonly V[]>> | undefined,
  variant: string | undefined,
): readonly V[] {
  if (value === undefined) return []
  if (isList(value)) return value
  return variant === undefined ? Object.values(value).flat() : (value[variant] ?? [])
}

const families = new WeakMap<LocatedFeature, Set<string>>()

/** The plugin families of this project that a feature has code in, cached because every control asks for them. */
function familiesOf(feature: LocatedFeature): Set<string> {
  const cachedNames = families.get(feature)
  if (cachedNames !== undefined) return cachedNames
  const paths = [feature.folder, ...modulesOf(feature), ...(feature.owns ?? [])]
  const names = new Set(paths.flatMap((path) => (path === undefined ? [] : (familyOf(resolve(root, path)) ?? []))))
  families.set(feature, names)
  return names
}

function familyOf(path: string): string | undefined {
  const folder = `${root}/plugins/`
  return path.startsWith(folder) ? path.slice(folder.length).split('/')[0] : undefined
}

/** A file or a folder that belongs to a feature. */
export interface Owned {
  /** Absolute path. The folder of a plugin module ends with a slash. */
  readonly prefix: string
  readonly owner: string
}

/** The paths that features own, longest prefix first. */
export function ownership(knownFeatures: Readonly<Record<string, LocatedFeature>>): Owned[] {
  const owned: Owned[] = []
  const add = (path: string, owner: string): void => void owned.push({ prefix: resolve(root, path), owner })
  for (const [id, feature] of Object.entries(knownFeatures)) {
    const owner = `feature:${id}`
    const { folder, declaration, plugin, commands, exports, main, code, owns } = feature
    for (const module of [declaration, commands, main, code, ...Object.values(exports ?? {})])
      if (module !== undefined) add(module, owner)
    if (folder !== undefined) add(`${folder}/`, owner)
    for (const path of owns ?? []) add(path, owner)
    if (typeof plugin === 'object')
      for (const [name, module] of Object.entries(plugin)) addVariant(add, id, name, module, Object.values(plugin))
  }
  return owned.sort((a, b) => b.prefix.length - a.prefix.length)
}

/** A variant always owns its module. It owns the module's folder if no other variant has a module there. */
function addVariant(
  add: (path: string, owner: string) => void,
  id: string,
  name: string,
  module: string,
  all: readonly string[],
): void {
  const owner = `variant:${id}=${name}`
  add(module, owner)
  const alone = all.filter((other) => folder(other) === folder(module)).length === 1
  add(folder(module), alone ? owner : `feature:${id}`)
}

function folder(module: string): string {
  return `${dirname(resolve(root, module))}/`
}

/** Whether an input was generated by the build, judged by its name. */
export function isGenerated(input: string): boolean {
  return (
    /^(?:generated|builtin):/.test(input) ||
    /^(?:.*\/)?\.build\/[^/]+\/(?:library|single|main)\/(?:entry\.ts(?:\?\d+)?|openapi\.json)$/.test(input)
  )
}

function ownerOf(path: string | undefined, from: PackageIdentity | undefined, owned: readonly Owned[]): string {
  if (path === undefined) return 'stray'
  const claim = owned.find(({ prefix }) => isIn(path, prefix))
  // A feature's folder can contain node_modules, and a feature can be a package; the dependencies in there are not
  // owned by the feature.
  if (claim !== undefined && !path.slice(claim.prefix.length).includes('node_modules/')) return claim.owner
  if (from !== undefined) return `${from.folder.startsWith(`${packagesDir}/`) ? 'package' : 'foreign'}:${from.name}`
  if (path.startsWith(`${root}/core/`)) return 'core'
  const family = familyOf(path)
  return family === undefined ? 'stray' : `shared:${family}`
}

/** Whether a file is in the folder that `generate` writes to for a profile. */
function isInBuild(file: string, profile: string): boolean {
  return file.startsWith(`${buildDir(profile)}/`)
}

/** Whether a path is the file or the folder `prefix`, or is in it. This runs for each input and each owned path. */
function isIn(path: string, prefix: string): boolean {
  if (!path.startsWith(prefix)) return false
  return path.length === prefix.length || prefix.endsWith('/') || path[prefix.length] === '/'
}

function isList<V>(value: readonly V[] | Readonly<Record<string, readonly V[]>>): value is readonly V[] {
  return Array.isArray(value)
}
