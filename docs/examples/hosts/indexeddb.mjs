/**
 * The host for browsers without a private file system of the origin, and for apps that keep all their data in IndexedDB. The bytes
 * are in IndexedDB; the key can sign and cannot be exported. It needs a secure context (https, or localhost).
 */
import { ended, keyInBrowser, lock } from './browser.mjs'
import { openHost } from './host.mjs'

/** Opens the host of this origin, in one tab at a time. `wasm` is the address of sql-wasm.wasm, as in opfs.mjs. */
export async function openBrowserHost({ wasm, name = 'svc' }) {
  const unlock = await lock(`host:${name}`)
  try {
    // Without this the browser may clear the database when it needs room. The browser may refuse; the host works all the same.
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
        // Strict: the transaction completes when the bytes are on disk, not when the operating system has them.
        const transaction = database.transaction('files', 'readwrite', { durability: 'strict' })
        transaction.objectStore('files').put(bytes, name)
        transaction.oncomplete = () => resolve()
        // For example QuotaExceededError. The old bytes stay.
        transaction.onabort = () => reject(transaction.error)
      })
    },
  }
}
