/** Checks the forms that the bundler cannot follow against the declarations of the features. */

import { existsSync } from 'node:fs'
import { basename, dirname, posix, resolve } from 'node:path'
import type { Metafile } from 'esbuild'
import type { Use } from '../../../../core/declare/matrix.ts'
import type { Bundle } from '../../bundle/bundle.ts'
import type { Problem } from '../../errors.ts'
import { carriedSource } from '../../generate/carried.ts'
import { generateTarget } from '../../generate/generate.ts'
import { once } from '../../once.ts'
import { fileOfInput, realPath, shown } from '../../paths.ts'
import type { Plan, TargetPlan } from '../../plan/target-plan.ts'
import { assetFiles } from '../../plan/target-plan.ts'
import { type Attributed, assetsOf, attribute, byVariant, ownersBy } from '../attribute.ts'
import { inputChain, namesOf } from '../chain.ts'
import { lineInSource } from '../syntax.ts'
import { isUnfollowed } from './forms.ts'
import { formsInFile, formsInText } from './read-forms.ts'
import type { Form } from './ways.ts'

/** A file in a bundle, with its forms that the bundler cannot follow. */
export interface FileForms extends Attributed {
  /** The forms that the bundler cannot follow. */
  readonly forms: readonly Form[]
  /** The built-ins that the file loads at run time by a literal name. */
  readonly builtins: readonly string[]
}

/** The forms in every file with at least one byte in a bundle, and in the files that were generated for the bundle. */
export const formsIn: (plan: Plan, bundle: Pick<Bundle, 'target' | 'metafile'>) => Promise<readonly FileForms[]> =
  once(findForms)

async function findForms(
  plan: Plan,
  { target, metafile }: Pick<Bundle, 'target' | 'metafile'>,
): Promise<readonly FileForms[]> {
  const files = [...attribute(plan, metafile), ...assetsOf(plan, target)].filter(
    ({ bytes, owner }) => bytes > 0 && owner !== 'registry',
  )
  // Generated files contain names from the profile, so they are checked too.
  const generated = Object.entries(generateTarget(plan, target).files).filter(([name]) =>
    /^(entry|registry|manifest)\./.test(name),
  )
  const followed = new Set(Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(writtenName)))
  const isUnplaced = placeless(target)
  return Promise.all([
    ...files.map(async (file) => {
      const forms = (await formsInFile(file, target.defines)).filter((form) => isUnplaced(form, file.input))
      return toFileForms(file, forms, new Set(metafile.inputs[file.input]?.imports.map(writtenName)))
    }),
    ...generated.map(async ([name, text]) => {
      const forms = await formsInText(text, name, target.defines)
      return toFileForms({ file: name, input: name, bytes: 0, owner: 'registry' }, forms, followed)
    }),
  ])
}

function toFileForms(file: Attributed, forms: readonly Form[], followed: ReadonlySet<string>): FileForms {
  return {
    ...file,
    forms: forms.filter((form) => isUnfollowed(form, followed)),
    builtins: forms.flatMap(({ builtin }) => builtin ?? []),
  }
}

/** The specifier of an import as in the source; `path` in the metafile is the resolved one. */
function writtenName({ original, path }: Metafile['inputs'][string]['imports'][number]): string {
  return original ?? path
}

/** Checks that a feature of the target that owns the file declares every form. */
export async function checkForms(
  plan: Plan,
  { target, metafile }: Bundle,
  files: readonly FileForms[],
): Promise<Problem[]> {
  const declared = usesByOwner(plan, target)
  const { ownFeatures, base } = plan.profile
  const problems = files.flatMap(({ file, input, owner, forms }) => {
    const undeclared = forms.filter(({ use }) => !declared.get(owner)?.has(use))
    const first = new Map(undeclared.map((form) => [`${form.use} ${form.beside ?? ''}`, form]))
    return [...first.values()].map(async (form): Promise<Problem> => {
      const inputs = inputChain(metafile, input)
      const chain = namesOf(metafile, inputs, base)
      const feature = ownFeatures[owner.replace('feature:', '')]
      const home = feature === undefined ? base : dirname(feature.declaration)
      const { what, hint } = explainForm(form, target, input, { base, home })
      const line = await lineOf(input, form.at, target)
      return {
        code: 'ERR_PROOF_FORM',
        message: `${target.form}: ${file}${line} (${owner.replace(':', ' ')}) ${what}: ${chain.join(' → ')}`,
        hint,
        inputs,
      }
    })
  })
  return Promise.all(problems)
}

