/** Computes the sizes of every bundle of a profile by feature, as a column of the matrix. */
import { bundle } from '../../build/bundle/bundle.ts'
import { generate, outputName } from '../../build/generate/generate.ts'
import { matrixFeatures } from '../../build/plan/locate-feature.ts'
import { plan } from '../../build/plan/plan.ts'
import { standardProfiles } from '../../build/plan/read-profile.ts'
import { attribute } from '../../build/prove/attribute.ts'

/** One bundle of a profile. */
export interface Column {
  readonly profile: string
  readonly file: string
  /** Minified size of all files. */
  readonly bytes: number
  /** Compressed size of the files that are loaded at start. */
  readonly gzipBytes: number
  /** Compressed size of all files. */
  readonly gzipTotal: number
  /** The present features: true or the variant, and the minified bytes. */
  readonly features: Readonly<Record<string, { readonly choice: string | true; readonly bytes: number }>>
  /** Minified bytes without an owning feature, by kind: `core`, `shared`, `registry`, `package`, `foreign`. */
  readonly rest: Readonly<Record<string, number>>
}

/** The standard profiles, the largest first. */
export function orderedProfiles(): string[] {
  const first = 'server-full'
  const others = standardProfiles().filter((name) => name !== first)
  return [first, ...others.reverse()]
}

/** Bundles the current state of a profile, without a proof. */
export async function columnsOf(profile: string): Promise<Column[]> {
  const planned = await plan(profile)
  return Promise.all(
    generate(planned).map(async (generated): Promise<Column> => {
      const { target } = generated
      const { metafile, bytes, gzipBytes, gzipTotal } = await bundle(generated)
      const sizes: Record<string, number> = {}
      const rest: Record<string, number> = {}
      for (const { owner, bytes: size } of attribute(planned, metafile)) {
        const [, id] = /^(?:feature|variant):([^=]+)/.exec(owner) ?? []
        if (id !== undefined) sizes[id] = (sizes[id] ?? 0) + size
        else rest[owner.split(':')[0]!] = (rest[owner.split(':')[0]!] ?? 0) + size
      }
      const features = target.features.map(
        ({ id, variant }) => [id, { choice: variant ?? (true as const), bytes: sizes[id] ?? 0 }] as const,
      )
      return {
        profile: planned.profile.name,
        file: outputName(target),
        bytes,
        gzipBytes,
        gzipTotal,
        features: Object.fromEntries(features),
        rest,
      }
    }),
  )
}

/** The columns as lines of text, one row per feature; features of a user come after the matrix. */
export function linesOf(all: readonly Column[]): string[] {
  const cell = ({ features }: Column, id: string): string => {
    const one = features[id]
    if (one === undefined) return '–'
    return `${kib(one.bytes)}${one.choice === true ? '' : ` ${one.choice}`}`
  }
  const ids = [...new Set([...Object.keys(matrixFeatures), ...all.flatMap(({ features }) => Object.keys(features))])]
  const rest: readonly (readonly [string, string])[] = [
    ['kernel', 'core'],
    ['shared by features', 'shared'],
    ['registry', 'registry'],
    ['npm packages', 'package'],
    ['packages beside the profile', 'foreign'],
  ]
  return aligned([
    ['feature (KiB minified)', ...all.map(({ profile, file }) => `${profile} ${file}`)],
    ...ids.map((id) => [id, ...all.map((column) => cell(column, id))]),
    ...rest.map(([name, key]) => [name, ...all.map((column) => kib(column.rest[key] ?? 0))]),
    ['all, minified', ...all.map(({ bytes }) => kib(bytes))],
    ['loaded at once, gzip', ...all.map(({ gzipBytes }) => kib(gzipBytes))],
    ['all, gzip', ...all.map(({ gzipTotal }) => kib(gzipTotal))],
  ])
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, index) => Math.max(...rows.map((row) => row[index]!.length)))
  return rows.map((row) =>
    row.map((text, index) => (index === 0 ? text.padEnd(widths[0]!) : text.padStart(widths[index]!))).join('  '),
  )
}

function kib(bytes: number): string {
  return (bytes / 1024).toFixed(1)
}
