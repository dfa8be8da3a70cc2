/** The same text with other defines: what the mutation controls bundle. */
import { readFileSync } from 'node:fs'
import { type Bundle, bundle, bundleAll } from '../bundle.ts'
import type { Generated } from '../generate.ts'
import { fileOfInput } from '../paths.ts'
import type { TargetPlan } from '../plan.ts'

/**
 * Bundles a text with each set of defines. A define that no file names changes nothing but the generated text, so those are
 * made side by side; a mutant whose files do name one that changed is bundled by itself.
 */
export async function bundleMutants(
  text: Generated,
  choices: readonly TargetPlan['defines'][],
  format: Bundle['format'],
): Promise<Bundle[]> {
  const { defines: before } = text.target
  const together = await bundleAll(text, choices, format)
  return Promise.all(
    together.map((made, index) => {
      const defines = choices[index]!
      const changed = Object.keys(defines).filter((name) => defines[name] !== before[name])
      const files = Object.keys(made.metafile.inputs).filter((input) => !input.startsWith('generated:'))
      const named = changed.length > 0 && files.some((file) => changed.some((name) => definesIn(file).has(name)))
      return named ? bundle({ ...text, target: { ...text.target, defines } }, format) : made
    }),
  )
}

const seen = new Map<string, ReadonlySet<string>>()

/** What could be a define in a file; a name that is written with escapes is no define to the check of defines either. */
function definesIn(file: string): ReadonlySet<string> {
  let names = seen.get(file)
  if (names === undefined) {
    const path = fileOfInput(file)
    const text = path === undefined ? '' : readFileSync(path, 'utf8')
    seen.set(file, (names = new Set(text.match(/__[A-Z0-9_]+__/g) ?? [])))
  }
  return names
}
