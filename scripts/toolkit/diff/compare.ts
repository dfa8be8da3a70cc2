/** Compares two builds. */
import type { Account, BundleAccount } from '../../build/account/account.ts'
import type { FeatureAccount } from '../../build/account/features.ts'

/** The kinds of differences; `--fail-on` accepts these words. */
export const kinds = [
  'feature',
  'variant',
  'stability',
  'route',
  'setting',
  'default',
  'builtin',
  'package',
  'version',
  'licence',
  'bytes',
] as const

/** Kind of a difference. */
export type Kind = (typeof kinds)[number]

/** One difference; null if a side has no value. */
export interface Change {
  readonly kind: Kind
  readonly name: string
  /** The bundle with the difference, if it is about one bundle. */
  readonly file?: string
  readonly from: unknown
  readonly to: unknown
  /** The effect for clients or operators. */
  readonly noticed?: string
}

/** All differences, in the order of the kinds. */
export function compare(a: Account, b: Account): Change[] {
  const files = [...new Set([...a.bundles, ...b.bundles].map(({ file }) => file))]
  const changes = [
    ...compareFeatures(a, b),
    ...pairs(routesOf(a), routesOf(b)).map(([name, from, to]) => routeChange(name, from, to)),
    ...compareSettings(settingsOf(a), settingsOf(b)),
    ...comparePackages(a, b),
    ...files.flatMap((file) => compareBundles(file, bundleOf(a, file), bundleOf(b, file))),
  ]
  return kinds.flatMap((kind) => changes.filter((change) => change.kind === kind))
}

function bundleOf({ bundles }: Account, file: string): BundleAccount | undefined {
  return bundles.find((one) => one.file === file)
}

function compareFeatures(a: Account, b: Account): Change[] {
  const choices = ({ features }: Account): Map<string, FeatureAccount> =>
    new Map(Object.entries(features).filter(([, { in: chosen }]) => Object.keys(chosen).length > 0))
  return pairs(choices(a), choices(b)).flatMap(([name, from, to]): Change[] => {
    const changes: Change[] = []
    const [before, after] = [formsOf(from), formsOf(to)]
    if (!isEqual(before, after)) {
      const same = before !== null && after !== null && isEqual(Object.keys(before), Object.keys(after))
      changes.push({ kind: same ? 'variant' : 'feature', name, from: before, to: after })
    }
    if (from !== undefined && to !== undefined && from.stability !== to.stability) {
      changes.push({ kind: 'stability', name, from: from.stability, to: to.stability })
    }
    return changes
  })
}

/**
 * The single-file library always has the features of the library, so its presence is not a difference of each feature.
 */
function formsOf(feature: FeatureAccount | undefined): Omit<FeatureAccount['in'], 'single'> | null {
  if (feature === undefined) return null
  const { single: _, ...forms } = feature.in
  return forms
}

/** The served routes, with the feature that serves each. */
function routesOf({ features }: Account): Map<string, string> {
  const present = Object.entries(features).filter(([, { in: chosen }]) => Object.keys(chosen).length > 0)
  return new Map(present.flatMap(([id, { routes }]) => routes.map((route) => [route, id] as const)))
}

function routeChange(name: string, from: string | undefined, to: string | undefined): Change {
  const path = name.replace(/^\w+ /, '')
  const noticed =
    to === undefined
      ? `${path} is refused: 404, or 401 without a credential`
      : from === undefined
        ? `${path} answers`
        : `${path} is answered by ${to} in the place of ${from}`
  return { kind: 'route', name, from: from ?? null, to: to ?? null, noticed }
}

interface Row {
  readonly default: unknown
  readonly expected: string
}

function settingsOf({ features }: Account): Map<string, Row> {
  const present = Object.values(features).filter(({ in: chosen }) => Object.keys(chosen).length > 0)
  return new Map(
    present.flatMap(({ settings }) =>
      Object.entries(settings).map(
        ([key, one]) => [key, { default: one.default ?? null, expected: one.expected }] as const,
      ),
    ),
  )
}

