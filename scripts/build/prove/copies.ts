/**
 * Finds code of an absent feature that is in a bundle under another name: copied into a plugin of one's own or into a
 * package. The account of the bundler cannot show it, since the file is somebody else's.
 */
import type { Bundle } from '../bundle.ts'
import type { Problem } from '../errors.ts'
import type { Plan } from '../plan.ts'
import { type Attributed, assetsOf, attribute } from './attribute.ts'
import { codeOfInput } from './code.ts'
import type { Shape } from './shape.ts'

/**
 * A function with fewer shingles than this says too little: joining byte arrays looks alike wherever it is written, and
 * such functions have up to 44.
 */
const LEAST_SHINGLES = 60

/**
 * How much of a function must be in one file to be a copy. Over all profiles unrelated functions stay under 0.4, and two
 * texts of one check, in two packages by one hand, 0.45.
 */
export const COPIED = 0.6

/** A function of an absent feature and the file that has most of it. */
export interface Resemblance {
  /** File of the absent feature. */
  readonly of: Attributed
  readonly name: string
  /** File of the bundle. */
  readonly file: Attributed
  /** Part of the function's shingles that are in that file, 0 to 1. */
  readonly part: number
}

/** That no file of which the bundle keeps a byte holds a copy of a function of `suspects`, the files of absent features. */
export async function checkCopies(plan: Plan, bundle: Bundle, suspects: readonly Attributed[]): Promise<Problem[]> {
  const found = await findCopies(plan, bundle, suspects, COPIED)
  return found.map(
    ({ of, name, file, part }): Problem => ({
      code: 'ERR_PROOF_COPY',
      message: `${bundle.target.form}: ${file.file} (${file.owner.replace(':', ' ')}) holds ${Math.floor(part * 100)} % of ${name} of ${of.file} (${of.owner.replace(':', ' ')}), which is absent.`,
      hint: 'Add the feature to the profile instead of a copy of it.',
    }),
  )
}

/** Every function of `suspects` of which at least `part` is in one kept file, with the file that has most of it. */
export async function findCopies(
  plan: Plan,
  { target, metafile }: Pick<Bundle, 'target' | 'metafile'>,
  suspects: readonly Attributed[],
  part: number,
): Promise<Resemblance[]> {
  const kept = [...attribute(plan, metafile), ...assetsOf(plan, target)].filter(
    ({ bytes, owner }) => bytes > 0 && owner !== 'registry',
  )
  const here = await Promise.all(
    kept.map(async (file) => {
      const { shape } = await codeOfInput(file.input, target.defines)
      return { file, shingles: new Set(shape.shingles) }
    }),
  )
  const anywhere = new Set<number>()
  for (const { shingles } of here) for (const shingle of shingles) anywhere.add(shingle)
  const found: Resemblance[] = []
  for (const of of suspects) {
    const { shape } = await codeOfInput(of.input)
    for (const [name, shingles] of functionsOf(shape)) {
      if (partIn(anywhere, shingles) < part) continue
      for (const { file, shingles: theirs } of here) {
        const resembles = partIn(theirs, shingles)
        if (resembles >= part) found.push({ of, name, file, part: resembles })
      }
    }
  }
  return found
}

function* functionsOf({ shingles, functions }: Shape): Generator<[string, ReadonlySet<number>]> {
  for (const { name, from, to } of functions) {
    const own = new Set(shingles.subarray(from, to))
    if (own.size >= LEAST_SHINGLES) yield [name, own]
  }
}

function partIn(all: ReadonlySet<number>, some: ReadonlySet<number>): number {
  let count = 0
  for (const shingle of some) if (all.has(shingle)) count++
  return count / some.size
}
