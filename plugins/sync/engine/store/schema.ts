/** The schema of the receipt store, as a list of migrations that is only ever appended to. */
import { failStore } from '../../errors.ts'
import type { SqlDriver } from './driver.ts'

/** Marks a database file as ours (PRAGMA application_id): "svcR". */
const APPLICATION_ID = 0x73766352

const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE projects (
    project TEXT PRIMARY KEY,
    heads TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE devices (
    key_id TEXT PRIMARY KEY,
    device_id TEXT NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    label TEXT,
    status TEXT NOT NULL CHECK (status IN ('active', 'revoked')),
    enrolled_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER,
    revoked_at_ms INTEGER,
    revoked_reason TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE receipts (
    no INTEGER PRIMARY KEY,
    push_id TEXT NOT NULL UNIQUE,
    hash TEXT NOT NULL,
    domain TEXT NOT NULL,
    targets TEXT NOT NULL,
    local_state TEXT NOT NULL,
    per_peer TEXT NOT NULL,
    signer_key_id TEXT,
    signature TEXT,
    envelope TEXT,
    last_sequence INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL,
    broadcast_at_ms INTEGER
  ) STRICT;
  CREATE TABLE events (
    receipt_no INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (receipt_no, sequence)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE outbox (
    receipt_no INTEGER NOT NULL,
    endpoint_id TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_attempt_at_ms INTEGER NOT NULL,
    PRIMARY KEY (receipt_no, endpoint_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX outbox_due ON outbox (next_attempt_at_ms);
  INSERT INTO meta VALUES ('created_by', 'svc');
  `,
]

/** What was found in a database before anything is written to it. */
export type Found = 'empty' | 'current' | 'older'

/**
 * Looks without writing. Throws `store_damaged`, `store_foreign` or `store_newer`; `deep` walks every page, which takes
 * about a second for 500 MB.
 */
export function inspect(driver: SqlDriver, deep: boolean): Found {
  let version: number
  let application: number
  let tables: number
  try {
    version = number(driver, 'PRAGMA user_version')
    application = number(driver, 'PRAGMA application_id')
    tables = number(driver, 'SELECT count(*) FROM sqlite_schema')
  } catch (cause) {
    throw failStore('store_damaged', { cause })
  }
  if (application === 0 && version === 0 && tables === 0) return 'empty'
  if (application !== APPLICATION_ID) throw failStore('store_foreign')
  if (version > MIGRATIONS.length) throw failStore('store_newer')
  if (deep) {
    let verdict: unknown
    try {
      verdict = driver.prepare('PRAGMA quick_check(1)').get()?.[0]
    } catch (cause) {
      throw failStore('store_damaged', { cause })
    }
    if (verdict !== 'ok') throw failStore('store_damaged')
  }
  return version === MIGRATIONS.length ? 'current' : 'older'
}

/** Brings a database from where it is to the present schema, in one transaction. */
export function migrate(driver: SqlDriver): void {
  driver.exec('BEGIN IMMEDIATE')
  try {
    const version = number(driver, 'PRAGMA user_version')
    for (const migration of MIGRATIONS.slice(version)) driver.exec(migration)
    driver.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}`)
    driver.exec('COMMIT')
  } catch (error) {
    driver.exec('ROLLBACK')
    throw error
  }
}

function number(driver: SqlDriver, sql: string): number {
  return Number(driver.prepare(sql).get()?.[0])
}
