/**
 * Finds code of an absent feature that was copied into a plugin of the user or into a package. The metafile cannot show
 * such a copy, because the file has another owner.
 */
import type { Bundle } from '../../bundle/bundle.ts'
import type { Problem } from '../../errors.ts'
import type { Plan } from '../../plan/target-plan.ts'
import { type Attributed, assetsOf, attribute } from '../attribute.ts'
import { codeOfFile } from '../code.ts'

/** The threshold for a copy of a function, a file or a whole package. */
export interface Kind {
  /**
   * Smallest number of shingles. Smaller functions, such as byte-to-text conversions and caches, look alike everywhere.
   */
  readonly least: number
  /** Fraction of the shingles that must be in the files of one owner. */
  readonly copied: number
}

/** In all profiles, unrelated functions share less than 0.51 of their shingles. */
export const aFunction: Kind = { least: 44, copied: 0.6 }

/** In all profiles, unrelated packages share less than 0.21 of their shingles, even the smallest with 12 shingles. */
const aPackage: Kind = { least: 10, copied: 0.45 }

/** Code of an absent feature, and the file of the bundle that contains most of it. */
export interface Resemblance {
  /** File of the absent feature, or the first file of a package. */
  readonly of: Attributed
  /** Name of the function; undefined for a whole package. */
  readonly name: string | undefined
  /** File of the bundle that contains most of the code. */
  readonly file: Attributed
  /** Fraction of the shingles that are in the files of one owner, 0 to 1. */
  readonly part: number
}

/** Checks that no owner of files in the bundle has a copy of code from `suspects`, the files of absent features. */
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
 * Every function and package of `suspects` that reaches the threshold in the files of one owner, with the file that has
 * most of it: a copy can be spread over several files. A `scale` below 1 lowers the threshold.
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
  const keptFiles = await Promise.all(
    kept.map(async (file) => ({ file, shingles: new Set((await codeOfFile(file, target.defines)).shape.shingles) })),
  )
  const places = placesOf(keptFiles)
  const found: Resemblance[] = []
  for (const { of, name, shingles, kind } of await piecesOf(suspects)) {
    for (const [owner, count] of countByOwner(shingles, places)) {
      if (count / shingles.size < kind.copied * scale) continue
      const files = keptFiles.filter(({ file }) => file.owner === owner)
      const inFile = files.map((one) => [...shingles].filter((shingle) => one.shingles.has(shingle)).length)
      const { file } = files[inFile.indexOf(Math.max(...inFile))]!
      found.push({ of, name, file, part: count / shingles.size })
    }
  }
  return found
}

type Shingles = ReadonlySet<number>

/** The owners of the files that contain each shingle. */
function placesOf(
  keptFiles: readonly { readonly file: Attributed; readonly shingles: Shingles }[],
): ReadonlyMap<number, ReadonlySet<string>> {
  const places = new Map<number, Set<string>>()
  for (const { file, shingles } of keptFiles) {
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

/** A unit of code that can be copied. */
interface Piece extends Pick<Resemblance, 'of' | 'name'> {
  readonly shingles: Shingles
  readonly kind: Kind
}

/** The functions, files and packages of the suspects that have enough shingles. */
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
