/**
 * The host in a browser. The bytes are in the origin's private file system; the key can sign and cannot be exported. It needs a
 * secure context (https, or localhost).
 */
import { keyInBrowser, lock } from './browser.mjs'
import { openHost } from './host.mjs'
import { privateFiles } from './private-files.mjs'

/**
 * Opens the host of this origin, in one tab at a time. `wasm` is the address of sql-wasm.wasm: with Vite or webpack
 * `import wasm from 'svc/embedded-mobile/sql-wasm.wasm?url'`, without a bundler the address where you serve the file.
 */
export async function openBrowserHost({ wasm, name = 'svc' }) {
  const unlock = await lock(`host:${name}`)
  try {
    // Without this the browser may clear the files when it needs room. The browser may refuse; the host works all the same.
    await navigator.storage.persist()
    const files = await privateFiles(name)
    const sqlWasm = await WebAssembly.compileStreaming(fetch(wasm))
    const host = await openHost({ files, sqlWasm, key: await keyInBrowser(name) })
    return { ...host, close: () => host.close().finally(unlock) }
  } catch (error) {
    unlock()
    throw error
  }
}
