/** Errors of `make run`. */
import { defineErrors, type ErrorCatalogue } from '../../core/declare/errors.ts'

/** The error of a folder that is not private. */
export const runFail: ErrorCatalogue<'ERR_RUN_FOLDER'> = defineErrors({
  ERR_RUN_FOLDER: {
    message: 'The folder of make run is not private.',
    hint: 'It has the secret and the keys of the service: chmod 700 it if you know all that is in it, or remove it.',
  },
})
