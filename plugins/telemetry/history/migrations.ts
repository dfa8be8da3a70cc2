import type { Migration } from '../../sync/api.ts'

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
