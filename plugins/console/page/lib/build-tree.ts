/** The bytes of a bundle as a tree: feature → package → file. */

/** The account of a build (`account.json`), as far as the tree needs it. */
export interface BuildAccount {
  readonly profile: string
  readonly bundles: readonly BundleInputs[]
  /** By id; `in` names the forms that have the feature. */
  readonly features: Readonly<
    Record<
      string,
      { readonly summary: string; readonly in: Readonly<Record<string, unknown>>; readonly packages: readonly string[] }
    >
  >
  /** By place, such as `node_modules/pino`. */
  readonly packages: Readonly<Record<string, { readonly name: string; readonly version: string }>>
}

/** One bundle of an account: its inputs, by path. */
export interface BundleInputs {
  readonly file: string
  readonly form: string
  readonly bytes: number
  readonly gzipBytes: number
  readonly inputs: Readonly<
    Record<string, { readonly bytes: number; readonly owner: string; readonly package?: string | undefined }>
  >
}

/** A part of a bundle. */
export interface Part {
  readonly name: string
  readonly bytes: number
  readonly children: readonly Part[]
}

/** The group of files that come from no package. */
const OWN = 'own code'

/** Makes the tree, the largest parts first; files of which nothing is left are not in it. */
export function treeOf(
  { features, packages }: Pick<BuildAccount, 'features' | 'packages'>,
  bundle: Pick<BundleInputs, 'file' | 'form' | 'inputs'>,
): Part {
  const groups = new Map<string, Map<string, Part[]>>()
  for (const [file, { bytes, owner, package: place }] of Object.entries(bundle.inputs)) {
    if (bytes === 0) continue
    const group = groupOf(owner, features, bundle.form)
    const pack =
      place === undefined ? OWN : `${packages[place]?.name ?? place} ${packages[place]?.version ?? ''}`.trim()
    const inside = groups.get(group) ?? new Map<string, Part[]>()
    groups.set(group, inside)
    inside.set(pack, [...(inside.get(pack) ?? []), { name: file, bytes, children: [] }])
  }
  const parts = [...groups].map(([name, inside]) =>
    toPart(
      name,
      [...inside].map(([pack, files]) => toPart(pack, files)),
    ),
  )
  return toPart(bundle.file, parts)
}

/** A package belongs to the first present feature that names it. */
function groupOf(owner: string, features: BuildAccount['features'], form: string): string {
  const [kind = '', name = ''] = owner.split(/:(.*)/)
  if (kind === 'feature') return name
  if (kind === 'variant') return name.replace(/=.*/, '')
  if (kind === 'package' || kind === 'foreign') {
    const bringer = Object.entries(features).find(
      ([, feature]) => feature.in[form] !== undefined && feature.packages.includes(name),
    )
    return bringer?.[0] ?? 'kernel'
  }
  return kind === 'shared' ? `${name}, shared` : kind === 'core' ? 'kernel' : kind
}

function toPart(name: string, children: readonly Part[]): Part {
  const sorted = [...children].sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1))
  return { name, bytes: sorted.reduce((sum, { bytes }) => sum + bytes, 0), children: sorted }
}
