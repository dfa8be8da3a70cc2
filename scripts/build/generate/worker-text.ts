/**
 * Puts the code of worker threads into a bundle, which has no files beside it for them to start from. This file is copied
 * beside what `generate` writes, so it needs nothing but esbuild.
 */
import type { Plugin } from 'esbuild'
import { bundleCarried, type ReportCarried } from './carried.ts'

/** `x-worker-source.ts` says where the code of `x-worker.ts` is; in a bundle it is that file's own bundle, as a text. */
const SOURCE_SUFFIX = '-source.ts'

/** The esbuild plugin that does it, for every module named `*-worker-source.ts`; it reports esbuild's account of each. */
export function workerText(report?: ReportCarried): Plugin {
  return {
    name: 'worker-text',
    setup(context) {
      const { mainFields, ...around } = context.initialOptions
      context.onLoad({ filter: /-worker-source\.ts$/ }, async ({ path }) => {
        const { texts, metafile, inputs } = await bundleCarried(
          {
            entryPoints: [path.replace(SOURCE_SUFFIX, '.ts')],
            // A thread that starts from a text runs it as a script.
            format: 'cjs',
            // What it would be as a module.
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
