/** The store of `storage.dir`, for commands of its owner. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import type { CommandIo } from '../../../../core/declare/command.ts'
import { storageDir } from '../../../../core/kernel/settings/paths.ts'
import { createFileStore, type FileStore, storagePath } from '../../store-sqlite/file-store.ts'
import { asOwner, foreignOwner } from '../../store-sqlite/owner.ts'
import { checkStorageFolder, prepareStorageFolder } from '../../store-sqlite/storage-folder.ts'

/** The path of the store. Throws if its folder belongs to another user, or if others may write to it. */
export function ownStorePath(io: CommandIo): string {
  const dir = storageDir(io.setting('storage.dir') as string | null, { environment: io.environment, home: homedir })
  checkStorageFolder(dir)
  const owner = existsSync(dir) ? foreignOwner(dir) : undefined
  if (owner !== undefined)
    throw new Error(`${dir} belongs to the user ${owner.name}, who alone may do this. ${asOwner(owner)}`)
  return storagePath(dir)
}

/** Opens the store, runs work on it and closes it. */
export async function withStore<T>(io: CommandIo, work: (store: FileStore) => Promise<T>): Promise<T> {
  const path = ownStorePath(io)
  prepareStorageFolder(dirname(path))
  const store = createFileStore({ path, now: () => performance.now(), parts: io.storeParts })
  try {
    store.open()
    return await work(store)
  } finally {
    await store.close()
  }
}