function compareSettings(a: ReadonlyMap<string, Row>, b: ReadonlyMap<string, Row>): Change[] {
  return pairs(a, b).flatMap(([name, from, to]): Change[] => {
    if (from === undefined) return [{ kind: 'setting', name, from: null, to: to!.expected }]
    if (to === undefined) {
      return [
        {
          kind: 'setting',
          name,
          from: from.expected,
          to: null,
          noticed: `a configuration with ${name} is refused at start`,
        },
      ]
    }
    const changes: Change[] = []
    if (from.expected !== to.expected) {
      const noticed = `${name} has to be ${to.expected}`
      changes.push({ kind: 'setting', name, from: from.expected, to: to.expected, noticed })
    }
    if (!isEqual(from.default, to.default)) {
      const noticed = `without a value ${name} is ${JSON.stringify(to.default)}`
      changes.push({ kind: 'default', name, from: from.default, to: to.default, noticed })
    }
    return changes
  })
}

function comparePackages(a: Account, b: Account): Change[] {
  const rows = ({ packages }: Account): Map<string, Account['packages'][string]> => new Map(Object.entries(packages))
  return pairs(rows(a), rows(b)).flatMap(([place, from, to]): Change[] => {
    const name = place.replace(/^node_modules\//, '')
    if (from === undefined || to === undefined) {
      return [{ kind: 'package', name, from: from?.version ?? null, to: to?.version ?? null }]
    }
    const changes: Change[] = []
    if (from.version !== to.version || from.sha256 !== to.sha256) {
      const text = (one: typeof from): string =>
        from.version === to.version ? `${one.version} ${one.sha256}` : one.version
      changes.push({ kind: 'version', name, from: text(from), to: text(to) })
    }
    if (from.licence !== to.licence) changes.push({ kind: 'licence', name, from: from.licence, to: to.licence })
    return changes
  })
}

function compareBundles(file: string, a: BundleAccount | undefined, b: BundleAccount | undefined): Change[] {
  const sizes = (one: BundleAccount | undefined): Map<string, number> =>
    new Map(one === undefined ? [] : bytesByOwner(one))
  const names = (one: BundleAccount | undefined): Map<string, true> =>
    new Map((one?.builtins ?? []).map((name) => [name, true as const]))
  const totals = (one: BundleAccount | undefined): Map<string, number> =>
    new Map(
      one === undefined
        ? []
        : [
            ['all', one.bytes],
            ['gzip', one.gzipBytes],
            ...(Object.keys(one.parts).length > 0 ? [['gzip with what is loaded later', one.gzipTotal] as const] : []),
          ],
    )
  return [
    ...pairs(totals(a), totals(b)).map(([name, from, to]): Change => {
      return { kind: 'bytes', name, file, from: from ?? null, to: to ?? null }
    }),
    ...pairs(sizes(a), sizes(b)).flatMap(([name, from, to]): Change[] =>
      from === to ? [] : [{ kind: 'bytes', name, file, from: from ?? null, to: to ?? null }],
    ),
    ...pairs(names(a), names(b)).map(([name, from, to]): Change => {
      return { kind: 'builtin', name, file, from: from ?? null, to: to ?? null }
    }),
  ]
}

/** Bytes of a bundle by owner. */
function bytesByOwner({ inputs }: Pick<BundleAccount, 'inputs'>): [string, number][] {
  const sums = new Map<string, number>()
  for (const { owner, bytes } of Object.values(inputs)) sums.set(owner, (sums.get(owner) ?? 0) + bytes)
  return [...sums]
}

/** The keys whose values differ between two maps, with both values. */
function pairs<V>(a: ReadonlyMap<string, V>, b: ReadonlyMap<string, V>): [string, V | undefined, V | undefined][] {
  return [...new Set([...a.keys(), ...b.keys()])]
    .sort()
    .flatMap((name) => (isEqual(a.get(name), b.get(name)) ? [] : [[name, a.get(name), b.get(name)]]))
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
