-- commit: d454ddca
-- known: {"push":"76985881-f38e-4496-80fb-3266c6f14064","receipt":{"schemaVersion":"1.7","pushId":"76985881-f38e-4496-80fb-3266c6f14064","canonicalPayloadHash":"fb31fd56715107c4a502eafb050467cbbb62fd78895a558e0eca01c03e11ec2b","domain":"kbd-control:demo","targets":[],"localState":"applied_locally","frontier":{"heads":["3ce9c30c656e5423088a8cc01e338d35fc1e158f9175393649f029ff240e8805","e4d924e6b98dbfdd3eb5b0257ac2b282bd4b61bec8c768cfce6385d39d6ed2d5"]},"revision":8,"origin":null,"perPeer":{},"createdAtMs":1795791559347,"updatedAtMs":1795791559347,"events":[{"sequence":1,"kind":"accepted","atMs":1795791559347,"localState":"accepted"},{"sequence":2,"kind":"prepared","atMs":1795791559347,"localState":"prepared"},{"sequence":3,"kind":"applied_locally","atMs":1795791559347,"localState":"applied_locally"}]},"frontier":{"heads":["3ce9c30c656e5423088a8cc01e338d35fc1e158f9175393649f029ff240e8805","e4d924e6b98dbfdd3eb5b0257ac2b282bd4b61bec8c768cfce6385d39d6ed2d5"]},"key":"svc_XNqBGuRTwlz19U8n_mtyKFAdOcPCFPgc43KJbBCRo0CTW2dT22NQbm5hlxzc0KhAbv","run":{"run_id":"an-old-run","thread_id":"thread_whe4if2hjp6lwtqh","owner":{"user_id":"ada","tenant_id":"default"},"created_at_ms":1795791560166,"epoch":"clasp7nq","status":"running","ended_at_ms":null,"first_seq":1,"last_seq":2}}
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
INSERT INTO meta VALUES('created_by','svc');
INSERT INTO meta VALUES('mark','0149f40be1596cd19bfe850c019c0ce2');
INSERT INTO meta VALUES('migration:auth.keys','independent');
INSERT INTO meta VALUES('migration:kbd.boards','needed');
INSERT INTO meta VALUES('migration:kbd.claim-spans','needed');
INSERT INTO meta VALUES('migration:kbd.content-ways','needed');
INSERT INTO meta VALUES('migration:peer.outbox','needed');
INSERT INTO meta VALUES('migration:peer.pairings','needed');
INSERT INTO meta VALUES('migration:peer.registry','needed');
INSERT INTO meta VALUES('migration:realtime.runs','independent');
INSERT INTO meta VALUES('migration:sync.receipts','needed');
INSERT INTO meta VALUES('migration:sync.sums','needed');
INSERT INTO projects VALUES('demo','[]',1795791558641,485041403131120);
INSERT INTO devices VALUES('ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','70b2b8fa-c704-4f5d-8592-2fdf8ec79fe0','["kbd-control:demo"]','old','active',1795791558641,NULL,NULL,NULL,1539380330222534);
INSERT INTO receipts VALUES(1,'76985881-f38e-4496-80fb-3266c6f14064','fb31fd56715107c4a502eafb050467cbbb62fd78895a558e0eca01c03e11ec2b','kbd-control:demo','[]','applied_locally','{}','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','EBiaULu4+1IND1Vmf8oOT9ru+/cdk+oXxSu+1XgSpY3fjuJcVqE73VK+4oz0WztbCqwWkacUQQ41CXkBFa+dAA==',NULL,3,1795791559347,1795791559347,NULL,'{"heads":["3ce9c30c656e5423088a8cc01e338d35fc1e158f9175393649f029ff240e8805","e4d924e6b98dbfdd3eb5b0257ac2b282bd4b61bec8c768cfce6385d39d6ed2d5"]}',8,NULL,983931825067188);
INSERT INTO events VALUES(1,1,'{"sequence":1,"kind":"accepted","atMs":1795791559347,"localState":"accepted"}',1175654659125992);
INSERT INTO events VALUES(1,2,'{"sequence":2,"kind":"prepared","atMs":1795791559347,"localState":"prepared"}',877956032365669);
INSERT INTO events VALUES(1,3,'{"sequence":3,"kind":"applied_locally","atMs":1795791559347,"localState":"applied_locally"}',3333211920276783);
INSERT INTO api_keys VALUES(1,'XNqBGuRTwlz19U8n','{"name":"old","owner":{"user":"ada","tenant":"default"},"scopes":[],"hash":"$argon2id$v=19$m=19456,t=2,p=1$TdKvwLWZlgs8GoyNVSyrDQ$uY+Hb59uotrZT5V1/VWDc/C0uQ9usHBusYB7B5awmsA"}',1795791559938,2111151559938,NULL,NULL,1797253434507573);
INSERT INTO run_appends VALUES(1,'["default","ada","an-old-run"]',0,'{"id":"zcpow5c67ajflalz","record":{"run_id":"an-old-run","thread_id":"thread_whe4if2hjp6lwtqh","owner":{"user_id":"ada","tenant_id":"default"},"status":"running","created_at_ms":1795791560166,"ended_at_ms":null,"first_seq":1,"last_seq":0,"epoch":"clasp7nq"},"bytes":8192,"gone":false}','',1803655508221553);
INSERT INTO run_appends VALUES(2,'["default","ada","an-old-run"]',0,'{"id":"y2bjf3r6rw6pb24u","record":{"run_id":"an-old-run","thread_id":"thread_whe4if2hjp6lwtqh","owner":{"user_id":"ada","tenant_id":"default"},"created_at_ms":1795791560166,"epoch":"clasp7nq","status":"running","ended_at_ms":null,"first_seq":1,"last_seq":2},"bytes":9532,"gone":false}','{"type":"RUN_STARTED","threadId":"t","runId":"an-old-run"}
{"type":"CUSTOM","name":"old","value":1}',4317864404474617);
INSERT INTO sqlite_sequence VALUES('run_appends',2);
INSERT INTO kbd_projects VALUES(1,'demo','1a90eda36694f61f9db7f758da84c1d29c8a33f9a5006b904b8968449efc8031',8,2);
INSERT INTO kbd_commands VALUES(1,1,'1a90eda36694f61f9db7f758da84c1d29c8a33f9a5006b904b8968449efc8031','2867dee6-d5ee-4211-82ad-3ac942f557c7','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795791559116,'','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","title":"Plans","type":"board.create"},"commandId":"2867dee6-d5ee-4211-82ad-3ac942f557c7","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":[]},"issuedAtMs":1795791559116,"schemaVersion":"2","signature":"jOPpOy5DToI343F18nuMLMvq0Wh3xeWsV9YJyaAT3Y/guB29X+mbvq+LWvUKGVzyEg3p3EFQYZ7yw+sk2ZtLBw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,2,'ac95219e53aee0049fd8c7923dddccfdb0f8966e04cb9c72588ab4fd6f930b9c','4c2f3381-6472-4750-9df8-3af8f54bce62','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795791559156,'1','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"Doing","type":"column.create"},"commandId":"4c2f3381-6472-4750-9df8-3af8f54bce62","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["1a90eda36694f61f9db7f758da84c1d29c8a33f9a5006b904b8968449efc8031"]},"issuedAtMs":1795791559156,"schemaVersion":"2","signature":"LOqRvxNQ0McBb1J8TvHTCPAFbopAWVxhY3XdpPBXyNL6lqcHDH7fVRAc0NLz8nCElaUl2WWjJ5cXyFUM5vf3Cw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,3,'649aeb9f833e1cab86ce7a2dbea9c0dd5b3c3e95a20986ebba6e4ed9b495add7','11ae30b5-30d6-4818-a0f0-6c064cb1de0a','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795791559185,'2','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","bodyHash":"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675","cardId":"33333333-2222-4333-8444-000000000003","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"An old card","type":"card.create"},"commandId":"11ae30b5-30d6-4818-a0f0-6c064cb1de0a","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["ac95219e53aee0049fd8c7923dddccfdb0f8966e04cb9c72588ab4fd6f930b9c"]},"issuedAtMs":1795791559185,"schemaVersion":"2","signature":"KvdWXCbEmXkljlK/FskvVAdfzvnRlwQ3FVbiL/E07FM1Nw12vwSFMmfHgkZgpvpRP9+f+xLYTBXI+q/MLzNUCQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,4,'88be4d758ed520f487a3020fba395b725e2135af665d8b79edda319af4e96cd1','52ae14b0-afbb-4c60-b931-7f1177b10659','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795791559221,'3','',0,NULL,'{"command":{"bodyHash":"80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af","cardId":"33333333-2222-4333-8444-000000000003","commentId":"33333333-2222-4333-8444-000000000004","type":"comment.add"},"commandId":"52ae14b0-afbb-4c60-b931-7f1177b10659","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["649aeb9f833e1cab86ce7a2dbea9c0dd5b3c3e95a20986ebba6e4ed9b495add7"]},"issuedAtMs":1795791559221,"schemaVersion":"2","signature":"+rypkc+SSSr5MN6bA8shiV0iUAbaT4dvwpJ+AWis+EVtrIWg4CCT0O6E959/7/N1marQyWtfwzi/SDLGm2OhDQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,5,'5f9b9c459f767a128997034c5bfb2d61d395b3028f66292a4ce6818165befb62','9506e2bb-c84a-48a7-971f-f64f0402bf39','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795791559251,'4','',0,NULL,'{"command":{"commentId":"33333333-2222-4333-8444-000000000004","type":"comment.redact"},"commandId":"9506e2bb-c84a-48a7-971f-f64f0402bf39","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["88be4d758ed520f487a3020fba395b725e2135af665d8b79edda319af4e96cd1"]},"issuedAtMs":1795791559251,"schemaVersion":"2","signature":"xzZdBOdjke6aDABsMxmRQglTSEjTFx5CjOtcId5s+KdbkhrHMFTC2m/VjBiiZ1fEauWsZcvJcAAmufG/uhKHAQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,6,'01b7aa332553367223759314bfd389eb1ae7fc97938b6be8f9850c560967b8ae','e561a3fa-3718-4107-8857-dc9a46e3c774','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795791559270,'5','',0,NULL,'{"command":{"agent":"ada","cardId":"33333333-2222-4333-8444-000000000003","claimId":"33333333-2222-4333-8444-000000000001","leaseMs":60000,"type":"claim.acquire"},"commandId":"e561a3fa-3718-4107-8857-dc9a46e3c774","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["5f9b9c459f767a128997034c5bfb2d61d395b3028f66292a4ce6818165befb62"]},"issuedAtMs":1795791559270,"schemaVersion":"2","signature":"L2XygT5tl1c5cz+8Sqh3N7ECq406vViWM5aJrpTypC+Xw3Kt5F+mlexBYB2oFGH5R89YIFvFUbse03sfRpWECQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,7,'e4d924e6b98dbfdd3eb5b0257ac2b282bd4b61bec8c768cfce6385d39d6ed2d5','08eef2d3-f40c-4dd8-b7b0-bae4c0b6a19a','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795791559300,'6','',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"One title","type":"card.update"},"commandId":"08eef2d3-f40c-4dd8-b7b0-bae4c0b6a19a","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["01b7aa332553367223759314bfd389eb1ae7fc97938b6be8f9850c560967b8ae"]},"issuedAtMs":1795791559300,"schemaVersion":"2","signature":"zcA1lPNfTetiZAE3oa0yag6xWs7z0RhG14iXdT1A03YUKb9MPzGA4zWbbW6wxpS5WK3mpLrkI4+VovO3OmSXBA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,8,'3ce9c30c656e5423088a8cc01e338d35fc1e158f9175393649f029ff240e8805','1cad0e58-ab39-411b-bd69-f1e42a6895f1','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795791559316,'6','7 0',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"Another title","type":"card.update"},"commandId":"1cad0e58-ab39-411b-bd69-f1e42a6895f1","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["01b7aa332553367223759314bfd389eb1ae7fc97938b6be8f9850c560967b8ae"]},"issuedAtMs":1795791559316,"schemaVersion":"2","signature":"BYBwstWaJGMWwpKv9L6Wgy+b47JtTf/FrIHMbLUQOJrE+qdLOOIKZyfcTibrMbs1lrTfbzHGtEUnEa5SRpO0Aw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_tips VALUES(1,'','3ce9c30c656e5423088a8cc01e338d35fc1e158f9175393649f029ff240e8805',8);
INSERT INTO kbd_tips VALUES(1,'','e4d924e6b98dbfdd3eb5b0257ac2b282bd4b61bec8c768cfce6385d39d6ed2d5',7);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','3ce9c30c656e5423088a8cc01e338d35fc1e158f9175393649f029ff240e8805',8);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','e4d924e6b98dbfdd3eb5b0257ac2b282bd4b61bec8c768cfce6385d39d6ed2d5',7);
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','+',1,'null');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','archived',1,'false');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','title',1,'"Plans"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','+',3,'null');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','archived',3,'false');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','bodyHash',3,'"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','claim',6,'{"agent":"ada","claimId":"33333333-2222-4333-8444-000000000001","expiresAtMs":1795791619270,"leaseMs":60000,"of":"01b7aa332553367223759314bfd389eb1ae7fc97938b6be8f9850c560967b8ae","type":"claim.acquire"}');
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
INSERT INTO kbd_views VALUES(1,'comments','33333333-2222-4333-8444-000000000004','{"commentId":"33333333-2222-4333-8444-000000000004","cardId":"33333333-2222-4333-8444-000000000003","bodyHash":null,"redacted":true,"issuedAtMs":1795791559221,"deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}',0,'33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_views VALUES(1,'claims','01b7aa332553367223759314bfd389eb1ae7fc97938b6be8f9850c560967b8ae','{"claimId":"33333333-2222-4333-8444-000000000001","cardId":"33333333-2222-4333-8444-000000000003","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","agent":"ada","leaseMs":60000,"issuedAtMs":1795791559270,"expiresAtMs":1795791619270,"tie":"3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556","generation":1,"state":"held"}',0,'33333333-2222-4333-8444-000000000001','33333333-2222-4333-8444-000000000003');
INSERT INTO kbd_views VALUES(1,'conflicts','87510d7dcd274a306afe0d47d9f4c3115817d51eddc4f986aac456d77c60bf00','{"conflictId":"87510d7dcd274a306afe0d47d9f4c3115817d51eddc4f986aac456d77c60bf00","kind":"field","entity":{"type":"card","id":"33333333-2222-4333-8444-000000000003"},"register":"card/33333333-2222-4333-8444-000000000003/title","candidates":[{"id":"3ce9c30c656e5423088a8cc01e338d35fc1e158f9175393649f029ff240e8805","value":"Another title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795791559316},{"id":"e4d924e6b98dbfdd3eb5b0257ac2b282bd4b61bec8c768cfce6385d39d6ed2d5","value":"One title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795791559300}],"shown":"3ce9c30c656e5423088a8cc01e338d35fc1e158f9175393649f029ff240e8805"}',0,'card/33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_names VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',1,'comment/33333333-2222-4333-8444-000000000004',1);
INSERT INTO kbd_names VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',1,'card/33333333-2222-4333-8444-000000000003',0);
INSERT INTO kbd_content VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',21,'VGhlIHRleHQgb2YgdGhlIGNhcmQu',NULL,0);
INSERT INTO kbd_content VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',15,'VGhpcyBnb2VzIGF3YXku',1795791559256,1);
INSERT INTO audit VALUES(1,1795791558641,'enrolment','demo','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','owner','ok','39dd90712ca5d9deee6415f60766978a0a730c670522da898e5a76ed7db5af4b');
INSERT INTO audit VALUES(2,1795791559135,'command','demo','1a90eda36694f61f9db7f758da84c1d29c8a33f9a5006b904b8968449efc8031','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','d2198881177f230ee4fe977bbaef0c094569add70eb70db72044726f471ab98d');
INSERT INTO audit VALUES(3,1795791559165,'command','demo','ac95219e53aee0049fd8c7923dddccfdb0f8966e04cb9c72588ab4fd6f930b9c','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','1e43e66a68b3ea240b78fbf7943e984e192211f66ef17431f36ef34671cebd15');
INSERT INTO audit VALUES(4,1795791559195,'command','demo','649aeb9f833e1cab86ce7a2dbea9c0dd5b3c3e95a20986ebba6e4ed9b495add7','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','85c6214381768c157b6adb2912fba5c0ba705e0ce6a64e7e72c788262f306c6b');
INSERT INTO audit VALUES(5,1795791559235,'command','demo','88be4d758ed520f487a3020fba395b725e2135af665d8b79edda319af4e96cd1','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','b4e0aac495827c86ff0cabae43b46317bb1f23665c999e8d6d022465a340e751');
INSERT INTO audit VALUES(6,1795791559256,'command','demo','5f9b9c459f767a128997034c5bfb2d61d395b3028f66292a4ce6818165befb62','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','b10aee2dcb2d1f5f7b064c2f6178a8fc93032bd599c57ba6c2f421d42f54e43b');
INSERT INTO audit VALUES(7,1795791559275,'claim','demo','01b7aa332553367223759314bfd389eb1ae7fc97938b6be8f9850c560967b8ae','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','915bbe45f7a28a09cb56e555b48aad1af1b182db2684e7bc93fc2ee379f9994f');
INSERT INTO audit VALUES(8,1795791559303,'command','demo','e4d924e6b98dbfdd3eb5b0257ac2b282bd4b61bec8c768cfce6385d39d6ed2d5','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','86fb0d3f456d4145fe71430b9ec9ae54541c75c0b72e3b185aaf5e65d4e0dded');
INSERT INTO audit VALUES(9,1795791559319,'command','demo','3ce9c30c656e5423088a8cc01e338d35fc1e158f9175393649f029ff240e8805','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','e3cab05b2afeca2df40bdbf57e79d3894e3c6ba9149bc24f2e8e0191655036b8');
INSERT INTO audit VALUES(10,1795791559319,'fork','demo','3ce9c30c656e5423088a8cc01e338d35fc1e158f9175393649f029ff240e8805','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','device_forked','97bfd7300c5197d5efce9180218ade7aa9ead93ed6b81a070a41ec840a04a8ea');
INSERT INTO audit VALUES(11,1795791559346,'push','demo','76985881-f38e-4496-80fb-3266c6f14064','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','d2c2e09c0858717bea6f8aa608ccea47593a6b9eba6f2fdc71013339acd5e0ba');
INSERT INTO audit VALUES(12,1795791559573,'peer',NULL,'1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','owner','ok','28f3e87e6bc24cbaf207bae898db5339bcdead6c88ab0a10bc087eda572fd179');
INSERT INTO audit_checkpoints VALUES(12,'28f3e87e6bc24cbaf207bae898db5339bcdead6c88ab0a10bc087eda572fd179',1795791560459,'2122d3ba5587095a459cfcc778c84c4bb6f5807d9946b8e5b9fac39c0b6fd0d7','BJveR38ZrMpIYvoEYNfiHmz/tFIMx6/07qED8HU1c9ag5AUaCmfGciV5JLlyz49I15jH5bYn5nkOUYLYDxv6Bw==');
INSERT INTO kbd_content_ways VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af','demo','',0,1795791559256);
INSERT INTO kbd_content_ways VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675','demo','',0,NULL);
INSERT INTO kbd_claims VALUES(1,'33333333-2222-4333-8444-000000000003',6,'01b7aa332553367223759314bfd389eb1ae7fc97938b6be8f9850c560967b8ae','33333333-2222-4333-8444-000000000001','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ada','3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556',1,1,0,1795791559270,1795791619270,1795791619270,1795791619270,1795791529270,NULL,0,0,0,0,1795791619270);
INSERT INTO kbd_claim_entries VALUES(1,6,6,1795791559270,1795791619270);
INSERT INTO peers VALUES('1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','lamp','["192.0.2.7:8420"]','["demo"]',2550308069284324);
INSERT INTO peer_pairings VALUES('37363038343962336665373433346562383264343234356162353634613636336162636236363439313966646439326330333065303734343639356462653632',NULL,'["demo"]',0,1795792159889,NULL,4009674583647390);
CREATE INDEX receipts_open ON receipts (broadcast_at_ms) WHERE envelope IS NOT NULL;
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
