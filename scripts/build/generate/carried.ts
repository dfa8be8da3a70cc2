/**
 * Code that a bundle carries as text: of worker threads, and of pages that the program serves. It is bundled by itself. This file
 * is copied beside what `generate` writes, so it needs nothing but esbuild.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type BuildOptions, build, type Metafile } from 'esbuild'

/** A bundle that is carried. */
export interface Carried {
  /** The text of each output, by its ending: `js`, `css`. */
  readonly texts: Readonly<Record<string, string>>
  readonly metafile: Metafile
  /** The inputs, as esbuild names them. */
  readonly inputs: readonly string[]
}

/** Called with the carrying module and esbuild's account of what it carries. */
export type ReportCarried = (source: string, metafile: Metafile) => void

interface Made {
  readonly carried: Carried
  readonly files: readonly string[]
  readonly content: string
}

/** Carried bundles by their options, used again within a run until one of their files changes. */
const made = new Map<string, Promise<Made>>()

/** Bundles what is carried, with the options of the bundle around it and its own. */
export async function bundleCarried(own: BuildOptions, around: BuildOptions): Promise<Carried> {
  const options = { ...inherited(around), ...own }
  const key = JSON.stringify(options)
  const known = await made.get(key)?.catch(() => undefined)
  if (known !== undefined && contentOf(known.files) === known.content) return known.carried
  const making = make(options)
  made.set(key, making)
  return (await making).carried
}

function inherited({ absWorkingDir, minify, charset, legalComments, target }: BuildOptions): BuildOptions {
  return {
    bundle: true,
    // An empty tsconfig, so that a file on disk cannot change the output.
    tsconfigRaw: {},
    ...(absWorkingDir === undefined ? {} : { absWorkingDir }),
    ...(minify === undefined ? {} : { minify }),
    ...(charset === undefined ? {} : { charset }),
    ...(legalComments === undefined ? {} : { legalComments }),
    ...(target === undefined ? {} : { target }),
  }
}

async function make(options: BuildOptions): Promise<Made> {
  const result = await build({ ...options, outdir: 'carried', write: false, metafile: true, logLevel: 'silent' })
  const { metafile, outputFiles } = result
  const inputs = Object.keys(metafile.inputs)
  const files = inputs.map((input) => resolve(options.absWorkingDir ?? '.', input)).filter((file) => existsSync(file))
  const texts = Object.fromEntries(outputFiles.map(({ path, text }) => [path.slice(path.lastIndexOf('.') + 1), text]))
  return { carried: { texts, metafile, inputs }, files, content: contentOf(files) }
}

/** A hash of what files hold now. */
function contentOf(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(existsSync(file) ? readFileSync(file) : 'gone').update('\0')
  return hash.digest('hex')
}
