/** The claims about one bundle, each a function from the metafile to what contradicts it. */
import { builtinModules } from 'node:module'
import type { Bundle } from '../bundle.ts'
import type { Problem } from '../errors.ts'
import { externalsOf, requireBanner } from '../esbuild-options.ts'
import { shown } from '../paths.ts'
import type { Plan, TargetPlan } from '../plan.ts'
import { type Attributed, allowedOwners, attribute } from './attribute.ts'
import { importChain } from './chain.ts'
import { runTimeImports } from './run-time-imports.ts'

/** Files that must not be in a bundle of `target`. Everything is suspect that no present feature accounts for. */
export function findLeaks(plan: Plan, target: TargetPlan, { metafile }: Pick<Bundle, 'metafile'>): Attributed[] {
  const allowed = allowedOwners(target)
  return attribute(plan, metafile).filter(({ owner }) => !allowed.has(owner))
}

/** That the bundle contains nothing of an absent feature, and something of every present one. */
export function checkContents(plan: Plan, bundle: Bundle): Problem[] {
  const { target, metafile } = bundle
  const leaks = findLeaks(plan, target, bundle).map(({ file, input, owner }): Problem => {
    const chain = importChain(metafile, input, plan.profile.base)
    // The importer is what has to change, so it is named beside the file.
    return {
      code: 'ERR_PROOF_LEAK',
      message: `${target.form}: ${file} (${owner.replace(':', ' ')}) is in the bundle: ${chain.join(' → ')}`,
      hint: owner.startsWith('package:')
        ? 'Name the package in `packages` of the feature that needs it, or let its importer do without.'
        : `Let ${chain.at(-2) ?? 'the entry'} reach it through a capability, or add the feature to the profile.`,
    }
  })
  const bytes = new Map<string, number>()
  for (const { input, bytes: size } of attribute(plan, metafile)) bytes.set(input, size)
  const present = new Set(Object.keys(metafile.inputs))
  const missing = target.features
    .filter(
      ({ module }) =>
        module !== undefined &&
        ![...present].some((input) => module.endsWith(input.replace(/^(\.\.\/)+/, '')) && bytes.get(input)! > 0),
    )
    .map(
      ({ id, module }): Problem => ({
        code: 'ERR_PROOF_MISSING',
        message: `${target.form}: nothing of ${id} (${shown(module!, plan.profile.base)}) is in the bundle.`,
      }),
    )
  return [...leaks, ...missing]
}

/** That shared code of which nothing is left brings in no package and no built-in. */
export function checkEmptied(plan: Plan, { target, metafile }: Pick<Bundle, 'target' | 'metafile'>): Problem[] {
  const emptied = attribute(plan, metafile).filter(
    ({ owner, bytes }) => bytes === 0 && (owner === 'core' || owner === 'shared'),
  )
  return emptied.flatMap(({ file, input }) =>
    metafile.inputs[input]!.imports.filter(
      ({ path, external }) => external === true || path.includes('node_modules/'),
    ).map(
      ({ path }): Problem => ({
        code: 'ERR_PROOF_LEAK',
        message: `${target.form}: nothing is left of ${file}, and it still brings ${path}: ${importChain(metafile, input, plan.profile.base).join(' → ')}`,
        hint: 'Let the code that the define leaves out stand in a module of its feature.',
      }),
    ),
  )
}

/** The modules that a bundle imports from outside. */
export function outsideImports(bundle: Bundle): { builtins: string[]; packages: string[] } {
  const { metafile, text } = bundle
  const names = new Set(Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path)))
  // esbuild's account leaves out its banner and what is asked for at run time.
  if (text.startsWith(requireBanner)) names.add('node:module')
  for (const { builtin } of runTimeImports(bundle)) if (builtin !== '*') names.add(builtin)
  const isBuiltin = (name: string): boolean => name.startsWith('node:') || builtinModules.includes(name)
  const builtins = [...names].filter(isBuiltin).map((name) => (name.startsWith('node:') ? name : `node:${name}`))
  return { builtins: [...new Set(builtins)].sort(), packages: [...names].filter((name) => !isBuiltin(name)).sort() }
}

