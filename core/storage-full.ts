/** A full disk, as errors name it. */
import { type ErrorOptions, isSvcError } from './errors.ts'

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
