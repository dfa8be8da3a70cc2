/** Explains why something is in a build, or why not. */
import type { BundleAccount } from '../../build/account/account.ts'
import type { ChoiceLine } from '../../build/account/choice-lines.ts'
import type { AbsentProof } from '../../build/prove/controls.ts'
import type { ProofFile } from '../../build/prove/dist.ts'
import type { Dist } from '../open-dist.ts'
import { shortestChains } from './chains.ts'
import { type Subject, subjectOf } from './subject.ts'

/** The presence of the subject in one bundle. */
export interface Presence {
  readonly file: string
  readonly form: BundleAccount['form']
  readonly present: boolean
  /** Bytes of the subject in the bundle; for a route or a setting, the bytes of its feature. */
  readonly bytes: number
  /** Files of the subject, with their bytes; 0 for files that tree shaking removed. */
  readonly files: Readonly<Record<string, number>>
  /** All shortest import chains to the subject. */
  readonly chains: readonly (readonly string[])[]
  readonly moreChains: number
}

/** A feature that contains the subject. */
export interface Bringer {
  readonly feature: string
  readonly in: Readonly<Partial<Record<BundleAccount['form'], true | string>>>
  /** Standard profiles that have the feature. */
  readonly profiles: readonly string[]
  /** Profile lines that add or remove the feature. */
  readonly asked: readonly ChoiceLine[]
  /** Controls of the feature in each bundle that lacks it, by `<bundle> <feature or variant>`. */
  readonly controls: Readonly<Record<string, AbsentProof>>
}

/** The whole answer. */
export interface Explanation {
  readonly profile: string
  readonly kind: Subject['kind']
  readonly name: string
  readonly bundles: readonly Presence[]
  readonly features: readonly Bringer[]
  /**
   * For a built-in: the bundles of other profiles that use it, by profile; null for a profile that is not built here.
   */
  readonly usedBy?: Readonly<Record<string, readonly string[] | null>>
}

/**
 * Explains a word of a build. `others` are the proofs of other profiles, by name.
 * @throws SvcError `ERR_TOOL_UNKNOWN`
 */
export function explain(
  { account, proof }: Dist,
  word: string,
  others: Readonly<Record<string, ProofFile | undefined>> = {},
): Explanation {
  const subject = subjectOf(account, word)
  const bundles = account.bundles.map(({ file, form, entry, inputs, assets }): Presence => {
    const rows = Object.entries({ ...inputs, ...assets }).filter(([name, { owner }]) => subject.isInput(name, owner))
    const files = Object.fromEntries(rows.map(([name, { bytes }]) => [name, bytes]))
    const { chains, more } = shortestChains({ entry, inputs }, new Set(rows.map(([name]) => name)))
    const chosen = subject.features.some((id) => account.features[id]!.in[form] !== undefined)
    const bytes = subject.kind === 'built-in' ? 0 : rows.reduce((sum, [, row]) => sum + row.bytes, 0)
    const byFeature = subject.kind === 'route' || subject.kind === 'setting'
    return { file, form, present: byFeature ? chosen : rows.length > 0, bytes, files, chains, moreChains: more }
  })
  return {
    profile: account.profile,
    kind: subject.kind,
    name: subject.name,
    bundles,
    features: bringersOf(account, proof, subject, bundles),
    ...(subject.kind === 'built-in' && { usedBy: usersOf(subject.name, others) }),
  }
}

/** The bundles of each profile that use a built-in. */
function usersOf(
  name: string,
  others: Readonly<Record<string, ProofFile | undefined>>,
): Record<string, readonly string[] | null> {
  const using = (proof: ProofFile): string[] =>
    proof.bundles.filter(({ builtins }) => builtins.used.includes(name)).map(({ file }) => file)
  return Object.fromEntries(
    Object.entries(others).map(([profile, proof]) => [profile, proof === undefined ? null : using(proof)]),
  )
}

/** The features of the subject. For a file or a package without features, the owners of its files. */
function bringersOf(
  account: Dist['account'],
  proof: Dist['proof'],
  { features }: Subject,
  bundles: readonly Presence[],
): Bringer[] {
  const owners = account.bundles.flatMap(({ inputs, assets }, index) =>
    Object.keys(bundles[index]!.files).flatMap((file) => {
      const owner = (inputs[file] ?? assets[file])?.owner ?? ''
      return /^(?:feature|variant):([^=]+)/.exec(owner)?.[1] ?? []
    }),
  )
  return [...new Set([...features, ...owners])].map((id) => {
    const { in: chosen, profiles, asked } = account.features[id]!
    const controls = proof.bundles.flatMap(({ file, out }) =>
      Object.entries(out)
        .filter(([name]) => name === id || name.startsWith(`${id}=`))
        .map(([name, control]) => [`${file} ${name}`, control] as const),
    )
    return { feature: id, in: chosen, profiles, asked, controls: Object.fromEntries(controls) }
  })
}
