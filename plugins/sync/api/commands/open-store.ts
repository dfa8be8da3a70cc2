/** The store of `storage.dir`, for commands of its owner. */
import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import type { CommandIo } from '../../../../core/command.ts'
import { storageDir } from '../../../../core/settings/paths.ts'
import { createFileStore, type FileStore, storagePath } from '../../store-sqlite/file-store.ts'
import { checkStorageFolder, prepareStorageFolder } from '../../store-sqlite/storage-folder.ts'

/** The path of the store. Throws if its folder belongs to another user, or if others may write to it. */
export function ownStorePath(io: CommandIo): string {
  const dir = storageDir(io.setting('storage.dir') as string | null, { environment: io.environment, home: homedir })
  checkStorageFolder(dir)
  const found = statSync(dir, { throwIfNoEntry: false })
  if (found !== undefined && found.uid !== process.getuid?.())
    throw new Error(`${dir} belongs to another user, who alone may do this.`)
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
