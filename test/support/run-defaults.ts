import { type RunNumbers, runNumbers, runSettings } from '../../plugins/realtime/runs/settings.ts'

/** The default of every setting of runs, in memory. */
export const runDefaults: RunNumbers = runNumbers(
  Object.fromEntries(Object.entries(runSettings).map(([key, setting]) => [key, setting.default])) as never,
)
