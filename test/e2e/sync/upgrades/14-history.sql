-- commit: 01fb5b87
-- known: {"push":"8d7ffa32-837a-40d7-8bf6-0cb63c58621c","receipt":{"schemaVersion":"1.7","pushId":"8d7ffa32-837a-40d7-8bf6-0cb63c58621c","canonicalPayloadHash":"3fe00a83ab7480259e1ecfb7d913a8d688164a4b63bd5a2dab96dfdd4af42b4a","domain":"kbd-control:demo","targets":[],"localState":"applied_locally","frontier":{"heads":["9bde05023c61d098c87f92ad51e72b0fe78545fd34e0463eabdaf2b349c29be8","cebbe356f508ca78a724a96f07ae9f9a11a0a93f2b15d937505c7a33d2088e6d"]},"revision":8,"origin":null,"perPeer":{},"createdAtMs":1795906566673,"updatedAtMs":1795906566673,"events":[{"sequence":1,"kind":"accepted","atMs":1795906566673,"localState":"accepted"},{"sequence":2,"kind":"prepared","atMs":1795906566673,"localState":"prepared"},{"sequence":3,"kind":"applied_locally","atMs":1795906566673,"localState":"applied_locally"}]},"frontier":{"heads":["9bde05023c61d098c87f92ad51e72b0fe78545fd34e0463eabdaf2b349c29be8","cebbe356f508ca78a724a96f07ae9f9a11a0a93f2b15d937505c7a33d2088e6d"]},"key":"svc_8vm9ykKfY7j0dE7G_CsDO21l2nBHSZt0DVbIUqB0cehBnZKzb1JSaAddaDnQ3kQ9Xk","run":{"run_id":"an-old-run","thread_id":"thread_e24gqrfdhlk25uvw","owner":{"user_id":"ada","tenant_id":"default"},"created_at_ms":1795906567774,"epoch":"zag5iive","agent":null,"status":"running","error":null,"ended_at_ms":null,"first_seq":1,"last_seq":2},"revoked":"eve"}
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
CREATE TABLE history_minutes (
    no INTEGER PRIMARY KEY,
    minute INTEGER NOT NULL UNIQUE,
    body TEXT NOT NULL,
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
INSERT INTO meta VALUES('mark','111b15748736a5a653c1a53b8993ebf2');
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
INSERT INTO meta VALUES('migration:telemetry.history','independent');
INSERT INTO projects VALUES('demo','[]',1795906565176,485041403131120);
INSERT INTO devices VALUES('ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','a36c512e-f7a5-48f3-a118-fdfd6bf81137','["kbd-control:demo"]','old','active',1795906565176,NULL,NULL,NULL,1589223569135074);
INSERT INTO receipts VALUES(1,'8d7ffa32-837a-40d7-8bf6-0cb63c58621c','3fe00a83ab7480259e1ecfb7d913a8d688164a4b63bd5a2dab96dfdd4af42b4a','kbd-control:demo','[]','applied_locally','{}','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','W6F4bMASTfwW2tlD+WB868N4y/Mq9aSIJdAxHTZ2O53Wk1/H5P59fM0cZ5fRs3HNT/jkyqrG2nh+5GMZJaXhBA==',NULL,3,1795906566673,1795906566673,NULL,'{"heads":["9bde05023c61d098c87f92ad51e72b0fe78545fd34e0463eabdaf2b349c29be8","cebbe356f508ca78a724a96f07ae9f9a11a0a93f2b15d937505c7a33d2088e6d"]}',8,NULL,645843110589453);
INSERT INTO events VALUES(1,1,'{"sequence":1,"kind":"accepted","atMs":1795906566673,"localState":"accepted"}',2412153119513540);
INSERT INTO events VALUES(1,2,'{"sequence":2,"kind":"prepared","atMs":1795906566673,"localState":"prepared"}',181173045956871);
INSERT INTO events VALUES(1,3,'{"sequence":3,"kind":"applied_locally","atMs":1795906566673,"localState":"applied_locally"}',3570656355003035);
INSERT INTO api_keys VALUES(1,'8vm9ykKfY7j0dE7G','{"name":"old","owner":{"user":"ada","tenant":"default"},"scopes":["svc:users:revoke"],"hash":"$argon2id$v=19$m=19456,t=2,p=1$c8DqnA6hYrApipx/g/sZiQ$FwqZUJzjb2I7jXgcaOUP0ZKJ191TEWjLNSdrTtVmccc"}',1795906567555,2111266567555,NULL,NULL,1845433776344672);
INSERT INTO revocations VALUES('["default","eve",null]',1795906567826,1795906567826,1795906567826,NULL,NULL,292181960438081);
INSERT INTO run_appends VALUES(1,'["default","ada","an-old-run"]',0,'{"id":"4xkvrhsqoavxpolf","record":{"run_id":"an-old-run","thread_id":"thread_e24gqrfdhlk25uvw","owner":{"user_id":"ada","tenant_id":"default"},"status":"running","created_at_ms":1795906567774,"ended_at_ms":null,"first_seq":1,"last_seq":0,"epoch":"zag5iive","agent":null,"error":null},"bytes":8192,"gone":false}','',1158409676743747);
INSERT INTO run_appends VALUES(2,'["default","ada","an-old-run"]',0,'{"id":"lbvilnecmk5crgwr","record":{"run_id":"an-old-run","thread_id":"thread_e24gqrfdhlk25uvw","owner":{"user_id":"ada","tenant_id":"default"},"created_at_ms":1795906567774,"epoch":"zag5iive","agent":null,"status":"running","error":null,"ended_at_ms":null,"first_seq":1,"last_seq":2},"bytes":9532,"gone":false}','{"type":"RUN_STARTED","threadId":"t","runId":"an-old-run"}
{"type":"CUSTOM","name":"old","value":1}',4341186491148998);
INSERT INTO sqlite_sequence VALUES('run_appends',2);
INSERT INTO history_minutes VALUES(1,29931776,'{"checks":{"runtime tool_servers":1,"runtime store_log":1,"runtime persistence":3,"runtime memory":1,"local authority":3,"local receipt_store":3,"local devices":3,"local store_log":1},"requests":4,"errors":0,"refusals":0,"p95Ms":225,"streams":0,"starts":1}',2460410111157008);
INSERT INTO kbd_projects VALUES(1,'demo','9cc76f88e2d288e238249684cf353e1bdfc49071b68e870738e8bcf088e79cfb',8,2);
INSERT INTO kbd_commands VALUES(1,1,'9cc76f88e2d288e238249684cf353e1bdfc49071b68e870738e8bcf088e79cfb','cc3e90bd-f82e-4d16-8e16-a3a21267c0af','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795906566358,'','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","title":"Plans","type":"board.create"},"commandId":"cc3e90bd-f82e-4d16-8e16-a3a21267c0af","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":[]},"issuedAtMs":1795906566358,"schemaVersion":"2","signature":"OQJSgyR32TOUyTy+kex7VtD78gz4fGyCJILszThojCsspHJlK1svS+czz2lT0bGOzR32y6OAupgiGDgQKsFxDg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,2,'a460800b45c0d74f3282d14cd4b2bca2ce81f7eaa43dea7c00c07c10ac7bf540','870b29f6-cb2b-4f33-b367-bada26cb3e5b','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795906566403,'1','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"Doing","type":"column.create"},"commandId":"870b29f6-cb2b-4f33-b367-bada26cb3e5b","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["9cc76f88e2d288e238249684cf353e1bdfc49071b68e870738e8bcf088e79cfb"]},"issuedAtMs":1795906566403,"schemaVersion":"2","signature":"789jQG3ablRYNzCY9/rp5I1QwYHlEN5UIUf60YNNpBHqxZGlWcjCAUSf7RDhpErTncMgGjtlUXWpPm59yVYdCg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,3,'c3b0417f79f54f938be877a783be9322d1e713939f55e87333ec5d5af2b00085','bae52f7f-3448-457d-b922-4048527d71ac','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795906566438,'2','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","bodyHash":"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675","cardId":"33333333-2222-4333-8444-000000000003","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"An old card","type":"card.create"},"commandId":"bae52f7f-3448-457d-b922-4048527d71ac","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["a460800b45c0d74f3282d14cd4b2bca2ce81f7eaa43dea7c00c07c10ac7bf540"]},"issuedAtMs":1795906566438,"schemaVersion":"2","signature":"zJxNZFD3c6uojtyaFUBKK8SgpUkJHh6ennN1XoplE2vEOXNogqmNjj264cr6aiWJRQv2yHS/s1GAxwlSf44LAg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,4,'928e12a76f867b7041ac08d30d8fd781db7f659b719609153bd187039e17586f','03e897c9-3d69-49b7-b95f-941414f2a18c','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795906566515,'3','',0,NULL,'{"command":{"bodyHash":"80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af","cardId":"33333333-2222-4333-8444-000000000003","commentId":"33333333-2222-4333-8444-000000000004","type":"comment.add"},"commandId":"03e897c9-3d69-49b7-b95f-941414f2a18c","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["c3b0417f79f54f938be877a783be9322d1e713939f55e87333ec5d5af2b00085"]},"issuedAtMs":1795906566515,"schemaVersion":"2","signature":"ZJyRX1pi/xwhbeE5s+C/llIBkxzJjfJhZnHHHM/ZWj5WuezIZ6dO7h/r6wMYZqYXgvzvxh7FgsiUlXPjbQcgBQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,5,'a9f4944cae2f608727b350e9614d39db7041ce2319074868348ad91ee9e941d9','ba5732e6-8083-431f-9136-9b56d90db006','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795906566554,'4','',0,NULL,'{"command":{"commentId":"33333333-2222-4333-8444-000000000004","type":"comment.redact"},"commandId":"ba5732e6-8083-431f-9136-9b56d90db006","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["928e12a76f867b7041ac08d30d8fd781db7f659b719609153bd187039e17586f"]},"issuedAtMs":1795906566554,"schemaVersion":"2","signature":"px1owcIJ+CM4Y92DmGc0RVuTk8ljcioner55wSQ+oPUvCb3dVN0qKvAewbMPd/yy8c6sYxx0Ypzg7LZaE3PPAQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,6,'5d5a7aaf09081429d23b0341a42349d92327b8c89284f566f27787aa48b09acd','888657d4-32f6-453e-9cc0-9bbacb55acb3','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795906566573,'5','',0,NULL,'{"command":{"agent":"ada","cardId":"33333333-2222-4333-8444-000000000003","claimId":"33333333-2222-4333-8444-000000000001","leaseMs":60000,"type":"claim.acquire"},"commandId":"888657d4-32f6-453e-9cc0-9bbacb55acb3","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["a9f4944cae2f608727b350e9614d39db7041ce2319074868348ad91ee9e941d9"]},"issuedAtMs":1795906566573,"schemaVersion":"2","signature":"fJZBBS/2bicfE71G495DXvJn3YcYhGkcys+lfjbdJ0uhX+z2QE95hV2RnbGyyEcyegs7A4B50YuEZi7LB7iOBA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,7,'cebbe356f508ca78a724a96f07ae9f9a11a0a93f2b15d937505c7a33d2088e6d','3b56cd74-61ae-40e3-8875-e3fa2b7fd316','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795906566623,'6','',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"One title","type":"card.update"},"commandId":"3b56cd74-61ae-40e3-8875-e3fa2b7fd316","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["5d5a7aaf09081429d23b0341a42349d92327b8c89284f566f27787aa48b09acd"]},"issuedAtMs":1795906566623,"schemaVersion":"2","signature":"HSf8Z0s+hYmjpw9NypIpcpwfxh1f3HPjgIhbyNCdtleWQoWdcixA7ETLuJ97V5JttZ/kxH2b8QkKgE8aYoNZBQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,8,'9bde05023c61d098c87f92ad51e72b0fe78545fd34e0463eabdaf2b349c29be8','47f4f7c0-c2b0-4e8a-bec2-63d04b3db047','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795906566643,'6','7 0',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"Another title","type":"card.update"},"commandId":"47f4f7c0-c2b0-4e8a-bec2-63d04b3db047","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["5d5a7aaf09081429d23b0341a42349d92327b8c89284f566f27787aa48b09acd"]},"issuedAtMs":1795906566643,"schemaVersion":"2","signature":"16T2mE3rtYptyGcxh2jOjAcpKXjJHKB97qIqEcdMvj7UA2G6IddtKJ2RPyVx4AxPsT+5BRgA/SoICBN6nBK9Cg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_tips VALUES(1,'','9bde05023c61d098c87f92ad51e72b0fe78545fd34e0463eabdaf2b349c29be8',8);
INSERT INTO kbd_tips VALUES(1,'','cebbe356f508ca78a724a96f07ae9f9a11a0a93f2b15d937505c7a33d2088e6d',7);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','9bde05023c61d098c87f92ad51e72b0fe78545fd34e0463eabdaf2b349c29be8',8);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','cebbe356f508ca78a724a96f07ae9f9a11a0a93f2b15d937505c7a33d2088e6d',7);
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','+',1,'null');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','archived',1,'false');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','title',1,'"Plans"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','+',3,'null');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','archived',3,'false');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','bodyHash',3,'"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','claim',6,'{"agent":"ada","claimId":"33333333-2222-4333-8444-000000000001","expiresAtMs":1795906626573,"leaseMs":60000,"of":"5d5a7aaf09081429d23b0341a42349d92327b8c89284f566f27787aa48b09acd","type":"claim.acquire"}');
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
INSERT INTO kbd_views VALUES(1,'comments','33333333-2222-4333-8444-000000000004','{"commentId":"33333333-2222-4333-8444-000000000004","cardId":"33333333-2222-4333-8444-000000000003","bodyHash":null,"redacted":true,"issuedAtMs":1795906566515,"deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}',0,'33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_views VALUES(1,'claims','5d5a7aaf09081429d23b0341a42349d92327b8c89284f566f27787aa48b09acd','{"claimId":"33333333-2222-4333-8444-000000000001","cardId":"33333333-2222-4333-8444-000000000003","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","agent":"ada","leaseMs":60000,"issuedAtMs":1795906566573,"expiresAtMs":1795906626573,"tie":"3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556","generation":1,"state":"held"}',0,'33333333-2222-4333-8444-000000000001','33333333-2222-4333-8444-000000000003');
INSERT INTO kbd_views VALUES(1,'conflicts','00f033f56527fd56240f44f53e82ed4ce90e07d55dde619fb7cd1df22566d751','{"conflictId":"00f033f56527fd56240f44f53e82ed4ce90e07d55dde619fb7cd1df22566d751","kind":"field","entity":{"type":"card","id":"33333333-2222-4333-8444-000000000003"},"register":"card/33333333-2222-4333-8444-000000000003/title","candidates":[{"id":"9bde05023c61d098c87f92ad51e72b0fe78545fd34e0463eabdaf2b349c29be8","value":"Another title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795906566643},{"id":"cebbe356f508ca78a724a96f07ae9f9a11a0a93f2b15d937505c7a33d2088e6d","value":"One title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795906566623}],"shown":"9bde05023c61d098c87f92ad51e72b0fe78545fd34e0463eabdaf2b349c29be8"}',0,'card/33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_names VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',1,'comment/33333333-2222-4333-8444-000000000004',1);
INSERT INTO kbd_names VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',1,'card/33333333-2222-4333-8444-000000000003',0);
INSERT INTO kbd_content VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',21,'VGhlIHRleHQgb2YgdGhlIGNhcmQu',NULL,0);
INSERT INTO kbd_content VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',15,'VGhpcyBnb2VzIGF3YXku',1795906566558,1);
INSERT INTO audit VALUES(1,1795906565176,'enrolment','demo','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','owner','ok','21cf155965b297bea665134b5a84b845228a0beb0e41d6915a8b1771d414774a',NULL);
INSERT INTO audit VALUES(2,1795906566371,'command','demo','9cc76f88e2d288e238249684cf353e1bdfc49071b68e870738e8bcf088e79cfb','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','08040db31259a2fdd2788aa2e9e62da4eb92170d659ef75fa7b7576a964ace8f',NULL);
INSERT INTO audit VALUES(3,1795906566421,'command','demo','a460800b45c0d74f3282d14cd4b2bca2ce81f7eaa43dea7c00c07c10ac7bf540','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','07b150ffa30afd4034b2215e715cb4535a67dfb720713ad9107da2ee9965a90b',NULL);
INSERT INTO audit VALUES(4,1795906566496,'command','demo','c3b0417f79f54f938be877a783be9322d1e713939f55e87333ec5d5af2b00085','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','86794c85a545432d44ce16c1382de76d949d4f4b676b02f49fc28718a4d7b077',NULL);
INSERT INTO audit VALUES(5,1795906566526,'command','demo','928e12a76f867b7041ac08d30d8fd781db7f659b719609153bd187039e17586f','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','532e8361fd06d6a0116404a9737088e0601405c3334be1239ab68794090df4a6',NULL);
INSERT INTO audit VALUES(6,1795906566558,'command','demo','a9f4944cae2f608727b350e9614d39db7041ce2319074868348ad91ee9e941d9','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','80d7190ac4c0b82dadf29d408930e31f3e3dfe1d5bbf4accc008167463205da4',NULL);
INSERT INTO audit VALUES(7,1795906566582,'claim','demo','5d5a7aaf09081429d23b0341a42349d92327b8c89284f566f27787aa48b09acd','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','4904904ad4e0d44fb59174e16bc6872f2953c9a3dd6a591da80cca1299d61fe8',NULL);
INSERT INTO audit VALUES(8,1795906566630,'command','demo','cebbe356f508ca78a724a96f07ae9f9a11a0a93f2b15d937505c7a33d2088e6d','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','fd688cba1056f555276f9878131f511d0800fda549d990899e59e03def421892',NULL);
INSERT INTO audit VALUES(9,1795906566652,'command','demo','9bde05023c61d098c87f92ad51e72b0fe78545fd34e0463eabdaf2b349c29be8','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','ac722882ac1a58d8cf1ddb43fedf5b849fd603832d3289f46369a367ef16a5dd',NULL);
INSERT INTO audit VALUES(10,1795906566652,'fork','demo','9bde05023c61d098c87f92ad51e72b0fe78545fd34e0463eabdaf2b349c29be8','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','device_forked','b1bab95146c8054c46d487c0c8220c162df6f337746dcaf842342348dc02f61d',NULL);
INSERT INTO audit VALUES(11,1795906566673,'push','demo','8d7ffa32-837a-40d7-8bf6-0cb63c58621c','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','d2f76e43db5e0dd6f48c8b9668cece6c40cd5c02901f279ed8675369a8c36e3c',NULL);
INSERT INTO audit VALUES(12,1795906567091,'peer',NULL,'1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','owner','ok','f9b060ad849935846c456a310dea6213f653e0ba909150887a4838b0096fb73d',NULL);
INSERT INTO audit_checkpoints VALUES(12,'f9b060ad849935846c456a310dea6213f653e0ba909150887a4838b0096fb73d',1795906568137,'72b04dcbf120477dbac5296e7c92532559001694f840a0eff5adf1428915f65c','/ecmnqu3gu7S+BFS7O+RWdgKJLk8Atdh2sMMW/HNe9v6tW13430Wecm7VbdESMmQr2ygrKSuQdSFShT3HdLpBQ==');
INSERT INTO kbd_content_ways VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af','demo','',0,1795906566558);
INSERT INTO kbd_content_ways VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675','demo','',0,NULL);
INSERT INTO kbd_claims VALUES(1,'33333333-2222-4333-8444-000000000003',6,'5d5a7aaf09081429d23b0341a42349d92327b8c89284f566f27787aa48b09acd','33333333-2222-4333-8444-000000000001','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ada','3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556',1,1,0,1795906566573,1795906626573,1795906626573,1795906626573,1795906536573,NULL,0,0,0,0,1795906626573);
INSERT INTO kbd_claim_entries VALUES(1,6,6,1795906566573,1795906626573);
INSERT INTO peers VALUES('1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','lamp','["192.0.2.7:8420"]','["demo"]',2550308069284324);
INSERT INTO peer_pairings VALUES('39343966323235623631656333333364353666363036313937356630653862363432663461376161336630353866303264373461306235646438343064623335',NULL,'["demo"]',0,1795907167508,NULL,2894065426882397);
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
