/**
 * Decides whether an advisory affects a build, at the level of files. A delivered file counts as affected, even if its
 * vulnerable function is never called.
 */
import type { AbsentProof } from '../../build/prove/controls.ts'
import type { Dist } from '../open-dist.ts'
import type { Advisory, Affected } from './osv.ts'

/** The verdict on one advisory and one package. */
export interface Verdict {
  readonly id: string
  readonly aliases: readonly string[]
  readonly summary: string
  readonly package: string
  /** The found version; null if the package was not found. */
  readonly version: string | null
  readonly place: string | null
  /** `unknown`: no lock file has a package of this name, so there is no verdict; the name may be misspelled. */
  readonly status: 'affected' | 'not_affected' | 'fixed' | 'unknown'
  /** OpenVEX's reason for `not_affected`. */
  readonly justification?: 'component_not_present' | 'vulnerable_code_not_present'
  readonly because: string
  /** Files that the advisory is about, with their delivered bytes. */
  readonly files: Readonly<Record<string, number>>
  /** For an absent package: the features that would bring it, each with the control that proves its absence. */
  readonly controls: Readonly<Record<string, AbsentProof>>
}

/**
 * The verdicts on every npm package that an advisory names. `locked` are the names of all packages in the lock files.
 */
export function judge(dist: Dist, advisory: Advisory, locked: ReadonlySet<string>): Verdict[] {
  return advisory.affected.flatMap((affected) => {
    const places = Object.entries(dist.account.packages).filter(
      ([place, { name }]) => name === affected.name || place.endsWith(`node_modules/${affected.name}`),
    )
    if (places.length === 0) return [absent(dist, advisory, affected, locked)]
    return places.map(([place, { version }]) => judgePlace(dist, advisory, affected, place, version))
  })
}

function judgePlace(
  { account }: Dist,
  advisory: Advisory,
  affected: Affected,
  place: string,
  version: string,
): Verdict {
  const { id, aliases, summary } = advisory
  const outside = account.bundles.some(({ externals }) => externals.includes(place))
  const rows = account.bundles.flatMap(({ inputs, assets }) =>
    Object.entries({ ...inputs, ...assets }).filter(([, row]) => row.package === place),
  )
  const files: Record<string, number> = {}
  for (const [file, { bytes }] of rows) {
    const path = file.slice(file.lastIndexOf(`${place}/`) + place.length + 1)
    if (affected.files.length === 0 || affected.files.includes(path)) files[file] = Math.max(files[file] ?? 0, bytes)
  }
  const base = { id, aliases, summary, package: affected.name, version, place, files, controls: {} }
  if (!affected.has(version)) {
    return { ...base, status: 'fixed', because: `version ${version} is not one of those that are affected` }
  }
  const deliveredFiles = Object.entries(files).filter(([, bytes]) => bytes > 0)
  if (outside) {
    return {
      ...base,
      status: 'affected',
      because: 'the package is asked for at run time, outside of the bundle, with all its files',
    }
  }
  if (deliveredFiles.length > 0) {
    const most = deliveredFiles
      .map(([file, bytes]) => `${file} (${bytes} bytes)`)
      .slice(0, 3)
      .join(', ')
    return {
      ...base,
      status: 'affected',
      because: `delivered: ${most}${deliveredFiles.length > 3 ? ` and ${deliveredFiles.length - 3} more` : ''}`,
    }
  }
  const what = affected.files.length === 0 ? 'all its files' : `what it names (${affected.files.join(', ')})`
  return {
    ...base,
    status: 'not_affected',
    justification: 'vulnerable_code_not_present',
    because: `the package was read, and of ${what} no byte is delivered`,
  }
}

function absent(
  { account, proof }: Dist,
  { id, aliases, summary }: Advisory,
  { name }: Affected,
  locked: ReadonlySet<string>,
): Verdict {
  const features = Object.keys(account.features).filter((one) => account.features[one]!.packages.includes(name))
  const controls = proof.bundles.flatMap(({ file, out }) =>
    Object.entries(out)
      .filter(([feature]) => features.includes(feature.split('=')[0]!))
      .map(([feature, control]) => [`${file} ${feature}`, control] as const),
  )
  const isKnown = features.length > 0 || locked.has(name)
  const because = !isKnown
    ? 'no lock file has a package of this name: is it spelled right?'
    : features.length === 0
      ? 'no file of the package was read'
      : `no file of the package was read; ${features.join(', ')} would bring it`
  return {
    id,
    aliases,
    summary,
    package: name,
    version: null,
    place: null,
    files: {},
    ...(isKnown
      ? { status: 'not_affected' as const, justification: 'component_not_present' as const }
      : { status: 'unknown' as const }),
    because,
    controls: Object.fromEntries(controls),
  }
}
