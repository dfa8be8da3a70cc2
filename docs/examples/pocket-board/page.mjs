/**
 * The app in a browser: its board and its notes are in the private files of the origin, its key can sign and cannot be exported. It needs
 * a secure context (https, or localhost).
 */
import { keyInBrowser, lock } from '../hosts/browser.mjs'
import { privateFiles } from '../hosts/private-files.mjs'
import { openAccount } from './account.mjs'
import { openApp } from './app.mjs'
import { openPocket } from './pocket.mjs'

/** Opens the app of this origin, in one tab at a time. `wasm` is the address of sql-wasm.wasm, `backend` is this origin by default. */
export async function openPage({ wasm, service, backend = location.origin, project = 'demo', step, log = () => {} }) {
  const unlock = await lock('pocket-board')
  try {
    // Without this the browser may clear the files when it needs room. The browser may refuse; the app works all the same.
    await navigator.storage.persist()
    const files = await privateFiles('pocket-board')
    const notes = await notesIn(files)
    const key = await keyInBrowser('pocket-board')
    const persistence = { load: () => files.read('board.db'), save: (bytes) => files.write('board.db', bytes) }
    const sqlWasm = await WebAssembly.compileStreaming(fetch(wasm))
    const pocket = await openPocket({ platform: { sqlWasm, persistence, now: () => Date.now(), log }, project, key })
    const account = openAccount({ backend, notes })
    const app = await openApp({ pocket, key, notes, project, service, token: account.token, step })
    return { ...app, keyId: key.keyId, login: account.login, close: () => app.close().finally(unlock) }
  } catch (error) {
    unlock()
    throw error
  }
}

/** The notes of the app in one file, which each change replaces. */
async function notesIn(files) {
  const saved = await files.read('notes.json')
  const values = new Map(saved === null ? [] : JSON.parse(new TextDecoder().decode(saved)))
  const save = () => files.write('notes.json', new TextEncoder().encode(JSON.stringify([...values])))
  return {
    get: (name) => values.get(name),
    list: (beginning) => [...values.keys()].filter((name) => name.startsWith(beginning)),
    async put(name, value) {
      values.set(name, value)
      await save()
    },
    async remove(name) {
      values.delete(name)
      await save()
    },
  }
}
