/**
 * Bundles the code that another bundle carries as text: worker threads, and pages that the program serves. `generate`
 * copies this file beside its output, so the only package that this file may import is esbuild.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Plugin } from 'esbuild'
import { type BuildOptions, build, type Metafile } from 'esbuild'

/** The names of modules that the bundler replaces by the text of a worker or a page. */
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
 * Bundles carried code. `overrides` replaces the options that are inherited from `around`, the options of the carrying
 * bundle.
 */
export async function bundleCarried(overrides: BuildOptions, around: BuildOptions): Promise<Carried> {
  const options = { ...inherited(around), ...overrides }
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

/**
 * `x-worker-source.ts` exports the location of `x-worker.ts`; in a bundle it exports the bundled code of `x-worker.ts`
 * as a string.
 */
const SOURCE_SUFFIX = '-source.ts'

/** The esbuild plugin for modules named `*-worker-source.ts`. `report` is called with the metafile of each worker. */
export function workerText(report?: ReportCarried): Plugin {
  return {
    name: 'worker-text',
    setup(context) {
      const { mainFields, ...around } = context.initialOptions
      context.onLoad({ filter: /-worker-source\.ts$/ }, async ({ path }) => {
        const { texts, metafile, inputs } = await bundleCarried(
          {
            entryPoints: [path.replace(SOURCE_SUFFIX, '.ts')],
            // A worker thread runs a string as a script.
            format: 'cjs',
            // Strict mode, as in a module.
            banner: { js: '"use strict";' },
            platform: 'node',
            ...(mainFields === undefined ? {} : { mainFields }),
          },
          around,
        )
        report?.(path, metafile)
        return { contents: `export const workerSource = ${JSON.stringify(texts['js'])}`, watchFiles: [...inputs] }
      })
    },
  }
}

/**
 * The esbuild plugin for `page-source.ts` modules. The page of such a module is `page/index.html` and the bundle of
 * `page/main.tsx`. `report` is called with the metafile of that bundle.
 */
export function pageText(report?: ReportCarried): Plugin {
  return {
    name: 'page-text',
    setup(context) {
      context.onLoad({ filter: /\bpage\/index\.html$/ }, ({ path }) => ({
        contents: readFileSync(path, 'utf8'),
        loader: 'text',
      }))
      context.onLoad({ filter: /\/page-source\.ts$/ }, async ({ path }) => {
        const folder = dirname(path)
        const { texts, metafile, inputs } = await bundleCarried(
          {
            entryPoints: [join(folder, 'page/main.tsx')],
            format: 'esm',
            platform: 'browser',
            jsx: 'automatic',
            jsxImportSource: 'preact',
          },
          context.initialOptions,
        )
        report?.(path, metafile)
        const { js: script = '', css: style = '' } = texts
        const contents = `import html from './page/index.html'
export const pageSource = { html, script: ${JSON.stringify(script)}, style: ${JSON.stringify(style)} }`
        return { contents, resolveDir: folder, watchFiles: [...inputs] }
      })
    },
  }
}
