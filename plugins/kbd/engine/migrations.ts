/**
 * The tables of boards and of the audit chain. `p` is the number of a project. `pos` counts the commands of a project
 * in the order of their arrival here, so parents come before their children and the last position is the revision.
 * Positions and numbers are different on each node and are never shown.
 */
import type { Migration } from '../../store/api.ts'

/** The tables, as the migration makes them. */
const BOARD_TABLES = `
  CREATE TABLE kbd_projects (
    p INTEGER PRIMARY KEY,
    project TEXT NOT NULL UNIQUE,
    root TEXT NOT NULL,
    revision INTEGER NOT NULL,
    head_count INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE kbd_commands (
    p INTEGER NOT NULL,
    pos INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    command_id TEXT NOT NULL,
    signer TEXT NOT NULL,
    issued_at_ms INTEGER NOT NULL,
    parents TEXT NOT NULL,
    unseen TEXT,
    hops INTEGER NOT NULL,
    derived TEXT,
    envelope TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX kbd_command_positions ON kbd_commands (p, pos);
  CREATE INDEX kbd_command_ids ON kbd_commands (command_id);
  CREATE TABLE kbd_tips (
    p INTEGER NOT NULL,
    owner TEXT NOT NULL,
    id TEXT NOT NULL,
    pos INTEGER NOT NULL,
    PRIMARY KEY (p, owner, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE kbd_entries (
    p INTEGER NOT NULL,
    entity TEXT NOT NULL,
    name TEXT NOT NULL,
    pos INTEGER NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (p, entity, name, pos)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE kbd_views (
    p INTEGER NOT NULL,
    map TEXT NOT NULL,
    id TEXT NOT NULL,
    json TEXT NOT NULL,
    archived INTEGER NOT NULL,
    a TEXT,
    b TEXT,
    PRIMARY KEY (p, map, id)
  ) STRICT;
  CREATE INDEX kbd_views_a ON kbd_views (p, a, map);
  CREATE INDEX kbd_views_b ON kbd_views (p, b, map);
  CREATE TABLE kbd_claims (
    p INTEGER NOT NULL,
    card TEXT NOT NULL,
    pos INTEGER NOT NULL,
    id TEXT NOT NULL,
    claim_id TEXT NOT NULL,
    device TEXT NOT NULL,
    agent TEXT,
    tie TEXT NOT NULL,
    generation INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    lost INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    released INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    PRIMARY KEY (p, card, pos)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX kbd_claim_ids ON kbd_claims (p, claim_id);
  CREATE INDEX kbd_claims_open ON kbd_claims (p, card) WHERE ended = 0;
  CREATE INDEX kbd_claims_live ON kbd_claims (device, expires_at_ms) WHERE lost = 0 AND ended = 0 AND released = 0;
  CREATE TABLE kbd_releases (
    p INTEGER NOT NULL,
    claim INTEGER NOT NULL,
    pos INTEGER NOT NULL,
    PRIMARY KEY (p, claim, pos)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE kbd_names (
    hash TEXT NOT NULL,
    p INTEGER NOT NULL,
    entity TEXT NOT NULL,
    hidden INTEGER NOT NULL,
    PRIMARY KEY (hash, p, entity)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX kbd_names_entity ON kbd_names (p, entity);
  CREATE TABLE kbd_content (
    hash TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    data TEXT NOT NULL,
    origin TEXT,
    unwanted_since_ms INTEGER
  ) STRICT;
  CREATE INDEX kbd_content_unwanted ON kbd_content (unwanted_since_ms) WHERE unwanted_since_ms IS NOT NULL;
  CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    kind TEXT NOT NULL,
    project TEXT,
    subject TEXT,
    actor TEXT NOT NULL,
    outcome TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  CREATE TABLE audit_checkpoints (
    seq INTEGER PRIMARY KEY,
    hash TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    endpoint_id TEXT NOT NULL,
    signature TEXT NOT NULL
  ) STRICT;
`

/**
 * The arrivals of texts, by project and origin: a peer, or empty for this node. `cost` counts against a peer while
 * `unwanted_since_ms` is set, that is while no command of the project shows the text. Texts from before this migration
 * count as arrived under every project that shows them. `redacted` is set while a redaction hides the bytes.
 */
