/** The claims about one bundle, each a function from the metafile to what contradicts it. */
import { builtinModules } from 'node:module'
import type { Bundle } from '../bundle/bundle.ts'
import { externalsOf, requireBanner } from '../bundle/esbuild-options.ts'
import type { Problem } from '../errors.ts'
import { shown } from '../paths.ts'
import type { Plan, TargetPlan } from '../plan/target-plan.ts'
import { attribute, byVariant, ofKernel } from './attribute.ts'
import { importChain, inputChain, namesOf } from './chain.ts'
import type { FileForms } from './forms/uses.ts'

/**
 * Features of which the bundle keeps no byte, by the owner of the bytes: a module may hand on what another file of the
 * feature holds. A variant has to show bytes of its own.
 */
export function checkMissing(plan: Plan, { target, metafile }: Bundle): Problem[] {
  const owned = new Set(attribute(plan, metafile).flatMap(({ bytes, owner }) => (bytes > 0 ? [owner] : [])))
  return target.features
    .filter(({ id, variant, feature }) => {
      if (owned.has(variant === undefined ? `feature:${id}` : `variant:${id}=${variant}`)) return false
      // What only adds an export to the library has nothing to do in the program.
      return target.form !== 'main' || feature.exports === undefined || feature.plugin !== undefined
    })
    .map(({ id, module, feature }): Problem => {
      const where = module === undefined ? '' : ` (${shown(module, plan.profile.base)})`
      const forProgram = target.form !== 'main' && (feature.commands ?? feature.main) !== undefined
      return {
        code: 'ERR_PROOF_MISSING',
        message: `${target.form}: nothing of ${id}${where} is in the bundle.`,
        hint: forProgram
          ? `Move ${id} to the features of \`main\`.`
          : `Take ${id} out, or let what is built reach its code.`,
      }
    })
}

/** That shared code of which nothing is left brings in no package but the kernel's own, and no built-in. */
export function checkEmptied(plan: Plan, { target, metafile }: Pick<Bundle, 'target' | 'metafile'>): Problem[] {
  const all = attribute(plan, metafile)
  const kernel = new Set(all.flatMap(({ owner, input }) => (ofKernel.includes(owner) ? [input] : [])))
  const emptied = all.filter(({ owner, bytes }) => bytes === 0 && (owner === 'core' || owner.startsWith('shared:')))
  return emptied.flatMap(({ file, input }) =>
    metafile.inputs[input]!.imports.filter(
      ({ path, external }) =>
        !kernel.has(path) && (external === true || path.startsWith('builtin:') || path.includes('node_modules/')),
    ).map(
      ({ path }): Problem => ({
        code: 'ERR_PROOF_LEAK',
        message: `${target.form}: nothing is left of ${file}, and it still brings ${path}: ${importChain(metafile, input, plan.profile.base).join(' → ')}`,
        hint: 'Let the code that the define leaves out stand in a module of its feature.',
        inputs: inputChain(metafile, input),
      }),
    ),
  )
}

/** The modules that a bundle imports from outside, and in `builtins` those of Node's that it asks for at run time, as `files` say. */
export function outsideImports(
  { metafile: { outputs }, text }: Bundle,
  files: readonly FileForms[],
): { imported: string[]; builtins: string[]; packages: string[] } {
  const names = new Set(Object.values(outputs).flatMap(({ imports }) => imports.map(({ path }) => path)))
  // Its own files are not outside.
  for (const name of Object.keys(outputs)) names.delete(name)
  // esbuild's account leaves out its banner and what is asked for at run time.
  if (text.startsWith(requireBanner)) names.add('node:module')
  const isBuiltin = (name: string): boolean => name.startsWith('node:') || builtinModules.includes(name)
  const imported = [...names].filter(isBuiltin).map((name) => (name.startsWith('node:') ? name : `node:${name}`))
  const asked = files.flatMap((file) => file.builtins)
  return {
    imported: [...new Set(imported)].sort(),
    builtins: [...new Set([...imported, ...asked])].sort(),
    packages: [...names].filter((name) => !isBuiltin(name)).sort(),
  }
}

