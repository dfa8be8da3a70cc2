/** The tables of runs in the store. */

import type { StorePart } from '../../../core/declare/capabilities.ts'
import type { Migration } from '../../store/api.ts'
import type {} from '../../store/capabilities.ts'
import { checkRuns } from './check.ts'

/**
 * A row of `run_appends` is one append. `run` names the run: a JSON array of tenant, user and id. `head` is JSON, the
 * run as it is after the append; `events` has a JSON text per line. The row with `gone` = 1 is the mark of a removed
 * run, and its only row. Positions are never used twice. `run_bases` has the state of a run before its oldest append,
 * once the log was shortened.
 */
const RUN_TABLES = `
  CREATE TABLE run_appends (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL,
    gone INTEGER NOT NULL,
    head TEXT NOT NULL,
    events TEXT NOT NULL,
    sum INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX run_appends_of_run ON run_appends (run, position);
  CREATE TABLE run_bases (
    run TEXT PRIMARY KEY,
    epoch TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    point TEXT NOT NULL,
    sum INTEGER NOT NULL
  ) STRICT;
  CREATE VIEW runs AS SELECT DISTINCT run FROM run_appends WHERE gone = 0;
`

/** The migrations of runs. */
export const migrations: readonly Migration[] = [
  { id: 'realtime.runs', requires: ['sync.receipts'], independent: true, up: RUN_TABLES },
]

/** The store part of `realtime.runs-sqlite`. */
export const storePart: StorePart = {
  migrations,
  contents: [{ name: 'runs', table: 'runs', words: ['run', 'runs'] }],
  check: checkRuns,
}
