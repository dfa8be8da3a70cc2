/** Checks that the controls start from the delivered bundle, so that a mutant differs from it only by the flipped define. */
import { createHash } from 'node:crypto'
import type { Metafile } from 'esbuild'
import { type Bundle, type Mutant, unstamped } from '../../bundle/bundle.ts'
import { foldDefines } from '../../generate/fold-defines.ts'
import { type Generated, generateTarget } from '../../generate/generate.ts'
import { toDefineText } from '../../plan/defines.ts'
import type { Plan } from '../../plan/target-plan.ts'
import { isGenerated } from '../attribute.ts'

/**
 * Returns the problems with the text of the controls, and with the delivered bundle. The bundler gets a text with folded
 * defines, so two texts that are equal after folding give the same bundle. `unchanged` is the control without a flipped define.
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
