/**
 * The codes of faults of an embedding host, and hints of errors in its words: an app does not have the commands that
 * hints of the server name.
 */
import { defineErrors, type ErrorCatalogue, isSvcError, SvcError } from '../../../core/declare/errors.ts'

/** A fault of the host: the code of the error itself, or of its `cause`. */
export type HostCode =
  | 'ERR_HOST_INCOMPLETE'
  | 'ERR_HOST_FAILED'
  | 'ERR_HOST_TIMEOUT'
  | 'ERR_HOST_VALUE'
  | 'ERR_HOST_REENTRY'
  | 'ERR_SQL_WASM'
  | 'ERR_DATABASE_TAKEN'

/** Makes the errors of a host. */
export const failHost: ErrorCatalogue<HostCode> = defineErrors({
  ERR_HOST_INCOMPLETE: { message: 'The host lacks what it must give.' },
  ERR_HOST_FAILED: { status: 503, message: 'A callback of the host failed.' },
  ERR_HOST_TIMEOUT: {
    status: 503,
    message: 'A callback of the host did not settle in time.',
    hint: 'host.timeoutMs is the limit; a callback must not wait for the engine',
  },
  ERR_HOST_VALUE: { message: 'A callback of the host returned a value that it may not return.' },
  ERR_HOST_REENTRY: {
    message: 'The engine was called from inside a callback of the host.',
    hint: 'call it after the callback has returned',
  },
  ERR_DATABASE_TAKEN: {
    status: 503,
    message: 'Another engine has opened this database since.',
    hint: 'use one engine for each database, and close it before the next is created',
  },
  ERR_SQL_WASM: { message: 'sqlWasm is not the sql-wasm.wasm that ships with this library.' },
})

/** The hints of errors of opening a store, which depend on where the host keeps it. */
export type StoreHints = Readonly<Record<'store_damaged' | 'store_newer' | 'store_foreign', string>>

/** Returns a function that throws an error again, with the hint for a host. */
export function createHostWords(storeHints: StoreHints): (error: unknown) => never {
  const hints: Readonly<Record<string, string>> = {
    ...storeHints,
    signer_unknown: 'devices.get() of the host found no device with this key id',
  }
  return (error) => {
    const hint = isSvcError(error) ? hints[error.code] : undefined
    if (!isSvcError(error) || hint === undefined) throw error
    const { code, status, message, headers, details, cause } = error
    throw new SvcError(
      code,
      { status, message, hint, ...(headers && { headers }) },
      { cause, ...(details && { details }) },
    )
  }
}
