/**
 * Finds code of an absent feature that is in a bundle under another name: copied into a plugin of one's own or into a
 * package. The account of the bundler cannot show it, since the file is somebody else's.
 */
import type { Bundle } from '../bundle.ts'
import type { Problem } from '../errors.ts'
import type { Plan } from '../target-plan.ts'
import { type Attributed, assetsOf, attribute } from './attribute.ts'
import { codeOfFile } from './code.ts'
import type { Shape } from './shape.ts'

/**
 * A function with fewer shingles than this says too little: what makes a text of bytes, or remembers what was made, looks alike
 * wherever it is written, and such functions have up to 42.
 */
const LEAST_SHINGLES = 68

/** How much of a function must be in the files of one owner to be a copy. Over all profiles unrelated functions stay under 0.36. */
export const COPIED = 0.6

/** A function of an absent feature, and where in the bundle much of it is. */
export interface Resemblance {
  /** File of the absent feature. */
  readonly of: Attributed
  readonly name: string
  /** File of the bundle that has most of it. */
  readonly file: Attributed
  /** Part of the function's shingles that are in the files of its owner, 0 to 1. */
  readonly part: number
}

/** That no owner of files of which the bundle keeps a byte holds a copy of a function of `suspects`, the files of absent features. */
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

/**
 * Every function of `suspects` of which at least `part` is in the kept files of one owner, with the file that has most of it:
 * who copies may spread it over his files.
 */
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
    kept.map(async (file) => ({ file, shingles: shinglesOf((await codeOfFile(file, target.defines)).shape) })),
  )
  const byOwner = new Map<string, typeof here>()
  for (const one of here) byOwner.set(one.file.owner, [...(byOwner.get(one.file.owner) ?? []), one])
  const anywhere = sieveOf(here.map(({ shingles }) => shingles))
  const found: Resemblance[] = []
  const there = await Promise.all(suspects.map(async (of) => ({ of, shape: (await codeOfFile(of)).shape })))
  for (const { of, shape } of there) {
    for (const [name, shingles] of functionsOf(shape)) {
      // Most functions are nowhere, and the sieve says so at once.
      if (partIn(shingles, anywhere) < part) continue
      for (const files of byOwner.values()) {
        const resembles = partIn(shingles, (shingle) => files.some((one) => one.shingles.has(shingle)))
        if (resembles < part) continue
        const inFile = files.map((one) => partIn(shingles, (shingle) => one.shingles.has(shingle)))
        const { file } = files[inFile.indexOf(Math.max(...inFile))]!
        found.push({ of, name, file, part: resembles })
      }
    }
  }
  return found
}

type Shingles = ReadonlySet<number>

const sets = new WeakMap<Shape, Shingles>()
const functions = new WeakMap<Shape, readonly (readonly [string, Shingles])[]>()

function shinglesOf(shape: Shape): Shingles {
  let set = sets.get(shape)
  if (set === undefined) sets.set(shape, (set = new Set(shape.shingles)))
  return set
}

/** The functions of a file that are long enough to tell, with their shingles. */
function functionsOf(shape: Shape): readonly (readonly [string, Shingles])[] {
  let long = functions.get(shape)
  if (long === undefined) {
    long = shape.functions
      .map(({ name, from, to }) => [name, new Set(shape.shingles.subarray(from, to))] as const)
      .filter(([, own]) => own.size >= LEAST_SHINGLES)
    functions.set(shape, long)
  }
  return long
}

/** Tells whether a shingle may be in one of the sets; where it says no, it is in none. */
function sieveOf(all: readonly Shingles[]): (shingle: number) => boolean {
  const bits = 22
  const sieve = new Uint8Array(1 << bits)
  for (const shingles of all) for (const shingle of shingles) sieve[shingle >>> (32 - bits)] = 1
  return (shingle) => sieve[shingle >>> (32 - bits)] === 1
}

function partIn(some: Shingles, has: (shingle: number) => boolean): number {
  let count = 0
  for (const shingle of some) if (has(shingle)) count++
  return count / some.size
}
