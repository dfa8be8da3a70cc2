/**
 * Plugins of esbuild that make a program start faster: built-ins are loaded on first use, and JSON is parsed from a
 * string. `generate` copies this file beside its output, so the only package that this file may import is esbuild.
 */

import { readFileSync } from 'node:fs'
import type { Plugin } from 'esbuild'

/**
 * Lets a program load a Node built-in on first use instead of at the import: each built-in delays the start by up to
 * 10 ms, and most are not needed at start. Only import statements of code outside packages are changed. `root` can
 * itself be inside a `node_modules` folder; only packages below `root` count. The first access to a member loads the
 * built-in and stores the member, so later accesses are plain property reads.
 */
export function lazyBuiltins(root: string): Plugin {
  const isPackage = (file: string): boolean =>
    file.includes('/node_modules/', file.startsWith(`${root}/`) ? root.length : 0)
  return {
    name: 'lazy-builtins',
    setup(context) {
      context.onResolve({ filter: /^node:/ }, ({ path, kind, importer }) =>
        kind === 'import-statement' && !isPackage(importer) ? { path, namespace: 'builtin' } : undefined,
      )
      context.onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
        contents: `module.exports = Object.create(new Proxy({}, {
          get: (_, name, self) => {
            if (name === '__esModule') return undefined
            const value = require(${JSON.stringify(path)})[name]
            Object.defineProperty(self, name, { value })
            return value
          },
        }))`,
      }))
    },
  }
}

/**
 * Makes each `.json` import a string that is parsed at run time, because V8 parses a long string faster than a literal.
 */
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