/** That the bundle imports only what the profile allows from outside. */
export function checkOutside(plan: Plan, bundle: Bundle, files: readonly FileForms[]): Problem[] {
  const { target, metafile } = bundle
  const { imported, builtins, packages } = outsideImports(bundle, files)
  const allowed = new Set(allowedBuiltins(plan, target))
  const refused = (name: string): boolean =>
    !allowed.has(name) || (target.platform !== 'node' && imported.includes(name))
  const externals = new Set(externalsOf(target))
  const wayTo = (name: string): string[] => {
    const asking = imported.includes(name) ? undefined : files.find((file) => file.builtins.includes(name))
    if (asking !== undefined) return [...inputChain(metafile, asking.input), name]
    return inputChain(metafile, name in metafile.inputs ? name : rawName(metafile, name))
  }
  const shownWay = (inputs: readonly string[]): string => namesOf(metafile, inputs, plan.profile.base).join(' → ')
  return [
    ...builtins.filter(refused).map((name): Problem => {
      const inputs = wayTo(name)
      return {
        code: 'ERR_PROOF_BUILTIN',
        message: `${target.form}: ${name} is used: ${shownWay(inputs)}`,
        hint:
          target.platform === 'node'
            ? `Add '${name}' to \`builtins\` of the profile, or take the feature out.`
            : `A target of platform "${target.platform}" has no built-ins; the importer must do without.`,
        inputs,
      }
    }),
    ...packages
      .filter((name) => !externals.has(name))
      .map((name): Problem => {
        const inputs = wayTo(name)
        return {
          code: 'ERR_PROOF_EXTERNAL',
          message: `${target.form}: ${name} is imported at run time: ${shownWay(inputs)}`,
          hint: 'Bundle it, or name it in `externals` of its feature.',
          inputs,
        }
      }),
  ]
}

/** The Node built-ins that a target may use; one that is not for Node may only ask for those that its features name. */
export function allowedBuiltins(plan: Plan, target: TargetPlan): readonly string[] {
  if (target.platform === 'node') return plan.profile.builtins
  return [...new Set(target.features.flatMap(({ feature, variant }) => byVariant(feature.asks, variant)))].sort()
}

/** How far a size may be from the one that is written down. Compression differs by a few bytes for any edit. */
const TOLERANCE = 0.02

/** That what is loaded at once, and all files together, have the sizes that the profile says, neither more nor less, and keep their limits. */
export function checkBudget(plan: Plan, { target, gzipBytes, gzipTotal }: Bundle): Problem[] {
  const member = (name: string): string => (target.form === 'single' ? `single.${name}` : name)
  return [
    ...checkSize(plan, target, { what: '', name: member('gzipBytes') }, gzipBytes, target.gzipBytes, target.gzipLimit),
    ...checkSize(
      plan,
      target,
      { what: 'all files: ', name: 'gzipTotal' },
      gzipTotal,
      target.gzipTotal,
      target.gzipTotalLimit,
    ),
  ]
}

function checkSize(
  plan: Plan,
  { form }: TargetPlan,
  { what, name }: { readonly what: string; readonly name: string },
  size: number,
  expected: number | undefined,
  limit: number | undefined,
): Problem[] {
  const problems: Problem[] = []
  if (limit !== undefined && size > limit) {
    const message = `${form}: ${what}${size} bytes compressed, ${size - limit} over the limit of ${limit}.`
    problems.push({
      code: 'ERR_PROOF_BUDGET',
      message,
      hint: `make matrix PROFILE=${plan.profile.path} shows the bytes of each feature.`,
    })
  }
  if (expected !== undefined && Math.abs(size - expected) > expected * TOLERANCE) {
    const change = size > expected ? 'grew' : 'shrank'
    const message = `${form}: ${what}${change} from ${expected} to ${size} bytes compressed.`
    const hint = `If that is meant, write ${name}: ${size} into profile ${plan.profile.name}.`
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
