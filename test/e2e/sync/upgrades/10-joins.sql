-- commit: f6d01090
-- known: {"push":"10788253-9d7f-41a2-9793-157cdcc9bb82","receipt":{"schemaVersion":"1.7","pushId":"10788253-9d7f-41a2-9793-157cdcc9bb82","canonicalPayloadHash":"15f3ec2c1006cfc21519167c67bb3d2284a494ffddc889e9ae4510ba8fa929fc","domain":"kbd-control:demo","targets":[],"localState":"applied_locally","frontier":{"heads":["6a1aefc8d48f25dd839e2791b04ac6f258f193ff0e050320e42e54756d92b0bd","e6f346bb32b287c748ea00f1080f718620d001d07a116eff85a39aa1d69e4e5c"]},"revision":8,"origin":null,"perPeer":{},"createdAtMs":1795800782915,"updatedAtMs":1795800782915,"events":[{"sequence":1,"kind":"accepted","atMs":1795800782915,"localState":"accepted"},{"sequence":2,"kind":"prepared","atMs":1795800782915,"localState":"prepared"},{"sequence":3,"kind":"applied_locally","atMs":1795800782915,"localState":"applied_locally"}]},"frontier":{"heads":["6a1aefc8d48f25dd839e2791b04ac6f258f193ff0e050320e42e54756d92b0bd","e6f346bb32b287c748ea00f1080f718620d001d07a116eff85a39aa1d69e4e5c"]},"key":"svc_8UmzoF82SJn4B7yE_W1EAXUWs5G1jh7J2knVi5UuUzn009WwfKLwqtzckByL41j5zI","run":{"run_id":"an-old-run","thread_id":"thread_pkxnlkveb3df5pk5","owner":{"user_id":"ada","tenant_id":"default"},"created_at_ms":1795800791639,"epoch":"fnjtlqeo","status":"running","ended_at_ms":null,"first_seq":1,"last_seq":2}}
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
CREATE TABLE peer_joins (
    endpoint_id TEXT NOT NULL,
    code TEXT NOT NULL,
    options TEXT NOT NULL,
    begun_at_ms INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (endpoint_id, code)
  ) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES('created_by','svc');
