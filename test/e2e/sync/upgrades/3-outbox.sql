-- commit: 60edb29c
-- known: {"push":"ee9507e4-2eba-4ee5-abdf-eddfbc4d7596","receipt":{"schemaVersion":"1.7","pushId":"ee9507e4-2eba-4ee5-abdf-eddfbc4d7596","canonicalPayloadHash":"1c9432acaeef6009ab82f6eb1c7a2490f2936ebcae3d40873c0ba8734ca58b8c","domain":"kbd-control:demo","targets":[],"localState":"applied_locally","frontier":{"heads":["59a4edff5cfb59f0b8eeada3c2e17b225becbe7bb6c7c4a799ec4d00e978a2f4","e3892c1c0b07aaa08359b0baeb0e392cc1c77767a38a2bf3274c63a60c2f04ba"]},"revision":8,"origin":null,"perPeer":{},"createdAtMs":1795611987028,"updatedAtMs":1795611987028,"events":[{"sequence":1,"kind":"accepted","atMs":1795611987028,"localState":"accepted"},{"sequence":2,"kind":"prepared","atMs":1795611987028,"localState":"prepared"},{"sequence":3,"kind":"applied_locally","atMs":1795611987028,"localState":"applied_locally"}]},"frontier":{"heads":["59a4edff5cfb59f0b8eeada3c2e17b225becbe7bb6c7c4a799ec4d00e978a2f4","e3892c1c0b07aaa08359b0baeb0e392cc1c77767a38a2bf3274c63a60c2f04ba"]}}
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
INSERT INTO projects VALUES('demo','[]',1795611985392,485041403131120);
INSERT INTO devices VALUES('ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','dfbbd3ea-fabc-47f9-8df1-d2e84880fbe1','["kbd-control:demo"]','old','active',1795611985392,NULL,NULL,NULL,4109878768719472);
INSERT INTO receipts VALUES(1,'ee9507e4-2eba-4ee5-abdf-eddfbc4d7596','1c9432acaeef6009ab82f6eb1c7a2490f2936ebcae3d40873c0ba8734ca58b8c','kbd-control:demo','[]','applied_locally','{}','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','cppAH60vmFap7VNZcztwg0iLUkiruOextaDmQZOmi0uSeV1AbDHDUSSe3p9sO2Gbih2gFcJHmBkVQbI5eTa1BQ==',NULL,3,1795611987028,1795611987028,NULL,'{"heads":["59a4edff5cfb59f0b8eeada3c2e17b225becbe7bb6c7c4a799ec4d00e978a2f4","e3892c1c0b07aaa08359b0baeb0e392cc1c77767a38a2bf3274c63a60c2f04ba"]}',8,NULL,61251803309534);
INSERT INTO events VALUES(1,1,'{"sequence":1,"kind":"accepted","atMs":1795611987028,"localState":"accepted"}',4409160250784046);
INSERT INTO events VALUES(1,2,'{"sequence":2,"kind":"prepared","atMs":1795611987028,"localState":"prepared"}',3700714678965831);
INSERT INTO events VALUES(1,3,'{"sequence":3,"kind":"applied_locally","atMs":1795611987028,"localState":"applied_locally"}',488916986107899);
INSERT INTO kbd_projects VALUES(1,'demo','74b936a829be174baa967f6a1ae5f244c61ba52e5ae44f2ef525651036d85e4e',8,2);
INSERT INTO kbd_commands VALUES(1,1,'74b936a829be174baa967f6a1ae5f244c61ba52e5ae44f2ef525651036d85e4e','ede2884c-9685-4465-8420-fafc79f2612d','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611986404,'','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","title":"Plans","type":"board.create"},"commandId":"ede2884c-9685-4465-8420-fafc79f2612d","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":[]},"issuedAtMs":1795611986404,"schemaVersion":"2","signature":"M1Y720QK0K7d9bHA4vVeioWE5A8wvYfMAdZOSlPtLSbhVBwuIwtN1LmQjzzdFA53BRKnpgC9yuobsizDx/SvAg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,2,'54e4e6ae744fe7e3af057d362eabb35a15079c8a92221c8e2c1f57e9fa20ed5d','174b9861-519a-42ee-818e-1dfeab765dec','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611986489,'1','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"Doing","type":"column.create"},"commandId":"174b9861-519a-42ee-818e-1dfeab765dec","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["74b936a829be174baa967f6a1ae5f244c61ba52e5ae44f2ef525651036d85e4e"]},"issuedAtMs":1795611986489,"schemaVersion":"2","signature":"xhywP+z4w8FmFfp7B0F2qJu4AvBRFQLd7D5j55l4dg4BcTIob8+YVbCX+QTKAOmSGDqfpvk95fKtDVWmNHHBCQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,3,'1066e733105992cd9825f7092e14a51e8d99a173113d20815799bfb7dd8be65f','504b8909-55db-4936-959b-af595a997326','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611986600,'2','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","bodyHash":"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675","cardId":"33333333-2222-4333-8444-000000000003","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"An old card","type":"card.create"},"commandId":"504b8909-55db-4936-959b-af595a997326","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["54e4e6ae744fe7e3af057d362eabb35a15079c8a92221c8e2c1f57e9fa20ed5d"]},"issuedAtMs":1795611986600,"schemaVersion":"2","signature":"A1ZxvpfdL15VYf0iMsN5FHJQLbI6V9NWsdgxPNukA7wvbXoPXdbC7ggiEbf7AIS93eLGNzk9S9e9h5JwTjldCw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,4,'6fb86fab9714d9566a27601f7a76906052e0b2e68c76292a09a9dcfb4a89ec16','1206d69c-2a00-4e7b-99d0-3a4f3e02d4f3','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611986773,'3','',0,NULL,'{"command":{"bodyHash":"80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af","cardId":"33333333-2222-4333-8444-000000000003","commentId":"33333333-2222-4333-8444-000000000004","type":"comment.add"},"commandId":"1206d69c-2a00-4e7b-99d0-3a4f3e02d4f3","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["1066e733105992cd9825f7092e14a51e8d99a173113d20815799bfb7dd8be65f"]},"issuedAtMs":1795611986773,"schemaVersion":"2","signature":"b12kQ1UkQuoSot1luW19XC3ldbNHy1jFxqzdSc0ZGtGDGEjUhyhqH2oT4zYUZ5vPw7Iguui+5t3Zx/3n7UNeDg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,5,'4361a509a6201e561731fcbb7b9aca3b9abf296cfd8976566d677fb6495510fd','8b3fe015-941a-4d0e-8804-77cd16d4f391','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611986860,'4','',0,NULL,'{"command":{"commentId":"33333333-2222-4333-8444-000000000004","type":"comment.redact"},"commandId":"8b3fe015-941a-4d0e-8804-77cd16d4f391","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["6fb86fab9714d9566a27601f7a76906052e0b2e68c76292a09a9dcfb4a89ec16"]},"issuedAtMs":1795611986860,"schemaVersion":"2","signature":"+M4xCA87CQX/cbQZ2CVdUqSasGB6b/6tkzGUEsd0TlAfo4mDo484ZWeYmW1xMCED0lNDjLBqnlf5QR26LXnxBw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,6,'886bd1b049e05097949784b331d6a0bc5f203082bd7e74a4198469398725aa30','2f914087-3ac2-48d0-a27e-aeacdf913ab8','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611986871,'5','',0,NULL,'{"command":{"agent":"ada","cardId":"33333333-2222-4333-8444-000000000003","claimId":"33333333-2222-4333-8444-000000000001","leaseMs":60000,"type":"claim.acquire"},"commandId":"2f914087-3ac2-48d0-a27e-aeacdf913ab8","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["4361a509a6201e561731fcbb7b9aca3b9abf296cfd8976566d677fb6495510fd"]},"issuedAtMs":1795611986871,"schemaVersion":"2","signature":"PM3HEobaBgpWbrRWXociDeeDXxfSJplhN4vGNWfnzPz+ZiMpAKtUfZTmpXZeqxLTshhudxXneDktMX9pft99DQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,7,'e3892c1c0b07aaa08359b0baeb0e392cc1c77767a38a2bf3274c63a60c2f04ba','76223483-4cf5-4f5e-bdf6-e3164ecca8be','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611986953,'6','',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"One title","type":"card.update"},"commandId":"76223483-4cf5-4f5e-bdf6-e3164ecca8be","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["886bd1b049e05097949784b331d6a0bc5f203082bd7e74a4198469398725aa30"]},"issuedAtMs":1795611986953,"schemaVersion":"2","signature":"5ChzDSzv1UZEAM+LNh8VBim7jE31QBL3E2UoPImDO6+flawAOE1JwVK+rFukVo6zD9D4MrhTYIijgiU1DY4iBA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,8,'59a4edff5cfb59f0b8eeada3c2e17b225becbe7bb6c7c4a799ec4d00e978a2f4','6ddd2b1b-4da5-4ee8-b652-b0ff8588d347','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611986995,'6','7 0',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"Another title","type":"card.update"},"commandId":"6ddd2b1b-4da5-4ee8-b652-b0ff8588d347","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["886bd1b049e05097949784b331d6a0bc5f203082bd7e74a4198469398725aa30"]},"issuedAtMs":1795611986995,"schemaVersion":"2","signature":"UHMdhxkNi+BNpMzjp4CFtAXi7FuhMiu3WfmUgYeLPx/1bc/QVBeejxcmLlDcdb8zJXB5MZ6UEG1JXF/LNIUhBw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_tips VALUES(1,'','59a4edff5cfb59f0b8eeada3c2e17b225becbe7bb6c7c4a799ec4d00e978a2f4',8);
INSERT INTO kbd_tips VALUES(1,'','e3892c1c0b07aaa08359b0baeb0e392cc1c77767a38a2bf3274c63a60c2f04ba',7);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','59a4edff5cfb59f0b8eeada3c2e17b225becbe7bb6c7c4a799ec4d00e978a2f4',8);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','e3892c1c0b07aaa08359b0baeb0e392cc1c77767a38a2bf3274c63a60c2f04ba',7);
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','+',1,'null');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','archived',1,'false');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','title',1,'"Plans"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','+',3,'null');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','archived',3,'false');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','bodyHash',3,'"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','claim',6,'{"agent":"ada","claimId":"33333333-2222-4333-8444-000000000001","expiresAtMs":1795612046871,"leaseMs":60000,"of":"886bd1b049e05097949784b331d6a0bc5f203082bd7e74a4198469398725aa30","type":"claim.acquire"}');
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
INSERT INTO kbd_views VALUES(1,'comments','33333333-2222-4333-8444-000000000004','{"commentId":"33333333-2222-4333-8444-000000000004","cardId":"33333333-2222-4333-8444-000000000003","bodyHash":null,"redacted":true,"issuedAtMs":1795611986773,"deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}',0,'33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_views VALUES(1,'claims','886bd1b049e05097949784b331d6a0bc5f203082bd7e74a4198469398725aa30','{"claimId":"33333333-2222-4333-8444-000000000001","cardId":"33333333-2222-4333-8444-000000000003","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","agent":"ada","leaseMs":60000,"expiresAtMs":1795612046871,"tie":"3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556","generation":1,"state":"held"}',0,'33333333-2222-4333-8444-000000000001','33333333-2222-4333-8444-000000000003');
INSERT INTO kbd_views VALUES(1,'conflicts','512684e713b57d0461930431bf2c2543afabe111f770a0d634e965c3426c6f46','{"conflictId":"512684e713b57d0461930431bf2c2543afabe111f770a0d634e965c3426c6f46","kind":"field","entity":{"type":"card","id":"33333333-2222-4333-8444-000000000003"},"register":"card/33333333-2222-4333-8444-000000000003/title","candidates":[{"id":"59a4edff5cfb59f0b8eeada3c2e17b225becbe7bb6c7c4a799ec4d00e978a2f4","value":"Another title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795611986995},{"id":"e3892c1c0b07aaa08359b0baeb0e392cc1c77767a38a2bf3274c63a60c2f04ba","value":"One title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795611986953}],"shown":"59a4edff5cfb59f0b8eeada3c2e17b225becbe7bb6c7c4a799ec4d00e978a2f4"}',0,'card/33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_claims VALUES(1,'33333333-2222-4333-8444-000000000003',6,'886bd1b049e05097949784b331d6a0bc5f203082bd7e74a4198469398725aa30','33333333-2222-4333-8444-000000000001','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ada','3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556',1,1,0,0,0,1795612046871);
INSERT INTO kbd_names VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',1,'comment/33333333-2222-4333-8444-000000000004',1);
INSERT INTO kbd_names VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',1,'card/33333333-2222-4333-8444-000000000003',0);
INSERT INTO kbd_content VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',21,'VGhlIHRleHQgb2YgdGhlIGNhcmQu',NULL,NULL);
INSERT INTO kbd_content VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',15,'VGhpcyBnb2VzIGF3YXku',NULL,1795611986864);
INSERT INTO audit VALUES(1,1795611985392,'enrolment','demo','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','owner','ok','f6f21de0a9b690225c9cdfd5d967fd7ec8622899840528a49bb5c3fb1424aed9');
INSERT INTO audit VALUES(2,1795611986427,'command','demo','74b936a829be174baa967f6a1ae5f244c61ba52e5ae44f2ef525651036d85e4e','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','1c49f6ede9d4b73ef6aa44f52fc6cdbd1dacc27ad363947e8e72d8c2eba6f9ce');
INSERT INTO audit VALUES(3,1795611986529,'command','demo','54e4e6ae744fe7e3af057d362eabb35a15079c8a92221c8e2c1f57e9fa20ed5d','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','e05aecc732405f0a9b71f294338dc4c11c7d0241dbe66cb0cffa3c15a1dd01a2');
INSERT INTO audit VALUES(4,1795611986686,'command','demo','1066e733105992cd9825f7092e14a51e8d99a173113d20815799bfb7dd8be65f','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','3bdd22b328238974f9f260339e3f857f2fe372cb611342c219dd8d21b06c8169');
INSERT INTO audit VALUES(5,1795611986793,'command','demo','6fb86fab9714d9566a27601f7a76906052e0b2e68c76292a09a9dcfb4a89ec16','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','812f50101f97943b317e36970f4f7a75e5fce0b711575feeba5c8f92bd76e006');
INSERT INTO audit VALUES(6,1795611986864,'command','demo','4361a509a6201e561731fcbb7b9aca3b9abf296cfd8976566d677fb6495510fd','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','393c851931bd58a285a4d99723105d8a15138461105d07cd9d4a2a873657a623');
INSERT INTO audit VALUES(7,1795611986886,'claim','demo','886bd1b049e05097949784b331d6a0bc5f203082bd7e74a4198469398725aa30','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','ac17dd095c48b8991a00e297cd520190e85d9656b6a384f912c165f7f2dfdd99');
INSERT INTO audit VALUES(8,1795611986973,'command','demo','e3892c1c0b07aaa08359b0baeb0e392cc1c77767a38a2bf3274c63a60c2f04ba','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','8158876c96316b5efb9abacc8bbf13d8f69c349a32ed2a164c8b7ba94b92f77f');
INSERT INTO audit VALUES(9,1795611987014,'command','demo','59a4edff5cfb59f0b8eeada3c2e17b225becbe7bb6c7c4a799ec4d00e978a2f4','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','ee6d7a79c08a4a4f87ff185c3b2015da5d788abbd39d04b25838dd0b9725ba26');
INSERT INTO audit VALUES(10,1795611987014,'fork','demo','59a4edff5cfb59f0b8eeada3c2e17b225becbe7bb6c7c4a799ec4d00e978a2f4','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','device_forked','7089c159628adb727ba18cf8dd1dfdcafeaf84ce2de3ca6296bc1b1ea4963331');
INSERT INTO audit VALUES(11,1795611987028,'push','demo','ee9507e4-2eba-4ee5-abdf-eddfbc4d7596','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','6547773fab9b687d31e2542c81c5bb6cf009a138c82f5d772655eaa37513eaef');
INSERT INTO audit VALUES(12,1795611987665,'peer',NULL,'1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','owner','ok','cf0bf84896477bb5a00ea0b7f3619e44bfb3fdc74caa4822f90b1a12fe35f18c');
INSERT INTO audit_checkpoints VALUES(12,'cf0bf84896477bb5a00ea0b7f3619e44bfb3fdc74caa4822f90b1a12fe35f18c',1795611988585,'483fdb9a0633fb30ce63d7f50e8e18261e54e15c8b402a9665630b6596ffb534','GhOmme9nomsG0/Q8PYGZ2Yb8p5TFum5zDqnVtEbSrsC6FB3+pgJm/VWljPFdKkO1rdAifXvZ76XBnHjvVmkHDg==');
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
