/** The tables of peers: entries, pushes of peers with their acknowledgements, waiting commands, and pairings. */
import type { Migration } from '../../store/api.ts'

/** `peer_staged` has the commands that wait until everything that their push pinned is here. */
const PEER_TABLES = `
  CREATE TABLE peers (
    endpoint_id TEXT PRIMARY KEY,
    label TEXT UNIQUE,
    addresses TEXT NOT NULL,
    projects TEXT NOT NULL,
    sum INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE peer_inbox (
    no INTEGER PRIMARY KEY,
    push_id TEXT NOT NULL,
    hash TEXT NOT NULL,
    peer TEXT NOT NULL,
    domain TEXT NOT NULL,
    signer TEXT NOT NULL,
    frontier TEXT,
    push TEXT,
    state TEXT NOT NULL,
    ack TEXT NOT NULL,
    staged_bytes INTEGER NOT NULL,
    touched_at_ms INTEGER NOT NULL,
    UNIQUE (push_id, hash, peer)
  ) STRICT;
  CREATE INDEX peer_inbox_touched ON peer_inbox (touched_at_ms);
  CREATE INDEX peer_inbox_waiting ON peer_inbox (peer) WHERE state = 'received';
  CREATE TABLE peer_staged (
    inbox INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    parents TEXT NOT NULL,
    command TEXT NOT NULL,
    PRIMARY KEY (inbox, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX peer_staged_ids ON peer_staged (inbox, id);
`

/**
 * The index of the outbox by peer covers only rows that were tried before, so that a push to many peers adds no entry
 * to the index for each peer.
 */
const OUTBOX_INDEX = `
  DROP INDEX outbox_by_peer;
  CREATE INDEX outbox_again ON outbox (endpoint_id, next_attempt_at_ms) WHERE attempts > 0;
`

/** The open pairings. Of the secret of a code only the hash is stored. */
const PAIRINGS = `
  CREATE TABLE peer_pairings (
    secret_hash TEXT PRIMARY KEY,
    label TEXT,
    projects TEXT NOT NULL,
    devices INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    used_by TEXT,
    sum INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`

/**
 * The joins of this node that have begun and have not ended. A join has the code with its secret, because it is
 * repeated after a crash; the row is removed when both nodes are entered or neither is.
 */
const JOINS = `
  CREATE TABLE peer_joins (
    endpoint_id TEXT NOT NULL,
    code TEXT NOT NULL,
    options TEXT NOT NULL,
    begun_at_ms INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (endpoint_id, code)
  ) STRICT, WITHOUT ROWID;
`

/**
 * When each peer was last seen, and its heads by project, as this node has seen them. It is for the owner to read: what
 * is delivered to a peer never depends on it.
 */
const SEEN = `
  CREATE TABLE peer_seen (
    endpoint_id TEXT PRIMARY KEY,
    last_seen_at_ms INTEGER NOT NULL,
    heads TEXT NOT NULL,
    sum INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`

/** The migrations of peers. */
export const migrations: readonly Migration[] = [
  { id: 'peer.registry', version: 4, requires: ['kbd.boards'], up: PEER_TABLES },
  { id: 'peer.outbox', version: 5, requires: ['peer.registry'], up: OUTBOX_INDEX },
  { id: 'peer.pairings', requires: ['peer.registry'], up: PAIRINGS },
  { id: 'peer.joins', requires: ['peer.registry'], independent: true, up: JOINS },
  { id: 'peer.seen', requires: ['peer.registry'], independent: true, up: SEEN },
]
