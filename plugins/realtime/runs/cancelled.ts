/** The last event of a run that was cancelled. */
export const cancelled = { type: 'RUN_ERROR', code: 'svc.run.cancelled', message: 'The run was cancelled.' } as const
