/** What `sync.remote` keeps in the store: who handed in a push. */
import type { StorePart } from '../../../core/capabilities.ts'
import type {} from '../capabilities.ts'
import { checkOwners } from './statements.ts'

/** `owner` is JSON of tenant and user. The trigger removes it with its receipt, also in a build without this feature. */
const OWNERS = `
  CREATE TABLE push_owners (
    push_id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    sum INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER push_owner_gone AFTER DELETE ON receipts BEGIN
    DELETE FROM push_owners WHERE push_id = OLD.push_id;
  END;
`

/** The store part of `sync.remote`. */
export const storePart: StorePart = {
  migrations: [{ id: 'sync.push-owners', requires: ['sync.receipts'], independent: true, up: OWNERS }],
  contents: [{ name: 'push owners', table: 'push_owners' }],
  check: checkOwners,
}
