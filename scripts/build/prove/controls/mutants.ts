/** Bundles one generated text with flipped defines, for the mutation controls. */
import { readFileSync } from 'node:fs'
import { bundleControl, bundleSideBySide, type Mutant } from '../../bundle/bundle.ts'
import type { Generated } from '../../generate/generate.ts'
import { fileOfInput } from '../../paths.ts'
import type { TargetPlan } from '../../plan/target-plan.ts'
import { isGenerated } from '../attribute.ts'

/** What the controls of a target are made of. */
export interface Mutants {
  /** The text with the defines as they are, made beside the others. */
  readonly unchanged: Mutant
  /** One for each set of other defines, with the bytes that it has more. */
  readonly mutants: readonly { readonly metafile: Mutant['metafile']; readonly more: number }[]
}

const kept = new WeakMap<TargetPlan, Map<string, Promise<Mutants>>>()

/**
 * Bundles a text with its own defines and with each set of `choices`. If only the generated text uses a changed define, the
 * mutant is bundled side by side with the others. If another source file of the mutant uses it, the mutant is bundled alone, and
 * compared with the size of the text bundled alone: `bytes`, or a new bundle if `bytes` is undefined. A second call with the same
 * text and choices gets the same result. `onFiles` is called with the files that only mutants have, while some are still bundled.
 */
export function bundleMutants(
  text: Generated,
  choices: readonly TargetPlan['defines'][],
  bytes: number | undefined,
  onFiles: (inputs: readonly string[]) => void,
): Promise<Mutants> {
  const ofTarget = kept.get(text.target) ?? new Map<string, Promise<Mutants>>()
  kept.set(text.target, ofTarget)
  const key = JSON.stringify([text.files, choices])
  let made = ofTarget.get(key)
  if (made === undefined) ofTarget.set(key, (made = make(text, choices, bytes, onFiles)))
  return made
}

async function make(
  text: Generated,
  choices: readonly TargetPlan['defines'][],
  bytes: number | undefined,
  onFiles: (inputs: readonly string[]) => void,
): Promise<Mutants> {
  const { defines: before } = text.target
  const [unchanged, ...together] = await bundleSideBySide(text, [before, ...choices])
  const inputs = new Set(together.flatMap(({ metafile }) => Object.keys(metafile.inputs)))
  for (const input in unchanged!.metafile.inputs) inputs.delete(input)
  onFiles([...inputs])
  let alone: Promise<number> | undefined
  const bytesAlone = (): Promise<number> => {
    alone ??= bytes === undefined ? bundleControl(text).then((one) => one.bytes) : Promise.resolve(bytes)
    return alone
  }
  const mutants = together.map(async (mutant, index) => {
    const defines = choices[index]!
    const changed = Object.keys(defines).filter((name) => defines[name] !== before[name])
    const written = Object.keys(mutant.metafile.inputs).filter((input) => !isGenerated(input))
    if (!written.some((input) => changed.some((name) => definesIn(input).has(name))))
      return { metafile: mutant.metafile, more: mutant.bytes - unchanged!.bytes }
    const [one, base] = await Promise.all([
      bundleControl({ ...text, target: { ...text.target, defines } }),
      bytesAlone(),
    ])
    return { metafile: one.metafile, more: one.bytes - base }
  })
  return { unchanged: unchanged!, mutants: await Promise.all(mutants) }
}

const seen = new Map<string, ReadonlySet<string>>()

/** The names in a file that may be defines. Names with escapes are left out, as in the check of defines. */
function definesIn(input: string): ReadonlySet<string> {
  let names = seen.get(input)
  if (names === undefined) {
    const file = fileOfInput(input)
    const text = file === undefined ? '' : readFileSync(file, 'utf8')
    seen.set(input, (names = new Set(text.match(/__[A-Z0-9_]+__/g) ?? [])))
  }
  return names
}