/** That the bundle imports only what the profile allows from outside. */
export function checkOutside(plan: Plan, bundle: Bundle): Problem[] {
  const { target, metafile } = bundle
  const { builtins, packages } = outsideImports(bundle)
  const allowed = new Set(allowedBuiltins(plan, target))
  const externals = new Set(externalsOf(target))
  const atRunTime = runTimeImports(bundle)
  const chainTo = (name: string): string => {
    const asking = atRunTime.find(({ builtin }) => builtin === name)
    if (asking !== undefined) return [...importChain(metafile, asking.input, plan.profile.base), name].join(' → ')
    return importChain(metafile, name in metafile.inputs ? name : rawName(metafile, name), plan.profile.base).join(
      ' → ',
    )
  }
  return [
    ...atRunTime
      .filter(({ builtin }) => builtin === '*')
      .map(
        ({ input }): Problem => ({
          code: 'ERR_PROOF_BUILTIN',
          message: `${target.form}: getBuiltinModule of a name that cannot be read: ${importChain(metafile, input, plan.profile.base).join(' → ')}`,
          hint: "Write the name as a text: process.getBuiltinModule('node:os').",
        }),
      ),
    ...builtins
      .filter((name) => !allowed.has(name))
      .map(
        (name): Problem => ({
          code: 'ERR_PROOF_BUILTIN',
          message: `${target.form}: ${name} is used: ${chainTo(name)}`,
          hint:
            target.platform === 'node'
              ? `Add '${name}' to \`builtins\` of the profile, or take the feature out.`
              : `A target of platform "${target.platform}" has no built-ins; the importer must do without.`,
        }),
      ),
    ...packages
      .filter((name) => !externals.has(name))
      .map(
        (name): Problem => ({
          code: 'ERR_PROOF_EXTERNAL',
          message: `${target.form}: ${name} is imported at run time: ${chainTo(name)}`,
          hint: 'Bundle it, or name it in `externals` of its feature.',
        }),
      ),
  ]
}

/** The Node built-ins that a target may use. */
export function allowedBuiltins(plan: Plan, target: TargetPlan): readonly string[] {
  return target.platform === 'node' ? plan.profile.builtins : []
}

/** How far a size may be from the one that is written down. Compression differs by a few bytes for any edit. */
const TOLERANCE = 0.02

/** That the bundle has the size that the profile says, neither more nor less, and keeps its limit. */
export function checkBudget(plan: Plan, { target, gzipBytes }: Bundle): Problem[] {
  const problems: Problem[] = []
  const { gzipBytes: expected, gzipLimit: limit } = target
  if (limit !== undefined && gzipBytes > limit) {
    const message = `${target.form}: ${gzipBytes} bytes compressed, ${gzipBytes - limit} over the limit of ${limit}.`
    problems.push({ code: 'ERR_PROOF_BUDGET', message, hint: 'make matrix shows the bytes of each feature.' })
  }
  if (expected !== undefined && Math.abs(gzipBytes - expected) > expected * TOLERANCE) {
    const change = gzipBytes > expected ? 'grew' : 'shrank'
    const message = `${target.form}: ${change} from ${expected} to ${gzipBytes} bytes compressed.`
    const hint = `If that is meant, write gzipBytes: ${gzipBytes} into profile ${plan.profile.name}.`
    problems.push({ code: 'ERR_PROOF_BUDGET', message, hint })
  }
  return problems
}

/** The name as the importing file wrote it, which is how the metafile knows it. */
function rawName(metafile: Bundle['metafile'], name: string): string {
  const bare = name.replace(/^node:/, '')
  const written = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  return written.includes(name) ? name : bare
}
