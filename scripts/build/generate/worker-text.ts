/**
 * Puts the code of worker threads into a bundle, which has no files beside it for them to start from. This file is copied
 * beside what `generate` writes, so it needs nothing but esbuild.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type BuildOptions, build, type Metafile, type OnLoadResult, type Plugin } from 'esbuild'

/** `x-worker-source.ts` says where the code of `x-worker.ts` is; in a bundle it is that file's own bundle, as a text. */
const SOURCE_SUFFIX = '-source.ts'

/** The bundle of a worker, and what it was made of. */
interface Made {
  readonly text: OnLoadResult
  readonly metafile: Metafile
  readonly files: readonly string[]
  readonly content: string
}

/** One worker is in many bundles of a run, and is made once for them, as long as its files hold what they held. */
const made = new Map<string, Promise<Made>>()

/** The esbuild plugin that does it, for every module named `*-worker-source.ts`; it reports esbuild's account of each. */
export function workerText(report?: (source: string, metafile: Metafile) => void): Plugin {
  return {
    name: 'worker-text',
    setup(context) {
      context.onLoad({ filter: /-worker-source\.ts$/ }, async ({ path }) => {
        const { text, metafile } = await bundled(workerOptions(path, context.initialOptions))
        report?.(path, metafile)
        return text
      })
    },
  }
}

function workerOptions(path: string, around: BuildOptions): BuildOptions {
  const { absWorkingDir, minify, charset, legalComments, target, mainFields } = around
  return {
    entryPoints: [path.replace(SOURCE_SUFFIX, '.ts')],
    bundle: true,
    // A thread that starts from a text runs it as a script.
    format: 'cjs',
    // Whatever a tsconfig.json near it says.
    tsconfigRaw: {},
    // What it would be as a module.
    banner: { js: '"use strict";' },
    platform: 'node',
    ...(absWorkingDir === undefined ? {} : { absWorkingDir }),
    ...(minify === undefined ? {} : { minify }),
    ...(charset === undefined ? {} : { charset }),
    ...(legalComments === undefined ? {} : { legalComments }),
    ...(target === undefined ? {} : { target }),
    ...(mainFields === undefined ? {} : { mainFields }),
  }
}

async function bundled(options: BuildOptions): Promise<Made> {
  const key = JSON.stringify(options)
  const known = await made.get(key)?.catch(() => undefined)
  if (known !== undefined && contentOf(known.files) === known.content) return known
  const making = make(options)
  made.set(key, making)
  return making
}

async function make(options: BuildOptions): Promise<Made> {
  const result = await build({ ...options, write: false, metafile: true, logLevel: 'silent' })
  const { metafile, outputFiles } = result
  const inputs = Object.keys(metafile.inputs)
  const files = inputs.map((input) => resolve(options.absWorkingDir ?? '.', input)).filter((file) => existsSync(file))
  const contents = `export const workerSource = ${JSON.stringify(outputFiles[0]!.text)}`
  return { text: { contents, watchFiles: inputs }, metafile, files, content: contentOf(files) }
}

/** A hash of what files hold now. */
function contentOf(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(existsSync(file) ? readFileSync(file) : 'gone').update('\0')
  return hash.digest('hex')
}
