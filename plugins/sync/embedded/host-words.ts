/** Hints of errors in the words of an embedding host. Those of the server name commands, which an app does not have. */
import { isSvcError, SvcError } from '../../../core/errors.ts'

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
