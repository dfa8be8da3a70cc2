-- commit: 523d8147
-- known: {"push":"bc15f201-a027-4401-8f5c-7498fd18c494","receipt":{"schemaVersion":"1.7","pushId":"bc15f201-a027-4401-8f5c-7498fd18c494","canonicalPayloadHash":"09d7034f631865ab73815ace13223dd379ed8c0cd3fdff24da8966b8d39dac69","domain":"kbd-control:demo","targets":[],"localState":"applied_locally","frontier":{"heads":["d2e3f9b86250710c658ae052c724e2bf77353a58f10b1b821f1dbde4386d1147","ff019908ef8f8cbd3ca7268f73fbf2583a0cb8efaf8806834b0906513fc4fca8"]},"revision":8,"origin":null,"perPeer":{},"createdAtMs":1795903362028,"updatedAtMs":1795903362028,"events":[{"sequence":1,"kind":"accepted","atMs":1795903362028,"localState":"accepted"},{"sequence":2,"kind":"prepared","atMs":1795903362028,"localState":"prepared"},{"sequence":3,"kind":"applied_locally","atMs":1795903362028,"localState":"applied_locally"}]},"frontier":{"heads":["d2e3f9b86250710c658ae052c724e2bf77353a58f10b1b821f1dbde4386d1147","ff019908ef8f8cbd3ca7268f73fbf2583a0cb8efaf8806834b0906513fc4fca8"]},"key":"svc_xplq6FE3UoxJacOc_G6ah86BQKR7fKP5urNd3zZlM4HWnBRj2wC72bq5I5Lp1lwRRr","run":{"run_id":"an-old-run","thread_id":"thread_svoohi62usrqrrbx","owner":{"user_id":"ada","tenant_id":"default"},"created_at_ms":1795903362455,"epoch":"2stf4nzx","agent":null,"status":"running","error":null,"ended_at_ms":null,"first_seq":1,"last_seq":2},"revoked":"eve"}
PRAGMA application_id = 1937138514;
PRAGMA user_version = 6;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE projects (
    project TEXT PRIMARY KEY,
    heads TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL
  , sum INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
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
CREATE TABLE events (
    receipt_no INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    event TEXT NOT NULL, sum INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (receipt_no, sequence)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE outbox (
    receipt_no INTEGER NOT NULL,
    endpoint_id TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_attempt_at_ms INTEGER NOT NULL, told INTEGER NOT NULL DEFAULT 0, told_code TEXT,
    PRIMARY KEY (receipt_no, endpoint_id)
  ) STRICT, WITHOUT ROWID;
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
CREATE TABLE revocations (
    subject TEXT PRIMARY KEY,
    number INTEGER NOT NULL,
    change INTEGER NOT NULL,
    not_before_ms INTEGER NOT NULL,
    lifted_at_ms INTEGER,
    reason TEXT,
    sum INTEGER NOT NULL
  ) STRICT;
CREATE TABLE run_appends (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL,
    gone INTEGER NOT NULL,
    head TEXT NOT NULL,
    events TEXT NOT NULL,
    sum INTEGER NOT NULL
  ) STRICT;
CREATE TABLE run_bases (
    run TEXT PRIMARY KEY,
    epoch TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    point TEXT NOT NULL,
    sum INTEGER NOT NULL
  ) STRICT;
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
    unwanted_since_ms INTEGER
  , redacted INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    kind TEXT NOT NULL,
    project TEXT,
    subject TEXT,
    actor TEXT NOT NULL,
    outcome TEXT NOT NULL,
    hash TEXT NOT NULL
  , user TEXT) STRICT;
CREATE TABLE audit_checkpoints (
    seq INTEGER PRIMARY KEY,
    hash TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    endpoint_id TEXT NOT NULL,
    signature TEXT NOT NULL
  ) STRICT;
CREATE TABLE kbd_content_ways (
    hash TEXT NOT NULL,
    project TEXT NOT NULL,
    origin TEXT NOT NULL,
    cost INTEGER NOT NULL,
    unwanted_since_ms INTEGER,
    PRIMARY KEY (hash, project, origin)
  ) STRICT, WITHOUT ROWID;
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
CREATE TABLE kbd_claim_entries (
    p INTEGER NOT NULL,
    claim INTEGER NOT NULL,
    pos INTEGER NOT NULL,
    issued_at_ms INTEGER NOT NULL,
    end_ms INTEGER NOT NULL,
    PRIMARY KEY (p, claim, pos)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE kbd_releases (
    p INTEGER NOT NULL,
    claim INTEGER NOT NULL,
    pos INTEGER NOT NULL,
    PRIMARY KEY (p, claim, pos)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE kbd_ahead (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE kbd_stale (p INTEGER PRIMARY KEY) STRICT;
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
CREATE TABLE peer_staged (
    inbox INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    parents TEXT NOT NULL,
    command TEXT NOT NULL,
    PRIMARY KEY (inbox, seq)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE peer_pairings (
    secret_hash TEXT PRIMARY KEY,
    label TEXT,
    projects TEXT NOT NULL,
    devices INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    used_by TEXT,
    sum INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE peer_joins (
    endpoint_id TEXT NOT NULL,
    code TEXT NOT NULL,
    options TEXT NOT NULL,
    begun_at_ms INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (endpoint_id, code)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE peer_seen (
    endpoint_id TEXT PRIMARY KEY,
    last_seen_at_ms INTEGER NOT NULL,
    heads TEXT NOT NULL,
    sum INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE push_owners (
    push_id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    sum INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE invitations (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    sum INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES('created_by','svc');
INSERT INTO meta VALUES('mark','24ba1b7c72534c5f8bc7142732a310e5');
INSERT INTO meta VALUES('migration:auth.keys','independent');
INSERT INTO meta VALUES('migration:auth.revocations','independent');
INSERT INTO meta VALUES('migration:kbd.audit-users','needed');
INSERT INTO meta VALUES('migration:kbd.boards','needed');
INSERT INTO meta VALUES('migration:kbd.claim-spans','needed');
INSERT INTO meta VALUES('migration:kbd.content-ways','needed');
INSERT INTO meta VALUES('migration:peer.joins','independent');
INSERT INTO meta VALUES('migration:peer.outbox','needed');
INSERT INTO meta VALUES('migration:peer.pairings','needed');
INSERT INTO meta VALUES('migration:peer.registry','needed');
INSERT INTO meta VALUES('migration:peer.seen','independent');
INSERT INTO meta VALUES('migration:realtime.runs','independent');
INSERT INTO meta VALUES('migration:sync.invitations','independent');
INSERT INTO meta VALUES('migration:sync.push-owners','independent');
INSERT INTO meta VALUES('migration:sync.receipts','needed');
INSERT INTO meta VALUES('migration:sync.sums','needed');
INSERT INTO projects VALUES('demo','[]',1795903361761,485041403131120);
INSERT INTO devices VALUES('ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','4bd4c4ec-a928-4328-9023-6f01852753c3','["kbd-control:demo"]','old','active',1795903361761,NULL,NULL,NULL,1533182783620736);
INSERT INTO receipts VALUES(1,'bc15f201-a027-4401-8f5c-7498fd18c494','09d7034f631865ab73815ace13223dd379ed8c0cd3fdff24da8966b8d39dac69','kbd-control:demo','[]','applied_locally','{}','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','I2j746rOLptxvFl7gUt+kkx6MmyyUoiqwYoMhaRZiYByBXvT48fHJQbCsNxgDbzl0qFwdp3vfzowLwiQFmqDDg==',NULL,3,1795903362028,1795903362028,NULL,'{"heads":["d2e3f9b86250710c658ae052c724e2bf77353a58f10b1b821f1dbde4386d1147","ff019908ef8f8cbd3ca7268f73fbf2583a0cb8efaf8806834b0906513fc4fca8"]}',8,NULL,1796137918352419);
INSERT INTO events VALUES(1,1,'{"sequence":1,"kind":"accepted","atMs":1795903362028,"localState":"accepted"}',4059380499956371);
INSERT INTO events VALUES(1,2,'{"sequence":2,"kind":"prepared","atMs":1795903362028,"localState":"prepared"}',1284805231550859);
INSERT INTO events VALUES(1,3,'{"sequence":3,"kind":"applied_locally","atMs":1795903362028,"localState":"applied_locally"}',3993682673686979);
INSERT INTO api_keys VALUES(1,'xplq6FE3UoxJacOc','{"name":"old","owner":{"user":"ada","tenant":"default"},"scopes":["svc:users:revoke"],"hash":"$argon2id$v=19$m=19456,t=2,p=1$DWeFkCz+qFYFqKBn14MAqw$APuvX03ULlC1/A0WlYmraFTYRQmBDQv4H5qU2xwuCVo"}',1795903362349,2111263362349,NULL,NULL,1918098701935888);
INSERT INTO revocations VALUES('["default","eve",null]',1795903362470,1795903362470,1795903362470,NULL,NULL,3951715982813226);
INSERT INTO run_appends VALUES(1,'["default","ada","an-old-run"]',0,'{"id":"g2emdfhk73dhttyk","record":{"run_id":"an-old-run","thread_id":"thread_svoohi62usrqrrbx","owner":{"user_id":"ada","tenant_id":"default"},"status":"running","created_at_ms":1795903362455,"ended_at_ms":null,"first_seq":1,"last_seq":0,"epoch":"2stf4nzx","agent":null,"error":null},"bytes":8192,"gone":false}','',1190629278024924);
INSERT INTO run_appends VALUES(2,'["default","ada","an-old-run"]',0,'{"id":"oc4qn6ggpjcy5gwc","record":{"run_id":"an-old-run","thread_id":"thread_svoohi62usrqrrbx","owner":{"user_id":"ada","tenant_id":"default"},"created_at_ms":1795903362455,"epoch":"2stf4nzx","agent":null,"status":"running","error":null,"ended_at_ms":null,"first_seq":1,"last_seq":2},"bytes":9532,"gone":false}','{"type":"RUN_STARTED","threadId":"t","runId":"an-old-run"}
{"type":"CUSTOM","name":"old","value":1}',3679837483306932);
INSERT INTO sqlite_sequence VALUES('run_appends',2);
INSERT INTO kbd_projects VALUES(1,'demo','f5c084dbb4731adcf14b6c1b81efdeb772f937341b1a2dd7f73f8536fcfe479a',8,2);
INSERT INTO kbd_commands VALUES(1,1,'f5c084dbb4731adcf14b6c1b81efdeb772f937341b1a2dd7f73f8536fcfe479a','aa23d24f-b741-416e-8707-89d5b21dc779','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795903361961,'','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","title":"Plans","type":"board.create"},"commandId":"aa23d24f-b741-416e-8707-89d5b21dc779","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":[]},"issuedAtMs":1795903361961,"schemaVersion":"2","signature":"YcgqyZTCk73SmCbSlDzLp2RbVg+jBcw/pijpkINZIZfuLnvuH7LvwJn21OQuXswMRTcH9nkZJc4+UP/Ch3M+Ag==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,2,'f3719e9ab97891f72e8399fec113b1dd45049ec8904a95b111cd8773ec29ceba','ff133cdf-e6b6-4d76-89c0-0937cb7a1b3d','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795903361976,'1','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"Doing","type":"column.create"},"commandId":"ff133cdf-e6b6-4d76-89c0-0937cb7a1b3d","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["f5c084dbb4731adcf14b6c1b81efdeb772f937341b1a2dd7f73f8536fcfe479a"]},"issuedAtMs":1795903361976,"schemaVersion":"2","signature":"XQ+OlR2jcQkal7k6Rj6IhkPYQwxN5CEMH+jbJzYb7nrlMoa2macAcnfp60PQeT0ftil0axoO6eMeRStdxQBECg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,3,'9aca50ccec4576e581de15925ed780aa39a23a968eb3b13b88fb63f42f6fb1c9','cd22b0e8-436c-46de-b335-fd6154bf9aa2','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795903361983,'2','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","bodyHash":"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675","cardId":"33333333-2222-4333-8444-000000000003","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"An old card","type":"card.create"},"commandId":"cd22b0e8-436c-46de-b335-fd6154bf9aa2","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["f3719e9ab97891f72e8399fec113b1dd45049ec8904a95b111cd8773ec29ceba"]},"issuedAtMs":1795903361983,"schemaVersion":"2","signature":"Z6v1Bt6qeFjQQ/aYciBhgCE5FIBXMOwnqOoQbgNpRrz7GTqxlzE3B2wE4O7cjL1VI4p8LEVwavabWqdnwuTaBw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,4,'f09ba0ad5932c0ea560286de1c4f8d4fdd5c6a8c0ff84a2f848628453d85cad8','7f9ccab8-df1d-428d-a226-553011dbb852','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795903361992,'3','',0,NULL,'{"command":{"bodyHash":"80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af","cardId":"33333333-2222-4333-8444-000000000003","commentId":"33333333-2222-4333-8444-000000000004","type":"comment.add"},"commandId":"7f9ccab8-df1d-428d-a226-553011dbb852","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["9aca50ccec4576e581de15925ed780aa39a23a968eb3b13b88fb63f42f6fb1c9"]},"issuedAtMs":1795903361992,"schemaVersion":"2","signature":"+/nLnnCqVeQoyCm46qZfyZl11w/+BJjJ1XDBBdCYKRkSbfXOMhlKR52hJr5v4yIuRBf4nlsAXWI5FrllbpEPAQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,5,'0a939e682dbfcb9cb41a3446c724de8969a058fe675f0312f56e08815b19b8f8','2d3519b6-9d90-4877-bc45-8bb0b9472b56','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795903361997,'4','',0,NULL,'{"command":{"commentId":"33333333-2222-4333-8444-000000000004","type":"comment.redact"},"commandId":"2d3519b6-9d90-4877-bc45-8bb0b9472b56","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["f09ba0ad5932c0ea560286de1c4f8d4fdd5c6a8c0ff84a2f848628453d85cad8"]},"issuedAtMs":1795903361997,"schemaVersion":"2","signature":"zOukYzAb+5m4nO4TCvUJl/ARfYyTRjlGjsEYHBCHA6HymBa9BxxPpkFjSDz3zr/8HzCl5FYE9hwd22MeB2XRAA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,6,'93c6588cb797202324f7f57e84594ee1aaf97bd3b428491ea1c6c680447488d0','3dd760a0-1cba-413d-b81a-39921e9058e7','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795903362003,'5','',0,NULL,'{"command":{"agent":"ada","cardId":"33333333-2222-4333-8444-000000000003","claimId":"33333333-2222-4333-8444-000000000001","leaseMs":60000,"type":"claim.acquire"},"commandId":"3dd760a0-1cba-413d-b81a-39921e9058e7","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["0a939e682dbfcb9cb41a3446c724de8969a058fe675f0312f56e08815b19b8f8"]},"issuedAtMs":1795903362003,"schemaVersion":"2","signature":"1QsrBtVLTjQYuKDFhWyoeCOVfxPBostaK7Hmb4DaGCjtGk3/cW7Of7E/IcvcbMyuIGZmF3UDvZ18q1CNAsTMBg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,7,'ff019908ef8f8cbd3ca7268f73fbf2583a0cb8efaf8806834b0906513fc4fca8','262a19e7-0f94-4e51-859e-7737ee43345c','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795903362015,'6','',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"One title","type":"card.update"},"commandId":"262a19e7-0f94-4e51-859e-7737ee43345c","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["93c6588cb797202324f7f57e84594ee1aaf97bd3b428491ea1c6c680447488d0"]},"issuedAtMs":1795903362015,"schemaVersion":"2","signature":"KlLcgE9Riv9a0sU/aRZ4sDkqCy4mm4CaTrwgjJVLElk+WysFN0LxPRQamsZm4w9a7hz6YLNuqPSb24Mu2W0PAw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,8,'d2e3f9b86250710c658ae052c724e2bf77353a58f10b1b821f1dbde4386d1147','c102916d-9918-4a8f-b395-2c5a1c2d8f21','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795903362020,'6','7 0',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"Another title","type":"card.update"},"commandId":"c102916d-9918-4a8f-b395-2c5a1c2d8f21","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["93c6588cb797202324f7f57e84594ee1aaf97bd3b428491ea1c6c680447488d0"]},"issuedAtMs":1795903362020,"schemaVersion":"2","signature":"kTDpe0O1609hnEn0PI7NBhqZ6FtCdW8ouTYvb+wzln3dDot/H3h/bD/wn7QGLQv9imSY1B2sKLQmDzCUoHGcBQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_tips VALUES(1,'','d2e3f9b86250710c658ae052c724e2bf77353a58f10b1b821f1dbde4386d1147',8);
INSERT INTO kbd_tips VALUES(1,'','ff019908ef8f8cbd3ca7268f73fbf2583a0cb8efaf8806834b0906513fc4fca8',7);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','d2e3f9b86250710c658ae052c724e2bf77353a58f10b1b821f1dbde4386d1147',8);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ff019908ef8f8cbd3ca7268f73fbf2583a0cb8efaf8806834b0906513fc4fca8',7);
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','+',1,'null');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','archived',1,'false');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','title',1,'"Plans"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','+',3,'null');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','archived',3,'false');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','bodyHash',3,'"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','claim',6,'{"agent":"ada","claimId":"33333333-2222-4333-8444-000000000001","expiresAtMs":1795903422003,"leaseMs":60000,"of":"93c6588cb797202324f7f57e84594ee1aaf97bd3b428491ea1c6c680447488d0","type":"claim.acquire"}');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','place',3,'{"boardId":"33333333-2222-4333-8444-000000000001","columnId":"33333333-2222-4333-8444-000000000002","rank":"V"}');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','title',7,'"One title"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','title',8,'"Another title"');
INSERT INTO kbd_entries VALUES(1,'column/33333333-2222-4333-8444-000000000002','+',2,'"33333333-2222-4333-8444-000000000001"');
INSERT INTO kbd_entries VALUES(1,'column/33333333-2222-4333-8444-000000000002','archived',2,'false');
INSERT INTO kbd_entries VALUES(1,'column/33333333-2222-4333-8444-000000000002','boardId',2,'"33333333-2222-4333-8444-000000000001"');
INSERT INTO kbd_entries VALUES(1,'column/33333333-2222-4333-8444-000000000002','rank',2,'"V"');
INSERT INTO kbd_entries VALUES(1,'column/33333333-2222-4333-8444-000000000002','title',2,'"Doing"');
INSERT INTO kbd_entries VALUES(1,'comment/33333333-2222-4333-8444-000000000004','+',4,'null');
INSERT INTO kbd_entries VALUES(1,'comment/33333333-2222-4333-8444-000000000004','bodyHash',4,'"80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af"');
INSERT INTO kbd_entries VALUES(1,'comment/33333333-2222-4333-8444-000000000004','cardId',4,'"33333333-2222-4333-8444-000000000003"');
INSERT INTO kbd_entries VALUES(1,'comment/33333333-2222-4333-8444-000000000004','redacted',5,'true');
INSERT INTO kbd_views VALUES(1,'boards','33333333-2222-4333-8444-000000000001','{"boardId":"33333333-2222-4333-8444-000000000001","title":"Plans","archived":false}',0,NULL,NULL);
INSERT INTO kbd_views VALUES(1,'columns','33333333-2222-4333-8444-000000000002','{"columnId":"33333333-2222-4333-8444-000000000002","boardId":"33333333-2222-4333-8444-000000000001","title":"Doing","rank":"V","wipLimit":null,"archived":false}',0,'33333333-2222-4333-8444-000000000001',NULL);
INSERT INTO kbd_views VALUES(1,'cards','33333333-2222-4333-8444-000000000003','{"cardId":"33333333-2222-4333-8444-000000000003","title":"Another title","bodyHash":"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675","place":{"boardId":"33333333-2222-4333-8444-000000000001","columnId":"33333333-2222-4333-8444-000000000002","rank":"V"},"priority":null,"assignee":null,"archived":false,"labels":[],"claim":"33333333-2222-4333-8444-000000000001"}',0,'33333333-2222-4333-8444-000000000001','33333333-2222-4333-8444-000000000002');
INSERT INTO kbd_views VALUES(1,'comments','33333333-2222-4333-8444-000000000004','{"commentId":"33333333-2222-4333-8444-000000000004","cardId":"33333333-2222-4333-8444-000000000003","bodyHash":null,"redacted":true,"issuedAtMs":1795903361992,"deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}',0,'33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_views VALUES(1,'claims','93c6588cb797202324f7f57e84594ee1aaf97bd3b428491ea1c6c680447488d0','{"claimId":"33333333-2222-4333-8444-000000000001","cardId":"33333333-2222-4333-8444-000000000003","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","agent":"ada","leaseMs":60000,"issuedAtMs":1795903362003,"expiresAtMs":1795903422003,"tie":"3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556","generation":1,"state":"held"}',0,'33333333-2222-4333-8444-000000000001','33333333-2222-4333-8444-000000000003');
INSERT INTO kbd_views VALUES(1,'conflicts','f4ba31de862fe6f51e95217279ce255f4198937749e671d8b103b8b2de78478d','{"conflictId":"f4ba31de862fe6f51e95217279ce255f4198937749e671d8b103b8b2de78478d","kind":"field","entity":{"type":"card","id":"33333333-2222-4333-8444-000000000003"},"register":"card/33333333-2222-4333-8444-000000000003/title","candidates":[{"id":"d2e3f9b86250710c658ae052c724e2bf77353a58f10b1b821f1dbde4386d1147","value":"Another title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795903362020},{"id":"ff019908ef8f8cbd3ca7268f73fbf2583a0cb8efaf8806834b0906513fc4fca8","value":"One title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795903362015}],"shown":"d2e3f9b86250710c658ae052c724e2bf77353a58f10b1b821f1dbde4386d1147"}',0,'card/33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_names VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',1,'comment/33333333-2222-4333-8444-000000000004',1);
INSERT INTO kbd_names VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',1,'card/33333333-2222-4333-8444-000000000003',0);
INSERT INTO kbd_content VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',21,'VGhlIHRleHQgb2YgdGhlIGNhcmQu',NULL,0);
INSERT INTO kbd_content VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',15,'VGhpcyBnb2VzIGF3YXku',1795903362000,1);
INSERT INTO audit VALUES(1,1795903361761,'enrolment','demo','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','owner','ok','99fc38755ef5ad48a57ab8e3ea1522c3f6f0a36876b5794a19676b800c5141c3',NULL);
INSERT INTO audit VALUES(2,1795903361968,'command','demo','f5c084dbb4731adcf14b6c1b81efdeb772f937341b1a2dd7f73f8536fcfe479a','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','093cbef903ffa38b2e4731b5d0ea86dfca9797d62bdcd92239c2b2aaa32fa02d',NULL);
INSERT INTO audit VALUES(3,1795903361979,'command','demo','f3719e9ab97891f72e8399fec113b1dd45049ec8904a95b111cd8773ec29ceba','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','f9df1992253aef47354bcc8f4dad3a230c08d17f596b7528a49cf7156a6ec63b',NULL);
INSERT INTO audit VALUES(4,1795903361986,'command','demo','9aca50ccec4576e581de15925ed780aa39a23a968eb3b13b88fb63f42f6fb1c9','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','99644367511d24e328c9e2ebb0d642d245b4626dff073f1cdbb5a1a825bf2e35',NULL);
INSERT INTO audit VALUES(5,1795903361994,'command','demo','f09ba0ad5932c0ea560286de1c4f8d4fdd5c6a8c0ff84a2f848628453d85cad8','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','f7761bc018888d199c9f67da64de42ed5b47344457ac5b1d7f15e53c14808cb7',NULL);
INSERT INTO audit VALUES(6,1795903362000,'command','demo','0a939e682dbfcb9cb41a3446c724de8969a058fe675f0312f56e08815b19b8f8','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','5bec5ebb632315bbb9f451d0ba60d657f298dba27dd2da154e3e969e8e73b562',NULL);
INSERT INTO audit VALUES(7,1795903362009,'claim','demo','93c6588cb797202324f7f57e84594ee1aaf97bd3b428491ea1c6c680447488d0','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','179b0ed4e228ddeb645bcb109bc72029ca0243c5adb05537034d343f36b8fe11',NULL);
INSERT INTO audit VALUES(8,1795903362017,'command','demo','ff019908ef8f8cbd3ca7268f73fbf2583a0cb8efaf8806834b0906513fc4fca8','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','3c5683bc060725a95531cb3082a3d12efd1e1ac6ae4a523673490cd7dfcd9d8f',NULL);
INSERT INTO audit VALUES(9,1795903362022,'command','demo','d2e3f9b86250710c658ae052c724e2bf77353a58f10b1b821f1dbde4386d1147','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','e37cd453184f9f6f0cda37f421db73309fa60938354062f47c9043d17637f57c',NULL);
INSERT INTO audit VALUES(10,1795903362022,'fork','demo','d2e3f9b86250710c658ae052c724e2bf77353a58f10b1b821f1dbde4386d1147','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','device_forked','e44f0e9cc691d62fe52a09edb3716c531849924ea96c3087585ebacf6c113652',NULL);
INSERT INTO audit VALUES(11,1795903362028,'push','demo','bc15f201-a027-4401-8f5c-7498fd18c494','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','915c692df762714b515ad5efaa41a2f951f19c2a15cf0061a465f631b2030cba',NULL);
INSERT INTO audit VALUES(12,1795903362140,'peer',NULL,'1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','owner','ok','ee5f7e9567b791c4380739bb5807132560b5dbfd95214f169e0bd57893924df0',NULL);
INSERT INTO audit_checkpoints VALUES(12,'ee5f7e9567b791c4380739bb5807132560b5dbfd95214f169e0bd57893924df0',1795903362812,'9a7174b1cedff2c9fc7695cbf2a8e36f1b8d1617ee96d86575a3a33efaeb537e','O7xm0FFiUf2Qeck++GSZ6JpQoc6j5GULJhi+HLE7T0UW8nMzQYXQPOMoOacACeaC1zVlrqHpfdV44VSvg1DcBA==');
INSERT INTO kbd_content_ways VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af','demo','',0,1795903362000);
INSERT INTO kbd_content_ways VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675','demo','',0,NULL);
INSERT INTO kbd_claims VALUES(1,'33333333-2222-4333-8444-000000000003',6,'93c6588cb797202324f7f57e84594ee1aaf97bd3b428491ea1c6c680447488d0','33333333-2222-4333-8444-000000000001','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ada','3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556',1,1,0,1795903362003,1795903422003,1795903422003,1795903422003,1795903332003,NULL,0,0,0,0,1795903422003);
INSERT INTO kbd_claim_entries VALUES(1,6,6,1795903362003,1795903422003);
INSERT INTO peers VALUES('1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','lamp','["192.0.2.7:8420"]','["demo"]',2550308069284324);
INSERT INTO peer_pairings VALUES('63306161353639633663353162383264393361323163653464386362616535643434323239376537393865313939343439653561373435316134636661333933',NULL,'["demo"]',0,1795903962329,NULL,440979419838413);
CREATE INDEX receipts_open ON receipts (broadcast_at_ms) WHERE envelope IS NOT NULL;
CREATE INDEX revocations_change ON revocations (change);
CREATE INDEX run_appends_of_run ON run_appends (run, position);
CREATE VIEW runs AS SELECT DISTINCT run FROM run_appends WHERE gone = 0;
CREATE UNIQUE INDEX kbd_command_positions ON kbd_commands (p, pos);
CREATE INDEX kbd_command_ids ON kbd_commands (command_id);
CREATE INDEX kbd_views_a ON kbd_views (p, a, map);
CREATE INDEX kbd_views_b ON kbd_views (p, b, map);
CREATE INDEX kbd_names_entity ON kbd_names (p, entity);
CREATE INDEX kbd_content_unwanted ON kbd_content (unwanted_since_ms) WHERE unwanted_since_ms IS NOT NULL;
CREATE INDEX kbd_content_ways_unwanted ON kbd_content_ways (unwanted_since_ms, origin, cost)
    WHERE unwanted_since_ms IS NOT NULL;
CREATE INDEX kbd_claim_ids ON kbd_claims (p, claim_id);
CREATE INDEX kbd_claims_open ON kbd_claims (p, card) WHERE ended = 0;
CREATE INDEX kbd_claims_live ON kbd_claims (device, expires_at_ms)
    WHERE void = 0 AND lost = 0 AND ended = 0 AND released = 0;
CREATE INDEX kbd_claims_lasting ON kbd_claims (p, expires_at_ms)
    WHERE void = 0 AND lost = 0 AND ended = 0 AND released = 0;
CREATE INDEX kbd_claim_ends ON kbd_claim_entries (p, claim, end_ms);
CREATE INDEX peer_inbox_touched ON peer_inbox (touched_at_ms);
CREATE INDEX peer_inbox_waiting ON peer_inbox (peer) WHERE state = 'received';
CREATE UNIQUE INDEX peer_staged_ids ON peer_staged (inbox, id);
CREATE INDEX outbox_again ON outbox (endpoint_id, next_attempt_at_ms) WHERE attempts > 0;
CREATE TRIGGER push_owner_gone AFTER DELETE ON receipts BEGIN
    DELETE FROM push_owners WHERE push_id = OLD.push_id;
  END;
