/** Says of every file in a bundle whose it is. */
import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Metafile } from 'esbuild'
import { buildDir, fileOfInput, inputPath, packagesAt, packagesDir, realPath, root, shown } from '../paths.ts'
import { type LocatedFeature, modulesOf } from '../plan/locate-feature.ts'
import type { PlannedFeature } from '../plan/plan-feature.ts'
import type { Plan, TargetPlan } from '../plan/target-plan.ts'

/** One file of a bundle. */
export interface Attributed {
  /** Path as messages show it. */
  readonly file: string
  /** Key of the file in the metafile; its path where it is an asset. */
  readonly input: string
  readonly isAsset?: true
  /** Bytes of the bundle that come from it; 0 where all of it was shaken out. */
  readonly bytes: number
  /**
   * Whose it is: `feature:<id>`, `variant:<id>=<name>`, `package:<name>`, `foreign:<name>` (a package that this project did
   * not install), `core`, `shared:<family>` (code of a plugin family that no feature owns), `registry` (generated), or `stray`.
   */
  readonly owner: string
}

/** Attributes all inputs of a bundle over all its files, those that tree shaking emptied too. */
export function attribute(plan: Plan, metafile: Metafile): Attributed[] {
  const bytes = new Map<string, number>()
  for (const { inputs } of Object.values(metafile.outputs))
    for (const input in inputs) bytes.set(input, (bytes.get(input) ?? 0) + inputs[input]!.bytesInOutput)
  const name = namer(plan)
  return Object.keys(metafile.inputs).map((input) => ({ ...name(input), input, bytes: bytes.get(input) ?? 0 }))
}

type Named = Pick<Attributed, 'file' | 'owner'>

const namers = new WeakMap<Plan['known'], (input: string) => Named>()

/** What an input is called and whose it is, for the features of a plan; the controls ask for the same ones over and over. */
function namer({ known, profile: { base, name: profile } }: Plan): (input: string) => Named {
  let name = namers.get(known)
  if (name === undefined) {
    const owned = ownership(known)
    const seen = new Map<string, Named>()
    name = (input) => {
      let named = seen.get(input)
      if (named === undefined) {
        named = { file: shown(inputPath(input), base), owner: ownerOf(input, owned, profile) }
        seen.set(input, named)
      }
      return named
    }
    namers.set(known, name)
  }
  return name
}

/** The files that a target ships beside its bundle, with what they weigh there. */
export function assetsOf(plan: Plan, { features }: TargetPlan): Attributed[] {
  const name = namer(plan)
  const sources = features.flatMap(({ feature }) => Object.values(feature.assets ?? {}))
  return sources.map((source) => {
    const input = realPath(resolve(root, source))
    return { ...name(input), input, isAsset: true, bytes: statSync(input).size }
  })
}

/** The kernel and the one package that it has: what every target may contain. */
export const ofKernel: readonly string[] = ['core', 'registry', 'package:itty-router']

/** Owners that a target may contain. */
export function allowedOwners(plan: Plan, target: TargetPlan): Set<string> {
  const allowed = new Set(ofKernel)
  for (const planned of target.features) for (const owner of ownersBy(plan, planned)) allowed.add(owner)
  return allowed
}

/**
 * The owners that one feature accounts for. Packages that lie beside a user's profile count only for the features of that
 * profile: an altered copy there must not pass for the one that a feature of ours names.
 */
export function ownersBy({ profile }: Pick<Plan, 'profile'>, { id, variant, feature }: PlannedFeature): string[] {
  const kinds = id in profile.own ? ['package', 'foreign'] : ['package']
  return [
    `feature:${id}`,
    ...(variant === undefined ? [] : [`variant:${id}=${variant}`]),
    ...byVariant(feature.packages, variant).flatMap((name) => kinds.map((kind) => `${kind}:${name}`)),
    ...[...familiesOf(feature), ...(id in profile.own ? [] : (feature.libraries ?? []))].map(
      (family) => `shared:${family}`,
    ),
  ]
}

