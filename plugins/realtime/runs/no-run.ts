import { httpFail } from '../../../core/catalogue.ts'

/** The error if an owner has no such run. */
export const noRun = (): Error => httpFail('not_found', { message: 'No such run.' })
