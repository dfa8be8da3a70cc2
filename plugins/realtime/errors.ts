import { documented } from '../../core/declare/described.ts'
import { defineErrors, type ErrorCatalogue } from '../../core/declare/errors.ts'
import { httpFail } from '../../core/kernel/catalogue.ts'

/** The error codes of run routes, besides those of every route. */
export const runFail: ErrorCatalogue<'run_exists' | 'run_event_order' | 'run_position_mismatch'> = defineErrors({
  run_exists: { status: 409, message: 'A run with this id exists already.' },
  run_event_order: {
    status: 409,
    message: 'This event may not follow here.',
    hint: documented('Nothing of the request was applied: read the run and continue after its last event.'),
  },
  run_position_mismatch: { status: 412, message: 'The run is elsewhere.' },
})

/** The last event of a run that was cancelled. */
export const cancelled = { type: 'RUN_ERROR', code: 'svc.run.cancelled', message: 'The run was cancelled.' } as const

/** The error if an owner has no such run. */
export const noRun = (): Error => httpFail('not_found', { message: 'No such run.' })
