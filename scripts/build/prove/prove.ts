/** Stage 4, prove: shows what is in a bundle and what is not, and that the showing itself can fail. */

import type { Bundle } from '../bundle/bundle.ts'
import { esbuildOptions, externalsOf } from '../bundle/esbuild-options.ts'
import { type Problem, throwAll } from '../errors.ts'
import { outputName } from '../generate/generate.ts'
import { type PlannedFeature, planFeature } from '../plan/plan-feature.ts'
import type { Plan, TargetPlan } from '../plan/target-plan.ts'
import { acrossForms } from './across-forms.ts'
import { attribute } from './attribute.ts'
import { allowedBuiltins, checkBudget, checkEmptied, checkMissing, checkOutside, outsideImports } from './checks.ts'
import { keepCode, readAhead } from './code.ts'
import { type AbsentProof, runControls } from './controls/controls.ts'
import { ownerOf } from './controls/owners.ts'
import { checkCopies } from './copies/copies.ts'
import { checkForms, type FileForms, formsIn, usesOf } from './forms/uses.ts'
import { checkLeaks, withoutConsequences } from './leaks.ts'
import { hashAhead } from './packages/package-hash.ts'
import { checkPackages, installedFor, type ProvenPackage } from './packages/packages.ts'

/** File name of an executable in `dist/<profile>/`. */
export const EXECUTABLE: string = process.platform === 'win32' ? 'svc.exe' : 'svc'

/** A file of a bundle beside its entry. */
export interface ProvenPart {
  /** Whether it is loaded when it is first needed, and not with the entry. */
  readonly later: boolean
  readonly bytes: number
  readonly gzipBytes: number
  readonly sha256: string
}

/** The proof of one bundle, as `proof.json` has it. */
export interface Proof {
  readonly file: string
  readonly platform: string
  /** What chose, by define; two profiles differ in these, in `options` and in the entry, and in nothing else. */
  readonly defines: TargetPlan['defines']
  /** The bundler's options that follow from the platform; `externals` has the rest. */
  readonly options: { readonly platform: string; readonly conditions: readonly string[]; readonly entry: string }
  readonly bytes: number
  /** Of what is loaded at once. */
  readonly gzipBytes: number
  readonly gzipLimit: number | null
  /** Of all its files. */
  readonly gzipTotal: number
  readonly gzipTotalLimit: number | null
  /** The files beside `file`, by name. */
  readonly parts: Readonly<Record<string, ProvenPart>>
  /** SHA-256 of the bundle with its own hash as zeros. */
  readonly sha256: string
  /** Bytes by owner; their sum and the few bytes of glue are the bundle. */
  readonly in: Readonly<Record<string, { readonly bytes: number; readonly files: number }>>
  readonly out: Readonly<Record<string, AbsentProof>>
  readonly builtins: { readonly allowed: readonly string[]; readonly used: readonly string[] }
  readonly externals: { readonly allowed: readonly string[]; readonly used: readonly string[] }
  /** Files with forms that the bundler cannot follow, each as declared in `uses` of a feature. */
  readonly uses: Readonly<Record<string, readonly string[]>>
  /** Packages of which files are in the bundle or beside it, and those that made it: esbuild, Node, TypeScript. */
  readonly packages: Readonly<Record<string, ProvenPackage>>
}

/** How thorough a proof is. */
export interface Rigour {
  /** Whether the absence of a feature, or of one of its variants, has its controls. */
  readonly isControlled: (feature: PlannedFeature) => boolean
  /** Finds what has a feature that is absent; nobody does where others have shown it. */
  readonly ownerOf: typeof ownerOf
}

/** What is delivered has every control. */
const delivered: Rigour = { isControlled: () => true, ownerOf }

/**
 * Proves every bundle of a profile.
 * @throws SvcError `ERR_PROOF_*` with everything that contradicts the profile
 */
