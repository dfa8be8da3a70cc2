-- commit: 9c8ac1c7
-- known: {"push":"f7948d7b-f145-4d98-8101-bbfd03e45dd7","receipt":{"schemaVersion":"1.7","pushId":"f7948d7b-f145-4d98-8101-bbfd03e45dd7","canonicalPayloadHash":"68f5e5d4827ba5e82dc510545fef8af4aac04931a48669c221bab7c78ac74dfb","domain":"kbd-control:demo","targets":[],"localState":"applied_locally","frontier":{"heads":["0d8e8d336a235d5d93e04cb26494590b850bd9022c4c5f84948375714d85393a","79c0acc590e8866d695d641bba5cbf48469bc1621e4e12d16b93f83c1e86c118"]},"revision":8,"origin":null,"perPeer":{},"createdAtMs":1795611244314,"updatedAtMs":1795611244314,"events":[{"sequence":1,"kind":"accepted","atMs":1795611244314,"localState":"accepted"},{"sequence":2,"kind":"prepared","atMs":1795611244314,"localState":"prepared"},{"sequence":3,"kind":"applied_locally","atMs":1795611244314,"localState":"applied_locally"}]},"frontier":{"heads":["0d8e8d336a235d5d93e04cb26494590b850bd9022c4c5f84948375714d85393a","79c0acc590e8866d695d641bba5cbf48469bc1621e4e12d16b93f83c1e86c118"]},"key":"svc_k6Ze8z497vOnTxkb_MWWvMo6c5DnDAq9rQKkJrt7olHHAtXTetYZu7EzsweU4W8jTZ"}
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
INSERT INTO meta VALUES('migration:sync.receipts','needed');
INSERT INTO meta VALUES('migration:sync.sums','needed');
INSERT INTO projects VALUES('demo','[]',1795611242147,485041403131120);
INSERT INTO devices VALUES('ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','d7805175-d875-4130-a0d5-adbba3abe361','["kbd-control:demo"]','old','active',1795611242147,NULL,NULL,NULL,4054651247318322);
INSERT INTO receipts VALUES(1,'f7948d7b-f145-4d98-8101-bbfd03e45dd7','68f5e5d4827ba5e82dc510545fef8af4aac04931a48669c221bab7c78ac74dfb','kbd-control:demo','[]','applied_locally','{}','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','LpB5VYxz6pjdtA7MazxUdXLDMWGdupKmtZCLd74xh9K5LgObK1/1Gig7V8or2gdA9Hy3Nobly9BbllUBCWkyBw==',NULL,3,1795611244314,1795611244314,NULL,'{"heads":["0d8e8d336a235d5d93e04cb26494590b850bd9022c4c5f84948375714d85393a","79c0acc590e8866d695d641bba5cbf48469bc1621e4e12d16b93f83c1e86c118"]}',8,NULL,361567329387230);
INSERT INTO events VALUES(1,1,'{"sequence":1,"kind":"accepted","atMs":1795611244314,"localState":"accepted"}',1417499252398720);
INSERT INTO events VALUES(1,2,'{"sequence":2,"kind":"prepared","atMs":1795611244314,"localState":"prepared"}',1754481659790810);
INSERT INTO events VALUES(1,3,'{"sequence":3,"kind":"applied_locally","atMs":1795611244314,"localState":"applied_locally"}',2159489294496861);
INSERT INTO api_keys VALUES(1,'k6Ze8z497vOnTxkb','{"name":"old","owner":{"user":"ada","tenant":"default"},"scopes":[],"hash":"$argon2id$v=19$m=19456,t=2,p=1$E2esRaC6+GEsnOAyoddtlw$mPjcZw4IQ+f8AQ9lJAg0m6SEFalJuKDZBM2XkUX2u+w"}',1795611247410,2110971247410,NULL,NULL,4267718341634669);
INSERT INTO kbd_projects VALUES(1,'demo','3b8fd140c427f8b5facf95461c58f067d7bd6fbf86f9d4a52b58dc8ffc292f84',8,2);
INSERT INTO kbd_commands VALUES(1,1,'3b8fd140c427f8b5facf95461c58f067d7bd6fbf86f9d4a52b58dc8ffc292f84','0a2bf6b7-20d1-402e-93bf-b271274cdf30','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611243581,'','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","title":"Plans","type":"board.create"},"commandId":"0a2bf6b7-20d1-402e-93bf-b271274cdf30","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":[]},"issuedAtMs":1795611243581,"schemaVersion":"2","signature":"TxUxN8le9/FFvQXe9ifSXuhFhyaaZMkx+0GxnlNgYP+m1z2p6oYfKFt+7WXps0LdrtYlplBxx/vyFr3lduQuAQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,2,'d82c216d965cf7d0a02051b08d59cd66b5fe26e62c013f5d3936c7458ab9830b','107c0f82-1d91-4417-a1b4-7d6a3fa65f55','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611243731,'1','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"Doing","type":"column.create"},"commandId":"107c0f82-1d91-4417-a1b4-7d6a3fa65f55","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["3b8fd140c427f8b5facf95461c58f067d7bd6fbf86f9d4a52b58dc8ffc292f84"]},"issuedAtMs":1795611243731,"schemaVersion":"2","signature":"mwZ6dQ4IlFrLZbtplLS5oKXCIAcf8AnWuoveyGapfDUdFHeGWgoT7JE2h0r/ENOMKUH5wyjOYQngX6MXPeHTBg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,3,'a020f13bd7765c2c581a77c87a873ed32dfa6c376beb56c240e24c028a55bc1c','35e1cc5a-181a-4619-8090-b377fe77d81f','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611243809,'2','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","bodyHash":"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675","cardId":"33333333-2222-4333-8444-000000000003","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"An old card","type":"card.create"},"commandId":"35e1cc5a-181a-4619-8090-b377fe77d81f","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["d82c216d965cf7d0a02051b08d59cd66b5fe26e62c013f5d3936c7458ab9830b"]},"issuedAtMs":1795611243809,"schemaVersion":"2","signature":"11B3STngJ7NQDAloqOrFFA19d1OtE5KFTghl3SUBpFkQmSeUax25Nt9SlALtV6/SiCybM6uUcgT1DxBjk6OAAA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,4,'9dbd25cee3626e57dfb215bc04f4336cfffcd4735c05f51107100f42fa72152c','0a90db68-1172-4112-bae4-2aa9ea9f9e3b','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611243888,'3','',0,NULL,'{"command":{"bodyHash":"80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af","cardId":"33333333-2222-4333-8444-000000000003","commentId":"33333333-2222-4333-8444-000000000004","type":"comment.add"},"commandId":"0a90db68-1172-4112-bae4-2aa9ea9f9e3b","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["a020f13bd7765c2c581a77c87a873ed32dfa6c376beb56c240e24c028a55bc1c"]},"issuedAtMs":1795611243888,"schemaVersion":"2","signature":"u23dl1fLV86zgxTnZ4SzfxYZ/EwQB2lyenjhh9XxePBuLI1VxtGfHJQ7rw4YoFraYBuR3YJyz8r+Q3FbDZblBA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,5,'ddd8760dd27584374f4a181ad51e8d42edd335a071f2fcaa02e0e2d851406da8','26a43916-74ff-4ac4-92bd-3b7eaec23db5','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611243965,'4','',0,NULL,'{"command":{"commentId":"33333333-2222-4333-8444-000000000004","type":"comment.redact"},"commandId":"26a43916-74ff-4ac4-92bd-3b7eaec23db5","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["9dbd25cee3626e57dfb215bc04f4336cfffcd4735c05f51107100f42fa72152c"]},"issuedAtMs":1795611243965,"schemaVersion":"2","signature":"8RF8GRDfKvac4DX0YeVyWnfPelfcwXqBKRZCDFeO+wpMYinz7hB26UWg0fzCvZldBmN+t1lEE0WI8xo5+WPGAw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,6,'047d5346d88169a7cbd345c6e0c9f1c098d1925898836f75f32c175c55956dc7','a2e8e8fd-e8eb-40d6-a14c-40667238de62','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611244008,'5','',0,NULL,'{"command":{"agent":"ada","cardId":"33333333-2222-4333-8444-000000000003","claimId":"33333333-2222-4333-8444-000000000001","leaseMs":60000,"type":"claim.acquire"},"commandId":"a2e8e8fd-e8eb-40d6-a14c-40667238de62","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["ddd8760dd27584374f4a181ad51e8d42edd335a071f2fcaa02e0e2d851406da8"]},"issuedAtMs":1795611244008,"schemaVersion":"2","signature":"MEfiAjNX5bnTYh84tcLS9lDnU+nyFV74sXl531iY9LIJjaRa7sdpJ8Gn8QOsg0clKD4Uc05hayoX3Li4zcF6Cg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,7,'79c0acc590e8866d695d641bba5cbf48469bc1621e4e12d16b93f83c1e86c118','fedc74f7-d596-41e2-a193-d46e8de338d7','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611244116,'6','',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"One title","type":"card.update"},"commandId":"fedc74f7-d596-41e2-a193-d46e8de338d7","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["047d5346d88169a7cbd345c6e0c9f1c098d1925898836f75f32c175c55956dc7"]},"issuedAtMs":1795611244116,"schemaVersion":"2","signature":"tHySaRwuu4ajoqh0qJ30lE7n04wsA9tUFTe1tNHuG9ox3DixLe0fPDmrMo/2mk/9ny4wyowHO0ysZSw9jez5AA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,8,'0d8e8d336a235d5d93e04cb26494590b850bd9022c4c5f84948375714d85393a','9a58a2f2-2579-4c22-b9d1-29ec1ac0b73c','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611244264,'6','7 0',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"Another title","type":"card.update"},"commandId":"9a58a2f2-2579-4c22-b9d1-29ec1ac0b73c","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["047d5346d88169a7cbd345c6e0c9f1c098d1925898836f75f32c175c55956dc7"]},"issuedAtMs":1795611244264,"schemaVersion":"2","signature":"rmGTDqXfDBPw4Eg0WrqkLrbQKz4HHXkAYDhextgXLrUfINjvz/MAH27r2h8mbMffYrvvbOYU8gHR0mRID4w8BQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_tips VALUES(1,'','0d8e8d336a235d5d93e04cb26494590b850bd9022c4c5f84948375714d85393a',8);
INSERT INTO kbd_tips VALUES(1,'','79c0acc590e8866d695d641bba5cbf48469bc1621e4e12d16b93f83c1e86c118',7);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','0d8e8d336a235d5d93e04cb26494590b850bd9022c4c5f84948375714d85393a',8);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','79c0acc590e8866d695d641bba5cbf48469bc1621e4e12d16b93f83c1e86c118',7);
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','+',1,'null');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','archived',1,'false');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','title',1,'"Plans"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','+',3,'null');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','archived',3,'false');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','bodyHash',3,'"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','claim',6,'{"agent":"ada","claimId":"33333333-2222-4333-8444-000000000001","expiresAtMs":1795611304008,"leaseMs":60000,"of":"047d5346d88169a7cbd345c6e0c9f1c098d1925898836f75f32c175c55956dc7","type":"claim.acquire"}');
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
INSERT INTO kbd_views VALUES(1,'comments','33333333-2222-4333-8444-000000000004','{"commentId":"33333333-2222-4333-8444-000000000004","cardId":"33333333-2222-4333-8444-000000000003","bodyHash":null,"redacted":true,"issuedAtMs":1795611243888,"deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}',0,'33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_views VALUES(1,'claims','047d5346d88169a7cbd345c6e0c9f1c098d1925898836f75f32c175c55956dc7','{"claimId":"33333333-2222-4333-8444-000000000001","cardId":"33333333-2222-4333-8444-000000000003","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","agent":"ada","leaseMs":60000,"expiresAtMs":1795611304008,"tie":"3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556","generation":1,"state":"held"}',0,'33333333-2222-4333-8444-000000000001','33333333-2222-4333-8444-000000000003');
INSERT INTO kbd_views VALUES(1,'conflicts','93dbe6b65e7485578cd3f29f2d52c30bb36ace3cc6c36a7f42379a07babc4bea','{"conflictId":"93dbe6b65e7485578cd3f29f2d52c30bb36ace3cc6c36a7f42379a07babc4bea","kind":"field","entity":{"type":"card","id":"33333333-2222-4333-8444-000000000003"},"register":"card/33333333-2222-4333-8444-000000000003/title","candidates":[{"id":"0d8e8d336a235d5d93e04cb26494590b850bd9022c4c5f84948375714d85393a","value":"Another title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795611244264},{"id":"79c0acc590e8866d695d641bba5cbf48469bc1621e4e12d16b93f83c1e86c118","value":"One title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795611244116}],"shown":"0d8e8d336a235d5d93e04cb26494590b850bd9022c4c5f84948375714d85393a"}',0,'card/33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_claims VALUES(1,'33333333-2222-4333-8444-000000000003',6,'047d5346d88169a7cbd345c6e0c9f1c098d1925898836f75f32c175c55956dc7','33333333-2222-4333-8444-000000000001','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ada','3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556',1,1,0,0,0,1795611304008);
INSERT INTO kbd_names VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',1,'comment/33333333-2222-4333-8444-000000000004',1);
INSERT INTO kbd_names VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',1,'card/33333333-2222-4333-8444-000000000003',0);
INSERT INTO kbd_content VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',21,'VGhlIHRleHQgb2YgdGhlIGNhcmQu',NULL,NULL);
INSERT INTO kbd_content VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',15,'VGhpcyBnb2VzIGF3YXku',NULL,1795611243978);
INSERT INTO audit VALUES(1,1795611242147,'enrolment','demo','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','owner','ok','565cdb931140cd800d74c4281f5c445d8b5c199eac772d9c3cb614d61efdd58d');
INSERT INTO audit VALUES(2,1795611243694,'command','demo','3b8fd140c427f8b5facf95461c58f067d7bd6fbf86f9d4a52b58dc8ffc292f84','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','7e7ba8eacfb078dd4abec4a2abf0b76bafc989358482a6212c71b0c46113d7a1');
INSERT INTO audit VALUES(3,1795611243750,'command','demo','d82c216d965cf7d0a02051b08d59cd66b5fe26e62c013f5d3936c7458ab9830b','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','83397167dd1a29d0138255f80cd04f9d3c56c3899c3bf9e174e3320adc29e1f1');
INSERT INTO audit VALUES(4,1795611243841,'command','demo','a020f13bd7765c2c581a77c87a873ed32dfa6c376beb56c240e24c028a55bc1c','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','872ee803fa1df2d60970cc579dd696a8353155cf9a4c6b99b3dfef9bfe5562ae');
INSERT INTO audit VALUES(5,1795611243914,'command','demo','9dbd25cee3626e57dfb215bc04f4336cfffcd4735c05f51107100f42fa72152c','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','52c491b11a14d6f8c44ac6a68a5660899aa6ede76d4a09f836f7dcf283bbc890');
INSERT INTO audit VALUES(6,1795611243978,'command','demo','ddd8760dd27584374f4a181ad51e8d42edd335a071f2fcaa02e0e2d851406da8','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','94a3e417b808313848b84432ee9eb7ddbc1f0b73aedd3eb14bc4fa984072b565');
INSERT INTO audit VALUES(7,1795611244033,'claim','demo','047d5346d88169a7cbd345c6e0c9f1c098d1925898836f75f32c175c55956dc7','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','b88f5f07c647f280c4a1656206ba9f313824eeba875cd06a4f91805a24995f3f');
INSERT INTO audit VALUES(8,1795611244233,'command','demo','79c0acc590e8866d695d641bba5cbf48469bc1621e4e12d16b93f83c1e86c118','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','073475329a12bf1411f0d31c32627c75f4a607a6881000bbb4c6a27738b3cf30');
INSERT INTO audit VALUES(9,1795611244275,'command','demo','0d8e8d336a235d5d93e04cb26494590b850bd9022c4c5f84948375714d85393a','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','e07201c97671976ed982d6ce4919854e33c0d3298831c9b66b40bb48c24919c3');
INSERT INTO audit VALUES(10,1795611244275,'fork','demo','0d8e8d336a235d5d93e04cb26494590b850bd9022c4c5f84948375714d85393a','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','device_forked','7a38ebdd8d3656d77937d63a3e07f7fed6443deacc26182db388e2c8af6724c6');
INSERT INTO audit VALUES(11,1795611244314,'push','demo','f7948d7b-f145-4d98-8101-bbfd03e45dd7','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','e339295da606422adc34812312ae7ebe752c1a674157f70c99446fac43e397c2');
INSERT INTO audit VALUES(12,1795611245857,'peer',NULL,'1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','owner','ok','6fb2860973ec8631829b27ccd4ed6bef34fa76eb0d67d3484df0dd1af1cfd786');
INSERT INTO audit_checkpoints VALUES(12,'6fb2860973ec8631829b27ccd4ed6bef34fa76eb0d67d3484df0dd1af1cfd786',1795611248410,'02cff6256bcd8ef120470e2a5f88c24a49cc569ccceb95fb52d71bef22aa74a2','/e731J/OR1OXBWhizkrna5LiIVG5VfUct/pLTHSLqvT5xTdMUV5kfC0AVXM3gVpstXpJSfQAAVEMFh1cEaVsCg==');
INSERT INTO peers VALUES('1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','lamp','["192.0.2.7:8420"]','["demo"]',2550308069284324);
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
CREATE INDEX outbox_again ON outbox (endpoint_id, next_attempt_at_ms) WHERE attempts > 0;
