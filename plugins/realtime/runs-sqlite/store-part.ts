/** The tables of runs in the store. */
import type { StorePart } from '../../../core/capabilities.ts'
import type {} from '../../sync/capabilities.ts'
import { checkRuns } from './check.ts'
import { migrations } from './migrations.ts'

/** The store part of `realtime.runs-sqlite`. */
export const storePart: StorePart = {
  migrations,
  contents: [{ name: 'runs', table: 'runs', words: ['run', 'runs'] }],
  check: checkRuns,
}
