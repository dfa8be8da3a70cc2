import { documented } from '../../core/documented.ts'
import { defineErrors, type ErrorCatalogue } from '../../core/errors.ts'

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
