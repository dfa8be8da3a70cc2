/**
 * A full disk, as errors name it. The SQLite store decides the rest: its sqlite-driver.ts makes the error,
 * writable-check.ts the readiness, and storage-folder.ts looks for room before a commit.
 */
import { type ErrorOptions, isSvcError } from '../declare/errors.ts'

/** The `reason` in the error envelope when the disk of the service is full. */
export const STORAGE_FULL = 'storage_full'

/** Message and `reason` for an error whose cause is a full disk; nothing if the cause is another one. */
export function storageFull(cause: unknown): Pick<ErrorOptions, 'message' | 'details'> {
  for (let at = cause; isSvcError(at); at = at.cause)
    if (at.details?.['reason'] === STORAGE_FULL)
      return {
        message: 'The disk of the service is full. Nothing was written; try again once there is room.',
        details: { reason: STORAGE_FULL },
      }
  return {}
}
