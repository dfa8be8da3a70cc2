/**
 * Bytes that were measured, by feature and package. Each figure comes from the account of one bundle and names it. What
 * no bundle had has no figure.
 */
import type { Account, BundleAccount } from '../../../build/account/account.ts'
import type { Choice, Chosen, Place } from './catalogue.ts'
import { at } from './catalogue.ts'

/** A measured part of a bundle. */
export interface Figure {
  /** Minified bytes. */
  readonly bytes: number
  /** Built-ins of Node that its files import. */
  readonly builtins: readonly string[]
  /** The bundle, such as `svc.mjs of server-full`. */
  readonly from: string
}

/** A bundle that was measured as a whole. */
export interface Whole {
  readonly features: Chosen
  readonly bytes: number
  readonly gzipBytes: number
  readonly gzipTotal: number
  /** The built-ins that the bundle uses. */
  readonly builtins: readonly string[]
  readonly from: string
}

/**
 * Figures by name and place. A feature with variants is named `id=variant`, a package `package:name`, everything else
 * `rest`.
 */
export interface Figures {
  readonly parts: ReadonlyMap<string, Figure>
  /** The bundles of the configured profile, the latest first. */
  readonly wholes: Readonly<Record<Place, readonly Whole[]>>
}

/** No figures. */
export const noFigures: Figures = { parts: new Map(), wholes: { library: [], main: [] } }

/** The name of a feature in the figures. */
export function partName(id: string, choice: string | true): string {
  return choice === true ? id : `${id}=${choice}`
}

/**
 * Adds the figures of an account. With `isOwn`, the account is of the configured profile: its figures replace others,
 * and its bundles are kept as wholes.
 */
export function withAccount(figures: Figures, account: Account, source: string, isOwn: boolean): Figures {
  const parts = new Map(figures.parts)
  const wholes = { library: [...figures.wholes.library], main: [...figures.wholes.main] }
  for (const bundle of account.bundles) {
    if (bundle.form === 'single') continue
    const place: Place = bundle.form
    const from = `${bundle.file} of ${source}`
    const features = chosenIn(account, place)
    for (const [name, figure] of partsOf(bundle, features, from)) {
      const key = keyOf(place, name)
      if (isOwn || !parts.has(key)) parts.set(key, figure)
    }
    const { bytes, gzipBytes, gzipTotal, builtins } = bundle
    if (isOwn) wholes[place].unshift({ features, bytes, gzipBytes, gzipTotal, builtins, from })
  }
  return { parts, wholes }
}

function chosenIn({ features }: Account, place: Place): Chosen {
  return Object.fromEntries(
    Object.entries(features).flatMap(([id, { in: chosen }]) => {
      const choice = chosen[place]
      return choice === undefined ? [] : [[id, choice] as const]
    }),
  )
}

function partsOf({ inputs }: BundleAccount, features: Chosen, from: string): Map<string, Figure> {
  const sums = new Map<string, { bytes: number; builtins: Set<string> }>()
  const sumOf = (name: string): { bytes: number; builtins: Set<string> } => {
    const sum = sums.get(name) ?? { bytes: 0, builtins: new Set() }
    sums.set(name, sum)
    return sum
  }
  for (const [id, choice] of Object.entries(features)) sumOf(partName(id, choice))
  for (const { owner, bytes, imports } of Object.values(inputs)) {
    const sum = sumOf(nameOfOwner(owner, features))
    sum.bytes += bytes
    if (bytes === 0) continue
    for (const name of imports) if (name.startsWith('node:')) sum.builtins.add(name)
  }
  return new Map(
    [...sums].map(([name, { bytes, builtins }]) => [name, { bytes, builtins: [...builtins].sort(), from }]),
  )
}

/** The part that an owner of the account counts for. */
function nameOfOwner(owner: string, features: Chosen): string {
  const [, id] = /^(?:feature|variant):([^=]+)/.exec(owner) ?? []
  if (id !== undefined) return partName(id, features[id] ?? true)
  const [, name] = /^(?:package|foreign):(.+)$/.exec(owner) ?? []
  return name === undefined ? 'rest' : `package:${name}`
}

/** The figure of a part at a place; if no bundle of this form had it, the one of the other form. */
export function figureOf({ parts }: Figures, place: Place, name: string): Figure | undefined {
  return parts.get(keyOf(place, name)) ?? parts.get(keyOf(place === 'main' ? 'library' : 'main', name))
}

function keyOf(place: Place, name: string): string {
  return `${place} ${name}`
}

/** The measured bundle of exactly this choice, if there is one. */
export function wholeOf({ wholes }: Figures, choice: Choice, place: Place): Whole | undefined {
  return wholes[place].find(({ features }) => isSame(features, at(choice, place)))
}

function isSame(a: Chosen, b: Chosen): boolean {
  const ids = Object.keys(a)
  return ids.length === Object.keys(b).length && ids.every((id) => a[id] === b[id])
}
