/**
 * The host in a browser whose pages have no private file system, or that keeps everything of an origin in one database: bytes in
 * IndexedDB, and a key that can sign and cannot be read. It needs a secure context (https, or localhost).
 */
import { ended, keyInBrowser, lock } from './browser.mjs'
import { openHost } from './host.mjs'

/** Opens the host of this origin, in one tab at a time. `wasm` is the address of sql-wasm.wasm, as in opfs.mjs. */
export async function openBrowserHost({ wasm, name = 'svc' }) {
  const unlock = await lock(`host:${name}`)
  try {
    // Otherwise the browser may clear the database when it wants room. It may say no; nothing else would change.
    await navigator.storage.persist()
    const database = await openFiles(`${name}-files`)
    const sqlWasm = await WebAssembly.compileStreaming(fetch(wasm))
    const host = await openHost({ files: filesIn(database), sqlWasm, key: await keyInBrowser(name) })
    const close = async () => {
      await host.close()
      database.close()
    }
    return { ...host, close: () => close().finally(unlock) }
  } catch (error) {
    unlock()
    throw error
  }
}

async function openFiles(name) {
  const opening = indexedDB.open(name, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore('files')
  return ended(opening)
}

function filesIn(database) {
  return {
    async read(name) {
      return (await ended(database.transaction('files').objectStore('files').get(name))) ?? null
    },
    write(name, bytes) {
      return new Promise((resolve, reject) => {
        // Strict: the transaction is complete when the bytes are on the disk, and not when the system has them.
        const transaction = database.transaction('files', 'readwrite', { durability: 'strict' })
        transaction.objectStore('files').put(bytes, name)
        transaction.oncomplete = () => resolve()
        // Such as QuotaExceededError; the old bytes stay.
        transaction.onabort = () => reject(transaction.error)
      })
    },
  }
}
