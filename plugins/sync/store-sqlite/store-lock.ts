/** The lock of a store: one service uses it at a time, whatever its socket and its mode are. */
import { failStore } from '../errors.ts'
import { loadSqlite } from './load-sqlite.ts'
import { isBusy } from './sqlite-driver.ts'

/**
 * Takes the lock for the life of the process. Returns the function that releases it. The lock is one of SQLite on an
 * empty database beside the store, because Node has no locks on files; the system releases it if the process is killed.
 * Commands take no lock: they share the store with its service.
 * @throws SvcError `store_locked` if another service uses the store
 */
export function lockStore(path: string): () => void {
  const database = new (loadSqlite())(`${path}.lock`)
  try {
    // Without a journal on the disk, which may be full.
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    throw isBusy(error) ? failStore('store_locked') : error
  }
  return () => database.close()
}
