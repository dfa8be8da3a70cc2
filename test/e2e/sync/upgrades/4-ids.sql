-- commit: 6a51eea1
-- known: {"push":"6c8064be-4d31-4c06-99a8-380e5dcf135a","receipt":{"schemaVersion":"1.7","pushId":"6c8064be-4d31-4c06-99a8-380e5dcf135a","canonicalPayloadHash":"018881b27ef7f3ccee0779774faa414257860aba9c3e89acdc74927f84d7cff4","domain":"kbd-control:demo","targets":[],"localState":"applied_locally","frontier":{"heads":["3878ed910e58926447014fbce53a0561da5d0d070605ebe6f29da26866d16a80","e3a1828ffa962a2d905791fd361325accbc7093faeaf0c6e7bfd343efa72ddf9"]},"revision":8,"origin":null,"perPeer":{},"createdAtMs":1795611233992,"updatedAtMs":1795611233992,"events":[{"sequence":1,"kind":"accepted","atMs":1795611233992,"localState":"accepted"},{"sequence":2,"kind":"prepared","atMs":1795611233992,"localState":"prepared"},{"sequence":3,"kind":"applied_locally","atMs":1795611233992,"localState":"applied_locally"}]},"frontier":{"heads":["3878ed910e58926447014fbce53a0561da5d0d070605ebe6f29da26866d16a80","e3a1828ffa962a2d905791fd361325accbc7093faeaf0c6e7bfd343efa72ddf9"]}}
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
INSERT INTO meta VALUES('migration:kbd.boards','needed');
INSERT INTO meta VALUES('migration:peer.outbox','needed');
INSERT INTO meta VALUES('migration:peer.registry','needed');
INSERT INTO meta VALUES('migration:sync.receipts','needed');
INSERT INTO meta VALUES('migration:sync.sums','needed');
INSERT INTO projects VALUES('demo','[]',1795611232462,485041403131120);
INSERT INTO devices VALUES('ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','fcba1bf1-36c9-4cb2-9c34-9bb26700d27a','["kbd-control:demo"]','old','active',1795611232462,NULL,NULL,NULL,364263158808855);
INSERT INTO receipts VALUES(1,'6c8064be-4d31-4c06-99a8-380e5dcf135a','018881b27ef7f3ccee0779774faa414257860aba9c3e89acdc74927f84d7cff4','kbd-control:demo','[]','applied_locally','{}','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','tWKX1KvjYWXxD7RlsUnGSqJH24BXVmRrPomiOLRHrWTq9pFocD65Xj7LMVH9P8xSVz5wIhsI2D7Y5I9V+tJUDA==',NULL,3,1795611233992,1795611233992,NULL,'{"heads":["3878ed910e58926447014fbce53a0561da5d0d070605ebe6f29da26866d16a80","e3a1828ffa962a2d905791fd361325accbc7093faeaf0c6e7bfd343efa72ddf9"]}',8,NULL,4228024228408168);
INSERT INTO events VALUES(1,1,'{"sequence":1,"kind":"accepted","atMs":1795611233992,"localState":"accepted"}',3596480843926760);
INSERT INTO events VALUES(1,2,'{"sequence":2,"kind":"prepared","atMs":1795611233992,"localState":"prepared"}',3279469290734158);
INSERT INTO events VALUES(1,3,'{"sequence":3,"kind":"applied_locally","atMs":1795611233992,"localState":"applied_locally"}',2157066543766966);
INSERT INTO kbd_projects VALUES(1,'demo','70217c583d5e98e7a37f79f593610e041866e504381b0f7ea00e5e8dddbdf578',8,2);
INSERT INTO kbd_commands VALUES(1,1,'70217c583d5e98e7a37f79f593610e041866e504381b0f7ea00e5e8dddbdf578','8932abc9-23a4-4e92-8201-ab2cf1769206','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611233595,'','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","title":"Plans","type":"board.create"},"commandId":"8932abc9-23a4-4e92-8201-ab2cf1769206","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":[]},"issuedAtMs":1795611233595,"schemaVersion":"2","signature":"mIgGeXCoZ/8TU60k6RQqfwa3wPwzJVvmkf2FwukmCINytHr0iWgxJVeKj8JulkGnU7uP0ArpcVXe9NT/30i0Dg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,2,'e77dfea897eb8bee910b2c8321d64731203ba4bf612dd9ea0d508e4360f75ac1','420be246-01e1-4e3d-8d03-631447b33ee2','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611233662,'1','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"Doing","type":"column.create"},"commandId":"420be246-01e1-4e3d-8d03-631447b33ee2","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["70217c583d5e98e7a37f79f593610e041866e504381b0f7ea00e5e8dddbdf578"]},"issuedAtMs":1795611233662,"schemaVersion":"2","signature":"9NmBvP8vfoPYiozIQLzW+VKrFubpl1aJ/i0oguJPgmbsLDIYobBG+KM2f1jif+MDrqvLGjSI7AE0iMBYNV5pBw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,3,'17df4280a2e904e48bb2d9be09b12af348b021fb078e043ab5e35c03a4bda14d','db563bb1-71ad-456f-a8ed-f0f9a09cea28','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611233698,'2','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","bodyHash":"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675","cardId":"33333333-2222-4333-8444-000000000003","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"An old card","type":"card.create"},"commandId":"db563bb1-71ad-456f-a8ed-f0f9a09cea28","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["e77dfea897eb8bee910b2c8321d64731203ba4bf612dd9ea0d508e4360f75ac1"]},"issuedAtMs":1795611233698,"schemaVersion":"2","signature":"zgS87476b/C/8n7wOZvSVfDXZ6rjmDVKnmHfstVQIllDRm3i60LVZaYE7K2cO9B38Wk2hRq9ngDqUfOrUYoHBQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,4,'df9c4c1ad9182fb099ec06eab45bb7743fb683e870d02bcfd1084159a7893541','43533ba0-4d96-4350-9fac-c239b69826d2','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611233773,'3','',0,NULL,'{"command":{"bodyHash":"80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af","cardId":"33333333-2222-4333-8444-000000000003","commentId":"33333333-2222-4333-8444-000000000004","type":"comment.add"},"commandId":"43533ba0-4d96-4350-9fac-c239b69826d2","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["17df4280a2e904e48bb2d9be09b12af348b021fb078e043ab5e35c03a4bda14d"]},"issuedAtMs":1795611233773,"schemaVersion":"2","signature":"SaNSVvYMsR6SGBRFN+yferZwRIVEQume5G2YWZzPYfGLx/rvvDzNpPrPWG6QWcNqz+L3CqWqKyjvOLsN+Y1+DA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,5,'84f8dee22d70619a57ce0dec56649534ba0456f1dbbcef7f35e24fe5912e584b','8367854e-e337-4464-8afc-e47312aad872','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611233810,'4','',0,NULL,'{"command":{"commentId":"33333333-2222-4333-8444-000000000004","type":"comment.redact"},"commandId":"8367854e-e337-4464-8afc-e47312aad872","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["df9c4c1ad9182fb099ec06eab45bb7743fb683e870d02bcfd1084159a7893541"]},"issuedAtMs":1795611233810,"schemaVersion":"2","signature":"3F4cKisZOOUb6nLzOexfait5+YwT2R6o177MLlWqpshUrJ8Xz4xZIT97YTR8elKy8eq9NvB4Uvk6RRDjjvyvAA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,6,'a8049bbe149bfc0099189e121535d5eb42aad69d84fa723df0de9ef68e812466','450912f8-06b4-4b33-8d63-e6c050142de8','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611233828,'5','',0,NULL,'{"command":{"agent":"ada","cardId":"33333333-2222-4333-8444-000000000003","claimId":"33333333-2222-4333-8444-000000000001","leaseMs":60000,"type":"claim.acquire"},"commandId":"450912f8-06b4-4b33-8d63-e6c050142de8","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["84f8dee22d70619a57ce0dec56649534ba0456f1dbbcef7f35e24fe5912e584b"]},"issuedAtMs":1795611233828,"schemaVersion":"2","signature":"GYSNPWszTDFHwq7Gu58SYQ5EidOTbtgY3jeUVx8dNeyKrtBxaQrlFwr0Nt+31CZl4/WugV9W1K26Q564XtThCA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,7,'e3a1828ffa962a2d905791fd361325accbc7093faeaf0c6e7bfd343efa72ddf9','7307745c-3ec8-4d16-b1b8-c3880378bd5f','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611233904,'6','',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"One title","type":"card.update"},"commandId":"7307745c-3ec8-4d16-b1b8-c3880378bd5f","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["a8049bbe149bfc0099189e121535d5eb42aad69d84fa723df0de9ef68e812466"]},"issuedAtMs":1795611233904,"schemaVersion":"2","signature":"lNhXlnNs5Q4UamQ/qY2B4wUoTsxOFf23njEgtFqX74HBQ/ANAe0lbY5v+MyJxuMamt6VDvQJvSdQIMaiFKNiAQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,8,'3878ed910e58926447014fbce53a0561da5d0d070605ebe6f29da26866d16a80','1dc44951-6b45-4639-8866-43dd1d2abebf','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611233950,'6','7 0',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"Another title","type":"card.update"},"commandId":"1dc44951-6b45-4639-8866-43dd1d2abebf","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["a8049bbe149bfc0099189e121535d5eb42aad69d84fa723df0de9ef68e812466"]},"issuedAtMs":1795611233950,"schemaVersion":"2","signature":"ZdbbDVbMEKG0k8AsB62w28hudx5XIFSIFw/yN6F9vVkIHOe1BU1irF3FccNGTuCvMkVHlUJnSEqexbUPGH+EBg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_tips VALUES(1,'','3878ed910e58926447014fbce53a0561da5d0d070605ebe6f29da26866d16a80',8);
INSERT INTO kbd_tips VALUES(1,'','e3a1828ffa962a2d905791fd361325accbc7093faeaf0c6e7bfd343efa72ddf9',7);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','3878ed910e58926447014fbce53a0561da5d0d070605ebe6f29da26866d16a80',8);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','e3a1828ffa962a2d905791fd361325accbc7093faeaf0c6e7bfd343efa72ddf9',7);
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','+',1,'null');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','archived',1,'false');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','title',1,'"Plans"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','+',3,'null');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','archived',3,'false');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','bodyHash',3,'"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','claim',6,'{"agent":"ada","claimId":"33333333-2222-4333-8444-000000000001","expiresAtMs":1795611293828,"leaseMs":60000,"of":"a8049bbe149bfc0099189e121535d5eb42aad69d84fa723df0de9ef68e812466","type":"claim.acquire"}');
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
INSERT INTO kbd_views VALUES(1,'comments','33333333-2222-4333-8444-000000000004','{"commentId":"33333333-2222-4333-8444-000000000004","cardId":"33333333-2222-4333-8444-000000000003","bodyHash":null,"redacted":true,"issuedAtMs":1795611233773,"deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}',0,'33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_views VALUES(1,'claims','a8049bbe149bfc0099189e121535d5eb42aad69d84fa723df0de9ef68e812466','{"claimId":"33333333-2222-4333-8444-000000000001","cardId":"33333333-2222-4333-8444-000000000003","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","agent":"ada","leaseMs":60000,"expiresAtMs":1795611293828,"tie":"3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556","generation":1,"state":"held"}',0,'33333333-2222-4333-8444-000000000001','33333333-2222-4333-8444-000000000003');
INSERT INTO kbd_views VALUES(1,'conflicts','c851d0ebe18619f3f5366ea4b3594270fc2b8a40d332ba78864c231acc93b0bf','{"conflictId":"c851d0ebe18619f3f5366ea4b3594270fc2b8a40d332ba78864c231acc93b0bf","kind":"field","entity":{"type":"card","id":"33333333-2222-4333-8444-000000000003"},"register":"card/33333333-2222-4333-8444-000000000003/title","candidates":[{"id":"3878ed910e58926447014fbce53a0561da5d0d070605ebe6f29da26866d16a80","value":"Another title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795611233950},{"id":"e3a1828ffa962a2d905791fd361325accbc7093faeaf0c6e7bfd343efa72ddf9","value":"One title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795611233904}],"shown":"3878ed910e58926447014fbce53a0561da5d0d070605ebe6f29da26866d16a80"}',0,'card/33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_claims VALUES(1,'33333333-2222-4333-8444-000000000003',6,'a8049bbe149bfc0099189e121535d5eb42aad69d84fa723df0de9ef68e812466','33333333-2222-4333-8444-000000000001','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ada','3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556',1,1,0,0,0,1795611293828);
INSERT INTO kbd_names VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',1,'comment/33333333-2222-4333-8444-000000000004',1);
INSERT INTO kbd_names VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',1,'card/33333333-2222-4333-8444-000000000003',0);
INSERT INTO kbd_content VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',21,'VGhlIHRleHQgb2YgdGhlIGNhcmQu',NULL,NULL);
INSERT INTO kbd_content VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',15,'VGhpcyBnb2VzIGF3YXku',NULL,1795611233814);
INSERT INTO audit VALUES(1,1795611232462,'enrolment','demo','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','owner','ok','624838fa09bb6164ffa3da89da6e81914ecc61c9289fa20f1fbe2537225e7a61');
INSERT INTO audit VALUES(2,1795611233628,'command','demo','70217c583d5e98e7a37f79f593610e041866e504381b0f7ea00e5e8dddbdf578','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','988ba94b343897024544b0dc00d47025db1c39bd8465910cc54859aa9c534410');
INSERT INTO audit VALUES(3,1795611233675,'command','demo','e77dfea897eb8bee910b2c8321d64731203ba4bf612dd9ea0d508e4360f75ac1','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','ab3025410d45725e3ea2855fbd8ea7e6a62ec457c17293790fe0900faaffe8ac');
INSERT INTO audit VALUES(4,1795611233746,'command','demo','17df4280a2e904e48bb2d9be09b12af348b021fb078e043ab5e35c03a4bda14d','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','9a5a8ed6385eb410916c3a6c59765d90b407bac02a4415f6c9b5f0dddefe1293');
INSERT INTO audit VALUES(5,1795611233782,'command','demo','df9c4c1ad9182fb099ec06eab45bb7743fb683e870d02bcfd1084159a7893541','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','221b2b73c694301bcbcc892352ae90c356b8cc48611582834d5430446f6de72b');
INSERT INTO audit VALUES(6,1795611233814,'command','demo','84f8dee22d70619a57ce0dec56649534ba0456f1dbbcef7f35e24fe5912e584b','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','3f76457819e45d6f2b4ef31e59c3f4be042e6d1ac914ca890b656c11a4bc6b2c');
INSERT INTO audit VALUES(7,1795611233858,'claim','demo','a8049bbe149bfc0099189e121535d5eb42aad69d84fa723df0de9ef68e812466','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','f6ebff321d53728ee0210f831df034cb2a61427d90b622e24f794e826b2e551b');
INSERT INTO audit VALUES(8,1795611233930,'command','demo','e3a1828ffa962a2d905791fd361325accbc7093faeaf0c6e7bfd343efa72ddf9','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','5abaa17613eb8211c8e24b2eacb40212f4dbff559a90e4b398df8687f6289d5a');
INSERT INTO audit VALUES(9,1795611233961,'command','demo','3878ed910e58926447014fbce53a0561da5d0d070605ebe6f29da26866d16a80','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','5ea894ab5ae11eb0ee28a6e9b21c00efd0e221bed8995e8dd1f226d62099d6d2');
INSERT INTO audit VALUES(10,1795611233961,'fork','demo','3878ed910e58926447014fbce53a0561da5d0d070605ebe6f29da26866d16a80','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','device_forked','a46a3dacf660d260a0f09a0cbf3fe10fdd324b95678e03ef32ed0100a5ce50df');
INSERT INTO audit VALUES(11,1795611233991,'push','demo','6c8064be-4d31-4c06-99a8-380e5dcf135a','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','e4b09bf6ec6523c818c9449f6ed4797e5f3161701606a8214cd81bca496e7a47');
INSERT INTO audit VALUES(12,1795611234739,'peer',NULL,'1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','owner','ok','6b8223a9b23e25b3f145f09c35435e9170c0d544d8db57163c6b6389fb787a98');
INSERT INTO audit_checkpoints VALUES(12,'6b8223a9b23e25b3f145f09c35435e9170c0d544d8db57163c6b6389fb787a98',1795611235541,'bbe5660728f0320adede704f58ef114be23d3acb3edbe528c8ceceada0850e49','2/pZLZpce5vLZhr1fxlJ52VTjC43pTH9Lg786y2G7jd+UyA3cc4xKlrtwcJgkLutQtzlCxaYunlbJAAp02SAAQ==');
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
