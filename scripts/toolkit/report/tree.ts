/** The bytes of a bundle as a tree: feature → package → file. */
import type { Account, BundleAccount } from '../../build/account/account.ts'

/** A part of a bundle. */
export interface Part {
  readonly name: string
  readonly bytes: number
  readonly children: readonly Part[]
}

/** What the code of features stands under, beside their packages. */
const OWN = 'own code'

/** Makes the tree, the largest parts first; files of which nothing is left are not in it. */
export function treeOf({ features, packages }: Pick<Account, 'features' | 'packages'>, bundle: BundleAccount): Part {
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
function groupOf(owner: string, features: Account['features'], form: BundleAccount['form']): string {
  const [kind = '', name = ''] = owner.split(/:(.*)/)
  if (kind === 'feature') return name
  if (kind === 'variant') return name.split('=')[0]!
  if (kind === 'package' || kind === 'foreign') {
    const bringer = Object.keys(features).find(
      (id) => features[id]!.in[form] !== undefined && features[id]!.packages.includes(name),
    )
    return bringer ?? 'kernel'
  }
  return kind === 'shared' ? `${name}, shared` : kind === 'core' ? 'kernel' : kind
}

function toPart(name: string, children: readonly Part[]): Part {
  const sorted = [...children].sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1))
  return { name, bytes: sorted.reduce((sum, { bytes }) => sum + bytes, 0), children: sorted }
}
