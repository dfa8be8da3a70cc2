/**
 * Bundles the code that another bundle carries as text: worker threads, and pages that the program serves. `generate`
 * copies this file beside its output, so the only package that this file may import is esbuild.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type BuildOptions, build, type Metafile } from 'esbuild'

/** The names of modules that the bundler replaces by the code that they stand for. */
export const carriedSource: RegExp = /(?:-worker|\bpage)-source\.ts$/

/** A bundle that another bundle carries as text. */
export interface Carried {
  /** The text of each output, by file extension: `js`, `css`. */
  readonly texts: Readonly<Record<string, string>>
  readonly metafile: Metafile
  /** The inputs, as esbuild names them. */
  readonly inputs: readonly string[]
}

/** Called with the carrying module and the metafile of the carried bundle. */
export type ReportCarried = (source: string, metafile: Metafile) => void

interface Made {
  readonly carried: Carried
  readonly files: readonly string[]
  readonly content: string
}

/** Carried bundles by their options, reused within a run until one of their files changes. */
const carriedBundles = new Map<string, Promise<Made>>()

/**
 * Bundles carried code. `own` overrides the options that are inherited from `around`, the options of the carrying
 * bundle.
 */
export async function bundleCarried(own: BuildOptions, around: BuildOptions): Promise<Carried> {
  const options = { ...inherited(around), ...own }
  const key = JSON.stringify(options)
  const cached = await carriedBundles.get(key)?.catch(() => undefined)
  if (cached !== undefined && contentOf(cached.files) === cached.content) return cached.carried
  const result = make(options)
  carriedBundles.set(key, result)
  return (await result).carried
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

/** A hash of the current contents of files. */
function contentOf(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(existsSync(file) ? readFileSync(file) : 'gone').update('\0')
  return hash.digest('hex')
}
