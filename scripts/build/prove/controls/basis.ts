/** Checks that the mutants start from the delivered bundle, so that each differs from it only by its define. */
import { createHash } from 'node:crypto'
import { type Bundle, type Mutant, unstamped } from '../../bundle/bundle.ts'
import { foldDefines } from '../../generate/fold-defines.ts'
import { type Generated, generateTarget } from '../../generate/generate.ts'
import { toDefineText } from '../../plan/defines.ts'
import type { Plan } from '../../plan/target-plan.ts'
import { isGenerated } from '../attribute.ts'

/**
 * Returns the problems with the text of the controls, and with the delivered bundle. The bundler gets a text with folded
 * defines, so two texts that are equal after folding give the same bundle. `unchanged` is the mutant without a define that is switched on:
 * it leaves packages out, and may read no file that the bundle does not have.
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
  const other = Object.keys(unchanged.metafile.inputs).filter(
    (file) => !isGenerated(file) && !(file in metafile.inputs),
  )
  if (other.length > 0)
    problems.push(`the controls read files that the bundle does not have: ${other.sort().slice(0, 3).join(', ')}.`)
  return problems
}

/** What the bundler gets of a generated text. */
async function folded({ files, target }: Generated): Promise<string> {
  const defines = toDefineText(target.defines)
  const code = await Promise.all(['entry.ts', 'registry.ts'].map((name) => foldDefines(files[name]!, defines)))
  return JSON.stringify([...code, files['manifest.ts']])
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
