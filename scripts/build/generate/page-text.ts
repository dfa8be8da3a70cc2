/**
 * Puts a page that the program serves into its bundle, as strings: a document, a script and a style. `generate` copies
 * this file beside its output, so the only package that this file may import is esbuild.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'
import { bundleCarried, type ReportCarried } from './carried.ts'

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
