/** Stage 4, prove: checks what a bundle contains and what it does not, and that these checks can fail. */

import type { Bundle } from '../bundle/bundle.ts'
import { esbuildOptions, externalsOf } from '../bundle/esbuild-options.ts'
import { acrossForms, type Problem, throwAll } from '../errors.ts'
import { outputName } from '../generate/generate.ts'
import type { Plan, TargetPlan } from '../plan/target-plan.ts'
import { type Attributed, attribute } from './attribute.ts'
import { allowedBuiltins, checkBudget, checkEmptied, checkMissing, checkOutside, outsideImports } from './checks.ts'
import { type AbsentProof, bundleControls, type Controls, judgeControls } from './controls.ts'
import { checkForms, type FileForms, formsIn, usesOf } from './forms/uses.ts'
import { checkLeaks, withoutConsequences } from './leaks.ts'
import { hashAhead } from './packages/package-hash.ts'
import { checkPackages, installedFor, type ProvenPackage } from './packages/packages.ts'

/** A file of a bundle beside its entry. */
export interface ProvenPart {
  /** True if the file is loaded on first use, false if it is loaded with the entry. */
  readonly later: boolean
  readonly bytes: number
  readonly gzipBytes: number
  readonly sha256: string
}

/** The proof of one bundle in `proof.json`. */
export interface Proof {
  readonly file: string
  readonly platform: string
  /** The values of the defines. Two profiles differ only in these, in `options` and in the entry. */
  readonly defines: TargetPlan['defines']
  /** The bundler's options that depend on the platform, except `externals`. */
  readonly options: { readonly platform: string; readonly conditions: readonly string[]; readonly entry: string }
  readonly bytes: number
  /** Size of the files that are loaded at start, each file compressed separately. */
  readonly gzipBytes: number
  readonly gzipLimit: number | null
  /** Size of all files of the bundle, each file compressed separately. */
  readonly gzipTotal: number
  readonly gzipTotalLimit: number | null
  /** The files beside `file`, by name. */
  readonly parts: Readonly<Record<string, ProvenPart>>
  /** SHA-256 of the bundle, with the hash inside it replaced by zeros. */
  readonly sha256: string
  /** Bytes by owner. Their sum is the size of the bundle, except a few bytes of glue code. */
  readonly in: Readonly<Record<string, { readonly bytes: number; readonly files: number }>>
  readonly out: Readonly<Record<string, AbsentProof>>
  readonly builtins: { readonly allowed: readonly string[]; readonly used: readonly string[] }
  readonly externals: { readonly allowed: readonly string[]; readonly used: readonly string[] }
  /** Files with forms that the bundler cannot follow, by kind of form. A feature declares each in `uses`. */
  readonly uses: Readonly<Record<string, readonly string[]>>
  /** Packages with files in the bundle or beside it, and the build tools: esbuild, Node, TypeScript. */
  readonly packages: Readonly<Record<string, ProvenPackage>>
}

/**
 * Proves every bundle of a profile, with the controls of the same plan.
 * @throws SvcError `ERR_PROOF_*` with everything that contradicts the profile
 */
export async function prove(
  plan: Plan,
  bundles: readonly Bundle[],
  controls: Promise<readonly Controls[]> = bundleControls(plan),
): Promise<Proof[]> {
  const hashed = hashAhead(bundles.flatMap((one) => installedFor(one, plan.profile.base)))
  const results = await Promise.all(bundles.map((one) => proveBundle(plan, one, controls, hashed)))
  throwAll(`Proof of ${plan.profile.name}`, acrossForms(results.flatMap(({ problems }) => problems)))
  return results.map(({ proof }) => proof)
}

async function proveBundle(
  plan: Plan,
  one: Bundle,
  controls: Promise<readonly Controls[]>,
  hashed: Promise<unknown>,
): Promise<{ proof: Proof; problems: Problem[] }> {
  const files = await formsIn(plan, one)
  const leaks = checkLeaks(plan, one)
  const bundleProblems = withoutConsequences(leaks, [
    ...checkMissing(plan, one),
    ...checkEmptied(plan, one),
    ...(await checkForms(plan, one, files)),
    ...checkOutside(plan, one, files),
    // The size of a bundle is meaningless while it contains forbidden files.
    ...(leaks.length > 0 ? [] : checkBudget(plan, one)),
  ])
  await hashed
  const { packages, problems: ofPackages } = checkPackages(one, plan.profile.base)
  const problems = [...bundleProblems, ...ofPackages]
  // The controls of a refused bundle would repeat its leaks.
  if (problems.length > 0) return { proof: toProof(plan, one, { files, packages, out: {} }), problems }
  const ofTarget = (await controls).find(({ target }) => target === one.target)!
  const judged = await judgeControls(plan, one, ofTarget)
  return { proof: toProof(plan, one, { files, packages, out: judged.proofs }), problems: judged.problems }
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
  for (const { owner, bytes: size } of withPlaces(attribute(plan, metafile))) {
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

/** Names an owner with its place if a bundle has several packages of that name, such as two versions. */
function withPlaces(files: readonly Attributed[]): Attributed[] {
  const places = new Map<string, Set<string>>()
  const isPackage = ({ owner }: Attributed): boolean => /^(?:package|foreign):/.test(owner)
  for (const one of files)
    if (isPackage(one)) places.set(one.owner, (places.get(one.owner) ?? new Set()).add(one.package!.place))
  return files.map((one) =>
    isPackage(one) && places.get(one.owner)!.size > 1 ? { ...one, owner: `${one.owner} (${one.package!.place})` } : one,
  )
}
