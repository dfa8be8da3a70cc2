/**
 * Lets a program load a Node built-in on first use instead of at the import. Each built-in delays the start by up to 10
 * ms, and most are not needed at start. `generate` copies this file beside its output, so the only package that this
 * file may import is esbuild.
 */
import type { Plugin } from 'esbuild'

/**
 * The esbuild plugin for import statements of code outside packages. `root` can itself be inside a `node_modules`
 * folder; only packages below `root` count. The first access to a member loads the built-in and stores the member, so
 * later accesses are plain property reads.
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
