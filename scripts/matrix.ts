/**
 * `make matrix`: the features and the profiles that have them, with sizes; with a profile that one alone, which may be a
 * user's own. `--write` and `--check` keep the README's copy.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSvcError } from '../core/errors.ts'
import { bundle } from './build/bundle.ts'
import { generate, outputName } from './build/generate.ts'
import { standardProfiles } from './build/load-profile.ts'
import { matrixFeatures } from './build/locate-feature.ts'
import { root } from './build/paths.ts'
import { plan } from './build/plan.ts'
import { attribute } from './build/prove/attribute.ts'

/** One bundle of a profile: a column. */
interface Column {
  readonly title: string
  readonly bytes: number
  /** Of what is loaded at once. */
  readonly gzipBytes: number
  /** Of all files. */
  readonly gzipTotal: number
  /** Variant, or true, of the features that are in. */
  readonly features: ReadonlyMap<string, string | true>
  /** Minified bytes by feature id. */
  readonly sizes: ReadonlyMap<string, number>
}

const begin = '<!-- matrix: generated, see scripts/matrix.ts -->'
const end = '<!-- /matrix -->'

const [first, file = join(root, 'README.md')] = process.argv.slice(2)
const mode = first?.startsWith('-') ? first : undefined
if (mode !== undefined && mode !== '--write' && mode !== '--check') {
  console.error('usage: matrix [profile | path/to/profile.ts | --write | --check [README.md]]')
  process.exit(64)
}
try {
  if (mode === undefined) console.log(aligned(rowsWithSizes(await columns(first))).join('\n'))
  else await keepCopy(file, mode === '--write')
} catch (error) {
  if (!isSvcError(error)) throw error
  console.error(error.message)
  if (error.hint !== undefined) console.error(`  → ${error.hint}`)
  process.exitCode = 1
}

/** Bundles profiles as they stand now, without the proof: one, or all of ours. */
async function columns(profile?: string): Promise<Column[]> {
  const made: Column[] = []
  for (const name of profile === undefined ? ordered() : [profile]) {
    const planned = await plan(name)
    for (const generated of generate(planned)) {
      const { target } = generated
      const { metafile, bytes, gzipBytes, gzipTotal } = await bundle(generated)
      const sizes = new Map<string, number>()
      for (const { owner, bytes: size } of attribute(planned, metafile)) {
        const [, id] = /^(?:feature|variant):([^=]+)/.exec(owner) ?? [undefined, `(${owner.split(':')[0]})`]
        sizes.set(id!, (sizes.get(id!) ?? 0) + size)
      }
      const features = new Map(target.features.map(({ id, variant }) => [id, variant ?? (true as const)]))
      made.push({
        title: `${planned.profile.name} ${outputName(target)}`,
        bytes,
        gzipBytes,
        gzipTotal,
        features,
        sizes,
      })
    }
  }
  return made
}

function rowsWithSizes(all: readonly Column[]): string[][] {
  const cell = ({ features, sizes }: Column, id: string): string => {
    const choice = features.get(id)
    if (choice === undefined) return '–'
    return `${kib(sizes.get(id) ?? 0)}${choice === true ? '' : ` ${choice}`}`
  }
  // Those of a user's own come behind the matrix.
  const ids = [...new Set([...Object.keys(matrixFeatures), ...all.flatMap(({ features }) => [...features.keys()])])]
  const rest: readonly (readonly [string, string])[] = [
    ['kernel', '(core)'],
    ['shared by features', '(shared)'],
    ['registry', '(registry)'],
    ['npm packages', '(package)'],
    ['packages beside the profile', '(foreign)'],
  ]
  return [
    ['feature (KiB minified)', ...all.map(({ title }) => title)],
    ...ids.map((id) => [id, ...all.map((column) => cell(column, id))]),
    ...rest.map(([name, key]) => [name, ...all.map(({ sizes }) => kib(sizes.get(key) ?? 0))]),
    ['all, minified', ...all.map(({ bytes }) => kib(bytes))],
    ['loaded at once, gzip', ...all.map(({ gzipBytes }) => kib(gzipBytes))],
    ['all, gzip', ...all.map(({ gzipTotal }) => kib(gzipTotal))],
  ]
}

/** The README's table has no sizes: they would change with every edit. */
async function keepCopy(path: string, write: boolean): Promise<void> {
  const text = readFileSync(path, 'utf8')
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new TypeError(`${path} has no block between ${begin} and ${end}`)
  const fresh = `${text.slice(0, from)}${begin}\n\n${(await table()).join('\n')}\n\n${text.slice(to)}`
  if (write) writeFileSync(path, fresh)
  else if (fresh !== text) {
    console.error(`The matrix in ${path} is stale.\n  → node scripts/matrix.ts --write`)
    process.exitCode = 1
  }
}

async function table(): Promise<string[]> {
  const plans = await Promise.all(ordered().map((name) => plan(name)))
  const cell = (features: (typeof plans)[number]['targets'], id: string): string => {
    const holders = features.filter((target) => target.features.some((one) => one.id === id))
    if (holders.length === 0) return ''
    return holders.length < features.length ? 'server' : 'yes'
  }
  return [
    `| feature | ${plans.map(({ profile }) => profile.name).join(' | ')} |`,
    `|---|${plans.map(() => ':-:|').join('')}`,
    ...Object.entries(matrixFeatures).map(
      ([id, { summary }]) => `| **${id}** ${summary} | ${plans.map(({ targets }) => cell(targets, id)).join(' | ')} |`,
    ),
  ]
}

/** The fullest profile first. */
function ordered(): string[] {
  const first = 'server-full'
  return [
    first,
    ...standardProfiles()
      .filter((name) => name !== first)
      .reverse(),
  ]
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
