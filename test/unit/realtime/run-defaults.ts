import { ownNames } from '../../../plugins/realtime/own-names.ts'
import { type RunNumbers, runSettings } from '../../../plugins/realtime/runs/settings.ts'

/** The default of every setting of runs. */
export const runDefaults = ownNames(
  Object.fromEntries(Object.entries(runSettings).map(([key, setting]) => [key, setting.default])),
) as unknown as RunNumbers
