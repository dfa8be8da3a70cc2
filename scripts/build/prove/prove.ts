/** Stage 4, prove: shows what is in a bundle and what is not, and that the showing itself can fail. */

import { type Bundle, bundle } from '../bundle.ts'
import { type Problem, throwAll } from '../errors.ts'
import { esbuildOptions, externalsOf } from '../esbuild-options.ts'
import { generateTarget, outputName } from '../generate.ts'
import { featureOwners, type Plan, plan as planProfile, type TargetPlan } from '../plan.ts'
import { type PlannedFeature, planFeature } from '../plan-feature.ts'
import { attribute } from './attribute.ts'
import { allowedBuiltins, checkBudget, checkContents, checkEmptied, checkOutside, outsideImports } from './checks.ts'
import { type AbsentProof, runControls } from './controls.ts'

/** The proof of one bundle, as `proof.json` has it. */
export interface Proof {
  readonly file: string
  readonly platform: string
  /** What chose, by define; two profiles differ in these, in `options` and in the entry, and in nothing else. */
  readonly defines: TargetPlan['defines']
  /** The bundler's options that follow from the platform; `externals` has the rest. */
  readonly options: { readonly platform: string; readonly conditions: readonly string[]; readonly entry: string }
  readonly bytes: number
  readonly gzipBytes: number
  readonly gzipLimit: number | null
  /** SHA-256 of the bundle with its own hash as zeros. */
  readonly sha256: string
  /** Bytes by owner; their sum and the few bytes of glue are the bundle. */
  readonly in: Readonly<Record<string, { readonly bytes: number; readonly files: number }>>
  readonly out: Readonly<Record<string, AbsentProof>>
  readonly builtins: { readonly allowed: readonly string[]; readonly used: readonly string[] }
  readonly externals: { readonly allowed: readonly string[]; readonly used: readonly string[] }
}

/**
 * Proves every bundle of a profile.
 * @throws SvcError `ERR_PROOF_*` with everything that contradicts the profile
 */
export async function prove(plan: Plan, bundles: readonly Bundle[]): Promise<Proof[]> {
  const problems: Problem[] = []
  const proofs: Proof[] = []
  for (const one of bundles) {
    const found = [
      ...checkContents(plan, one),
      ...checkEmptied(plan, one),
      ...checkOutside(plan, one),
      ...checkBudget(plan, one),
    ]
    problems.push(...found)
    // A bundle that is refused anyway needs no controls, which take most of the time and would repeat its leaks.
    const controls =
      found.length > 0
        ? { proofs: {}, problems: [] }
        : await runControls(plan, one, await absentFeatures(plan, one.target), ownerBundle)
    problems.push(...controls.problems)
    proofs.push(toProof(plan, one, controls.proofs))
  }
  throwAll(`Proof of ${plan.profile.name}`, problems)
  return proofs
}

/** Everything that a target could have and has not: features, and other variants of those it has. */
async function absentFeatures(plan: Plan, target: TargetPlan): Promise<PlannedFeature[]> {
  const chosen = new Map(target.features.map(({ id, variant }) => [id, variant]))
  const absent: PlannedFeature[] = []
  for (const [id, feature] of Object.entries(plan.known)) {
    const variants = typeof feature.plugin === 'object' ? Object.keys(feature.plugin) : [undefined]
    for (const variant of variants) {
      if (chosen.has(id) && chosen.get(id) === variant) continue
      absent.push(await planFeature(id, variant ?? true, feature))
    }
  }
  return absent
}

const ownerCache = new Map<string, Promise<{ profile: string; plan: Plan; bundles: Bundle[] }>>()

/** The bundle of a standard profile that has a feature, made once per run. */
async function ownerBundle(
  wanted: PlannedFeature,
): Promise<{ profile: string; plan: Plan; metafile: Bundle['metafile'] } | undefined> {
  for (const profile of (await featureOwners()).get(wanted.id) ?? []) {
    let made = ownerCache.get(profile)
    if (made === undefined) {
      made = planProfile(profile).then(async (plan) => ({
        profile,
        plan,
        bundles: await Promise.all(plan.targets.map((target) => bundle(generateTarget(plan, target)))),
      }))
      ownerCache.set(profile, made)
    }
    const { plan, bundles } = await made
    const holder = bundles.find(({ target }) =>
      target.features.some(({ id, variant }) => id === wanted.id && variant === wanted.variant),
    )
    if (holder !== undefined) return { profile, plan, metafile: holder.metafile }
  }
  return undefined
}

function optionsOf(target: TargetPlan): Proof['options'] {
  const { platform, conditions } = esbuildOptions(target)
  return { platform: platform!, conditions: conditions!, entry: target.form }
}

function toProof(plan: Plan, one: Bundle, out: Readonly<Record<string, AbsentProof>>): Proof {
  const { target, metafile, bytes, gzipBytes, sha256 } = one
  const owners: Record<string, { bytes: number; files: number }> = {}
  for (const { owner, bytes: size } of attribute(plan, metafile)) {
    const entry = (owners[owner] ??= { bytes: 0, files: 0 })
    entry.bytes += size
    entry.files += 1
  }
  const used = outsideImports(one)
  return {
    file: outputName(target),
    platform: target.platform,
    defines: target.defines,
    options: optionsOf(target),
    bytes,
    gzipBytes,
    gzipLimit: target.gzipLimit ?? null,
    sha256,
    in: Object.fromEntries(Object.entries(owners).sort(([a], [b]) => (a < b ? -1 : 1))),
    out,
    builtins: { allowed: allowedBuiltins(plan, target), used: used.builtins },
    externals: { allowed: externalsOf(target), used: used.packages },
  }
}
