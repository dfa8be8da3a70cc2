-- commit: 7c5a9f15
-- known: {"push":"e0a2ed92-ded9-42c8-afc2-1ebe6c57cd95","receipt":{"schemaVersion":"1.7","pushId":"e0a2ed92-ded9-42c8-afc2-1ebe6c57cd95","canonicalPayloadHash":"0c498414c040a386189d083a947d2da9802b5e2122453605c8b731b44ab40d2e","domain":"kbd-control:demo","targets":[],"localState":"applied_locally","frontier":{"heads":["17d01fd84fbe0a043a166975889bb4c17e97193bee04930308d0d4ed2e5fb0c5","6909cddba7de9295d9cbf8b84f6a028488efc98e5a10b6f848949c43ad2fb5e5"]},"revision":8,"origin":null,"perPeer":{},"createdAtMs":1795611268764,"updatedAtMs":1795611268764,"events":[{"sequence":1,"kind":"accepted","atMs":1795611268764,"localState":"accepted"},{"sequence":2,"kind":"prepared","atMs":1795611268764,"localState":"prepared"},{"sequence":3,"kind":"applied_locally","atMs":1795611268764,"localState":"applied_locally"}]},"frontier":{"heads":["17d01fd84fbe0a043a166975889bb4c17e97193bee04930308d0d4ed2e5fb0c5","6909cddba7de9295d9cbf8b84f6a028488efc98e5a10b6f848949c43ad2fb5e5"]},"key":"svc_oCMAwILJIGfuohWM_gMCLYi21q8XSt2C7Q06LYriAV4JTywiYUzSPyPP1QAQ4YBkqY","run":{"run_id":"an-old-run","thread_id":"thread_6h53eciqjf7kyiy4","owner":{"user_id":"ada","tenant_id":"default"},"created_at_ms":1795611272565,"epoch":"w4kgth4u","status":"running","ended_at_ms":null,"first_seq":1,"last_seq":2}}
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
INSERT INTO meta VALUES('migration:peer.outbox','needed');
INSERT INTO meta VALUES('migration:peer.pairings','needed');
INSERT INTO meta VALUES('migration:peer.registry','needed');
INSERT INTO meta VALUES('migration:realtime.runs','independent');
INSERT INTO meta VALUES('migration:sync.receipts','needed');
INSERT INTO meta VALUES('migration:sync.sums','needed');
INSERT INTO projects VALUES('demo','[]',1795611266956,485041403131120);
INSERT INTO devices VALUES('ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','6053c9d4-d994-4d85-9289-8d4f52509c87','["kbd-control:demo"]','old','active',1795611266956,NULL,NULL,NULL,2212193440714375);
INSERT INTO receipts VALUES(1,'e0a2ed92-ded9-42c8-afc2-1ebe6c57cd95','0c498414c040a386189d083a947d2da9802b5e2122453605c8b731b44ab40d2e','kbd-control:demo','[]','applied_locally','{}','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','Fvf3P4OxR4Skq2p0CyZZVVBOMA+oso0vU6uVbyxuDm5Y5qlOuc1mIqX43UeSEMQosM0MOcb0UC2jxh18sX9NAQ==',NULL,3,1795611268764,1795611268764,NULL,'{"heads":["17d01fd84fbe0a043a166975889bb4c17e97193bee04930308d0d4ed2e5fb0c5","6909cddba7de9295d9cbf8b84f6a028488efc98e5a10b6f848949c43ad2fb5e5"]}',8,NULL,3913720669983822);
INSERT INTO events VALUES(1,1,'{"sequence":1,"kind":"accepted","atMs":1795611268764,"localState":"accepted"}',277796311478862);
INSERT INTO events VALUES(1,2,'{"sequence":2,"kind":"prepared","atMs":1795611268764,"localState":"prepared"}',896223680385308);
INSERT INTO events VALUES(1,3,'{"sequence":3,"kind":"applied_locally","atMs":1795611268764,"localState":"applied_locally"}',205856932303768);
INSERT INTO api_keys VALUES(1,'oCMAwILJIGfuohWM','{"name":"old","owner":{"user":"ada","tenant":"default"},"scopes":[],"hash":"$argon2id$v=19$m=19456,t=2,p=1$XxuCXFg1GLhIgyiIxM9+bw$dPooT9k4/VB4jrm/aLUsTK4DPtZmcG4BXT5hcT25LSw"}',1795611271866,2110971271866,NULL,NULL,1297163906687454);
INSERT INTO run_appends VALUES(1,'["default","ada","an-old-run"]',0,'{"id":"ki4qo4juiip2ulmb","record":{"run_id":"an-old-run","thread_id":"thread_6h53eciqjf7kyiy4","owner":{"user_id":"ada","tenant_id":"default"},"status":"running","created_at_ms":1795611272565,"ended_at_ms":null,"first_seq":1,"last_seq":0,"epoch":"w4kgth4u"},"bytes":8192,"gone":false}','',1930035059693031);
INSERT INTO run_appends VALUES(2,'["default","ada","an-old-run"]',0,'{"id":"i4smtqpexxolafb2","record":{"run_id":"an-old-run","thread_id":"thread_6h53eciqjf7kyiy4","owner":{"user_id":"ada","tenant_id":"default"},"created_at_ms":1795611272565,"epoch":"w4kgth4u","status":"running","ended_at_ms":null,"first_seq":1,"last_seq":2},"bytes":9532,"gone":false}','{"type":"RUN_STARTED","threadId":"t","runId":"an-old-run"}
{"type":"CUSTOM","name":"old","value":1}',2169360757026486);
INSERT INTO sqlite_sequence VALUES('run_appends',2);
INSERT INTO kbd_projects VALUES(1,'demo','7e6a13a841ed3c462991ab06b851d2a55e22904d57a66239a18a6b0428a1d2df',8,2);
INSERT INTO kbd_commands VALUES(1,1,'7e6a13a841ed3c462991ab06b851d2a55e22904d57a66239a18a6b0428a1d2df','86d9ba17-94c8-4ea7-9b0a-81240831588d','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611268282,'','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","title":"Plans","type":"board.create"},"commandId":"86d9ba17-94c8-4ea7-9b0a-81240831588d","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":[]},"issuedAtMs":1795611268282,"schemaVersion":"2","signature":"q3gTbec+szz9sV9V/I1nR/yWrl53N4dRkfWT1DPGpLuYybSPyUDlZFHUMLK6edbTscVmCXB62aEISvto+uQ8Bg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,2,'333cf864adde0ae1ab1737360d1f7cd4545eb917eb3e41dcf8fe3476e2ba2b91','9c7e2e3d-db87-45cd-993d-797f2f6e7e25','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611268418,'1','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"Doing","type":"column.create"},"commandId":"9c7e2e3d-db87-45cd-993d-797f2f6e7e25","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["7e6a13a841ed3c462991ab06b851d2a55e22904d57a66239a18a6b0428a1d2df"]},"issuedAtMs":1795611268418,"schemaVersion":"2","signature":"c8faqXyXhbXGiY3kRS7ZNx8cDy/zlatKuUEtVLfejMq1kw/7D91TYqxsfIjZdCJuB/elp6Fp7PnY/j8AuPVRBw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,3,'114e18f5d9c08476e63496eb45a551b8c05d9fc7706f1525db72fe24c39f4e12','484f5f6d-0e35-47c1-b2ce-c44f11852526','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611268460,'2','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","bodyHash":"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675","cardId":"33333333-2222-4333-8444-000000000003","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"An old card","type":"card.create"},"commandId":"484f5f6d-0e35-47c1-b2ce-c44f11852526","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["333cf864adde0ae1ab1737360d1f7cd4545eb917eb3e41dcf8fe3476e2ba2b91"]},"issuedAtMs":1795611268460,"schemaVersion":"2","signature":"gajzFcNB7ibV+x8P3NAeZ6QSUHN+twZ9gNtDEzmPMxXBVwLPBScaO6YzobAO9zAZqmElsFOHjXbSgtbZ4e0eAQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,4,'1a2cdb5dc922c2efccefb075ea4e924b4ac6f67976ddc762c71e84a8690ad731','82427d62-1ca6-4aad-9cdf-14bf6e1b3b3b','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611268498,'3','',0,NULL,'{"command":{"bodyHash":"80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af","cardId":"33333333-2222-4333-8444-000000000003","commentId":"33333333-2222-4333-8444-000000000004","type":"comment.add"},"commandId":"82427d62-1ca6-4aad-9cdf-14bf6e1b3b3b","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["114e18f5d9c08476e63496eb45a551b8c05d9fc7706f1525db72fe24c39f4e12"]},"issuedAtMs":1795611268498,"schemaVersion":"2","signature":"LS861wGsnCIttUiaq01pC1mTDhoP+7MgJHzADH/LTxwfSEjT891VyFAGVEL0e0aHUmHfiFTJhAR+stfGhpkXAw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,5,'6577c196222ab8dc679ec0ff0ed4d0c7bf496c3e17b3e2c6a0471d6e4b0d9c3b','45fd33a9-fe9a-4d80-9d55-0efafa7a39ce','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611268530,'4','',0,NULL,'{"command":{"commentId":"33333333-2222-4333-8444-000000000004","type":"comment.redact"},"commandId":"45fd33a9-fe9a-4d80-9d55-0efafa7a39ce","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["1a2cdb5dc922c2efccefb075ea4e924b4ac6f67976ddc762c71e84a8690ad731"]},"issuedAtMs":1795611268530,"schemaVersion":"2","signature":"hzEh12Zhu2Z/Qqk547IatxqM8SvR5l/iKr4BtCtk66FYlf4I90PfUkhN2rFmPMzWNHG2oXxnNfmQgrJ6o5WTCw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,6,'d7742e8ed1a4512456d2e427d844796bac0fa02e7674d5fd398f81b510c928c9','d0927f94-e2bd-4e54-a9d0-3b16e4ffd4fe','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611268575,'5','',0,NULL,'{"command":{"agent":"ada","cardId":"33333333-2222-4333-8444-000000000003","claimId":"33333333-2222-4333-8444-000000000001","leaseMs":60000,"type":"claim.acquire"},"commandId":"d0927f94-e2bd-4e54-a9d0-3b16e4ffd4fe","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["6577c196222ab8dc679ec0ff0ed4d0c7bf496c3e17b3e2c6a0471d6e4b0d9c3b"]},"issuedAtMs":1795611268575,"schemaVersion":"2","signature":"kQrqPIHWm4kwLAU/Has7wiL6qjE2l7OWdHL4xCKMLRZVoq0qhbHPOWurl0Xxa/aHKs+GvVL0QE8krM3xvpyJDA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,7,'17d01fd84fbe0a043a166975889bb4c17e97193bee04930308d0d4ed2e5fb0c5','0f0766c0-70b2-4392-8871-94a779970c90','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611268624,'6','',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"One title","type":"card.update"},"commandId":"0f0766c0-70b2-4392-8871-94a779970c90","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["d7742e8ed1a4512456d2e427d844796bac0fa02e7674d5fd398f81b510c928c9"]},"issuedAtMs":1795611268624,"schemaVersion":"2","signature":"aYD7NauiOyRI8qKusamRm8MuGKAKE+Vt85ZgfdaRvNTGKQPoNMpD0/BknxcIYVcrPYbxNfUyuKbslE5XpcaTCQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,8,'6909cddba7de9295d9cbf8b84f6a028488efc98e5a10b6f848949c43ad2fb5e5','cfb4ac2d-6a9b-4f4c-ba00-748497982917','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611268681,'6','7 0',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"Another title","type":"card.update"},"commandId":"cfb4ac2d-6a9b-4f4c-ba00-748497982917","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["d7742e8ed1a4512456d2e427d844796bac0fa02e7674d5fd398f81b510c928c9"]},"issuedAtMs":1795611268681,"schemaVersion":"2","signature":"tmOz2DY0RsjZOJmYq7LHtMtZ/gdIedYSKym96b2ursbUe4rNrXABJwf/hCXXfKWoNoIIGTcMUgXtKPgK8FAmBw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_tips VALUES(1,'','17d01fd84fbe0a043a166975889bb4c17e97193bee04930308d0d4ed2e5fb0c5',7);
INSERT INTO kbd_tips VALUES(1,'','6909cddba7de9295d9cbf8b84f6a028488efc98e5a10b6f848949c43ad2fb5e5',8);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','17d01fd84fbe0a043a166975889bb4c17e97193bee04930308d0d4ed2e5fb0c5',7);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','6909cddba7de9295d9cbf8b84f6a028488efc98e5a10b6f848949c43ad2fb5e5',8);
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','+',1,'null');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','archived',1,'false');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','title',1,'"Plans"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','+',3,'null');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','archived',3,'false');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','bodyHash',3,'"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','claim',6,'{"agent":"ada","claimId":"33333333-2222-4333-8444-000000000001","expiresAtMs":1795611328575,"leaseMs":60000,"of":"d7742e8ed1a4512456d2e427d844796bac0fa02e7674d5fd398f81b510c928c9","type":"claim.acquire"}');
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
INSERT INTO kbd_views VALUES(1,'comments','33333333-2222-4333-8444-000000000004','{"commentId":"33333333-2222-4333-8444-000000000004","cardId":"33333333-2222-4333-8444-000000000003","bodyHash":null,"redacted":true,"issuedAtMs":1795611268498,"deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}',0,'33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_views VALUES(1,'claims','d7742e8ed1a4512456d2e427d844796bac0fa02e7674d5fd398f81b510c928c9','{"claimId":"33333333-2222-4333-8444-000000000001","cardId":"33333333-2222-4333-8444-000000000003","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","agent":"ada","leaseMs":60000,"expiresAtMs":1795611328575,"tie":"3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556","generation":1,"state":"held"}',0,'33333333-2222-4333-8444-000000000001','33333333-2222-4333-8444-000000000003');
INSERT INTO kbd_views VALUES(1,'conflicts','17f26c66975ef7284a1fbb17ae8917974f21c79f5003ac14aaa2307296e47b0c','{"conflictId":"17f26c66975ef7284a1fbb17ae8917974f21c79f5003ac14aaa2307296e47b0c","kind":"field","entity":{"type":"card","id":"33333333-2222-4333-8444-000000000003"},"register":"card/33333333-2222-4333-8444-000000000003/title","candidates":[{"id":"17d01fd84fbe0a043a166975889bb4c17e97193bee04930308d0d4ed2e5fb0c5","value":"One title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795611268624},{"id":"6909cddba7de9295d9cbf8b84f6a028488efc98e5a10b6f848949c43ad2fb5e5","value":"Another title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795611268681}],"shown":"17d01fd84fbe0a043a166975889bb4c17e97193bee04930308d0d4ed2e5fb0c5"}',0,'card/33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_claims VALUES(1,'33333333-2222-4333-8444-000000000003',6,'d7742e8ed1a4512456d2e427d844796bac0fa02e7674d5fd398f81b510c928c9','33333333-2222-4333-8444-000000000001','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ada','3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556',1,1,0,0,0,1795611328575);
INSERT INTO kbd_names VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',1,'comment/33333333-2222-4333-8444-000000000004',1);
INSERT INTO kbd_names VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',1,'card/33333333-2222-4333-8444-000000000003',0);
INSERT INTO kbd_content VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',21,'VGhlIHRleHQgb2YgdGhlIGNhcmQu',NULL,NULL);
INSERT INTO kbd_content VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',15,'VGhpcyBnb2VzIGF3YXku',NULL,1795611268540);
INSERT INTO audit VALUES(1,1795611266956,'enrolment','demo','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','owner','ok','e51283b698ace689fc3d4062e2cce2203c274b51b31adcd9abb1917aa10e080c');
INSERT INTO audit VALUES(2,1795611268373,'command','demo','7e6a13a841ed3c462991ab06b851d2a55e22904d57a66239a18a6b0428a1d2df','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','60fec9cf5bbc035181c701bcf5fec14af9f45f23eaec3778e646eaf113324d96');
INSERT INTO audit VALUES(3,1795611268431,'command','demo','333cf864adde0ae1ab1737360d1f7cd4545eb917eb3e41dcf8fe3476e2ba2b91','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','e2079b91279e2ae4aedf877a920373fb213f2e17a9c4665d66587487de2191c1');
INSERT INTO audit VALUES(4,1795611268481,'command','demo','114e18f5d9c08476e63496eb45a551b8c05d9fc7706f1525db72fe24c39f4e12','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','1579eb7b9840897f5664281cba60cce919146b7b17924a4ea162e9b7a87c1e82');
INSERT INTO audit VALUES(5,1795611268515,'command','demo','1a2cdb5dc922c2efccefb075ea4e924b4ac6f67976ddc762c71e84a8690ad731','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','d99249ee041ad4baef642a13f962d897ddd5ed25deded127230517f30d38c3ae');
INSERT INTO audit VALUES(6,1795611268540,'command','demo','6577c196222ab8dc679ec0ff0ed4d0c7bf496c3e17b3e2c6a0471d6e4b0d9c3b','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','4e41c99fe792a4d94e8e36839b90dae3eb85e17c9fe73fc42f3217907df87913');
INSERT INTO audit VALUES(7,1795611268585,'claim','demo','d7742e8ed1a4512456d2e427d844796bac0fa02e7674d5fd398f81b510c928c9','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','59beaa249dc4ebda0159e10f197c41c52f532b349a4cd46000356115283d5f15');
INSERT INTO audit VALUES(8,1795611268637,'command','demo','17d01fd84fbe0a043a166975889bb4c17e97193bee04930308d0d4ed2e5fb0c5','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','c402b4dd93179ae0ac309a8a023380096bfb9d6f2f51f174f080d94d80aed1b1');
INSERT INTO audit VALUES(9,1795611268696,'command','demo','6909cddba7de9295d9cbf8b84f6a028488efc98e5a10b6f848949c43ad2fb5e5','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','8f4e1893170c09835b2b06145be910ec38a1397c5e580fb4feed3f75ad95462a');
INSERT INTO audit VALUES(10,1795611268696,'fork','demo','6909cddba7de9295d9cbf8b84f6a028488efc98e5a10b6f848949c43ad2fb5e5','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','device_forked','4b1a519f08ec0dfa7ebda0123e672985853a0d2bb4519a2d8c35f64d1e6a290f');
INSERT INTO audit VALUES(11,1795611268764,'push','demo','e0a2ed92-ded9-42c8-afc2-1ebe6c57cd95','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','2de94619589cfd7c2fe6879c8c2aba4733d09a347f35d1777d6aedd0d1328359');
INSERT INTO audit VALUES(12,1795611269868,'peer',NULL,'1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','owner','ok','613fc3ed042e851667e460bcd39618055000852a2d99e51b33065bc3e8022f53');
INSERT INTO audit_checkpoints VALUES(12,'613fc3ed042e851667e460bcd39618055000852a2d99e51b33065bc3e8022f53',1795611272703,'b6746737b821b057b5031291f66e571606dbcd9d3a7d6a867fb6df7ceca55e6f','F460qnOOY1lGElDgTMm4GyxcZVpkoQU1HlxFWFkZwzyY9O4521PRcmEqjKnrAfC9cZYBWsrd7Hgf1gGGr9bSCw==');
INSERT INTO peers VALUES('1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','lamp','["192.0.2.7:8420"]','["demo"]',2550308069284324);
INSERT INTO peer_pairings VALUES('33333238353737373964363531326130623136353438303064316437393561353931373562323863373738363462656237383261626130663562353535393466',NULL,'["demo"]',0,1795611871682,NULL,3880814962724886);
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