const CONTENT_WAYS = `
  CREATE TABLE kbd_content_ways (
    hash TEXT NOT NULL,
    project TEXT NOT NULL,
    origin TEXT NOT NULL,
    cost INTEGER NOT NULL,
    unwanted_since_ms INTEGER,
    PRIMARY KEY (hash, project, origin)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX kbd_content_ways_unwanted ON kbd_content_ways (unwanted_since_ms, origin, cost)
    WHERE unwanted_since_ms IS NOT NULL;
  INSERT INTO kbd_content_ways
    SELECT DISTINCT n.hash, k.project, '', 0, NULL FROM kbd_names n JOIN kbd_projects k ON k.p = n.p
    WHERE n.hidden = 0 AND EXISTS (SELECT 1 FROM kbd_content c WHERE c.hash = n.hash);
  INSERT INTO kbd_content_ways
    SELECT hash, '', origin, ((size + 2) / 3 * 4 + 300 + 4095) / 4096 * 4096, unwanted_since_ms FROM kbd_content
    WHERE origin IS NOT NULL AND unwanted_since_ms IS NOT NULL;
  ALTER TABLE kbd_content DROP COLUMN origin;
  ALTER TABLE kbd_content ADD COLUMN redacted INTEGER NOT NULL DEFAULT 0;
  UPDATE kbd_content SET redacted = 1 WHERE hash IN (SELECT hash FROM kbd_names WHERE hidden = 1);
`

/**
 * Claims by their own time (claims/spans.ts): each has its span, its cap and its entries. What the fold derived by the
 * rules before is removed, and `kbd_stale` says that the fold has to derive it again (fold/refold/refold.ts).
 * `kbd_ahead` has the ids of the commands whose time was ahead of the clock here when they were taken.
 */
const CLAIM_SPANS = `
  DROP TABLE kbd_claims;
  DROP TABLE kbd_releases;
  DELETE FROM kbd_entries WHERE name = 'claim';
  DELETE FROM kbd_views WHERE map = 'claims' OR (map = 'conflicts' AND json LIKE '%"kind":"claim"%');
  CREATE TABLE kbd_claims (
    p INTEGER NOT NULL,
    card TEXT NOT NULL,
    pos INTEGER NOT NULL,
    id TEXT NOT NULL,
    claim_id TEXT NOT NULL,
    device TEXT NOT NULL,
    agent TEXT,
    tie TEXT NOT NULL,
    generation INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    is_force INTEGER NOT NULL,
    issued_at_ms INTEGER NOT NULL,
    end_ms INTEGER NOT NULL,
    last_end_ms INTEGER NOT NULL,
    run_end_ms INTEGER NOT NULL,
    from_ms INTEGER NOT NULL,
    cap_ms INTEGER,
    void INTEGER NOT NULL,
    lost INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    released INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    PRIMARY KEY (p, card, pos)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX kbd_claim_ids ON kbd_claims (p, claim_id);
  CREATE INDEX kbd_claims_open ON kbd_claims (p, card) WHERE ended = 0;
  CREATE INDEX kbd_claims_live ON kbd_claims (device, expires_at_ms)
    WHERE void = 0 AND lost = 0 AND ended = 0 AND released = 0;
  CREATE INDEX kbd_claims_lasting ON kbd_claims (p, expires_at_ms)
    WHERE void = 0 AND lost = 0 AND ended = 0 AND released = 0;
  CREATE TABLE kbd_claim_entries (
    p INTEGER NOT NULL,
    claim INTEGER NOT NULL,
    pos INTEGER NOT NULL,
    issued_at_ms INTEGER NOT NULL,
    end_ms INTEGER NOT NULL,
    PRIMARY KEY (p, claim, pos)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX kbd_claim_ends ON kbd_claim_entries (p, claim, end_ms);
  CREATE TABLE kbd_releases (
    p INTEGER NOT NULL,
    claim INTEGER NOT NULL,
    pos INTEGER NOT NULL,
    PRIMARY KEY (p, claim, pos)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE kbd_ahead (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  CREATE TABLE kbd_stale (p INTEGER PRIMARY KEY) STRICT;
  INSERT INTO kbd_stale SELECT p FROM kbd_projects;
`

/** The user of an entry, which its hash covers. Null in entries that name none. */
const AUDIT_USERS = 'ALTER TABLE audit ADD COLUMN user TEXT;'

/** All tables of boards, as the migrations make them. */
export const BOARD_SCHEMA: string = BOARD_TABLES + CONTENT_WAYS + CLAIM_SPANS + AUDIT_USERS

/** The migrations of boards. */
export const migrations: readonly Migration[] = [
  { id: 'kbd.boards', version: 3, requires: ['sync.sums'], up: BOARD_TABLES },
  { id: 'kbd.content-ways', requires: ['kbd.boards'], up: CONTENT_WAYS },
  { id: 'kbd.claim-spans', requires: ['kbd.content-ways'], up: CLAIM_SPANS },
  { id: 'kbd.audit-users', requires: ['kbd.boards'], up: AUDIT_USERS },
]
