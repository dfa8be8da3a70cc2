import { defineErrors, type ErrorCatalogue } from '../../../../core/errors.ts'

/** What an append is answered with where nobody can say what became of it. */
export const appendFail: ErrorCatalogue<'append_unknown'> = defineErrors({
  append_unknown: {
    status: 504,
    message: 'Whether the events were written is not known.',
    hint: 'Send them again with If-Match and the position before them: they are written once.',
  },
})
