-- commit: 8a8c3ba5
-- known: {"push":"1955aca1-868b-4c54-a852-94312cbd7ba2","receipt":{"schemaVersion":"1.7","pushId":"1955aca1-868b-4c54-a852-94312cbd7ba2","canonicalPayloadHash":"ea891255ea5bf6cf0ea261680be87fd54de5cfab98d30835e1495827ffffabc3","domain":"kbd-control:demo","targets":[],"localState":"applied_locally","frontier":{"heads":["4c6f6945db1a8af64e5a15735eee0a46d7d37642ecf4e1a7a40b000b1da15d88","8fe39efea9a767f6ddefffd6a09ec0f919de9bf5e62f1cebe9ddc086d93764d5"]},"revision":8,"origin":null,"perPeer":{},"createdAtMs":1795611281278,"updatedAtMs":1795611281278,"events":[{"sequence":1,"kind":"accepted","atMs":1795611281278,"localState":"accepted"},{"sequence":2,"kind":"prepared","atMs":1795611281278,"localState":"prepared"},{"sequence":3,"kind":"applied_locally","atMs":1795611281278,"localState":"applied_locally"}]},"frontier":{"heads":["4c6f6945db1a8af64e5a15735eee0a46d7d37642ecf4e1a7a40b000b1da15d88","8fe39efea9a767f6ddefffd6a09ec0f919de9bf5e62f1cebe9ddc086d93764d5"]},"key":"svc_AAQjWF30HmZGGeCX_eLncZHNze4X8PUwVv3iS6OVcTxh1lSiUvMVVUT0taiY0mr2yz","run":{"run_id":"an-old-run","thread_id":"thread_satj2r4szvpmz4gv","owner":{"user_id":"ada","tenant_id":"default"},"created_at_ms":1795611285069,"epoch":"6xuznnks","status":"running","ended_at_ms":null,"first_seq":1,"last_seq":2}}
PRAGMA application_id = 1937138514;
PRAGMA user_version = 5;
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
  ) STRICT;
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
INSERT INTO meta VALUES('created_by','svc');
INSERT INTO meta VALUES('migration:auth.keys','independent');
INSERT INTO meta VALUES('migration:kbd.boards','needed');
INSERT INTO meta VALUES('migration:kbd.content-ways','needed');
INSERT INTO meta VALUES('migration:peer.outbox','needed');
INSERT INTO meta VALUES('migration:peer.pairings','needed');
INSERT INTO meta VALUES('migration:peer.registry','needed');
INSERT INTO meta VALUES('migration:realtime.runs','independent');
INSERT INTO meta VALUES('migration:sync.receipts','needed');
INSERT INTO meta VALUES('migration:sync.sums','needed');
INSERT INTO projects VALUES('demo','[]',1795611279485,485041403131120);
INSERT INTO devices VALUES('ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','8a62ecf9-1485-4f51-b7a7-c8e27a8cd20c','["kbd-control:demo"]','old','active',1795611279485,NULL,NULL,NULL,2556020251497019);
INSERT INTO receipts VALUES(1,'1955aca1-868b-4c54-a852-94312cbd7ba2','ea891255ea5bf6cf0ea261680be87fd54de5cfab98d30835e1495827ffffabc3','kbd-control:demo','[]','applied_locally','{}','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','cRHO/M0OtDcvImfF6zzjaBi4sSOyqrJBVOv9qtU4iGloRE91T7uY+i1XcaOWw+Tx7KL4k+sXTX+0AdOCynK3Cg==',NULL,3,1795611281278,1795611281278,NULL,'{"heads":["4c6f6945db1a8af64e5a15735eee0a46d7d37642ecf4e1a7a40b000b1da15d88","8fe39efea9a767f6ddefffd6a09ec0f919de9bf5e62f1cebe9ddc086d93764d5"]}',8,NULL,1854743269695126);
INSERT INTO events VALUES(1,1,'{"sequence":1,"kind":"accepted","atMs":1795611281278,"localState":"accepted"}',567644175995463);
INSERT INTO events VALUES(1,2,'{"sequence":2,"kind":"prepared","atMs":1795611281278,"localState":"prepared"}',2360503827013174);
INSERT INTO events VALUES(1,3,'{"sequence":3,"kind":"applied_locally","atMs":1795611281278,"localState":"applied_locally"}',3494813907666814);
INSERT INTO api_keys VALUES(1,'AAQjWF30HmZGGeCX','{"name":"old","owner":{"user":"ada","tenant":"default"},"scopes":[],"hash":"$argon2id$v=19$m=19456,t=2,p=1$1znuqK+ceQO5bdyvd5khmw$UOI1kuf44+JCst22bdgBCFLVaar4S0AEUMSleLG5PRQ"}',1795611284318,2110971284318,NULL,NULL,3027271494094711);
INSERT INTO run_appends VALUES(1,'["default","ada","an-old-run"]',0,'{"id":"mfz5hs6nwmqzue7x","record":{"run_id":"an-old-run","thread_id":"thread_satj2r4szvpmz4gv","owner":{"user_id":"ada","tenant_id":"default"},"status":"running","created_at_ms":1795611285069,"ended_at_ms":null,"first_seq":1,"last_seq":0,"epoch":"6xuznnks"},"bytes":8192,"gone":false}','',2354931693819924);
INSERT INTO run_appends VALUES(2,'["default","ada","an-old-run"]',0,'{"id":"bob5es7a4u4l43n3","record":{"run_id":"an-old-run","thread_id":"thread_satj2r4szvpmz4gv","owner":{"user_id":"ada","tenant_id":"default"},"created_at_ms":1795611285069,"epoch":"6xuznnks","status":"running","ended_at_ms":null,"first_seq":1,"last_seq":2},"bytes":9532,"gone":false}','{"type":"RUN_STARTED","threadId":"t","runId":"an-old-run"}
{"type":"CUSTOM","name":"old","value":1}',1000130070841150);
INSERT INTO sqlite_sequence VALUES('run_appends',2);
INSERT INTO kbd_projects VALUES(1,'demo','f1736bf7c894453963b4e4731397646475783ef031bc17f8692bd9eee31457b8',8,2);
INSERT INTO kbd_commands VALUES(1,1,'f1736bf7c894453963b4e4731397646475783ef031bc17f8692bd9eee31457b8','c7f509bd-9781-4432-b9d3-47dd7c16392e','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611280683,'','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","title":"Plans","type":"board.create"},"commandId":"c7f509bd-9781-4432-b9d3-47dd7c16392e","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":[]},"issuedAtMs":1795611280683,"schemaVersion":"2","signature":"CqvI6S5B7T/lkhtiFe12tu5XKsoMwRnlfvnZXf3FYyX2wL7WQZDX5Y1cnXPNaQoaxUHmJla8k2rpTjDp3f7JCQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,2,'e5706e4d6682427b85889e960e8736c0ec503b779d32065a3aba9ba6159afb5f','692492c9-80c0-4ede-ab6d-c6894bb0e984','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611280866,'1','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"Doing","type":"column.create"},"commandId":"692492c9-80c0-4ede-ab6d-c6894bb0e984","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["f1736bf7c894453963b4e4731397646475783ef031bc17f8692bd9eee31457b8"]},"issuedAtMs":1795611280866,"schemaVersion":"2","signature":"NuXzKaHP+Fl5eawv3GWatfaCVmDT7TGicVeiD6pkOBThWG1le5nRUXtANb3jf8imUEPAjQEGp5w9SuVHxq8qAQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,3,'36399e6222f95f5e45456e1cac9a50e67a9c1f0dbaf4159256d8a9028ee38ce9','d068e1a6-0c0a-44ec-bf81-57dd4219394d','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611280896,'2','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","bodyHash":"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675","cardId":"33333333-2222-4333-8444-000000000003","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"An old card","type":"card.create"},"commandId":"d068e1a6-0c0a-44ec-bf81-57dd4219394d","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["e5706e4d6682427b85889e960e8736c0ec503b779d32065a3aba9ba6159afb5f"]},"issuedAtMs":1795611280896,"schemaVersion":"2","signature":"qec4tdocES5Lx6XIvIutrWYV0GLMi7HbsiJK8bQaGWdkl9dwRZzIfSnPCO65QKmOnp7DEkU5mwPpGfiUJmEVAQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,4,'45f64b9082930bc20867a844655f4a0ff16f279a4c9bfa634215609a8d56de30','41d5c964-1cee-4731-811d-a8192b0a72a2','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611280949,'3','',0,NULL,'{"command":{"bodyHash":"80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af","cardId":"33333333-2222-4333-8444-000000000003","commentId":"33333333-2222-4333-8444-000000000004","type":"comment.add"},"commandId":"41d5c964-1cee-4731-811d-a8192b0a72a2","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["36399e6222f95f5e45456e1cac9a50e67a9c1f0dbaf4159256d8a9028ee38ce9"]},"issuedAtMs":1795611280949,"schemaVersion":"2","signature":"sTEGKdjH+OGXwY8Sm/xO9fWodGdcT0k3tm9rsvI4qgRDpynVc+b2QLtt5IPtEPNaSWVzwJVzw9NJNSuP4tC1Dg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,5,'0c6f47e2d214431ba634f2fd49b984f61cc5a87b26edb30bbd6c1a4455bb6870','c7b02c96-1665-47cd-9f8f-6d3d17d48e5b','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611280969,'4','',0,NULL,'{"command":{"commentId":"33333333-2222-4333-8444-000000000004","type":"comment.redact"},"commandId":"c7b02c96-1665-47cd-9f8f-6d3d17d48e5b","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["45f64b9082930bc20867a844655f4a0ff16f279a4c9bfa634215609a8d56de30"]},"issuedAtMs":1795611280969,"schemaVersion":"2","signature":"8rbhFxwvTvkBC9E7FGSkrEtSI6uh+BvzkWrd07+W3yUaAk0YcQPPS8KpL1lp1Rq9YRpK0G5BQHSs33toOkEqAg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,6,'df372baf264ce492edc57b38391a878856beddf241f3f4da12c0b549d7c37c06','4abe3a83-7495-4def-9e4c-28ac0fa053cd','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611281013,'5','',0,NULL,'{"command":{"agent":"ada","cardId":"33333333-2222-4333-8444-000000000003","claimId":"33333333-2222-4333-8444-000000000001","leaseMs":60000,"type":"claim.acquire"},"commandId":"4abe3a83-7495-4def-9e4c-28ac0fa053cd","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["0c6f47e2d214431ba634f2fd49b984f61cc5a87b26edb30bbd6c1a4455bb6870"]},"issuedAtMs":1795611281013,"schemaVersion":"2","signature":"jYvZEuNHvJe+AKmaxR75OSBYGRu7jvhPza9KigwER0Jeijd+CptWcspFvJRDRs3Omc26ekr7CpArZFUYLEaPBA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,7,'4c6f6945db1a8af64e5a15735eee0a46d7d37642ecf4e1a7a40b000b1da15d88','edfb8e4d-fe7a-4450-a3c4-f321fdb2f8e8','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611281159,'6','',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"One title","type":"card.update"},"commandId":"edfb8e4d-fe7a-4450-a3c4-f321fdb2f8e8","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["df372baf264ce492edc57b38391a878856beddf241f3f4da12c0b549d7c37c06"]},"issuedAtMs":1795611281159,"schemaVersion":"2","signature":"dpWtHSd7tjJThI/5OUb04Jo0vnBFGwmj4Nx5rhfMzlrmUhY9dY/bMN7g0yETbPg+qqOifbit+9UpXkp7E8SwBw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,8,'8fe39efea9a767f6ddefffd6a09ec0f919de9bf5e62f1cebe9ddc086d93764d5','e3e7e75b-253b-4bd9-bcbf-aa8d2d9688f0','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611281249,'6','7 0',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"Another title","type":"card.update"},"commandId":"e3e7e75b-253b-4bd9-bcbf-aa8d2d9688f0","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["df372baf264ce492edc57b38391a878856beddf241f3f4da12c0b549d7c37c06"]},"issuedAtMs":1795611281249,"schemaVersion":"2","signature":"fy7E7lA2TqipsPIXVYTXrjk5Bed8UUCVgS6h0DS3fuJmHLqoPOyp0ZbEjD6Ep12/0UQINxB1Di+/G4RWNDhFAg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_tips VALUES(1,'','4c6f6945db1a8af64e5a15735eee0a46d7d37642ecf4e1a7a40b000b1da15d88',7);
INSERT INTO kbd_tips VALUES(1,'','8fe39efea9a767f6ddefffd6a09ec0f919de9bf5e62f1cebe9ddc086d93764d5',8);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','4c6f6945db1a8af64e5a15735eee0a46d7d37642ecf4e1a7a40b000b1da15d88',7);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','8fe39efea9a767f6ddefffd6a09ec0f919de9bf5e62f1cebe9ddc086d93764d5',8);
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','+',1,'null');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','archived',1,'false');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','title',1,'"Plans"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','+',3,'null');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','archived',3,'false');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','bodyHash',3,'"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','claim',6,'{"agent":"ada","claimId":"33333333-2222-4333-8444-000000000001","expiresAtMs":1795611341013,"leaseMs":60000,"of":"df372baf264ce492edc57b38391a878856beddf241f3f4da12c0b549d7c37c06","type":"claim.acquire"}');
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
INSERT INTO kbd_views VALUES(1,'cards','33333333-2222-4333-8444-000000000003','{"cardId":"33333333-2222-4333-8444-000000000003","title":"One title","bodyHash":"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675","place":{"boardId":"33333333-2222-4333-8444-000000000001","columnId":"33333333-2222-4333-8444-000000000002","rank":"V"},"priority":null,"assignee":null,"archived":false,"labels":[],"claim":"33333333-2222-4333-8444-000000000001"}',0,'33333333-2222-4333-8444-000000000001','33333333-2222-4333-8444-000000000002');
INSERT INTO kbd_views VALUES(1,'comments','33333333-2222-4333-8444-000000000004','{"commentId":"33333333-2222-4333-8444-000000000004","cardId":"33333333-2222-4333-8444-000000000003","bodyHash":null,"redacted":true,"issuedAtMs":1795611280949,"deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}',0,'33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_views VALUES(1,'claims','df372baf264ce492edc57b38391a878856beddf241f3f4da12c0b549d7c37c06','{"claimId":"33333333-2222-4333-8444-000000000001","cardId":"33333333-2222-4333-8444-000000000003","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","agent":"ada","leaseMs":60000,"expiresAtMs":1795611341013,"tie":"3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556","generation":1,"state":"held"}',0,'33333333-2222-4333-8444-000000000001','33333333-2222-4333-8444-000000000003');
INSERT INTO kbd_views VALUES(1,'conflicts','0cec9f497e69e6a9cf71608c6159ba0fad7e831fd72bc6282a1807360aa6b3d8','{"conflictId":"0cec9f497e69e6a9cf71608c6159ba0fad7e831fd72bc6282a1807360aa6b3d8","kind":"field","entity":{"type":"card","id":"33333333-2222-4333-8444-000000000003"},"register":"card/33333333-2222-4333-8444-000000000003/title","candidates":[{"id":"4c6f6945db1a8af64e5a15735eee0a46d7d37642ecf4e1a7a40b000b1da15d88","value":"One title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795611281159},{"id":"8fe39efea9a767f6ddefffd6a09ec0f919de9bf5e62f1cebe9ddc086d93764d5","value":"Another title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795611281249}],"shown":"4c6f6945db1a8af64e5a15735eee0a46d7d37642ecf4e1a7a40b000b1da15d88"}',0,'card/33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_claims VALUES(1,'33333333-2222-4333-8444-000000000003',6,'df372baf264ce492edc57b38391a878856beddf241f3f4da12c0b549d7c37c06','33333333-2222-4333-8444-000000000001','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ada','3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556',1,1,0,0,0,1795611341013);
INSERT INTO kbd_names VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',1,'comment/33333333-2222-4333-8444-000000000004',1);
INSERT INTO kbd_names VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',1,'card/33333333-2222-4333-8444-000000000003',0);
INSERT INTO kbd_content VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',21,'VGhlIHRleHQgb2YgdGhlIGNhcmQu',NULL,0);
INSERT INTO kbd_content VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',15,'VGhpcyBnb2VzIGF3YXku',1795611280978,1);
INSERT INTO audit VALUES(1,1795611279485,'enrolment','demo','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','owner','ok','38ac53c4075999a0f5fddd77ad1f270fd580eebf65def386956b6e405e2a61c2');
INSERT INTO audit VALUES(2,1795611280726,'command','demo','f1736bf7c894453963b4e4731397646475783ef031bc17f8692bd9eee31457b8','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','17bf6f5f5a2931570fee4d4bffb334df60500452073ffa73bd0f3507bb64008d');
INSERT INTO audit VALUES(3,1795611280874,'command','demo','e5706e4d6682427b85889e960e8736c0ec503b779d32065a3aba9ba6159afb5f','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','49d124b7a4ad07bdb71e66cdeb3983f339190ea324415ccb79d92933ede825ab');
INSERT INTO audit VALUES(4,1795611280914,'command','demo','36399e6222f95f5e45456e1cac9a50e67a9c1f0dbaf4159256d8a9028ee38ce9','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','a498e65961e6fae63df5dafb9829cb6c93d9cc44e102ade128d5fc39653b3636');
INSERT INTO audit VALUES(5,1795611280956,'command','demo','45f64b9082930bc20867a844655f4a0ff16f279a4c9bfa634215609a8d56de30','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','d4c02670fbda22218c143350a6bdcc898f00f9a57fb06282dfda2633996c1005');
INSERT INTO audit VALUES(6,1795611280978,'command','demo','0c6f47e2d214431ba634f2fd49b984f61cc5a87b26edb30bbd6c1a4455bb6870','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','ced6ec1a06d9777f376b95efe45f5279429d05f64c9e607e4303e468895cfc12');
INSERT INTO audit VALUES(7,1795611281034,'claim','demo','df372baf264ce492edc57b38391a878856beddf241f3f4da12c0b549d7c37c06','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','4a71c70a754e9629f42adecc4304f52af1236e3aacff4f8439a7d6d5d9011e14');
INSERT INTO audit VALUES(8,1795611281222,'command','demo','4c6f6945db1a8af64e5a15735eee0a46d7d37642ecf4e1a7a40b000b1da15d88','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','2504766e412ad8770fc64aac544651b7d916042548feaaeb08a5ee7fc2435548');
INSERT INTO audit VALUES(9,1795611281257,'command','demo','8fe39efea9a767f6ddefffd6a09ec0f919de9bf5e62f1cebe9ddc086d93764d5','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','f19560ac4166a3ecff89c68e5ed205dbdb28d2b6c552889263f71e88b7efc420');
INSERT INTO audit VALUES(10,1795611281257,'fork','demo','8fe39efea9a767f6ddefffd6a09ec0f919de9bf5e62f1cebe9ddc086d93764d5','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','device_forked','a12bef169cccc4d86bca7c28c33e3abaa07c4096296b63924a1fbd4f08162f0e');
INSERT INTO audit VALUES(11,1795611281278,'push','demo','1955aca1-868b-4c54-a852-94312cbd7ba2','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','342c9e953878adde3447a711b1041423a9ea8ff3a7eaf20b01bb0a7079bd6ebd');
INSERT INTO audit VALUES(12,1795611282453,'peer',NULL,'1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','owner','ok','d072db8dfb15ca3840ad8ba183855c591802d0505a33f34709228606240c44af');
INSERT INTO audit_checkpoints VALUES(12,'d072db8dfb15ca3840ad8ba183855c591802d0505a33f34709228606240c44af',1795611285123,'1be45079ee2056527e4e3913c0f852528b1569bbd2755d7677fdf2f9c6c7fba3','iEPmWhS1uioUl+0o96dh699IEAt+xfE0RscpZqSzMsO09tx52q5y6HBeNCuEK8zvsQvA96w7b7xRVfFPKVt/Ag==');
INSERT INTO kbd_content_ways VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af','demo','',0,1795611280978);
INSERT INTO kbd_content_ways VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675','demo','',0,NULL);
INSERT INTO peers VALUES('1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','lamp','["192.0.2.7:8420"]','["demo"]',2550308069284324);
INSERT INTO peer_pairings VALUES('63346238623765613830636530346462656233303662643332346637316533323131626166356530366431353562383131323362376138393866376132383932',NULL,'["demo"]',0,1795611883999,NULL,2467825897740935);
CREATE INDEX receipts_open ON receipts (broadcast_at_ms) WHERE envelope IS NOT NULL;
CREATE INDEX run_appends_of_run ON run_appends (run, position);
CREATE VIEW runs AS SELECT DISTINCT run FROM run_appends WHERE gone = 0;
CREATE UNIQUE INDEX kbd_command_positions ON kbd_commands (p, pos);
CREATE INDEX kbd_command_ids ON kbd_commands (command_id);
CREATE INDEX kbd_views_a ON kbd_views (p, a, map);
CREATE INDEX kbd_views_b ON kbd_views (p, b, map);
CREATE INDEX kbd_claim_ids ON kbd_claims (p, claim_id);
CREATE INDEX kbd_claims_open ON kbd_claims (p, card) WHERE ended = 0;
CREATE INDEX kbd_claims_live ON kbd_claims (device, expires_at_ms) WHERE lost = 0 AND ended = 0 AND released = 0;
CREATE INDEX kbd_names_entity ON kbd_names (p, entity);
CREATE INDEX kbd_content_unwanted ON kbd_content (unwanted_since_ms) WHERE unwanted_since_ms IS NOT NULL;
CREATE INDEX kbd_content_ways_unwanted ON kbd_content_ways (unwanted_since_ms, origin, cost)
    WHERE unwanted_since_ms IS NOT NULL;
CREATE INDEX peer_inbox_touched ON peer_inbox (touched_at_ms);
CREATE INDEX peer_inbox_waiting ON peer_inbox (peer) WHERE state = 'received';
CREATE UNIQUE INDEX peer_staged_ids ON peer_staged (inbox, id);
CREATE INDEX outbox_again ON outbox (endpoint_id, next_attempt_at_ms) WHERE attempts > 0;
