/**
 * Puts the code of worker threads into a bundle, which has no files beside it for them to start from. This file is copied
 * beside what `generate` writes, so it needs nothing but esbuild.
 */
import { build, type Metafile, type OnLoadResult, type Plugin } from 'esbuild'
import { wasmFile } from './wasm-file.ts'

/** `x-worker-source.ts` says where the code of `x-worker.ts` is; in a bundle it is that file's own bundle, as a text. */
const SOURCE_SUFFIX = '-source.ts'

/** The esbuild plugin that does it, for every module named `*-worker-source.ts`; it reports esbuild's account of each. */
export function workerText(report?: (source: string, metafile: Metafile) => void): Plugin {
  return {
    name: 'worker-text',
    setup(context) {
      // Where one text is bundled over and over, its workers stay what they are.
      const texts = new Map<string, OnLoadResult>()
      context.onLoad({ filter: /-worker-source\.ts$/ }, async ({ path }) => {
        const made = texts.get(path)
        if (made !== undefined) return made
        const { absWorkingDir, minify, charset, legalComments, target, mainFields } = context.initialOptions
        const result = await build({
          entryPoints: [path.replace(SOURCE_SUFFIX, '.ts')],
          bundle: true,
          // A thread that starts from a text runs it as a script.
          format: 'cjs',
          // Whatever a tsconfig.json near it says.
          tsconfigRaw: {},
          // What it would be as a module.
          banner: { js: '"use strict";' },
          platform: 'node',
          plugins: [wasmFile()],
          ...(absWorkingDir === undefined ? {} : { absWorkingDir }),
          ...(minify === undefined ? {} : { minify }),
          ...(charset === undefined ? {} : { charset }),
          ...(legalComments === undefined ? {} : { legalComments }),
          ...(target === undefined ? {} : { target }),
          ...(mainFields === undefined ? {} : { mainFields }),
          write: false,
          metafile: true,
          logLevel: 'silent',
        })
        report?.(path, result.metafile)
        const watchFiles = Object.keys(result.metafile.inputs)
        const text = {
          contents: `export const workerSource = ${JSON.stringify(result.outputFiles[0]!.text)}`,
          watchFiles,
        }
        texts.set(path, text)
        return text
      })
    },
  }
}