INSERT INTO meta VALUES('mark','19bc3d882fef98b43b8a350e7e536cd4');
INSERT INTO meta VALUES('migration:auth.keys','independent');
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
INSERT INTO projects VALUES('demo','[]',1795800777874,485041403131120);
INSERT INTO devices VALUES('ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','73abd654-53fc-4b4a-a01f-fb9847531e55','["kbd-control:demo"]','old','active',1795800777874,NULL,NULL,NULL,2276165050450118);
INSERT INTO receipts VALUES(1,'10788253-9d7f-41a2-9793-157cdcc9bb82','15f3ec2c1006cfc21519167c67bb3d2284a494ffddc889e9ae4510ba8fa929fc','kbd-control:demo','[]','applied_locally','{}','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ORfXJKmrR8Aw/wwCo32k1jonzNorf5U780Qza1vI0FkE0pKzpnoaXcA71SZPTLde81pJH07AmF5cYv8I+gkJCQ==',NULL,3,1795800782915,1795800782915,NULL,'{"heads":["6a1aefc8d48f25dd839e2791b04ac6f258f193ff0e050320e42e54756d92b0bd","e6f346bb32b287c748ea00f1080f718620d001d07a116eff85a39aa1d69e4e5c"]}',8,NULL,1772374848284783);
INSERT INTO events VALUES(1,1,'{"sequence":1,"kind":"accepted","atMs":1795800782915,"localState":"accepted"}',1848117084767197);
INSERT INTO events VALUES(1,2,'{"sequence":2,"kind":"prepared","atMs":1795800782915,"localState":"prepared"}',1140882369582589);
INSERT INTO events VALUES(1,3,'{"sequence":3,"kind":"applied_locally","atMs":1795800782915,"localState":"applied_locally"}',444065964643856);
INSERT INTO api_keys VALUES(1,'8UmzoF82SJn4B7yE','{"name":"old","owner":{"user":"ada","tenant":"default"},"scopes":[],"hash":"$argon2id$v=19$m=19456,t=2,p=1$FHaUNwJRkVno/87BIdXFJw$WrU81cwzIAh+iD8hzdo5jKxd8HHQw3WtX4xatY7TaLc"}',1795800787943,2111160787943,NULL,NULL,1990369534987701);
INSERT INTO run_appends VALUES(1,'["default","ada","an-old-run"]',0,'{"id":"wbxvowskxyj3ltzj","record":{"run_id":"an-old-run","thread_id":"thread_pkxnlkveb3df5pk5","owner":{"user_id":"ada","tenant_id":"default"},"status":"running","created_at_ms":1795800791639,"ended_at_ms":null,"first_seq":1,"last_seq":0,"epoch":"fnjtlqeo"},"bytes":8192,"gone":false}','',1612077054918055);
INSERT INTO run_appends VALUES(2,'["default","ada","an-old-run"]',0,'{"id":"vjx7hk2hwtbmisma","record":{"run_id":"an-old-run","thread_id":"thread_pkxnlkveb3df5pk5","owner":{"user_id":"ada","tenant_id":"default"},"created_at_ms":1795800791639,"epoch":"fnjtlqeo","status":"running","ended_at_ms":null,"first_seq":1,"last_seq":2},"bytes":9532,"gone":false}','{"type":"RUN_STARTED","threadId":"t","runId":"an-old-run"}
{"type":"CUSTOM","name":"old","value":1}',2629534432045263);
INSERT INTO sqlite_sequence VALUES('run_appends',2);
INSERT INTO kbd_projects VALUES(1,'demo','bde4fff52c859362ceddc0963af6f9ef087ca2a2b7aed0eb902655d9251c0b6c',8,2);
INSERT INTO kbd_commands VALUES(1,1,'bde4fff52c859362ceddc0963af6f9ef087ca2a2b7aed0eb902655d9251c0b6c','ee87b1fc-c3fd-4f84-88c1-f07f6eeed30c','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795800781527,'','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","title":"Plans","type":"board.create"},"commandId":"ee87b1fc-c3fd-4f84-88c1-f07f6eeed30c","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":[]},"issuedAtMs":1795800781527,"schemaVersion":"2","signature":"VlUS/QECsSSJlU5gRBLBVhEs3dXsHPQrqrTFF6casLQuEMIvpb/MGhA7dQki+FDJ4ODY6BHiKaU7JtiYL9xeBw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,2,'bfa80486de562711d20e886f6b42915593caaee7704134a911223f35683346ff','94a396da-c6f5-4470-b9a4-b995b38a2bf8','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795800781715,'1','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"Doing","type":"column.create"},"commandId":"94a396da-c6f5-4470-b9a4-b995b38a2bf8","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["bde4fff52c859362ceddc0963af6f9ef087ca2a2b7aed0eb902655d9251c0b6c"]},"issuedAtMs":1795800781715,"schemaVersion":"2","signature":"euWfhFt0SiKHft3asI6XKGlWNbN41X8SH142n0VFXfzeKIWfsehn8gNy33fgHMdtcG1L+pH7RaVa3+8W49VQBg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,3,'3cf5351184ca8d4b3cf04fb8d31608458924de7c88a144ce8ec4556e30586fa9','869bac7b-3e9b-4759-8912-4b91746d00f2','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795800781899,'2','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","bodyHash":"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675","cardId":"33333333-2222-4333-8444-000000000003","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"An old card","type":"card.create"},"commandId":"869bac7b-3e9b-4759-8912-4b91746d00f2","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["bfa80486de562711d20e886f6b42915593caaee7704134a911223f35683346ff"]},"issuedAtMs":1795800781899,"schemaVersion":"2","signature":"EgRu+iwB3nrlJ5FphZalEVYqupvlaDibZsBwP1AbZ7g7RrxIeSNM5LaBFMg7cE/W6ZSL15Xe4R+Q9p5GBJt1DQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,4,'94cbcbad058b921ddef6c1b4d0b7cb0ed3f0b44749db35b9c1fe8096ef082d0a','83e36bb4-08a6-42a0-adf9-0e708a342bdd','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795800782053,'3','',0,NULL,'{"command":{"bodyHash":"80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af","cardId":"33333333-2222-4333-8444-000000000003","commentId":"33333333-2222-4333-8444-000000000004","type":"comment.add"},"commandId":"83e36bb4-08a6-42a0-adf9-0e708a342bdd","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["3cf5351184ca8d4b3cf04fb8d31608458924de7c88a144ce8ec4556e30586fa9"]},"issuedAtMs":1795800782053,"schemaVersion":"2","signature":"GRHzPeo1Kvyfatq3c7xWnod2uVuxEqHTJBVZXdTK563Tco13oyuo0GTbb/MQDpEPJaVdw8QKddj7PPkgHTaXDw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,5,'cd68d64747ad00d8708f34e7ff890104b78a84f5e5def07b99f82c8d139126e5','7aba2dc0-51c1-4fd0-9052-3c6874a19543','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795800782256,'4','',0,NULL,'{"command":{"commentId":"33333333-2222-4333-8444-000000000004","type":"comment.redact"},"commandId":"7aba2dc0-51c1-4fd0-9052-3c6874a19543","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["94cbcbad058b921ddef6c1b4d0b7cb0ed3f0b44749db35b9c1fe8096ef082d0a"]},"issuedAtMs":1795800782256,"schemaVersion":"2","signature":"iN80rpJXeZKfO0/2D68sMFLlqTzA562+VomJ7m0dQ3IfHPXAeydYlbmelhnf8HpZhpn6zhV3KAvPUbDrmDi9AA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,6,'d4ebe99258c720bc17bfd41ceb8c488e03d1a8bc27301213c48351e76fc79ff0','8e974185-75dd-4e0c-ba6b-b871810b9271','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795800782426,'5','',0,NULL,'{"command":{"agent":"ada","cardId":"33333333-2222-4333-8444-000000000003","claimId":"33333333-2222-4333-8444-000000000001","leaseMs":60000,"type":"claim.acquire"},"commandId":"8e974185-75dd-4e0c-ba6b-b871810b9271","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["cd68d64747ad00d8708f34e7ff890104b78a84f5e5def07b99f82c8d139126e5"]},"issuedAtMs":1795800782426,"schemaVersion":"2","signature":"C4rpk3s/WoDMS23xLzlru+r9aU1PvgFXp8q+sK4rki+rp2v3b9GGnL/SOS+CPkPdVkzzkKMslKNlo7IUiCxOBg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,7,'6a1aefc8d48f25dd839e2791b04ac6f258f193ff0e050320e42e54756d92b0bd','9720af6a-6493-4844-b378-0b5252a27ddf','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795800782652,'6','',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"One title","type":"card.update"},"commandId":"9720af6a-6493-4844-b378-0b5252a27ddf","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["d4ebe99258c720bc17bfd41ceb8c488e03d1a8bc27301213c48351e76fc79ff0"]},"issuedAtMs":1795800782652,"schemaVersion":"2","signature":"Z1OfMbxAjTi7EUhjJv7CiBiJVtBl6na3dhZttki7KeqowdHu9x4f6/+M6jBGCIIwKvIXOk09K2PhlC2Atom2CA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,8,'e6f346bb32b287c748ea00f1080f718620d001d07a116eff85a39aa1d69e4e5c','e7ab9e84-b8fd-4cbe-acdb-1ce7d7d766dd','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795800782719,'6','7 0',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"Another title","type":"card.update"},"commandId":"e7ab9e84-b8fd-4cbe-acdb-1ce7d7d766dd","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["d4ebe99258c720bc17bfd41ceb8c488e03d1a8bc27301213c48351e76fc79ff0"]},"issuedAtMs":1795800782719,"schemaVersion":"2","signature":"9meceKtQu0tmzMaWvWEjJRbbCIqxiLq7SkJNwTB268Gb5oHSANcoPYRoUXDvnc62apxRPW48+WuiIJHMFFdNCQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_tips VALUES(1,'','6a1aefc8d48f25dd839e2791b04ac6f258f193ff0e050320e42e54756d92b0bd',7);
INSERT INTO kbd_tips VALUES(1,'','e6f346bb32b287c748ea00f1080f718620d001d07a116eff85a39aa1d69e4e5c',8);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','6a1aefc8d48f25dd839e2791b04ac6f258f193ff0e050320e42e54756d92b0bd',7);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','e6f346bb32b287c748ea00f1080f718620d001d07a116eff85a39aa1d69e4e5c',8);
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','+',1,'null');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','archived',1,'false');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','title',1,'"Plans"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','+',3,'null');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','archived',3,'false');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','bodyHash',3,'"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','claim',6,'{"agent":"ada","claimId":"33333333-2222-4333-8444-000000000001","expiresAtMs":1795800842426,"leaseMs":60000,"of":"d4ebe99258c720bc17bfd41ceb8c488e03d1a8bc27301213c48351e76fc79ff0","type":"claim.acquire"}');
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
INSERT INTO kbd_views VALUES(1,'comments','33333333-2222-4333-8444-000000000004','{"commentId":"33333333-2222-4333-8444-000000000004","cardId":"33333333-2222-4333-8444-000000000003","bodyHash":null,"redacted":true,"issuedAtMs":1795800782053,"deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}',0,'33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_views VALUES(1,'claims','d4ebe99258c720bc17bfd41ceb8c488e03d1a8bc27301213c48351e76fc79ff0','{"claimId":"33333333-2222-4333-8444-000000000001","cardId":"33333333-2222-4333-8444-000000000003","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","agent":"ada","leaseMs":60000,"issuedAtMs":1795800782426,"expiresAtMs":1795800842426,"tie":"3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556","generation":1,"state":"held"}',0,'33333333-2222-4333-8444-000000000001','33333333-2222-4333-8444-000000000003');
INSERT INTO kbd_views VALUES(1,'conflicts','e9c73324cd08cff5af3ac16b23a4bcfdba7351cb97d0eeec92c0604f97c9986d','{"conflictId":"e9c73324cd08cff5af3ac16b23a4bcfdba7351cb97d0eeec92c0604f97c9986d","kind":"field","entity":{"type":"card","id":"33333333-2222-4333-8444-000000000003"},"register":"card/33333333-2222-4333-8444-000000000003/title","candidates":[{"id":"6a1aefc8d48f25dd839e2791b04ac6f258f193ff0e050320e42e54756d92b0bd","value":"One title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795800782652},{"id":"e6f346bb32b287c748ea00f1080f718620d001d07a116eff85a39aa1d69e4e5c","value":"Another title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795800782719}],"shown":"6a1aefc8d48f25dd839e2791b04ac6f258f193ff0e050320e42e54756d92b0bd"}',0,'card/33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_names VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',1,'comment/33333333-2222-4333-8444-000000000004',1);
INSERT INTO kbd_names VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',1,'card/33333333-2222-4333-8444-000000000003',0);
INSERT INTO kbd_content VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',21,'VGhlIHRleHQgb2YgdGhlIGNhcmQu',NULL,0);
INSERT INTO kbd_content VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',15,'VGhpcyBnb2VzIGF3YXku',1795800782316,1);
INSERT INTO audit VALUES(1,1795800777874,'enrolment','demo','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','owner','ok','bd3d447332b804cd613e6da881b7c1cce51e6c84680dbcbcf55736f2b5af896f');
INSERT INTO audit VALUES(2,1795800781609,'command','demo','bde4fff52c859362ceddc0963af6f9ef087ca2a2b7aed0eb902655d9251c0b6c','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','8df7b2678a620a501806530fb3433f4af559826b28b941815fe0acc8585920fe');
INSERT INTO audit VALUES(3,1795800781784,'command','demo','bfa80486de562711d20e886f6b42915593caaee7704134a911223f35683346ff','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','e28352d01f7fe424e6f32a96d0c9132e5f77bec0a6f26c3a52fdb777c3d1e679');
INSERT INTO audit VALUES(4,1795800781951,'command','demo','3cf5351184ca8d4b3cf04fb8d31608458924de7c88a144ce8ec4556e30586fa9','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','b75251df4c041a35d55d3255b6ba183e96be64db34bc31a415764252aa1167e2');
INSERT INTO audit VALUES(5,1795800782137,'command','demo','94cbcbad058b921ddef6c1b4d0b7cb0ed3f0b44749db35b9c1fe8096ef082d0a','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','dadb0c74c9c6eb083502d4b1c36f6053c480f54635d91cb8a3ce0b60be546599');
INSERT INTO audit VALUES(6,1795800782316,'command','demo','cd68d64747ad00d8708f34e7ff890104b78a84f5e5def07b99f82c8d139126e5','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','1116d4c656be5a9240b64c29a714ce9809cf4d1d5cf959a742cb416f7ae81e03');
INSERT INTO audit VALUES(7,1795800782510,'claim','demo','d4ebe99258c720bc17bfd41ceb8c488e03d1a8bc27301213c48351e76fc79ff0','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','43f4e2c6975a1169dfc3df0b837fbd40fbc85c5966d156ae9ae3a1174a9f21bb');
INSERT INTO audit VALUES(8,1795800782679,'command','demo','6a1aefc8d48f25dd839e2791b04ac6f258f193ff0e050320e42e54756d92b0bd','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','5680965e5b6acf6fc06930d1ed0aeaa1df91cf664c7500c7d6ab5fb41d24eddd');
INSERT INTO audit VALUES(9,1795800782765,'command','demo','e6f346bb32b287c748ea00f1080f718620d001d07a116eff85a39aa1d69e4e5c','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','511a9bf90c1ca66e63a5df933689d8a32a18f12d980cba8ea02c2f72239408c8');
INSERT INTO audit VALUES(10,1795800782765,'fork','demo','e6f346bb32b287c748ea00f1080f718620d001d07a116eff85a39aa1d69e4e5c','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','device_forked','70a08e388620cb656eed10f92f8c6eeef49cd6fb25836d104430ec3af488b86c');
INSERT INTO audit VALUES(11,1795800782915,'push','demo','10788253-9d7f-41a2-9793-157cdcc9bb82','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','7fec1c681cb6d60b5b447818fd47e370b295270e3b5264710e7f9e125ea56639');
INSERT INTO audit VALUES(12,1795800784907,'peer',NULL,'1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','owner','ok','d1858130ed3375e6b858325e7c0478eb0a74a0dce3e98fa0d821daf1c2c57309');
INSERT INTO audit_checkpoints VALUES(12,'d1858130ed3375e6b858325e7c0478eb0a74a0dce3e98fa0d821daf1c2c57309',1795800792115,'60d16ae9dd96a1054643e1ed681885ae2ceec696274509574597ea144b4c7a73','k4mrRenOcJfzeP3wPxM2W3JogDbCI2vMST+XCkeAqPoV9t42SipWyLMvEudRSS6EcjQkwCodxYvohGXhwcqqBQ==');
INSERT INTO kbd_content_ways VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af','demo','',0,1795800782316);
INSERT INTO kbd_content_ways VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675','demo','',0,NULL);
INSERT INTO kbd_claims VALUES(1,'33333333-2222-4333-8444-000000000003',6,'d4ebe99258c720bc17bfd41ceb8c488e03d1a8bc27301213c48351e76fc79ff0','33333333-2222-4333-8444-000000000001','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ada','3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556',1,1,0,1795800782426,1795800842426,1795800842426,1795800842426,1795800752426,NULL,0,0,0,0,1795800842426);
INSERT INTO kbd_claim_entries VALUES(1,6,6,1795800782426,1795800842426);
INSERT INTO peers VALUES('1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','lamp','["192.0.2.7:8420"]','["demo"]',2550308069284324);
INSERT INTO peer_pairings VALUES('36633830376639663334313135313962353438663666323432613730316337326534613435366465353430663864356566656535636562313433363634636334',NULL,'["demo"]',0,1795801387599,NULL,2843525272935980);
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
