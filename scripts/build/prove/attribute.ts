/** Says of every file in a bundle whose it is. */

import { dirname, resolve } from 'node:path'
import type { Metafile } from 'esbuild'
import type { LocatedFeature } from '../locate-feature.ts'
import { root, shown } from '../paths.ts'
import type { Plan, TargetPlan } from '../plan.ts'

/** One file of a bundle. */
export interface Attributed {
  /** Path as messages show it. */
  readonly file: string
  /** Key of the file in the metafile. */
  readonly input: string
  /** Bytes of the bundle that come from it; 0 where all of it was shaken out. */
  readonly bytes: number
  /**
   * Whose it is: `feature:<id>`, `variant:<id>=<name>`, `package:<name>`, `core`, `shared` (code of a plugin family that
   * no feature owns), `registry` (generated), or `stray`.
   */
  readonly owner: string
}

/** Attributes all inputs of a bundle, those that tree shaking emptied too. */
export function attribute(plan: Plan, metafile: Metafile): Attributed[] {
  const output = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint !== undefined)
  const owned = ownership(plan.known)
  return Object.keys(metafile.inputs).map((input) => ({
    file: shown(input.replace(/^generated:/, ''), plan.profile.base),
    input,
    bytes: output?.inputs[input]?.bytesInOutput ?? 0,
    owner: ownerOf(input, owned),
  }))
}

/** Owners that a target may contain. */
export function allowedOwners(target: TargetPlan): Set<string> {
  const allowed = new Set(['core', 'shared', 'registry', 'package:itty-router'])
  for (const { id, variant, feature } of target.features) {
    allowed.add(`feature:${id}`)
    if (variant !== undefined) allowed.add(`variant:${id}=${variant}`)
    for (const name of packagesOf(feature, variant)) allowed.add(`package:${name}`)
  }
  return allowed
}

/** The npm packages that a feature brings, in one variant or in all. */
function packagesOf({ packages }: LocatedFeature, variant?: string): readonly string[] {
  if (packages === undefined) return []
  if (isList(packages)) return packages
  return variant === undefined ? Object.values(packages).flat() : (packages[variant] ?? [])
}

interface Owned {
  readonly prefix: string
  readonly owner: string
}

/** Which paths belong to which feature, longest prefix first. */
function ownership(known: Readonly<Record<string, LocatedFeature>>): Owned[] {
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

function ownerOf(input: string, owned: readonly Owned[]): string {
  if (
    input.startsWith('generated:') ||
    /^(?:.*\/)?\.build\/[^/]+\/(?:library|main)\/(?:entry\.ts|openapi\.json)$/.test(input)
  )
    return 'registry'
  const path = resolve(root, input)
  const found = owned.find(({ prefix }) => path === prefix || path.startsWith(inside(prefix)))
  // A feature's folder may hold node_modules, and a feature may come as a package; what it depends on is not its own.
  if (found !== undefined && !path.slice(found.prefix.length).includes('node_modules/')) return found.owner
  const inPackages = path.lastIndexOf('/node_modules/')
  if (inPackages >= 0) return `package:${packageName(path.slice(inPackages + '/node_modules/'.length))}`
  if (path.startsWith(`${root}/core/`)) return 'core'
  return path.startsWith(`${root}/plugins/`) ? 'shared' : 'stray'
}

function inside(prefix: string): string {
  return prefix.endsWith('/') ? prefix : `${prefix}/`
}

function packageName(path: string): string {
  const [first = '', second = ''] = path.split('/')
  return first.startsWith('@') ? `${first}/${second}` : first
}

function isList(value: readonly string[] | Readonly<Record<string, readonly string[]>>): value is readonly string[] {
  return Array.isArray(value)
}
