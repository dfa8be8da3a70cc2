/**
 * What a person sees: a choice with its features, sizes and conflicts as plain data. The terminal and the page show the
 * same.
 */
import { needsOf } from '../../../build/plan/checks/check-features.ts'
import { excludersOf } from './along.ts'
import {
  at,
  type Catalogue,
  type Choice,
  fitting,
  type Place,
  placesOf,
  platformAt,
  variantsOf,
  type Where,
  whereIs,
} from './catalogue.ts'
import { changesOf, toggle } from './choice.ts'
import { type Figures, figureOf, partName } from './figures.ts'
import { builtinsOf, type PackageView, packageViews } from './packages.ts'
import { type Size, sizeOf } from './size.ts'
import { type Verdict, verdictOf } from './verdict.ts'

/** One feature. */
export interface RowView {
  readonly id: string
  readonly summary: string
  readonly stability: string
  readonly since: string
  readonly isOwn: boolean
  readonly where: Where | null
  /** The choice at each place where the feature is present. */
  readonly chosen: Readonly<Partial<Record<Place, string | true>>>
  /** The variants, each with the platform that it needs; empty for a feature without variants. */
  readonly variants: readonly { readonly name: string; readonly platform: string }[]
  /** The variants that run at each place. */
  readonly fitting: Readonly<Partial<Record<Place, readonly string[]>>>
  readonly platform: string
  readonly requires: readonly string[]
  /** Features that cannot be in a bundle with this one. */
  readonly excludes: readonly string[]
  /** Those of them that are chosen now. */
  readonly excludedNow: readonly string[]
  /** The other changes that come with the next switch of the feature, in words. */
  readonly nextSwitch: readonly string[]
  /** Features that it brought, or that brought it. */
  readonly isAlong: boolean
  readonly bytes: readonly BytesView[]
  readonly routes: readonly string[]
  readonly settings: readonly string[]
  readonly builtins: readonly string[]
  readonly packages: readonly PackageView[]
}

/** Measured bytes of a feature in one variant, without its packages. */
export interface BytesView {
  readonly variant: string | null
  readonly bytes: number
  readonly from: string
}

/** One bundle. */
export interface TargetView {
  readonly place: Place
  readonly file: string
  readonly platform: string
  readonly count: number
  readonly size: Size
}

/** A choice as a person sees it. */
export interface View {
  readonly profile: string
  readonly targets: readonly TargetView[]
  readonly rows: readonly RowView[]
  readonly verdict: Verdict
}

/** Creates the view of a choice. */
export function viewOf(catalogue: Catalogue, figures: Figures, choice: Choice): View {
  const unknown = placesOf(choice)
    .flatMap((place) => Object.keys(at(choice, place)))
    .filter((id) => !Object.hasOwn(catalogue.knownFeatures, id))
  return {
    profile: catalogue.profile.name,
    targets: placesOf(choice).map((place) => ({
      place,
      file: place === 'main' ? 'svc.mjs' : 'index.mjs',
      platform: platformAt(catalogue, place),
      count: Object.keys(at(choice, place)).length,
      size: sizeOf(catalogue, figures, choice, place),
    })),
    rows: [
      ...Object.keys(catalogue.knownFeatures).map((id) => rowOf(catalogue, figures, choice, id)),
      ...[...new Set(unknown)].map((id) => unknownRow(choice, id)),
    ],
    verdict: verdictOf(catalogue, choice),
  }
}

function rowOf(catalogue: Catalogue, figures: Figures, choice: Choice, id: string): RowView {
  const feature = catalogue.knownFeatures[id]!
  const { summary, stability, since, requires = [] } = feature
  const variants = variantsOf(feature).filter((one) => one !== true)
  const plugins = catalogue.planned[id]!.flatMap(({ plugin }) => plugin ?? [])
  const all = { ...everything(catalogue), ...choice.library, ...choice.main }
  const places = placesOf(choice)
  const sizes = variantsOf(feature).flatMap((one) => {
    const figure = figureOf(figures, places.at(-1)!, partName(id, one))
    return figure === undefined ? [] : [{ one, figure }]
  })
  return {
    id,
    summary,
    stability,
    since,
    isOwn: Object.hasOwn(catalogue.profile.ownFeatures, id),
    where: whereIs(choice, id) ?? null,
    chosen: chosenAt(choice, id),
    variants: variants.map((name) => ({ name, platform: needsOf(feature, name) })),
    fitting: Object.fromEntries(
      places.map((place) => [place, fitting(catalogue, id, place).filter((one) => one !== true)]),
    ),
    platform: [...new Set(variantsOf(feature).map((one) => needsOf(feature, one)))].join(' or '),
    requires: [...requires],
    excludes: excludersOf(catalogue, all, id),
    excludedNow: [...new Set(places.flatMap((place) => excludersOf(catalogue, at(choice, place), id)))],
    nextSwitch: withNextSwitch(catalogue, choice, id),
    isAlong: choice.along.has(id),
    bytes: sizes.map(({ one, figure: { bytes, from } }) => ({ variant: one === true ? null : one, bytes, from })),
    routes: [
      ...new Set(
        plugins.flatMap(({ routes = [] }) => routes.map(({ method, path, surface }) => `${surface} ${method} ${path}`)),
      ),
    ],
    settings: [...new Set(plugins.flatMap(({ settings = {} }) => Object.keys(settings)))].sort(),
    builtins: builtinsOf(catalogue, figures, places.at(-1)!, id),
    packages: packageViews(catalogue, figures, places.at(-1)!, id),
  }
}

/** A feature that the profile names and that does not exist, so that a person can switch it off. */
function unknownRow(choice: Choice, id: string): RowView {
  const none = { requires: [], excludes: [], excludedNow: [], nextSwitch: [], routes: [], settings: [], builtins: [] }
  return {
    ...none,
    id,
    summary: 'There is no feature of this name. The profile names it.',
    stability: 'unknown',
    since: '',
    isOwn: false,
    where: whereIs(choice, id) ?? null,
    chosen: chosenAt(choice, id),
    variants: [],
    fitting: {},
    platform: '',
    isAlong: false,
    bytes: [],
    packages: [],
  }
}

function chosenAt(choice: Choice, id: string): RowView['chosen'] {
  return Object.fromEntries(
    placesOf(choice).flatMap((place) => {
      const chosen = at(choice, place)[id]
      return chosen === undefined ? [] : [[place, chosen] as const]
    }),
  )
}

const everythingOf = new WeakMap<Catalogue, Readonly<Record<string, string | true>>>()

/** Every feature in its first variant. */
function everything(catalogue: Catalogue): Readonly<Record<string, string | true>> {
  const cachedFeatures = everythingOf.get(catalogue)
  if (cachedFeatures !== undefined) return cachedFeatures
  const features = Object.fromEntries(
    Object.entries(catalogue.knownFeatures).map(([id, row]) => [id, variantsOf(row)[0] ?? true]),
  )
  everythingOf.set(catalogue, features)
  return features
}

/** The changes of other features that the next switch of a feature makes. */
function withNextSwitch(catalogue: Catalogue, choice: Choice, id: string): string[] {
  const changes = changesOf(choice, toggle(catalogue, choice, id)).filter((one) => one.id !== id)
  const lines = (isOn: boolean): string[] => [
    ...new Set(changes.filter(({ to }) => (to !== undefined) === isOn).map((one) => one.id)),
  ]
  return [...lines(true).map((other) => `+ ${other}`), ...lines(false).map((other) => `- ${other}`)]
}
