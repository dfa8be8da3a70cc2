/** The bytes of a bundle as a tree: feature → package → file. */
import type { BuildProof } from './proof.ts'

/** The account of a build (`account.json`), as far as the tree needs it. */
export interface BuildAccount {
  readonly profile: string
  readonly bundles: readonly BundleInputs[]
  /** By id. The keys of `in` are the forms that have the feature. */
  readonly features: Readonly<
    Record<
      string,
      { readonly summary: string; readonly in: Readonly<Record<string, unknown>>; readonly packages: readonly string[] }
    >
  >
  /** By folder, such as `node_modules/pino`. */
  readonly packages: Readonly<Record<string, { readonly name: string; readonly version: string }>>
}

/** A build: its proof and its account. */
export interface ReadBuild {
  readonly proof: BuildProof
  readonly account: BuildAccount
}

/** One bundle of an account, with its inputs by path. */
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

/** The name of the group of files that are not from a package. */
const OWN = 'own code'

/** Creates the tree of a bundle, with the largest parts first. Input files that add no bytes are left out. */
export function treeOf(
  { features, packages }: Pick<BuildAccount, 'features' | 'packages'>,
  bundle: Pick<BundleInputs, 'file' | 'form' | 'inputs'>,
): Part {
  const groups = new Map<string, Map<string, Part[]>>()
  for (const [file, { bytes, owner, package: place }] of Object.entries(bundle.inputs)) {
    if (bytes === 0) continue
    const group = groupOf(owner, features, bundle.form)
    const packageName =
      place === undefined ? OWN : `${packages[place]?.name ?? place} ${packages[place]?.version ?? ''}`.trim()
    const filesByPackage = groups.get(group) ?? new Map<string, Part[]>()
    groups.set(group, filesByPackage)
    filesByPackage.set(packageName, [...(filesByPackage.get(packageName) ?? []), { name: file, bytes, children: [] }])
  }
  const parts = [...groups].map(([name, filesByPackage]) =>
    toPart(
      name,
      [...filesByPackage].map(([packageName, files]) => toPart(packageName, files)),
    ),
  )
  return toPart(bundle.file, parts)
}

/** The group of an owner. A package belongs to the first present feature that lists the package. */
function groupOf(owner: string, features: BuildAccount['features'], form: string): string {
  const [kind = '', name = ''] = owner.split(/:(.*)/)
  if (kind === 'feature') return name
  if (kind === 'variant') return name.replace(/=.*/, '')
  if (kind === 'package' || kind === 'foreign') {
    const featureOfPackage = Object.entries(features).find(
      ([, feature]) => feature.in[form] !== undefined && feature.packages.includes(name),
    )
    return featureOfPackage?.[0] ?? 'kernel'
  }
  return kind === 'shared' ? `${name}, shared` : kind === 'core' ? 'kernel' : kind
}

function toPart(name: string, children: readonly Part[]): Part {
  const sorted = [...children].sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1))
  return { name, bytes: sorted.reduce((sum, { bytes }) => sum + bytes, 0), children: sorted }
}
