import { defineErrors, type ErrorCatalogue, type SvcError } from '../../../../core/declare/errors.ts'
import { httpFail } from '../../../../core/kernel/catalogue.ts'
import { storageFull } from '../../../../core/kernel/storage-full.ts'

/** The error for an append whose outcome is unknown. */
export const appendFail: ErrorCatalogue<'append_unknown'> = defineErrors({
  append_unknown: {
    status: 504,
    message: 'Whether the events were written is not known.',
    hint: 'Send them again with If-Match and the position before them: they are written once.',
  },
})

/** The refusal of a request that was certainly not carried out and may be tried again in a second. */
export function tryAgain(cause?: unknown): SvcError {
  const headers = { 'retry-after': '1' }
  return httpFail('overloaded', { headers, ...storageFull(cause), ...(cause !== undefined && { cause }) })
}
