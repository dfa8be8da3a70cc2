import { httpFail } from '../../../../core/catalogue.ts'
import { defineErrors, type ErrorCatalogue, type SvcError } from '../../../../core/errors.ts'

/** What an append is answered with where nobody can say what became of it. */
export const appendFail: ErrorCatalogue<'append_unknown'> = defineErrors({
  append_unknown: {
    status: 504,
    message: 'Whether the events were written is not known.',
    hint: 'Send them again with If-Match and the position before them: they are written once.',
  },
})

/** The refusal of what may be tried again in a second, and surely was not done. */
export function tryAgain(cause?: unknown): SvcError {
  return httpFail('overloaded', { headers: { 'retry-after': '1' }, ...(cause !== undefined && { cause }) })
}
