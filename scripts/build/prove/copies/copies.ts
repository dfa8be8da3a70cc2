/**
 * Finds code of an absent feature that is in a bundle under another name: copied into a plugin of one's own or into a
 * package. The account of the bundler cannot show it, since the file is somebody else's.
 */
import type { Bundle } from '../../bundle/bundle.ts'
import type { Problem } from '../../errors.ts'
import type { Plan } from '../../plan/target-plan.ts'
import { type Attributed, assetsOf, attribute } from '../attribute.ts'
import { codeOfFile } from '../code.ts'

/** The measure of a copy: that of a function or a file, or that of a whole package. */
export interface Kind {
  /** With fewer shingles it says too little: what makes a text of bytes, or remembers what was made, is alike everywhere. */
  readonly least: number
  /** Part of its shingles that must be in the files of one owner for a copy. */
  readonly copied: number
}

/** Over all profiles unrelated functions stay under 0.51. */
export const aFunction: Kind = { least: 44, copied: 0.6 }

/** Over all profiles unrelated packages stay under 0.21, the smallest of 12 shingles included. */
const aPackage: Kind = { least: 10, copied: 0.45 }

/** Code of an absent feature, and where in the bundle much of it is. */
export interface Resemblance {
  /** File of the absent feature; of a package, the first. */
  readonly of: Attributed
  /** The function; undefined where a whole package is meant. */
  readonly name: string | undefined
  /** File of the bundle that has most of it. */
  readonly file: Attributed
  /** Part of its shingles that are in the files of one owner, 0 to 1. */
  readonly part: number
}

/** That no owner of files of which the bundle keeps a byte holds a copy out of `suspects`, the files of absent features. */
export async function checkCopies(plan: Plan, bundle: Bundle, suspects: readonly Attributed[]): Promise<Problem[]> {
  const found = await findCopies(plan, bundle, suspects)
  return found.map(({ of, name, file, part }): Problem => {
    const what =
      name === undefined ? of.owner.replace(':', ' ') : `${name} of ${of.file} (${of.owner.replace(':', ' ')})`
    return {
      code: 'ERR_PROOF_COPY',
      message: `${bundle.target.form}: ${file.file} (${file.owner.replace(':', ' ')}) holds ${Math.floor(part * 100)} % of ${what}, which is absent.`,
      hint: 'Add the feature to the profile instead of a copy of it.',
    }
  })
}

/**
 * Every function and package of `suspects` of which enough is in the kept files of one owner, with the file that has most of
 * it: a copy may be spread over several files. With `scale` below 1 less is enough.
 */
export async function findCopies(
  plan: Plan,
  { target, metafile }: Pick<Bundle, 'target' | 'metafile'>,
  suspects: readonly Attributed[],
  scale = 1,
): Promise<Resemblance[]> {
  const kept = [...attribute(plan, metafile), ...assetsOf(plan, target)].filter(
    ({ bytes, owner }) => bytes > 0 && owner !== 'registry',
  )
  const here = await Promise.all(
    kept.map(async (file) => ({ file, shingles: new Set((await codeOfFile(file, target.defines)).shape.shingles) })),
  )
  const places = placesOf(here)
  const found: Resemblance[] = []
  for (const { of, name, shingles, kind } of await piecesOf(suspects)) {
    for (const [owner, count] of countByOwner(shingles, places)) {
      if (count / shingles.size < kind.copied * scale) continue
      const files = here.filter(({ file }) => file.owner === owner)
      const inFile = files.map((one) => [...shingles].filter((shingle) => one.shingles.has(shingle)).length)
      const { file } = files[inFile.indexOf(Math.max(...inFile))]!
      found.push({ of, name, file, part: count / shingles.size })
    }
  }
  return found
}

type Shingles = ReadonlySet<number>

/** The owners in whose files each shingle is. */
function placesOf(
  here: readonly { readonly file: Attributed; readonly shingles: Shingles }[],
): ReadonlyMap<number, ReadonlySet<string>> {
  const places = new Map<number, Set<string>>()
  for (const { file, shingles } of here) {
    for (const shingle of shingles) {
      const owners = places.get(shingle)
      if (owners === undefined) places.set(shingle, new Set([file.owner]))
      else owners.add(file.owner)
    }
  }
  return places
}

function countByOwner(shingles: Shingles, places: ReadonlyMap<number, ReadonlySet<string>>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const shingle of shingles) {
    for (const owner of places.get(shingle) ?? []) counts.set(owner, (counts.get(owner) ?? 0) + 1)
  }
  return counts
}

/** Something that could be copied. */
interface Piece extends Pick<Resemblance, 'of' | 'name'> {
  readonly shingles: Shingles
  readonly kind: Kind
}

/** The functions, files and packages among the suspects that are long enough to tell. */
async function piecesOf(suspects: readonly Attributed[]): Promise<Piece[]> {
  const pieces: Piece[] = []
  const packages = new Map<string, { readonly of: Attributed; readonly shingles: Set<number> }>()
  for (const of of suspects) {
    const { shingles, functions } = (await codeOfFile(of)).shape
    for (const { name, from, to } of functions) {
      const own = new Set(shingles.subarray(from, to))
      if (own.size >= aFunction.least) pieces.push({ of, name, shingles: own, kind: aFunction })
    }
    if (!of.owner.startsWith('package:')) continue
    const whole = packages.get(of.owner) ?? { of, shingles: new Set() }
    packages.set(of.owner, whole)
    for (const shingle of shingles) whole.shingles.add(shingle)
  }
  for (const { of, shingles } of packages.values()) {
    if (shingles.size >= aPackage.least) pieces.push({ of, name: undefined, shingles, kind: aPackage })
  }
  return pieces
}