export async function prove(plan: Plan, bundles: readonly Bundle[], rigour: Rigour = delivered): Promise<Proof[]> {
  const hashed = hashAhead(bundles.flatMap(installedFor))
  const results = await Promise.all(bundles.map((one) => proveBundle(plan, one, rigour, hashed)))
  throwAll(`Proof of ${plan.profile.name}`, acrossForms(results.flatMap(({ problems }) => problems)))
  keepCode()
  return results.map(({ proof }) => proof)
}

async function proveBundle(
  plan: Plan,
  one: Bundle,
  rigour: Rigour,
  hashed: Promise<unknown>,
): Promise<{ proof: Proof; problems: Problem[] }> {
  const absent = (await absentFeatures(plan, one.target)).filter(rigour.isControlled)
  let pass = (): void => undefined
  const passed = new Promise<void>((resolve) => {
    pass = resolve
  })
  // The bundler works at them while everything else is looked at here. What is refused anyway needs none: they would repeat its
  // leaks, and nobody would wait for what is read of them.
  const readLater = (inputs: readonly string[]): void => void passed.then(() => readAhead(inputs))
  const controlling = absent.length === 0 ? undefined : runControls(plan, one, absent, rigour.ownerOf, readLater)
  controlling?.catch(() => undefined)
  const files = await formsIn(plan, one)
  const leaks = checkLeaks(plan, one)
  const own = withoutConsequences(leaks, [
    ...checkMissing(plan, one),
    ...checkEmptied(plan, one),
    ...checkForms(plan, one, files),
    ...checkOutside(plan, one, files),
    // What a bundle weighs says nothing while it has in it what does not belong there.
    ...(leaks.length > 0 ? [] : checkBudget(plan, one)),
  ])
  if (own.length === 0) pass()
  const copying = own.length > 0 ? undefined : controlling?.then(({ suspects }) => checkCopies(plan, one, suspects))
  copying?.catch(() => undefined)
  await hashed
  const { packages, problems: ofPackages } = checkPackages(one)
  const problems = [...own, ...ofPackages]
  if (problems.length > 0 || controlling === undefined)
    return { proof: toProof(plan, one, { files, packages, out: {} }), problems }
  const controls = await controlling
  return {
    proof: toProof(plan, one, { files, packages, out: controls.proofs }),
    problems: [...controls.problems, ...(await copying!)],
  }
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

function optionsOf(target: TargetPlan): Proof['options'] {
  const { platform, conditions } = esbuildOptions(target)
  return { platform: platform!, conditions: conditions!, entry: target.form }
}

interface Findings {
  readonly files: readonly FileForms[]
  readonly packages: Proof['packages']
  readonly out: Proof['out']
}

function toProof(plan: Plan, one: Bundle, { files, packages, out }: Findings): Proof {
  const { target, metafile, bytes, gzipBytes, gzipTotal, sha256 } = one
  const owners: Record<string, { bytes: number; files: number }> = {}
  for (const { owner, bytes: size } of attribute(plan, metafile)) {
    const entry = (owners[owner] ??= { bytes: 0, files: 0 })
    entry.bytes += size
    entry.files += 1
  }
  const used = outsideImports(one, files)
  return {
    file: outputName(target),
    platform: target.platform,
    defines: target.defines,
    options: optionsOf(target),
    bytes,
    gzipBytes,
    gzipLimit: target.gzipLimit ?? null,
    gzipTotal,
    gzipTotalLimit: target.gzipTotalLimit ?? null,
    parts: Object.fromEntries(one.parts.map(({ name, base64: _, ...part }) => [name, part])),
    sha256,
    in: Object.fromEntries(Object.entries(owners).sort(([a], [b]) => (a < b ? -1 : 1))),
    out,
    builtins: { allowed: allowedBuiltins(plan, target), used: used.builtins },
    externals: { allowed: externalsOf(target), used: used.packages },
    uses: usesOf(files),
    packages,
  }
}
