/** The claims about one bundle. Each function takes the metafile and returns the contradictions. */
import { builtinModules } from 'node:module'
import type { Bundle } from '../bundle/bundle.ts'
import { externalsOf, requireBanner } from '../bundle/esbuild-options.ts'
import type { Problem } from '../errors.ts'
import { matrixCommand, shown } from '../paths.ts'
import type { Plan, TargetPlan } from '../plan/target-plan.ts'
import { attribute, byVariant, ofKernel } from './attribute.ts'
import { importChain, inputChain, namesOf } from './chain.ts'
import type { FileForms } from './forms/uses.ts'

/**
 * Reports features without a byte in the bundle, judged by the owner of the bytes: a feature's module can re-export
 * another file of the feature. A variant must have bytes of its module or folder.
 */
export function checkMissing(plan: Plan, { target, metafile }: Bundle): Problem[] {
  const owned = new Set(attribute(plan, metafile).flatMap(({ bytes, owner }) => (bytes > 0 ? [owner] : [])))
  return target.features
    .filter(({ id, variant, feature }) => {
      if (owned.has(variant === undefined ? `feature:${id}` : `variant:${id}=${variant}`)) return false
      // A feature that only adds an export to the library has no code in the program.
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

/** Checks that shared files without a byte in the bundle import no built-in, and no package except the kernel's. */
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
        message:
          `${target.form}: nothing is left of ${file}, and it still brings ` +
          `${path}: ${importChain(metafile, input, plan.profile.base).join(' → ')}`,
        hint: 'Let the code that the define leaves out stand in a module of its feature.',
        inputs: inputChain(metafile, input),
      }),
    ),
  )
}

/**
 * The modules that a bundle imports from outside. `builtins` also contains the Node built-ins that `files` load at run
 * time.
 */
export function outsideImports(
  { metafile: { outputs }, text }: Bundle,
  files: readonly FileForms[],
): { imported: string[]; builtins: string[]; packages: string[] } {
  const names = new Set(Object.values(outputs).flatMap(({ imports }) => imports.map(({ path }) => path)))
  // The files of the bundle itself are not outside.
  for (const name of Object.keys(outputs)) names.delete(name)
  // The metafile does not list the imports of the banner, nor modules that are loaded at run time.
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

/** Checks that the bundle imports only modules from outside that the profile allows. */
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

/**
 * The Node built-ins that a target may use. A target for another platform may load only the built-ins that its features
 * list in `asks`.
 */
export function allowedBuiltins(plan: Plan, target: TargetPlan): readonly string[] {
  if (target.platform === 'node') return plan.profile.builtins
  return [...new Set(target.features.flatMap(({ feature, variant }) => byVariant(feature.asks, variant)))].sort()
}

/** Allowed relative deviation from the expected size. Any edit changes the compressed size by a few bytes. */
const TOLERANCE = 0.05

/**
 * Checks the compressed size of the files that are loaded at start, and of all files: both must match the profile's
 * expected sizes and stay below its limits.
 */
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
      hint: `${matrixCommand(plan.profile.path)} shows the bytes of each feature.`,
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

/** The name as in the import statement, which is also the name in the metafile. */
function rawName(metafile: Bundle['metafile'], name: string): string {
  const bare = name.replace(/^node:/, '')
  const written = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  return written.includes(name) ? name : bare
}
