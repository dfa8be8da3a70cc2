/** Finds the import that brings a forbidden file into a bundle, and the other files that this import brings. */
import type { Bundle } from '../bundle/bundle.ts'
import type { Problem } from '../errors.ts'
import { placeOfImport } from '../modules/explain-import.ts'
import { fileOfInput, shown } from '../paths.ts'
import type { Plan, TargetPlan } from '../plan/target-plan.ts'
import { type Attributed, allowedOwners, assetsOf, attribute, byVariant, ownersBy } from './attribute.ts'
import { inputChain, namesOf } from './chain.ts'

/** Files that must not be in or beside a bundle of `target`: all files that no present feature accounts for. */
export function findLeaks(plan: Plan, target: TargetPlan, bundle: Pick<Bundle, 'metafile' | 'target'>): Attributed[] {
  const allowed = allowedOwners(plan, target)
  return [...attribute(plan, bundle.metafile), ...assetsOf(plan, bundle.target)].filter(
    ({ owner }) => !allowed.has(owner),
  )
}

/**
 * Reports one problem for each first forbidden file of an import chain. The files that it brings are counted by owner.
 */
export function checkLeaks(plan: Plan, bundle: Bundle): Problem[] {
  return leaksIn(plan, bundle).map(({ problem }) => problem)
}

/**
 * Reports the packages in a bundle that no feature names. The bundle is enough for this, so a build reports them before
 * it proves anything.
 */
export function checkUndeclared(plan: Plan, bundle: Bundle): Problem[] {
  return leaksIn(plan, bundle).flatMap(({ owner, problem }) => (isPackage(owner) ? [problem] : []))
}

/** The problems, each with the owner of its first forbidden file. */
function leaksIn(plan: Plan, { target, metafile }: Bundle): { readonly owner: string; readonly problem: Problem }[] {
  const leaks = new Map(findLeaks(plan, target, { target, metafile }).map((leak) => [leak.input, leak]))
  const behind = new Map<string, { chain: readonly string[]; brought: Attributed[] }>()
  for (const leak of leaks.values()) {
    const chain = inputChain(metafile, leak.input)
    const at = chain.findIndex((input) => leaks.has(input))
    const way = at < 0 ? [leak.input] : chain.slice(0, at + 1)
    const group = behind.get(way.at(-1)!) ?? { chain: way, brought: [] }
    group.brought.push(leak)
    behind.set(way.at(-1)!, group)
  }
  const owners = new Map(attribute(plan, metafile).map((one) => [one.input, one.owner]))
  return [...behind].map(([input, { chain, brought }]) => {
    const { file, owner } = leaks.get(input)!
    const names = namesOf(metafile, chain, plan.profile.base)
    const rest = brought.filter((other) => other.input !== input)
    const importer = chain.at(-2)
    const at = importer === undefined ? '' : atImport(metafile, importer, input, plan.profile.base)
    const problem: Problem = {
      code: 'ERR_PROOF_LEAK',
      message:
        `${target.form}: ${file} (${shownOwner(owner)}) is in ` +
        `the bundle: ${names.join(' → ')}${counted(rest)}${at}`,
      // The importer must change, so the hint names it.
      hint: isPackage(owner)
        ? hintForPackage(plan, target, owners.get(importer ?? ''), [leaks.get(input)!, ...rest])
        : `Let ${names.at(-2) ?? 'the entry'} reach it through a capability, or add the feature to the profile.`,
      inputs: brought.map((one) => one.input),
    }
    return { owner, problem }
  })
}

function isPackage(owner: string): boolean {
  return /^(?:package|foreign):/.test(owner)
}

function hintForPackage(
  plan: Plan,
  target: TargetPlan,
  importing: string | undefined,
  brought: readonly Attributed[],
): string {
  const feature = target.features.find((one) => ownersBy(plan, one).includes(importing ?? ''))
  const names = brought.flatMap(({ owner }) => (isPackage(owner) ? [owner.replace(/^\w+:/, '')] : []))
  const before = feature === undefined ? [] : byVariant(feature.feature.packages, feature.variant)
  const all = [...new Set([...before, ...names])].map((name) => `'${name}'`).join(', ')
  return `Write \`packages: [${all}]\` into ${feature?.id ?? 'the feature that needs it'}, or do without it.`
}

/** The line of an import, on a line of its own. */
function atImport(metafile: Bundle['metafile'], importer: string, input: string, base: string): string {
  const file = fileOfInput(importer)
  const written = metafile.inputs[importer]?.imports.find(({ path }) => path === input)?.original
  const place = file === undefined || written === undefined ? undefined : placeOfImport(file, written)
  return place === undefined ? '' : `\n    ${shown(file!, base)}:${place.line}: ${place.text.trim()}`
}

/** Removes problems of files that only a leak brings in, because fixing the leak fixes them. */
export function withoutConsequences(leaks: readonly Problem[], rest: readonly Problem[]): Problem[] {
  const leaked = new Set(leaks.flatMap(({ inputs = [] }) => inputs))
  return [...leaks, ...rest.filter(({ inputs = [] }) => !inputs.some((input) => leaked.has(input)))]
}

function counted(files: readonly Attributed[]): string {
  if (files.length === 0) return ''
  const counts = new Map<string, number>()
  for (const { owner } of files) counts.set(owner, (counts.get(owner) ?? 0) + 1)
  const owners = [...counts].sort(([, a], [, b]) => b - a).map(([owner, count]) => `${shownOwner(owner)} (${count})`)
  return `\n    It brings ${files.length === 1 ? 'one more file' : `${files.length} more files`}: ${owners.join(', ')}.`
}

function shownOwner(owner: string): string {
  return owner.replace(':', ' ')
}
