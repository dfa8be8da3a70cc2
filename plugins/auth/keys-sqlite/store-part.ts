/** What API keys and revocations keep in the store. */

import type { StorePart } from '../../../core/declare/capabilities.ts'
import type { Migration } from '../../store/api.ts'
import type {} from '../../store/capabilities.ts'
import { checkRevocations } from './revocations/statements.ts'
import { checkKeys } from './statements.ts'

/**
 * `no` is the order in which keys were created. `body` is JSON: names and users may contain any character, and SQLite
 * ends a text at U+0000. It has the Argon2id hash of the key; the key itself is not stored.
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

/**
 * `subject` is JSON of tenant, user and the id of the token, which is null for a revocation of the user. `reason` is
 * JSON too.
 */
const REVOCATION_TABLE = `
  CREATE TABLE revocations (
    subject TEXT PRIMARY KEY,
    number INTEGER NOT NULL,
    change INTEGER NOT NULL,
    not_before_ms INTEGER NOT NULL,
    lifted_at_ms INTEGER,
    reason TEXT,
    sum INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX revocations_change ON revocations (change);
`

/** The migrations of API keys and revocations. */
export const migrations: readonly Migration[] = [
  { id: 'auth.keys', requires: ['sync.receipts'], independent: true, up: KEY_TABLE },
  { id: 'auth.revocations', requires: ['sync.receipts'], independent: true, up: REVOCATION_TABLE },
]

/** The store part of `auth.keys-sqlite`. */
export const storePart: StorePart = {
  migrations,
  contents: [
    { name: 'keys', table: 'api_keys', words: ['API key', 'API keys'] },
    { name: 'revocations', table: 'revocations', words: ['revocation', 'revocations'] },
  ],
  check: (subject) => [...checkKeys(subject), ...checkRevocations(subject)],
}
