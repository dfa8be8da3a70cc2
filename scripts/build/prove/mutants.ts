/** The same text with other defines: what the mutation controls bundle. */
import { readFileSync } from 'node:fs'
import { type Bundle, bundleAll, type Made } from '../bundle.ts'
import type { Generated } from '../generate.ts'
import { fileOfInput } from '../paths.ts'
import type { TargetPlan } from '../target-plan.ts'
import { isGenerated } from './attribute.ts'

const kept = new WeakMap<TargetPlan, Map<string, Promise<readonly Made[]>>>()

/**
 * Bundles a text with each set of defines, each as one file. A define that no file names changes nothing but the generated
 * text, so those are made side by side; a mutant whose files do name one that was changed is bundled by itself. What was made
 * of a target is not made again for another that is controlled as the same.
 */
export function bundleMutants(
  text: Generated,
  choices: readonly TargetPlan['defines'][],
  format: Bundle['format'],
): Promise<readonly Made[]> {
  const ofTarget = kept.get(text.target) ?? new Map<string, Promise<readonly Made[]>>()
  kept.set(text.target, ofTarget)
  const key = JSON.stringify([text.files, choices, format])
  let mutants = ofTarget.get(key)
  if (mutants === undefined) ofTarget.set(key, (mutants = make(text, choices, format)))
  return mutants
}

async function make(
  text: Generated,
  choices: readonly TargetPlan['defines'][],
  format: Bundle['format'],
): Promise<Made[]> {
  const { defines: before } = text.target
  const together = await bundleAll(text, choices, format)
  return Promise.all(
    together.map(async (made, index) => {
      const defines = choices[index]!
      const changed = Object.keys(defines).filter((name) => defines[name] !== before[name])
      if (changed.length === 0) return made
      const written = Object.keys(made.metafile.inputs).filter((input) => !isGenerated(input))
      if (!written.some((input) => changed.some((name) => definesIn(input).has(name)))) return made
      const [alone] = await bundleAll({ ...text, target: { ...text.target, defines } }, [defines], format)
      return alone!
    }),
  )
}

const seen = new Map<string, ReadonlySet<string>>()

/** What could be a define in a file; a name that is written with escapes is no define to the check of defines either. */
function definesIn(input: string): ReadonlySet<string> {
  let names = seen.get(input)
  if (names === undefined) {
    const file = fileOfInput(input)
    const text = file === undefined ? '' : readFileSync(file, 'utf8')
    seen.set(input, (names = new Set(text.match(/__[A-Z0-9_]+__/g) ?? [])))
  }
  return names
}
