/**
 * Lets a program load a built-in of Node when something of it is first used, and not with the file that imports it: each costs
 * a start up to 10 ms, and most of what imports them is not needed for it. This file is copied beside what `generate` writes, so
 * it needs nothing but esbuild.
 */
import type { Plugin } from 'esbuild'

/**
 * The esbuild plugin that does it, for import statements of code that is in no package below `root`, which may itself be
 * one. What is read of such an import for the first time is
 * looked for behind it, loaded, and stays with it, so that every later use is that of a plain member.
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
