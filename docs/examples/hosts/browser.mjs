/** Shared by both hosts in a browser: a lock for one tab at a time, and a key that can sign and cannot be exported. */

/** Takes the lock of a name, because two tabs would overwrite each other's bytes. The browser frees it when the tab closes. */
export function lock(name) {
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(name, { ifAvailable: true }, (held) => {
        if (held === null) throw new Error('Another tab has this host open.')
        return new Promise((unlock) => resolve(unlock))
      })
      .catch(reject)
  })
}

/** Returns the key of this device. The private key never leaves the key store of the browser; even this page cannot read it. */
export async function keyInBrowser(name) {
  const opening = indexedDB.open(name, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore('keys')
  const database = await ended(opening)
  const keys = (mode) => database.transaction('keys', mode).objectStore('keys')
  let pair = await ended(keys('readonly').get('device'))
  if (pair === undefined) {
    pair = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])
    await ended(keys('readwrite').put(pair, 'device'))
  }
  database.close()
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  const hex = Array.from(publicKey, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return {
    keyId: `ed25519:${hex}`,
    publicKey,
    sign: async (message) => new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, message)),
  }
}

/** Resolves with the result of a request to IndexedDB. */
export function ended(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
