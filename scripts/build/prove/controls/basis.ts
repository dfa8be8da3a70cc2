/** That the controls of a bundle start from what is delivered, so that a mutant differs from it by the define that was flipped. */
import { createHash } from 'node:crypto'
import type { Metafile } from 'esbuild'
import { type Bundle, type Mutant, unstamped } from '../../bundle/bundle.ts'
import { foldDefines } from '../../generate/fold-defines.ts'
import { type Generated, generateTarget } from '../../generate/generate.ts'
import { toDefineText } from '../../plan/defines.ts'
import type { Plan } from '../../plan/target-plan.ts'
import { isGenerated } from '../attribute.ts'

/**
 * What is wrong with the text of the controls, or with the bundle that they are about. The bundler gets a text with its defines folded:
 * where two are the same then, so are the bundles. `unchanged` is what the controls made with the defines as they are.
 */
export async function checkBasis(
  plan: Plan,
  { target, text, sha256, bytes, metafile }: Bundle,
  control: Generated,
  unchanged: Mutant,
): Promise<string[]> {
  const problems: string[] = []
  const [wanted, given] = await Promise.all([generateTarget(plan, target), control].map(folded))
  if (wanted !== given) problems.push('the text of the controls makes another bundle.')
  const whole = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0)
  if (hashOf(unstamped(text) ?? '') !== sha256 || whole !== bytes)
    problems.push('the bundle that was made is not the one that its account is of.')
  const [made, read] = [metafile, unchanged.metafile].map(filesOf) as [Set<string>, Set<string>]
  const differing = [...[...made].filter((file) => !read.has(file)), ...[...read].filter((file) => !made.has(file))]
  if (differing.length > 0)
    problems.push(`the controls read other files than the bundle has: ${differing.sort().slice(0, 3).join(', ')}.`)
  return problems
}

/** What the bundler gets of a generated text. */
async function folded({ files, target }: Generated): Promise<string> {
  const defines = toDefineText(target.defines)
  const code = await Promise.all(['entry.ts', 'registry.ts'].map((name) => foldDefines(files[name]!, defines)))
  return JSON.stringify([...code, files['manifest.ts']])
}

/** The files that a bundle is made of, without those that the build made itself: their names differ from text to text. */
function filesOf({ inputs }: Pick<Metafile, 'inputs'>): Set<string> {
  return new Set(Object.keys(inputs).filter((input) => !isGenerated(input) || input.startsWith('builtin:')))
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
