/**
 * Puts JSON into a bundle as a text that is parsed when it is needed: V8 reads a long text much faster than as much code. This
 * file is copied beside what `generate` writes, so it needs nothing but esbuild.
 */
import { readFileSync } from 'node:fs'
import type { Plugin } from 'esbuild'

/** The esbuild plugin that does it. */
export function jsonText(): Plugin {
  return {
    name: 'json-text',
    setup(context) {
      context.onLoad({ filter: /\.json$/ }, ({ path }) => {
        const text = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')))
        return { contents: `export default JSON.parse(${JSON.stringify(text)})` }
      })
    },
  }
}
