/** What the history keeps in the store. */

import type { StorePart } from '../../../core/declare/capabilities.ts'
import type { Migration } from '../../store/api.ts'
import type {} from '../../store/capabilities.ts'
import { checkHistory } from './statements.ts'

/** `no` is the order in which minutes were first written, `body` JSON. */
const HISTORY_TABLE = `
  CREATE TABLE history_minutes (
    no INTEGER PRIMARY KEY,
    minute INTEGER NOT NULL UNIQUE,
    body TEXT NOT NULL,
    sum INTEGER NOT NULL
  ) STRICT;
`

/** The migration of the history. */
export const migrations: readonly Migration[] = [
  { id: 'telemetry.history', requires: ['sync.receipts'], independent: true, up: HISTORY_TABLE },
]

/** The store part of `telemetry.history`. */
export const storePart: StorePart = { migrations, check: checkHistory }
