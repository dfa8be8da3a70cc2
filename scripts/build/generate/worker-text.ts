/**
 * Puts the code of worker threads into a bundle, because a bundle has no separate worker files. `generate` copies this
 * file beside its output, so the only package that this file may import is esbuild.
 */
import type { Plugin } from 'esbuild'
import { bundleCarried, type ReportCarried } from './carried.ts'

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