async function lineOf(input: string, at: number, { defines }: TargetPlan): Promise<string> {
  const file = fileOfInput(input)
  const line = file === undefined ? undefined : await lineInSource(file, at, defines)
  return line === undefined ? '' : `:${line}`
}

/** The files that contain each kind of form, as the proof lists them. */
export function usesOf(files: readonly FileForms[]): Record<string, string[]> {
  const filesByUse = new Map<string, Set<string>>()
  for (const { file, forms } of files) {
    for (const { use } of forms) filesByUse.set(use, (filesByUse.get(use) ?? new Set()).add(file))
  }
  return Object.fromEntries(
    [...filesByUse].sort(([a], [b]) => (a < b ? -1 : 1)).map(([use, names]) => [use, [...names].sort()]),
  )
}

function usesByOwner(plan: Plan, target: TargetPlan): Map<string, Set<Use>> {
  const declared = new Map<string, Set<Use>>()
  for (const planned of target.features) {
    for (const owner of ownersBy(plan, planned)) {
      const uses = declared.get(owner) ?? new Set()
      for (const use of byVariant(planned.feature.uses, planned.variant)) {
        uses.add(use)
        // The form is the same; only the start options of the program decide whether it is allowed.
        if (use === 'eval-where-allowed') uses.add('eval')
      }
      declared.set(owner, uses)
    }
  }
  return declared
}

/**
 * Whether a form of a target counts, by its kind. On Node the place of a module is that of the built file, so only a
 * file that is missing there counts, and the question whether a module is the program. Other platforms have no place.
 */
function placeless(target: TargetPlan): (form: Form, input: string) => boolean {
  const assets = assetFiles(target)
  return ({ use, beside, asksIfMain }, input) => {
    if (use !== 'place') return true
    // The bundler replaces this file by the code of the worker or page.
    if (carriedSource.test(input)) return false
    if (target.platform !== 'node' || asksIfMain === true) return true
    const file = fileBeside(input, beside)
    if (file === undefined || !existsSync(file)) return false
    const source = assets[posix.normalize(beside!)]
    return source === undefined || realPath(source) !== realPath(file)
  }
}

/** The file that code in an input names beside itself. */
function fileBeside(input: string, beside: string | undefined): string | undefined {
  const from = fileOfInput(input)
  return from === undefined || beside === undefined ? undefined : resolve(dirname(from), beside)
}

/**
 * What a form is, and what to do. `base` is the folder of the profile, `home` that to which the files of the feature
 * are relative.
 */
function explainForm(
  { use, code, beside, asksIfMain }: Form,
  { platform }: Pick<TargetPlan, 'platform'>,
  input: string,
  { base, home }: { readonly base: string; readonly home: string },
): { readonly what: string; readonly hint: string } {
  const declare = `write \`uses: ['${use}']\` into the feature that brings the file`
  if (use !== 'place')
    return { what: `contains \`${code}\`, which the bundler cannot follow`, hint: `Do without it, or ${declare}.` }
  if (platform !== 'node')
    return {
      what: `asks for its place by \`${code}\`, and code of the platform "${platform}" has none`,
      hint:
        `Import what it reads, or move the feature to \`main\` of the profile, where the ` +
        `place is that of the program. If the code works without a place, ${declare}.`,
    }
  if (asksIfMain === true)
    return {
      what: `asks by \`${code}\` whether it is the program, and in a program every module is`,
      hint: 'Put what it does as a program into a file that no feature imports.',
    }
  const file = fileBeside(input, beside)!
  const name = basename(file)
  const source = `\`assets: { '${name}': '${shown(file, home)}' }\``
  const isFlat = posix.normalize(beside!) === name
  return {
    what: `reads ${shown(file, base)} beside itself (\`${code}\`), and that file is not delivered`,
    hint: isFlat
      ? `Write ${source} into the feature. If the code works without the file, ${declare}.`
      : `Import it, or put it into the folder of the module and read './${name}': assets ` +
        `are in the folder of the program itself. If the code works without it, ${declare}.`,
  }
}
