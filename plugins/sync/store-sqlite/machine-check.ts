/** What on this machine would keep a service from opening its store, without opening it for writing. */
import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { StorePart } from '../../../core/declare/capabilities.ts'
import { isSvcError } from '../../../core/declare/errors.ts'
import type { MachineRefusal } from '../../../core/kernel/settings/resolve.ts'
import { storagePath } from './file-store.ts'
import { storeInfo } from './maintenance.ts'
import { checkStorageFolder, explained } from './storage-folder.ts'
import { survey } from './store-files.ts'
import { lockStore } from './store-lock.ts'

/** Looks at the folder, at the lock, and at the store that is there. */
export function checkStoreMachine(dir: string, parts: readonly StorePart[]): readonly MachineRefusal[] {
  const path = storagePath(dir)
  try {
    checkStorageFolder(dir)
    explained(dir, () => accessSync(existing(resolve(dir)), constants.W_OK | constants.X_OK))
    if (existsSync(`${path}.lock`)) lockStore(path)()
    if (survey(path).size > 0) storeInfo(path, parts)
    return []
  } catch (error) {
    const { message } = error as Error
    if (!isSvcError(error)) return [{ key: 'storage.dir', message }]
    return [
      {
        key: 'storage.dir',
        // The error of the lock has no path.
        message: message.includes(dir) ? message : `${path}: ${message}`,
        ...(error.hint !== undefined && { hint: error.hint }),
        ...(error.code === 'store_locked' && { inUse: true }),
      },
    ]
  }
}

/** The path, or the nearest folder above it that exists. */
function existing(path: string): string {
  return existsSync(path) ? path : existing(dirname(path))
}
