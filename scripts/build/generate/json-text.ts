/**
 * Puts JSON into a bundle as a string that is parsed at run time, because V8 parses a long string much faster than an
 * equally long object literal. `generate` copies this file beside its output, so the only package that this file may
 * import is esbuild.
 */
import { readFileSync } from 'node:fs'
import type { Plugin } from 'esbuild'

/** The esbuild plugin for `.json` imports. */
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
