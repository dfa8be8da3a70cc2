/**
 * Puts a page that the program serves into its bundle, as texts: a document, a script and a style. This file is copied beside what
 * `generate` writes, so it needs nothing but esbuild.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'
import { bundleCarried, type ReportCarried } from './carried.ts'

/**
 * The esbuild plugin that does it: the page of a module `page-source.ts` is `page/index.html` and the bundle of `page/main.tsx`
 * beside it. It reports esbuild's account of that bundle.
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
