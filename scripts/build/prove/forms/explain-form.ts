/** Explains a form that no feature declares, and how to do without. */
import { basename, posix } from 'node:path'
import { shown } from '../../paths.ts'
import type { TargetPlan } from '../../plan/target-plan.ts'
import type { Form } from './form.ts'
import { fileBeside } from './placeless.ts'

/** What a form is, and what to do. `base` is the folder of the profile, `home` that to which the files of the feature are relative. */
export function explainForm(
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
      hint: `Import what it reads, or move the feature to \`main\` of the profile, where the place is that of the program. If the code works without a place, ${declare}.`,
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
      : `Import it, or put it into the folder of the module and read './${name}': assets are in the folder of the program itself. If the code works without it, ${declare}.`,
  }
}
