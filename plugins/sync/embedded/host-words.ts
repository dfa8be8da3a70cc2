/** Hints of errors in the words of an embedding host. Those of the server name commands, which an app does not have. */
import { isSvcError, SvcError } from '../../../core/errors.ts'

const HINTS: Readonly<Record<string, string>> = {
  store_damaged: 'nothing was changed; the host can give an earlier copy of the store, or an empty one to begin anew',
  store_newer: 'nothing was changed; the app needs a newer version of this library',
  store_foreign: 'nothing was changed; the host gave the store of another program',
  signer_unknown: 'devices.get() of the host found no device with this key id',
}

/** Throws an error again, with the hint for a host. */
export function throwInHostWords(error: unknown): never {
  const hint = isSvcError(error) ? HINTS[error.code] : undefined
  if (!isSvcError(error) || hint === undefined) throw error
  const { code, status, message, headers, details, cause } = error
  throw new SvcError(
    code,
    { status, message, hint, ...(headers && { headers }) },
    { cause, ...(details && { details }) },
  )
}
