/**
 * The host in a browser: bytes in the origin's private file system, and a key that can sign and cannot be read. It needs a
 * secure context (https, or localhost).
 */
import { keyInBrowser, lock } from './browser.mjs'
import { openHost } from './host.mjs'

/**
 * Opens the host of this origin, in one tab at a time. `wasm` is the address of sql-wasm.wasm: with Vite or webpack that is
 * `import wasm from 'svc/embedded-mobile/sql-wasm.wasm?url'`, without a bundler wherever the file is served.
 */
export async function openBrowserHost({ wasm, name = 'svc' }) {
  const unlock = await lock(`host:${name}`)
  try {
    // Otherwise the browser may clear the files when it wants room. It may say no; nothing else would change.
    await navigator.storage.persist()
    const files = filesIn(await (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true }))
    const sqlWasm = await WebAssembly.compileStreaming(fetch(wasm))
    const host = await openHost({ files, sqlWasm, key: await keyInBrowser(name) })
    return { ...host, close: () => host.close().finally(unlock) }
  } catch (error) {
    unlock()
    throw error
  }
}

function filesIn(folder) {
  return {
    async read(name) {
      try {
        const bytes = new Uint8Array(await (await (await folder.getFileHandle(name)).getFile()).arrayBuffer())
        // An empty file is one whose first writing has not come to its end.
        return bytes.length === 0 ? null : bytes
      } catch (error) {
        if (error.name === 'NotFoundError') return null
        throw error
      }
    },
    async write(name, bytes) {
      const writer = await (await folder.getFileHandle(name, { create: true })).createWritable()
      try {
        await writer.write(bytes)
        // Until here it is a file beside the other, which now takes its place.
        await writer.close()
      } catch (error) {
        await writer.abort().catch(() => {})
        throw error
      }
    },
  }
}
