/** What the history keeps in the store. */
import type { StorePart } from '../../../core/capabilities.ts'
import type {} from '../../sync/capabilities.ts'
import { migrations } from './migrations.ts'
import { checkHistory } from './statements.ts'

/** The store part of `telemetry.history`. */
export const storePart: StorePart = { migrations, check: checkHistory }
