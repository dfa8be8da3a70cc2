/** The error of a value that cannot be signed. */
import { defineErrors, type ErrorCatalogue } from '../../core/declare/errors.ts'
import { canonicalization_failed } from './shared-codes.ts'

/** Creates the error of a value without a canonical form. */
export const failForm: ErrorCatalogue<'canonicalization_failed'> = defineErrors({ canonicalization_failed })
