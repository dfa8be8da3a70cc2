import type { Migration } from '../../sync/api.ts'

/**
 * `no` is the order in which keys were created. `body` is JSON: names and users may contain any character, and SQLite ends a text
 * at U+0000. It has the Argon2id hash of the key; the key itself is not stored.
 */
const KEY_TABLE = `
  CREATE TABLE api_keys (
    no INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    last_used_at_ms INTEGER,
    revoked_at_ms INTEGER,
    sum INTEGER NOT NULL
  ) STRICT;
`

/** The migrations of API keys. */
export const migrations: readonly Migration[] = [
  { id: 'auth.keys', requires: ['sync.receipts'], independent: true, up: KEY_TABLE },
]
