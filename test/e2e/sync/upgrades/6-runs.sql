-- commit: 0c0a0d1e
-- known: {"push":"315a306a-73a7-43be-82d7-67f1f50a24a2","receipt":{"schemaVersion":"1.7","pushId":"315a306a-73a7-43be-82d7-67f1f50a24a2","canonicalPayloadHash":"13fe1f6e28db6ff283a8b05fbd93180e8d9b96dd2cc65931e86124eca65d64d6","domain":"kbd-control:demo","targets":[],"localState":"applied_locally","frontier":{"heads":["492024717b285eee11aaa202fa3140487444f6a71c4ac54f4a8e77055ab1ac8f","bfd62ebc2c9703ee56bf36ad5cacc48271fd9758fe400f0820a0c6e0ff15f94a"]},"revision":8,"origin":null,"perPeer":{},"createdAtMs":1795611258253,"updatedAtMs":1795611258253,"events":[{"sequence":1,"kind":"accepted","atMs":1795611258253,"localState":"accepted"},{"sequence":2,"kind":"prepared","atMs":1795611258253,"localState":"prepared"},{"sequence":3,"kind":"applied_locally","atMs":1795611258253,"localState":"applied_locally"}]},"frontier":{"heads":["492024717b285eee11aaa202fa3140487444f6a71c4ac54f4a8e77055ab1ac8f","bfd62ebc2c9703ee56bf36ad5cacc48271fd9758fe400f0820a0c6e0ff15f94a"]},"key":"svc_C10T6xKJXqnOraxj_0xc0lbuywA3SUybHfL57na7hX4Za1jTvZ6gKFArFzuY48MKle","run":{"run_id":"an-old-run","thread_id":"thread_yaramk7lvqrlipww","owner":{"user_id":"ada","tenant_id":"default"},"created_at_ms":1795611261089,"epoch":"gytg7h73","status":"running","ended_at_ms":null,"first_seq":1,"last_seq":2}}
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
INSERT INTO meta VALUES('created_by','svc');
INSERT INTO meta VALUES('migration:auth.keys','independent');
INSERT INTO meta VALUES('migration:kbd.boards','needed');
INSERT INTO meta VALUES('migration:peer.outbox','needed');
INSERT INTO meta VALUES('migration:peer.registry','needed');
INSERT INTO meta VALUES('migration:realtime.runs','independent');
INSERT INTO meta VALUES('migration:sync.receipts','needed');
INSERT INTO meta VALUES('migration:sync.sums','needed');
INSERT INTO projects VALUES('demo','[]',1795611254521,485041403131120);
INSERT INTO devices VALUES('ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','1a65fc75-6f0f-43f2-9d4e-cc17a9982198','["kbd-control:demo"]','old','active',1795611254521,NULL,NULL,NULL,631581025466045);
INSERT INTO receipts VALUES(1,'315a306a-73a7-43be-82d7-67f1f50a24a2','13fe1f6e28db6ff283a8b05fbd93180e8d9b96dd2cc65931e86124eca65d64d6','kbd-control:demo','[]','applied_locally','{}','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','1Xl09wKCV9MyTp4w6hboHd2PqedADHSHHSLwaroATqFVUXWlILS3iipgJBeqh3kmgGKYLlR7a2LHA0n9lCNCCQ==',NULL,3,1795611258253,1795611258253,NULL,'{"heads":["492024717b285eee11aaa202fa3140487444f6a71c4ac54f4a8e77055ab1ac8f","bfd62ebc2c9703ee56bf36ad5cacc48271fd9758fe400f0820a0c6e0ff15f94a"]}',8,NULL,3810092982796164);
INSERT INTO events VALUES(1,1,'{"sequence":1,"kind":"accepted","atMs":1795611258253,"localState":"accepted"}',4173520671788650);
INSERT INTO events VALUES(1,2,'{"sequence":2,"kind":"prepared","atMs":1795611258253,"localState":"prepared"}',105707121430277);
INSERT INTO events VALUES(1,3,'{"sequence":3,"kind":"applied_locally","atMs":1795611258253,"localState":"applied_locally"}',590825145180847);
INSERT INTO api_keys VALUES(1,'C10T6xKJXqnOraxj','{"name":"old","owner":{"user":"ada","tenant":"default"},"scopes":[],"hash":"$argon2id$v=19$m=19456,t=2,p=1$D4mcZlG5aJseTHlya73wAw$1UDk7R9aDx9nt4prpwl+ORKU/nEKHWdsfwUK+8+poKE"}',1795611260406,2110971260406,NULL,NULL,3269330287450916);
INSERT INTO run_appends VALUES(1,'["default","ada","an-old-run"]',0,'{"id":"jc4zrmnpb4aqu6wr","record":{"run_id":"an-old-run","thread_id":"thread_yaramk7lvqrlipww","owner":{"user_id":"ada","tenant_id":"default"},"status":"running","created_at_ms":1795611261089,"ended_at_ms":null,"first_seq":1,"last_seq":0,"epoch":"gytg7h73"},"bytes":8192,"gone":false}','',2139189031635958);
INSERT INTO run_appends VALUES(2,'["default","ada","an-old-run"]',0,'{"id":"cpxftu7dbijusv7n","record":{"run_id":"an-old-run","thread_id":"thread_yaramk7lvqrlipww","owner":{"user_id":"ada","tenant_id":"default"},"created_at_ms":1795611261089,"epoch":"gytg7h73","status":"running","ended_at_ms":null,"first_seq":1,"last_seq":2},"bytes":9532,"gone":false}','{"type":"RUN_STARTED","threadId":"t","runId":"an-old-run"}
{"type":"CUSTOM","name":"old","value":1}',3256063969372026);
INSERT INTO sqlite_sequence VALUES('run_appends',2);
INSERT INTO kbd_projects VALUES(1,'demo','cb1bfe1ada88932c4c69abbd45aa40f672e830c099c8f8ea34ee02743f2d7965',8,2);
INSERT INTO kbd_commands VALUES(1,1,'cb1bfe1ada88932c4c69abbd45aa40f672e830c099c8f8ea34ee02743f2d7965','663ee3a4-813f-4f28-996a-f10636b6a969','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611257410,'','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","title":"Plans","type":"board.create"},"commandId":"663ee3a4-813f-4f28-996a-f10636b6a969","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":[]},"issuedAtMs":1795611257410,"schemaVersion":"2","signature":"mHqN7B6aLLCdPzXawtjfjuxpFLwuDz9y1i6/XkBvPcGXglJScB3+tcNnRgjhmQSOA4MS8Uu0/3L+izvXQ7bVDw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,2,'8d56f98fbfcbdec076d8958ee565096709af095063b0486b31c1a46e7a8312b0','ed66d51c-237c-4ff6-8eaf-0e28002d9e02','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611257574,'1','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"Doing","type":"column.create"},"commandId":"ed66d51c-237c-4ff6-8eaf-0e28002d9e02","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["cb1bfe1ada88932c4c69abbd45aa40f672e830c099c8f8ea34ee02743f2d7965"]},"issuedAtMs":1795611257574,"schemaVersion":"2","signature":"jN7fSnjDPsfPPb2nLbg4UqSotYwKmOXW4wMOhvX7vpGfKwgT9IiX43GVLxrIexZQc2oZPCpSSdDdqEsXd3RbDw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,3,'4359714339aac3a0d94ee0e3c86b4cc65e24d63aa41a4e27b9e12228c03a496a','7970eea0-803f-484e-8dd5-b5fbed677918','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611257695,'2','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","bodyHash":"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675","cardId":"33333333-2222-4333-8444-000000000003","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"An old card","type":"card.create"},"commandId":"7970eea0-803f-484e-8dd5-b5fbed677918","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["8d56f98fbfcbdec076d8958ee565096709af095063b0486b31c1a46e7a8312b0"]},"issuedAtMs":1795611257695,"schemaVersion":"2","signature":"rWdJ7W2V3HUV6nd+O3IhmCe1AKLxJhoKd6c7y6pjy8idTbcbLeOrA9uaGODn9sudVT49a/oUSuUMD3zSQ9SPBA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,4,'6484ed6b6b082aaea4cd52416ba992b27e5affc54b099f1b79b0522f321bbf11','80904a3d-1815-4aa2-9ff2-a7a85867fe59','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611257825,'3','',0,NULL,'{"command":{"bodyHash":"80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af","cardId":"33333333-2222-4333-8444-000000000003","commentId":"33333333-2222-4333-8444-000000000004","type":"comment.add"},"commandId":"80904a3d-1815-4aa2-9ff2-a7a85867fe59","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["4359714339aac3a0d94ee0e3c86b4cc65e24d63aa41a4e27b9e12228c03a496a"]},"issuedAtMs":1795611257825,"schemaVersion":"2","signature":"8g7kd4ykZqGHQaJhbuBzTbkgjjZx2SNiOziBUmXP37Vn4x+smOg3CINNfwEAUE867toDSjg4WSCGGsRC/KCsCw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,5,'7ef23bed19d65f4ef7e4c06b93796978eae88cafa81a9bae665c22af7ff8a874','f900a6c3-aaa9-4bcc-9336-449dc7a7768c','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611257920,'4','',0,NULL,'{"command":{"commentId":"33333333-2222-4333-8444-000000000004","type":"comment.redact"},"commandId":"f900a6c3-aaa9-4bcc-9336-449dc7a7768c","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["6484ed6b6b082aaea4cd52416ba992b27e5affc54b099f1b79b0522f321bbf11"]},"issuedAtMs":1795611257920,"schemaVersion":"2","signature":"48i6PZ1Ovwmn/2c1DUImz6H8b2sIZ46ITiKdqtscXxIRc2v9L99R6KzWWo/Km2GIJi/1vvD3mdbYf2q0n8rOCA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,6,'65f07a16077deccc8198a804f69216abc908f284796562fd59dd45e9ee19af7d','193edd99-f31d-46d6-9f67-73103e56fb68','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611257962,'5','',0,NULL,'{"command":{"agent":"ada","cardId":"33333333-2222-4333-8444-000000000003","claimId":"33333333-2222-4333-8444-000000000001","leaseMs":60000,"type":"claim.acquire"},"commandId":"193edd99-f31d-46d6-9f67-73103e56fb68","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["7ef23bed19d65f4ef7e4c06b93796978eae88cafa81a9bae665c22af7ff8a874"]},"issuedAtMs":1795611257962,"schemaVersion":"2","signature":"uJjxcI9kUOoREk/e8ry4iJ2v9zEgf7/LN6z0pGMiWt9lJd827670NUOd9rekCNyMsScQWxDiuH3/mllY6MTDCA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,7,'bfd62ebc2c9703ee56bf36ad5cacc48271fd9758fe400f0820a0c6e0ff15f94a','67a1e4ff-d31c-4349-b33c-e4f17fe4edba','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611258066,'6','',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"One title","type":"card.update"},"commandId":"67a1e4ff-d31c-4349-b33c-e4f17fe4edba","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["65f07a16077deccc8198a804f69216abc908f284796562fd59dd45e9ee19af7d"]},"issuedAtMs":1795611258066,"schemaVersion":"2","signature":"TNl0LNcQoxQbkw6wuBaNFZgBjlF1UUESZDAx97AGg4ABPy0Mw5Q5+Py6IUC9ruutLU67V4trInjS3oDiK/YfBw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,8,'492024717b285eee11aaa202fa3140487444f6a71c4ac54f4a8e77055ab1ac8f','fc97743e-1c5f-4f5e-9943-b3a1e854987a','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611258152,'6','7 0',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"Another title","type":"card.update"},"commandId":"fc97743e-1c5f-4f5e-9943-b3a1e854987a","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["65f07a16077deccc8198a804f69216abc908f284796562fd59dd45e9ee19af7d"]},"issuedAtMs":1795611258152,"schemaVersion":"2","signature":"AHyjK9nzX7Dd8hsW0dV/8b4zgZsQTKeX1DP+Ni0b6kf/35JurbwSEL/aJhBkfnzaEDz/8qLziniCy4Qa4YKGCA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_tips VALUES(1,'','492024717b285eee11aaa202fa3140487444f6a71c4ac54f4a8e77055ab1ac8f',8);
INSERT INTO kbd_tips VALUES(1,'','bfd62ebc2c9703ee56bf36ad5cacc48271fd9758fe400f0820a0c6e0ff15f94a',7);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','492024717b285eee11aaa202fa3140487444f6a71c4ac54f4a8e77055ab1ac8f',8);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','bfd62ebc2c9703ee56bf36ad5cacc48271fd9758fe400f0820a0c6e0ff15f94a',7);
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','+',1,'null');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','archived',1,'false');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','title',1,'"Plans"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','+',3,'null');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','archived',3,'false');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','bodyHash',3,'"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','claim',6,'{"agent":"ada","claimId":"33333333-2222-4333-8444-000000000001","expiresAtMs":1795611317962,"leaseMs":60000,"of":"65f07a16077deccc8198a804f69216abc908f284796562fd59dd45e9ee19af7d","type":"claim.acquire"}');
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
INSERT INTO kbd_views VALUES(1,'comments','33333333-2222-4333-8444-000000000004','{"commentId":"33333333-2222-4333-8444-000000000004","cardId":"33333333-2222-4333-8444-000000000003","bodyHash":null,"redacted":true,"issuedAtMs":1795611257825,"deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}',0,'33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_views VALUES(1,'claims','65f07a16077deccc8198a804f69216abc908f284796562fd59dd45e9ee19af7d','{"claimId":"33333333-2222-4333-8444-000000000001","cardId":"33333333-2222-4333-8444-000000000003","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","agent":"ada","leaseMs":60000,"expiresAtMs":1795611317962,"tie":"3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556","generation":1,"state":"held"}',0,'33333333-2222-4333-8444-000000000001','33333333-2222-4333-8444-000000000003');
INSERT INTO kbd_views VALUES(1,'conflicts','5bcc8750b3c0b3324b49b5a7a01fdf7a689c9a040ac891f64fbc1bece94a43ae','{"conflictId":"5bcc8750b3c0b3324b49b5a7a01fdf7a689c9a040ac891f64fbc1bece94a43ae","kind":"field","entity":{"type":"card","id":"33333333-2222-4333-8444-000000000003"},"register":"card/33333333-2222-4333-8444-000000000003/title","candidates":[{"id":"492024717b285eee11aaa202fa3140487444f6a71c4ac54f4a8e77055ab1ac8f","value":"Another title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795611258152},{"id":"bfd62ebc2c9703ee56bf36ad5cacc48271fd9758fe400f0820a0c6e0ff15f94a","value":"One title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795611258066}],"shown":"492024717b285eee11aaa202fa3140487444f6a71c4ac54f4a8e77055ab1ac8f"}',0,'card/33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_claims VALUES(1,'33333333-2222-4333-8444-000000000003',6,'65f07a16077deccc8198a804f69216abc908f284796562fd59dd45e9ee19af7d','33333333-2222-4333-8444-000000000001','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ada','3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556',1,1,0,0,0,1795611317962);
INSERT INTO kbd_names VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',1,'comment/33333333-2222-4333-8444-000000000004',1);
INSERT INTO kbd_names VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',1,'card/33333333-2222-4333-8444-000000000003',0);
INSERT INTO kbd_content VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',21,'VGhlIHRleHQgb2YgdGhlIGNhcmQu',NULL,NULL);
INSERT INTO kbd_content VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',15,'VGhpcyBnb2VzIGF3YXku',NULL,1795611257929);
INSERT INTO audit VALUES(1,1795611254521,'enrolment','demo','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','owner','ok','7afbd22feec7340948dc4e47481a6bcf8d1b14c3a2911d8e405e5f29a1646382');
INSERT INTO audit VALUES(2,1795611257513,'command','demo','cb1bfe1ada88932c4c69abbd45aa40f672e830c099c8f8ea34ee02743f2d7965','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','751f62da30e0a33d98cc3f6f2b8c0e3da8f5831f5b2b0474f27c39371416d075');
INSERT INTO audit VALUES(3,1795611257592,'command','demo','8d56f98fbfcbdec076d8958ee565096709af095063b0486b31c1a46e7a8312b0','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','a544147d7c9d47f6f69a3c381069a6c58bfa2c31e013970a31715f3baf6b98df');
INSERT INTO audit VALUES(4,1795611257761,'command','demo','4359714339aac3a0d94ee0e3c86b4cc65e24d63aa41a4e27b9e12228c03a496a','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','b0fbc2c6b1d4bf1f972481aa4376ee23142e647e05e4ae09b7a5120bbcb3e229');
INSERT INTO audit VALUES(5,1795611257865,'command','demo','6484ed6b6b082aaea4cd52416ba992b27e5affc54b099f1b79b0522f321bbf11','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','c37f632802d7d03cb6aad0012d48513a9b54810e3f7fadf3c432260f75b5ea5d');
INSERT INTO audit VALUES(6,1795611257929,'command','demo','7ef23bed19d65f4ef7e4c06b93796978eae88cafa81a9bae665c22af7ff8a874','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','6be16f040de155a0e5a4bd5d6bd5851312d59aff532462248d83444571bc045f');
INSERT INTO audit VALUES(7,1795611257979,'claim','demo','65f07a16077deccc8198a804f69216abc908f284796562fd59dd45e9ee19af7d','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','4b00835bee017b067c54d1ee077705c9ffa0d4e7ee272f3059e7e3219289b1d5');
INSERT INTO audit VALUES(8,1795611258098,'command','demo','bfd62ebc2c9703ee56bf36ad5cacc48271fd9758fe400f0820a0c6e0ff15f94a','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','7f8345cc35b7bc9d6e65724e8044f2a9e3ee5034350dc1d562994ccae74b5346');
INSERT INTO audit VALUES(9,1795611258167,'command','demo','492024717b285eee11aaa202fa3140487444f6a71c4ac54f4a8e77055ab1ac8f','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','d63d0346a6429394f48daa05c98ba499f76c6e16022c4ac506aeafbcb8f1378a');
INSERT INTO audit VALUES(10,1795611258167,'fork','demo','492024717b285eee11aaa202fa3140487444f6a71c4ac54f4a8e77055ab1ac8f','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','device_forked','b770ac46cf135b081e5bfe1017722e6fb09001b6a922a43401d386e0a8cdb02c');
INSERT INTO audit VALUES(11,1795611258253,'push','demo','315a306a-73a7-43be-82d7-67f1f50a24a2','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','f5d27d0c9203cd36b1b0f903733be021771d7acf7393f7ec13cbf2ac13b4b5d2');
INSERT INTO audit VALUES(12,1795611259320,'peer',NULL,'1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','owner','ok','90e31274c0f088157581f9cab2a6552d006d070f3ba1cf7993a86cc2a1952803');
INSERT INTO audit_checkpoints VALUES(12,'90e31274c0f088157581f9cab2a6552d006d070f3ba1cf7993a86cc2a1952803',1795611261208,'d4988b3f3ba4bd034d621d453b2c14f96124f114787b0554054f4ab06cf1f54d','j1+sTUJTYCVvpAqYGZ9TDiKk+TBUl/HQ4KgOdXcXtVShRPeR8KiowiXEjhxxXtEZTEevuaN/+HZmySFqSPqMCw==');
INSERT INTO peers VALUES('1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','lamp','["192.0.2.7:8420"]','["demo"]',2550308069284324);
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
CREATE INDEX peer_inbox_touched ON peer_inbox (touched_at_ms);
CREATE INDEX peer_inbox_waiting ON peer_inbox (peer) WHERE state = 'received';
CREATE UNIQUE INDEX peer_staged_ids ON peer_staged (inbox, id);
CREATE INDEX outbox_again ON outbox (endpoint_id, next_attempt_at_ms) WHERE attempts > 0;
