-- commit: a85813cd
-- known: {"push":"984cf880-bc9d-48b7-abc7-1c63e8f798f4","receipt":{"schemaVersion":"1.7","pushId":"984cf880-bc9d-48b7-abc7-1c63e8f798f4","canonicalPayloadHash":"e41d40c487e94db864857f223b16dd2d12a7ae7cd6a1e5b5705d007b0041c201","domain":"kbd-control:demo","targets":[],"localState":"applied_locally","frontier":{"heads":["261c91f6f777f75f074469f659d209e819c3597a6ac7660f887fecb2bfafee11","9dfaa8743e6402a81899e9df921d4a6ad74a65cb87b92adfe8d9c8095d9e3fb3"]},"revision":8,"origin":null,"perPeer":{},"createdAtMs":1795820022595,"updatedAtMs":1795820022595,"events":[{"sequence":1,"kind":"accepted","atMs":1795820022595,"localState":"accepted"},{"sequence":2,"kind":"prepared","atMs":1795820022595,"localState":"prepared"},{"sequence":3,"kind":"applied_locally","atMs":1795820022595,"localState":"applied_locally"}]},"frontier":{"heads":["261c91f6f777f75f074469f659d209e819c3597a6ac7660f887fecb2bfafee11","9dfaa8743e6402a81899e9df921d4a6ad74a65cb87b92adfe8d9c8095d9e3fb3"]},"key":"svc_NEM1l3aAiAqcVeZv_4BNJ96zK7Deh3fdy0xeZiHn4CkU6NYBFvIbc3XfiQGZ2EzokJ","run":{"run_id":"an-old-run","thread_id":"thread_k3nwr2xm3zmcnvza","owner":{"user_id":"ada","tenant_id":"default"},"created_at_ms":1795820023679,"epoch":"vxkzhntw","status":"running","ended_at_ms":null,"first_seq":1,"last_seq":2},"revoked":"eve"}
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
INSERT INTO meta VALUES('created_by','svc');
INSERT INTO meta VALUES('mark','5c08ece474b99045a8d590807aec1a81');
INSERT INTO meta VALUES('migration:auth.keys','independent');
INSERT INTO meta VALUES('migration:auth.revocations','independent');
INSERT INTO meta VALUES('migration:kbd.boards','needed');
INSERT INTO meta VALUES('migration:kbd.claim-spans','needed');
INSERT INTO meta VALUES('migration:kbd.content-ways','needed');
INSERT INTO meta VALUES('migration:peer.joins','independent');
INSERT INTO meta VALUES('migration:peer.outbox','needed');
INSERT INTO meta VALUES('migration:peer.pairings','needed');
INSERT INTO meta VALUES('migration:peer.registry','needed');
INSERT INTO meta VALUES('migration:realtime.runs','independent');
INSERT INTO meta VALUES('migration:sync.receipts','needed');
INSERT INTO meta VALUES('migration:sync.sums','needed');
INSERT INTO projects VALUES('demo','[]',1795820021425,485041403131120);
INSERT INTO devices VALUES('ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','dcbbed59-b7bb-4fc6-b215-6fdaeda1a6e9','["kbd-control:demo"]','old','active',1795820021425,NULL,NULL,NULL,784036218732341);
INSERT INTO receipts VALUES(1,'984cf880-bc9d-48b7-abc7-1c63e8f798f4','e41d40c487e94db864857f223b16dd2d12a7ae7cd6a1e5b5705d007b0041c201','kbd-control:demo','[]','applied_locally','{}','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','XS2jNW7zPlgCfWrPz1HpWebZwrdqXPi2fcM1bX1BvEUGfShctSumlRulWw/klYpOcR+siYT69qZjfxMhjKMzDQ==',NULL,3,1795820022595,1795820022595,NULL,'{"heads":["261c91f6f777f75f074469f659d209e819c3597a6ac7660f887fecb2bfafee11","9dfaa8743e6402a81899e9df921d4a6ad74a65cb87b92adfe8d9c8095d9e3fb3"]}',8,NULL,4440567426841146);
INSERT INTO events VALUES(1,1,'{"sequence":1,"kind":"accepted","atMs":1795820022595,"localState":"accepted"}',1942974271894607);
INSERT INTO events VALUES(1,2,'{"sequence":2,"kind":"prepared","atMs":1795820022595,"localState":"prepared"}',2313923953571371);
INSERT INTO events VALUES(1,3,'{"sequence":3,"kind":"applied_locally","atMs":1795820022595,"localState":"applied_locally"}',1067217707816380);
INSERT INTO api_keys VALUES(1,'NEM1l3aAiAqcVeZv','{"name":"old","owner":{"user":"ada","tenant":"default"},"scopes":["svc:users:revoke"],"hash":"$argon2id$v=19$m=19456,t=2,p=1$c2uNTiPCKE7/X3M7gnZ+vA$6b4g0CyQObPKOyFN9hvNG6cozzu2LPpNmbdYk8Yi5us"}',1795820023416,2111180023416,NULL,NULL,470111581223150);
INSERT INTO revocations VALUES('["default","eve",null]',1795820023717,1795820023717,1795820023717,NULL,NULL,1921493507995229);
INSERT INTO run_appends VALUES(1,'["default","ada","an-old-run"]',0,'{"id":"tgqeaujdhmg7kvfn","record":{"run_id":"an-old-run","thread_id":"thread_k3nwr2xm3zmcnvza","owner":{"user_id":"ada","tenant_id":"default"},"status":"running","created_at_ms":1795820023679,"ended_at_ms":null,"first_seq":1,"last_seq":0,"epoch":"vxkzhntw"},"bytes":8192,"gone":false}','',2200762810712758);
INSERT INTO run_appends VALUES(2,'["default","ada","an-old-run"]',0,'{"id":"vviabs46mcquhw4a","record":{"run_id":"an-old-run","thread_id":"thread_k3nwr2xm3zmcnvza","owner":{"user_id":"ada","tenant_id":"default"},"created_at_ms":1795820023679,"epoch":"vxkzhntw","status":"running","ended_at_ms":null,"first_seq":1,"last_seq":2},"bytes":9532,"gone":false}','{"type":"RUN_STARTED","threadId":"t","runId":"an-old-run"}
{"type":"CUSTOM","name":"old","value":1}',1287002090477510);
INSERT INTO sqlite_sequence VALUES('run_appends',2);
INSERT INTO kbd_projects VALUES(1,'demo','7a59e80d7db54bbdc73cdc2041726643791ec553500a266f44592cd77f278e3f',8,2);
INSERT INTO kbd_commands VALUES(1,1,'7a59e80d7db54bbdc73cdc2041726643791ec553500a266f44592cd77f278e3f','04b90114-61fc-4ec7-9c62-de6b07632068','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795820022002,'','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","title":"Plans","type":"board.create"},"commandId":"04b90114-61fc-4ec7-9c62-de6b07632068","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":[]},"issuedAtMs":1795820022002,"schemaVersion":"2","signature":"zk7QzxgxuH8H2DY+XFCAk2mOPCj/V+hGle31Qgbjx8U+YHQdBlv6Umc8tLCk9AxJe7hHJv+dRZGnM7fD6ofLAA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,2,'e2aa58383c0da8f0150fb1d9157f61f76ef456618128d0b99b27fdb33a59ddc4','8fa61b73-1228-4c2d-8b16-e06e946aa02b','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795820022123,'1','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"Doing","type":"column.create"},"commandId":"8fa61b73-1228-4c2d-8b16-e06e946aa02b","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["7a59e80d7db54bbdc73cdc2041726643791ec553500a266f44592cd77f278e3f"]},"issuedAtMs":1795820022123,"schemaVersion":"2","signature":"3nWbow/OcTo7ISiuXVvq3At3lODL6cUBTmprIHpo2Gt75Y26MEGLw4mgGLcR8FyZXud51GmyFOJFpzTAq964Bw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,3,'af25c7d313e4a4868c790a6ad77af5a6a661f4550a6358b304cdab679018acdc','d7f8398d-57f9-4b1b-ada7-f1ffad99b99a','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795820022146,'2','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","bodyHash":"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675","cardId":"33333333-2222-4333-8444-000000000003","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"An old card","type":"card.create"},"commandId":"d7f8398d-57f9-4b1b-ada7-f1ffad99b99a","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["e2aa58383c0da8f0150fb1d9157f61f76ef456618128d0b99b27fdb33a59ddc4"]},"issuedAtMs":1795820022146,"schemaVersion":"2","signature":"/7CZSMLhxYoRXXGQidNVBkLVmi/Q4OoKyTIA1nEDGVSgB1FZ8eLzkch7wzx39eQHuU7OLQSuMzVxjJ3NXrS9Bw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,4,'9ebdce4f5e299f10537230d57bf3b90f144a6f2399207fc0e6f23dca5291eb86','812c33fa-ea56-49c3-9705-7be1f131f1b4','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795820022271,'3','',0,NULL,'{"command":{"bodyHash":"80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af","cardId":"33333333-2222-4333-8444-000000000003","commentId":"33333333-2222-4333-8444-000000000004","type":"comment.add"},"commandId":"812c33fa-ea56-49c3-9705-7be1f131f1b4","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["af25c7d313e4a4868c790a6ad77af5a6a661f4550a6358b304cdab679018acdc"]},"issuedAtMs":1795820022271,"schemaVersion":"2","signature":"SYZz29JU8Y8IDQAq0uR5m3BCTneFWUDPzCR3QXS5CrtbZSoDWd9R4igDp5KJsOsoMD4iQwrrCjBwsCX8fnKaDQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,5,'77563fb18278f85a150f2102d4094ba06ab8320eb5a669bee5b672b830a7d315','08dec06d-9051-497c-a811-94a881b386c0','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795820022415,'4','',0,NULL,'{"command":{"commentId":"33333333-2222-4333-8444-000000000004","type":"comment.redact"},"commandId":"08dec06d-9051-497c-a811-94a881b386c0","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["9ebdce4f5e299f10537230d57bf3b90f144a6f2399207fc0e6f23dca5291eb86"]},"issuedAtMs":1795820022415,"schemaVersion":"2","signature":"BOXrMRbntMJB3WY9qr1dGXxPuzcd0ORfAcgxG8Zwqx78J2KMD2nF/FB+G1pLYdOScjZ55Lv5ry/8qUKOotuuCA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,6,'2c0619dc4c366a705f80ae4707fe557b6f090bc689748f95a1cdbaaf6f885e18','faa6a9ab-802f-441c-89dd-e6381bc1c8fd','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795820022457,'5','',0,NULL,'{"command":{"agent":"ada","cardId":"33333333-2222-4333-8444-000000000003","claimId":"33333333-2222-4333-8444-000000000001","leaseMs":60000,"type":"claim.acquire"},"commandId":"faa6a9ab-802f-441c-89dd-e6381bc1c8fd","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["77563fb18278f85a150f2102d4094ba06ab8320eb5a669bee5b672b830a7d315"]},"issuedAtMs":1795820022457,"schemaVersion":"2","signature":"SVOGpSiwhcbsBWXAmGKA6DkbCZVQruw0Br/u2s951yjlqdqQ9P9pK3L8TJII1puqa7dxUGPQIGoa3sC+IzDVAQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,7,'9dfaa8743e6402a81899e9df921d4a6ad74a65cb87b92adfe8d9c8095d9e3fb3','df44130d-fa45-4a56-92d3-0c40fb059511','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795820022509,'6','',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"One title","type":"card.update"},"commandId":"df44130d-fa45-4a56-92d3-0c40fb059511","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["2c0619dc4c366a705f80ae4707fe557b6f090bc689748f95a1cdbaaf6f885e18"]},"issuedAtMs":1795820022509,"schemaVersion":"2","signature":"7yAeOr9fFYQjew1AFvAmpvTjlSICWcRGSOkqJk4R4xv4tB+9bDyf+AYSHkzG88HEd25AdPoqY3QpwnhEEIlyAQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,8,'261c91f6f777f75f074469f659d209e819c3597a6ac7660f887fecb2bfafee11','20b9c21f-7bc3-40a2-bd1c-3f8703d3a65b','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795820022536,'6','7 0',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"Another title","type":"card.update"},"commandId":"20b9c21f-7bc3-40a2-bd1c-3f8703d3a65b","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["2c0619dc4c366a705f80ae4707fe557b6f090bc689748f95a1cdbaaf6f885e18"]},"issuedAtMs":1795820022536,"schemaVersion":"2","signature":"MZzq2MHXreOu8sZEW2hT4oKpH3FZk3e0xM3qnWdIkw4Qk5y+M1Wf8nmbiH3udtAR0w7gSgt66iTNrEdkh4xDCQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_tips VALUES(1,'','261c91f6f777f75f074469f659d209e819c3597a6ac7660f887fecb2bfafee11',8);
INSERT INTO kbd_tips VALUES(1,'','9dfaa8743e6402a81899e9df921d4a6ad74a65cb87b92adfe8d9c8095d9e3fb3',7);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','261c91f6f777f75f074469f659d209e819c3597a6ac7660f887fecb2bfafee11',8);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','9dfaa8743e6402a81899e9df921d4a6ad74a65cb87b92adfe8d9c8095d9e3fb3',7);
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','+',1,'null');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','archived',1,'false');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','title',1,'"Plans"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','+',3,'null');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','archived',3,'false');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','bodyHash',3,'"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','claim',6,'{"agent":"ada","claimId":"33333333-2222-4333-8444-000000000001","expiresAtMs":1795820082457,"leaseMs":60000,"of":"2c0619dc4c366a705f80ae4707fe557b6f090bc689748f95a1cdbaaf6f885e18","type":"claim.acquire"}');
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
INSERT INTO kbd_views VALUES(1,'comments','33333333-2222-4333-8444-000000000004','{"commentId":"33333333-2222-4333-8444-000000000004","cardId":"33333333-2222-4333-8444-000000000003","bodyHash":null,"redacted":true,"issuedAtMs":1795820022271,"deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}',0,'33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_views VALUES(1,'claims','2c0619dc4c366a705f80ae4707fe557b6f090bc689748f95a1cdbaaf6f885e18','{"claimId":"33333333-2222-4333-8444-000000000001","cardId":"33333333-2222-4333-8444-000000000003","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","agent":"ada","leaseMs":60000,"issuedAtMs":1795820022457,"expiresAtMs":1795820082457,"tie":"3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556","generation":1,"state":"held"}',0,'33333333-2222-4333-8444-000000000001','33333333-2222-4333-8444-000000000003');
INSERT INTO kbd_views VALUES(1,'conflicts','e85441ee33f5e8a8126c3ec34aa75d15b00bee4f41dee914e9269d0ad83830e4','{"conflictId":"e85441ee33f5e8a8126c3ec34aa75d15b00bee4f41dee914e9269d0ad83830e4","kind":"field","entity":{"type":"card","id":"33333333-2222-4333-8444-000000000003"},"register":"card/33333333-2222-4333-8444-000000000003/title","candidates":[{"id":"261c91f6f777f75f074469f659d209e819c3597a6ac7660f887fecb2bfafee11","value":"Another title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795820022536},{"id":"9dfaa8743e6402a81899e9df921d4a6ad74a65cb87b92adfe8d9c8095d9e3fb3","value":"One title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795820022509}],"shown":"261c91f6f777f75f074469f659d209e819c3597a6ac7660f887fecb2bfafee11"}',0,'card/33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_names VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',1,'comment/33333333-2222-4333-8444-000000000004',1);
INSERT INTO kbd_names VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',1,'card/33333333-2222-4333-8444-000000000003',0);
INSERT INTO kbd_content VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',21,'VGhlIHRleHQgb2YgdGhlIGNhcmQu',NULL,0);
INSERT INTO kbd_content VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',15,'VGhpcyBnb2VzIGF3YXku',1795820022428,1);
INSERT INTO audit VALUES(1,1795820021425,'enrolment','demo','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','owner','ok','e819f579a5759326b0e477aaceadb3989a9101754a821fe326b11b3bbe7c731d');
INSERT INTO audit VALUES(2,1795820022035,'command','demo','7a59e80d7db54bbdc73cdc2041726643791ec553500a266f44592cd77f278e3f','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','ec0854130f478c23f747c3d003fc98012346d19021e1978a92c90cfa138b0883');
INSERT INTO audit VALUES(3,1795820022134,'command','demo','e2aa58383c0da8f0150fb1d9157f61f76ef456618128d0b99b27fdb33a59ddc4','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','b28059dddc9e244f13ae170df9469451d10ff60cff1f051754f1dd6a1475a6fe');
INSERT INTO audit VALUES(4,1795820022187,'command','demo','af25c7d313e4a4868c790a6ad77af5a6a661f4550a6358b304cdab679018acdc','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','b2848c900a8078dcff67b2ba16996e8bd520dc28340650f70e7761e3471cbb7e');
INSERT INTO audit VALUES(5,1795820022388,'command','demo','9ebdce4f5e299f10537230d57bf3b90f144a6f2399207fc0e6f23dca5291eb86','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','1290654bcd4801b73022288140b2dfb691ade40f34c730442ee3597acdaaa338');
INSERT INTO audit VALUES(6,1795820022428,'command','demo','77563fb18278f85a150f2102d4094ba06ab8320eb5a669bee5b672b830a7d315','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','41216a1d28dc7c049d0226d5d33407e8598d94388d082a8b194220895d49b89a');
INSERT INTO audit VALUES(7,1795820022474,'claim','demo','2c0619dc4c366a705f80ae4707fe557b6f090bc689748f95a1cdbaaf6f885e18','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','e3a42575ddcf80e313a4b3919ae2d63eb1075bb42ef096ffe8652ad62e1cee46');
INSERT INTO audit VALUES(8,1795820022522,'command','demo','9dfaa8743e6402a81899e9df921d4a6ad74a65cb87b92adfe8d9c8095d9e3fb3','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','55f8027e25264c5af8ad85f50e0d4da7f655c15000aa7f4ea617b32db3363967');
INSERT INTO audit VALUES(9,1795820022548,'command','demo','261c91f6f777f75f074469f659d209e819c3597a6ac7660f887fecb2bfafee11','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','a547f203d151e5e44d1e6972d0c7e56034c7852512dd65b37ca6895a5b88d3bf');
INSERT INTO audit VALUES(10,1795820022548,'fork','demo','261c91f6f777f75f074469f659d209e819c3597a6ac7660f887fecb2bfafee11','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','device_forked','9900e3146d2b8e239593509e7f54887159707ca463101fd2bd43802012584be1');
INSERT INTO audit VALUES(11,1795820022595,'push','demo','984cf880-bc9d-48b7-abc7-1c63e8f798f4','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','1f06ef389faab40b0227a3a47a5d6b47dc51a772e2c2cb2ecf5eb4727c674f44');
INSERT INTO audit VALUES(12,1795820022910,'peer',NULL,'1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','owner','ok','5c7ccab0af892b62de2283e6427afd4156151425fa366a92b52dc44f58ace457');
INSERT INTO audit_checkpoints VALUES(12,'5c7ccab0af892b62de2283e6427afd4156151425fa366a92b52dc44f58ace457',1795820024046,'d27fe83109a3d27093edb15fd3d2d4ea0aba07145a593eea230e7564222b5650','ZiAveS3GG135frjhqwTgi8HVC0t1uXt/yDLI3qcoWkkL7lQFT+SEFZDoVTwxWLbMGQ6+ZwJSsPXchn7/wqN7AQ==');
INSERT INTO kbd_content_ways VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af','demo','',0,1795820022428);
INSERT INTO kbd_content_ways VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675','demo','',0,NULL);
INSERT INTO kbd_claims VALUES(1,'33333333-2222-4333-8444-000000000003',6,'2c0619dc4c366a705f80ae4707fe557b6f090bc689748f95a1cdbaaf6f885e18','33333333-2222-4333-8444-000000000001','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ada','3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556',1,1,0,1795820022457,1795820082457,1795820082457,1795820082457,1795819992457,NULL,0,0,0,0,1795820082457);
INSERT INTO kbd_claim_entries VALUES(1,6,6,1795820022457,1795820082457);
INSERT INTO peers VALUES('1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','lamp','["192.0.2.7:8420"]','["demo"]',2550308069284324);
INSERT INTO peer_pairings VALUES('65353663353463303235333364303238316431333533613235336639396666633934346633333136646666616130353065626166393962333934363666343337',NULL,'["demo"]',0,1795820623356,NULL,1631977051203690);
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