/** A member of a feature that may differ by variant: of one variant, or of all. */
export function byVariant<V>(
  value: readonly V[] | Readonly<Record<string, readonly V[]>> | undefined,
  variant: string | undefined,
): readonly V[] {
  if (value === undefined) return []
  if (isList(value)) return value
  return variant === undefined ? Object.values(value).flat() : (value[variant] ?? [])
}

/** The plugin families of this project that a feature has code in. */
function familiesOf(feature: LocatedFeature): Set<string> {
  const paths = [feature.folder, ...modulesOf(feature), ...(feature.owns ?? [])]
  return new Set(paths.flatMap((path) => (path === undefined ? [] : (familyOf(resolve(root, path)) ?? []))))
}

function familyOf(path: string): string | undefined {
  const folder = `${root}/plugins/`
  return path.startsWith(folder) ? path.slice(folder.length).split('/')[0] : undefined
}

/** A file or a folder that belongs to a feature. */
export interface Owned {
  /** Absolute; a folder that a plugin module claims by lying in it ends with a slash. */
  readonly prefix: string
  readonly owner: string
}

/** Which paths belong to which feature, longest prefix first. */
export function ownership(known: Readonly<Record<string, LocatedFeature>>): Owned[] {
  const owned: Owned[] = []
  const add = (path: string, owner: string): void => void owned.push({ prefix: resolve(root, path), owner })
  for (const [id, feature] of Object.entries(known)) {
    const owner = `feature:${id}`
    const { folder: own, plugin, commands, exports, main, code, owns } = feature
    for (const module of [commands, main, code, ...Object.values(exports ?? {})])
      if (module !== undefined) add(module, owner)
    if (own !== undefined) add(`${own}/`, owner)
    for (const path of owns ?? []) add(path, owner)
    if (typeof plugin === 'string') add(own === undefined && owns === undefined ? folder(plugin) : plugin, owner)
    else
      for (const [name, module] of Object.entries(plugin ?? {}))
        addVariant(add, id, name, module, Object.values(plugin ?? {}))
  }
  return owned.sort((a, b) => b.prefix.length - a.prefix.length)
}

/** A variant owns its folder where no other variant shares it, and its module in any case. */
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

/** Whether an input of a bundle was made by the build itself, by its name. */
export function isGenerated(input: string): boolean {
  return (
    /^(?:generated|builtin):/.test(input) ||
    /^(?:.*\/)?\.build\/[^/]+\/(?:library|single|main)\/(?:entry\.ts(?:\?\d+)?|openapi\.json)$/.test(input)
  )
}

function ownerOf(input: string, owned: readonly Owned[], profile: string): string {
  const file = fileOfInput(input)
  // What is generated is in memory or in the profile's own folder; a file that is only called so has an owner like any other.
  if (isGenerated(input) && (file === undefined || isInBuild(file, profile))) return 'registry'
  const path = file
  if (path === undefined) return 'stray'
  const found = owned.find(({ prefix }) => path === prefix || path.startsWith(inside(prefix)))
  // A feature's folder may hold node_modules, and a feature may come as a package; what it depends on is not its own.
  if (found !== undefined && !path.slice(found.prefix.length).includes('node_modules/')) return found.owner
  const inPackages = packagesAt(path)
  if (inPackages >= 0) {
    const kind = path.startsWith(`${packagesDir}/`) ? 'package' : 'foreign'
    return `${kind}:${packageName(path.slice(inPackages + '/node_modules/'.length))}`
  }
  if (path.startsWith(`${root}/core/`)) return 'core'
  const family = familyOf(path)
  return family === undefined ? 'stray' : `shared:${family}`
}

/** Whether a file lies where `generate` writes for a profile. */
function isInBuild(file: string, profile: string): boolean {
  return file.startsWith(`${buildDir(profile)}/`)
}

function inside(prefix: string): string {
  return prefix.endsWith('/') ? prefix : `${prefix}/`
}

function packageName(path: string): string {
  const [first = '', second = ''] = path.split('/')
  return first.startsWith('@') ? `${first}/${second}` : first
}

function isList<V>(value: readonly V[] | Readonly<Record<string, readonly V[]>>): value is readonly V[] {
  return Array.isArray(value)
}
