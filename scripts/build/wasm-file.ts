/**
 * Puts WebAssembly into a bundle: as a file beside it, or as bytes in a bundle that is one file. This file is copied beside
 * what `generate` writes, so it needs nothing but esbuild.
 */
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'

/** What a module named `x-wasm-source.ts` exports where no bundler has been: the bytes, and the file they were taken from. */
interface Source {
  readonly wasm: Uint8Array
  readonly from: URL
}

/**
 * The esbuild plugin that does it, for every module named `*-wasm-source.ts`; a bundle that is split has it as a file. Such
 * a module is run, so whoever bundles says which ones are his.
 */
export function wasmFile(isOurs: (path: string) => boolean = () => true): Plugin {
  return {
    name: 'wasm-file',
    setup(context) {
      const { splitting } = context.initialOptions
      const contents = new Map<string, Uint8Array>()
      context.onLoad({ filter: /-wasm-source\.ts$/ }, async ({ path }) => {
        if (!isOurs(path)) return undefined
        const { wasm, from } = (await import(pathToFileURL(path).href)) as Source
        // It counts as a file of the package that it came from; named from there on, for the path is in the hash of a chunk.
        const file = join(dirname(fileURLToPath(from)), basename(path).replace('-wasm-source.ts', '.wasm'))
          .replaceAll('\\', '/')
          .replace(/^.*\/(?=node_modules\/)/, '')
        contents.set(file, wasm)
        const specifier = JSON.stringify(`wasm:${file}`)
        return {
          contents:
            splitting === true
              ? `import file from ${specifier}\nexport const wasm = new URL(file, import.meta.url)`
              : `export { default as wasm } from ${specifier}`,
        }
      })
      context.onResolve({ filter: /^wasm:/ }, ({ path }) => ({ path: path.slice('wasm:'.length), namespace: 'wasm' }))
      context.onLoad({ filter: /./, namespace: 'wasm' }, ({ path }) => ({
        contents: contents.get(path)!,
        loader: splitting === true ? 'file' : 'binary',
      }))
    },
  }
}
