/** The error codes of the routes for the owner of the machine. */
import { defineErrors, type ErrorCatalogue } from '../../core/errors.ts'
import { transport_forbidden } from '../../core/shared-codes.ts'

/** The codes of these routes. */
export const adminFail: ErrorCatalogue<'transport_forbidden'> = defineErrors<'transport_forbidden'>({
  transport_forbidden,
})
