-- A receipt store of version 5, as the last release that knew stores by their version alone wrote it.
PRAGMA application_id = 1937138514;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES('created_by','svc');
CREATE TABLE projects (
  project TEXT PRIMARY KEY,
  heads TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL
, sum INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
INSERT INTO projects VALUES('demo','["92ac468df92e83b2f54b49d79d60eb7bb7e747c51e6ad2fe1b620a88c63b74f7"]',1793491200000,2709267871785605);
INSERT INTO projects VALUES('old','[]',1793491200000,3879373012948437);
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
, sum INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
INSERT INTO devices VALUES('ed25519:88a03836749f40cd8e90b6bd0028e18359de023e9bd479fb1c83bd3b33177db1','c4aa0ea8-62cd-4312-8b15-fa0b58494815','["kbd-control:old"]',NULL,'revoked',1793491200000,NULL,1793491200000,NULL,2606269118433735);
INSERT INTO devices VALUES('ed25519:8baa8a28135567913cb1ec91584086394822332f4615828267dbbe5eb88a7c96','efac40ee-66d7-4e84-ab5c-2817b288dd17','["kbd-control:demo","kbd-content:*"]',NULL,'active',1793491200000,NULL,NULL,NULL,822905794586454);
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
, frontier TEXT, revision INTEGER, origin TEXT, sum INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO receipts VALUES(1,'11111111-2222-4333-8444-000000000001','f55c845dcff9a593910cbb4eb755d0085985b1d7ee76c1b8676c8f675d9a26b6','kbd-control:demo','[]','applied_locally','{}','ed25519:8baa8a28135567913cb1ec91584086394822332f4615828267dbbe5eb88a7c96','Vrv4aebvkKvOC6HV6WBSL63h1SEg5j45cBWzj/ZiUd3B/yYQT/TUjVFjFwm3A6yqY2RvRBduqVCTomcO/1CRCA==',NULL,3,1793491200000,1793491200000,NULL,NULL,NULL,NULL,2017035305178555);
INSERT INTO receipts VALUES(2,'11111111-2222-4333-8444-000000000002','92ac468df92e83b2f54b49d79d60eb7bb7e747c51e6ad2fe1b620a88c63b74f7','kbd-control:demo','["6fe309a10ddc7d3b939d684c4a0c80704d8c57a1bf33c132dda6581856b6b8cd","58224e26b8d02d2b90d5d9e0544bc32ea3f3ac67b92d715b516881295b1f4c26","8b1a7f6cac5d1d3bdaf54aba2597162e3baea11b3d5b4e8256de41f361885578"]','broadcast','{"6fe309a10ddc7d3b939d684c4a0c80704d8c57a1bf33c132dda6581856b6b8cd":{"state":"received","receivedAtMs":1793491200000,"appliedAtMs":null,"rejectedAtMs":null,"updatedAtMs":1793491200000,"failure":null,"appliedFrontier":null,"ack":{"auditHead":null,"signerKeyId":"ed25519:6fe309a10ddc7d3b939d684c4a0c80704d8c57a1bf33c132dda6581856b6b8cd","signature":"flL1jh4xYHy2JEn8+HlZC84/MGuA7dEnBpHHDVIZo+RHEYgItu65gpMFv/8xl9k9av7om0XYx6X3vj/DIGhrBg=="}},"58224e26b8d02d2b90d5d9e0544bc32ea3f3ac67b92d715b516881295b1f4c26":{"state":"rejected","receivedAtMs":null,"appliedAtMs":null,"rejectedAtMs":1793491200000,"updatedAtMs":1793491200000,"failure":{"code":"no_room","message":"full ü \"quoted\"","retryable":false},"appliedFrontier":null,"ack":null}}','ed25519:8baa8a28135567913cb1ec91584086394822332f4615828267dbbe5eb88a7c96','syIerZjENt+bincTxbjy/y7fY/XnDPRdupdIZ0PNcrkUEK9ZfR/Zg3oqMkiHSAPYysHo66mofSw7ldy9o1M1AQ==','{"schemaVersion":"1.7","pushId":"11111111-2222-4333-8444-000000000002","canonicalPayloadHash":"92ac468df92e83b2f54b49d79d60eb7bb7e747c51e6ad2fe1b620a88c63b74f7","domain":"kbd-control:demo","signedText":"{\"domain\":\"kbd-control:demo\",\"expectedFrontier\":null,\"issuedAtMs\":1793491200000,\"requestId\":\"11111111-2222-4333-8444-000000000002\",\"schemaVersion\":\"1.7\",\"signerKeyId\":\"ed25519:8baa8a28135567913cb1ec91584086394822332f4615828267dbbe5eb88a7c96\",\"targetEndpointIds\":[\"6fe309a10ddc7d3b939d684c4a0c80704d8c57a1bf33c132dda6581856b6b8cd\",\"58224e26b8d02d2b90d5d9e0544bc32ea3f3ac67b92d715b516881295b1f4c26\",\"8b1a7f6cac5d1d3bdaf54aba2597162e3baea11b3d5b4e8256de41f361885578\"]}","signerKeyId":"ed25519:8baa8a28135567913cb1ec91584086394822332f4615828267dbbe5eb88a7c96","signature":"syIerZjENt+bincTxbjy/y7fY/XnDPRdupdIZ0PNcrkUEK9ZfR/Zg3oqMkiHSAPYysHo66mofSw7ldy9o1M1AQ=="}',7,1793491200000,1793491200000,1793491200000,NULL,NULL,NULL,601401637286379);
CREATE TABLE events (
  receipt_no INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  event TEXT NOT NULL, sum INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (receipt_no, sequence)
) STRICT, WITHOUT ROWID;
INSERT INTO events VALUES(1,1,'{"sequence":1,"kind":"accepted","atMs":1793491200000,"localState":"accepted"}',1811267235849653);
INSERT INTO events VALUES(1,2,'{"sequence":2,"kind":"prepared","atMs":1793491200000,"localState":"prepared"}',2295095299016981);
INSERT INTO events VALUES(1,3,'{"sequence":3,"kind":"applied_locally","atMs":1793491200000,"localState":"applied_locally"}',4457148885915493);
INSERT INTO events VALUES(2,1,'{"sequence":1,"kind":"accepted","atMs":1793491200000,"localState":"accepted"}',818885214586713);
INSERT INTO events VALUES(2,2,'{"sequence":2,"kind":"prepared","atMs":1793491200000,"localState":"prepared"}',1264856850253702);
INSERT INTO events VALUES(2,3,'{"sequence":3,"kind":"applied_locally","atMs":1793491200000,"localState":"applied_locally"}',4428421318729234);
INSERT INTO events VALUES(2,4,'{"sequence":4,"kind":"broadcast","atMs":1793491200000,"localState":"broadcast"}',4299748373821870);
INSERT INTO events VALUES(2,5,'{"sequence":5,"kind":"peer_delivery_failed","atMs":1793491200000,"peer":"8b1a7f6cac5d1d3bdaf54aba2597162e3baea11b3d5b4e8256de41f361885578","failure":{"code":"unreachable","message":"away","retryable":true}}',4492572737178973);
INSERT INTO events VALUES(2,6,'{"sequence":6,"kind":"peer_received","atMs":1793491200000,"peer":"6fe309a10ddc7d3b939d684c4a0c80704d8c57a1bf33c132dda6581856b6b8cd","peerState":"received"}',4136064328481711);
INSERT INTO events VALUES(2,7,'{"sequence":7,"kind":"peer_rejected","atMs":1793491200000,"peer":"58224e26b8d02d2b90d5d9e0544bc32ea3f3ac67b92d715b516881295b1f4c26","peerState":"rejected","failure":{"code":"no_room","message":"full ü \"quoted\"","retryable":false}}',1779191108286580);
CREATE TABLE outbox (
  receipt_no INTEGER NOT NULL,
  endpoint_id TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  next_attempt_at_ms INTEGER NOT NULL, told INTEGER NOT NULL DEFAULT 0, told_code TEXT,
  PRIMARY KEY (receipt_no, endpoint_id)
) STRICT, WITHOUT ROWID;
INSERT INTO outbox VALUES(2,'8b1a7f6cac5d1d3bdaf54aba2597162e3baea11b3d5b4e8256de41f361885578',1,1793491201000,0,NULL);
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
CREATE TABLE kbd_content (
    hash TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    data TEXT NOT NULL,
    origin TEXT,
    unwanted_since_ms INTEGER
  ) STRICT;
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
CREATE TABLE peer_staged (
    inbox INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    parents TEXT NOT NULL,
    command TEXT NOT NULL,
    PRIMARY KEY (inbox, seq)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE peers (
    endpoint_id TEXT PRIMARY KEY,
    label TEXT UNIQUE,
    addresses TEXT NOT NULL,
    projects TEXT NOT NULL,
    sum INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
INSERT INTO peers VALUES('8b1a7f6cac5d1d3bdaf54aba2597162e3baea11b3d5b4e8256de41f361885578','desk','["192.0.2.7:8420"]','["demo"]',4149697689748887);
CREATE INDEX outbox_again ON outbox (endpoint_id, next_attempt_at_ms) WHERE attempts > 0;
CREATE INDEX receipts_open ON receipts (broadcast_at_ms) WHERE envelope IS NOT NULL;
CREATE UNIQUE INDEX kbd_command_positions ON kbd_commands (p, pos);
CREATE INDEX kbd_command_ids ON kbd_commands (command_id);
CREATE INDEX kbd_views_a ON kbd_views (p, a, map);
CREATE INDEX kbd_views_b ON kbd_views (p, b, map);
CREATE INDEX kbd_claim_ids ON kbd_claims (p, claim_id);
CREATE INDEX kbd_claims_open ON kbd_claims (p, card) WHERE ended = 0;
CREATE INDEX kbd_claims_live ON kbd_claims (device, expires_at_ms) WHERE lost = 0 AND ended = 0 AND released = 0;
CREATE INDEX kbd_names_entity ON kbd_names (p, entity);
CREATE INDEX kbd_content_unwanted ON kbd_content (unwanted_since_ms) WHERE unwanted_since_ms IS NOT NULL;
CREATE INDEX peer_inbox_touched ON peer_inbox (touched_at_ms);
CREATE INDEX peer_inbox_waiting ON peer_inbox (peer) WHERE state = 'received';
CREATE UNIQUE INDEX peer_staged_ids ON peer_staged (inbox, id);
PRAGMA user_version = 5;
