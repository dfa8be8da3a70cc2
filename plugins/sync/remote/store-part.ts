/** What `sync.remote` keeps in the store: who handed in a push, and invitations of devices. */
import type { StorePart } from '../../../core/declare/capabilities.ts'
import type {} from '../capabilities.ts'
import { checkInvitations } from './invitations/statements.ts'
import { checkOwners } from './statements.ts'

/**
 * `owner` is JSON of tenant and user. The trigger removes it with its receipt, also in a build without this feature.
 */
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

/** `body` is JSON. Of the secret of a code it has the SHA-256 alone. */
const INVITATIONS = `
  CREATE TABLE invitations (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    sum INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`

/** The store part of `sync.remote`. */
export const storePart: StorePart = {
  migrations: [
    { id: 'sync.push-owners', requires: ['sync.receipts'], independent: true, up: OWNERS },
    { id: 'sync.invitations', requires: ['sync.receipts'], independent: true, up: INVITATIONS },
  ],
  contents: [
    { name: 'push owners', table: 'push_owners' },
    { name: 'invitations', table: 'invitations', words: ['invitation', 'invitations'] },
  ],
  check: (subject) => [...checkOwners(subject), ...checkInvitations(subject)],
}
