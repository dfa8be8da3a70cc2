/** The folder of durable state: what stands there is believed, so nobody else may put anything there. */
import { statSync } from 'node:fs'
import { defineErrors, type ErrorCatalogue } from '../../../core/errors.ts'

/** The refusal of a folder. It reaches no client. */
export const failFolder: ErrorCatalogue<'ERR_STORAGE_DIRECTORY'> = defineErrors<'ERR_STORAGE_DIRECTORY'>({
  ERR_STORAGE_DIRECTORY: {
    message: 'The folder of state cannot be used.',
    hint: 'chmod go-w the folder, or set storage.dir to one that this user alone may write to.',
  },
})

/**
 * Refuses a folder that others may write to: they could put a store of their own in the place of ours. One that is not
 * there yet is made with mode 0700 later.
 * @throws SvcError `ERR_STORAGE_DIRECTORY`
 */
export function checkStorageFolder(dir: string): void {
  const found = statSync(dir, { throwIfNoEntry: false })
  if (found === undefined || (found.mode & 0o022) === 0) return
  const mode = (found.mode & 0o7777).toString(8)
  throw failFolder('ERR_STORAGE_DIRECTORY', { message: `${dir} has mode 0${mode}: others may write there.` })
}
