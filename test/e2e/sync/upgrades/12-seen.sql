-- commit: 017b153d
-- known: {"push":"33d6e128-74a8-4372-8099-a75d60048593","receipt":{"schemaVersion":"1.7","pushId":"33d6e128-74a8-4372-8099-a75d60048593","canonicalPayloadHash":"e740d4954c89cb2eeedce44de58dabdde7c8ce0e260ddacfbb8944fb11f09d57","domain":"kbd-control:demo","targets":[],"localState":"applied_locally","frontier":{"heads":["619ea01b57d8d753c79f0abe1dbb4f63e8fb32b0f54fd737d8c96fa1a429684f","c2b2f7b5b2386bfcad9d7e00fb5f577d9d4aa16e5cee9246ff55c68b57bfb122"]},"revision":8,"origin":null,"perPeer":{},"createdAtMs":1795900280778,"updatedAtMs":1795900280778,"events":[{"sequence":1,"kind":"accepted","atMs":1795900280778,"localState":"accepted"},{"sequence":2,"kind":"prepared","atMs":1795900280778,"localState":"prepared"},{"sequence":3,"kind":"applied_locally","atMs":1795900280778,"localState":"applied_locally"}]},"frontier":{"heads":["619ea01b57d8d753c79f0abe1dbb4f63e8fb32b0f54fd737d8c96fa1a429684f","c2b2f7b5b2386bfcad9d7e00fb5f577d9d4aa16e5cee9246ff55c68b57bfb122"]},"key":"svc_1v2vuoORdc4OfqYR_6s49xLecSTqOoRrhhw5wRi0jb6j2i2VRlaCJC13a3eT3cz7qN","run":{"run_id":"an-old-run","thread_id":"thread_jyz436tynvpo4gj5","owner":{"user_id":"ada","tenant_id":"default"},"created_at_ms":1795900281230,"epoch":"2lia3fuh","agent":null,"status":"running","error":null,"ended_at_ms":null,"first_seq":1,"last_seq":2},"revoked":"eve"}
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
CREATE TABLE peer_seen (
    endpoint_id TEXT PRIMARY KEY,
    last_seen_at_ms INTEGER NOT NULL,
    heads TEXT NOT NULL,
    sum INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES('created_by','svc');
INSERT INTO meta VALUES('mark','b94bfa71d0d9d00ba2d31ce0ee43cb7c');
INSERT INTO meta VALUES('migration:auth.keys','independent');
INSERT INTO meta VALUES('migration:auth.revocations','independent');
INSERT INTO meta VALUES('migration:kbd.boards','needed');
INSERT INTO meta VALUES('migration:kbd.claim-spans','needed');
INSERT INTO meta VALUES('migration:kbd.content-ways','needed');
INSERT INTO meta VALUES('migration:peer.joins','independent');
INSERT INTO meta VALUES('migration:peer.outbox','needed');
INSERT INTO meta VALUES('migration:peer.pairings','needed');
INSERT INTO meta VALUES('migration:peer.registry','needed');
INSERT INTO meta VALUES('migration:peer.seen','independent');
INSERT INTO meta VALUES('migration:realtime.runs','independent');
INSERT INTO meta VALUES('migration:sync.receipts','needed');
INSERT INTO meta VALUES('migration:sync.sums','needed');
INSERT INTO projects VALUES('demo','[]',1795900280492,485041403131120);
INSERT INTO devices VALUES('ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','2b31b3f7-c1b5-4790-957c-d4c4b4016665','["kbd-control:demo"]','old','active',1795900280492,NULL,NULL,NULL,2394078541692414);
INSERT INTO receipts VALUES(1,'33d6e128-74a8-4372-8099-a75d60048593','e740d4954c89cb2eeedce44de58dabdde7c8ce0e260ddacfbb8944fb11f09d57','kbd-control:demo','[]','applied_locally','{}','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','jsPKa9ZulQdcEq7wJIkXP3Zu9/av0fv13CZbdcbxPoNGIr3lKTCDlPISKCnMrqK2eZ3fR0sThga8QLV7SzMGDw==',NULL,3,1795900280778,1795900280778,NULL,'{"heads":["619ea01b57d8d753c79f0abe1dbb4f63e8fb32b0f54fd737d8c96fa1a429684f","c2b2f7b5b2386bfcad9d7e00fb5f577d9d4aa16e5cee9246ff55c68b57bfb122"]}',8,NULL,3380980767536753);
INSERT INTO events VALUES(1,1,'{"sequence":1,"kind":"accepted","atMs":1795900280778,"localState":"accepted"}',1391050886501700);
INSERT INTO events VALUES(1,2,'{"sequence":2,"kind":"prepared","atMs":1795900280778,"localState":"prepared"}',2448044781411195);
INSERT INTO events VALUES(1,3,'{"sequence":3,"kind":"applied_locally","atMs":1795900280778,"localState":"applied_locally"}',2132419484321083);
INSERT INTO api_keys VALUES(1,'1v2vuoORdc4OfqYR','{"name":"old","owner":{"user":"ada","tenant":"default"},"scopes":["svc:users:revoke"],"hash":"$argon2id$v=19$m=19456,t=2,p=1$2DmObi/6HfJlwFDlLaibFA$kjvqE/Wx++cdetI5UW8ETnYbudVBqC7Fln163ZOna18"}',1795900281127,2111260281127,NULL,NULL,306373121395733);
INSERT INTO revocations VALUES('["default","eve",null]',1795900281247,1795900281247,1795900281247,NULL,NULL,4436667254547491);
INSERT INTO run_appends VALUES(1,'["default","ada","an-old-run"]',0,'{"id":"tanhttb2suxa5csu","record":{"run_id":"an-old-run","thread_id":"thread_jyz436tynvpo4gj5","owner":{"user_id":"ada","tenant_id":"default"},"status":"running","created_at_ms":1795900281230,"ended_at_ms":null,"first_seq":1,"last_seq":0,"epoch":"2lia3fuh","agent":null,"error":null},"bytes":8192,"gone":false}','',4376652505394216);
INSERT INTO run_appends VALUES(2,'["default","ada","an-old-run"]',0,'{"id":"mmv77ctgdc4rzpk5","record":{"run_id":"an-old-run","thread_id":"thread_jyz436tynvpo4gj5","owner":{"user_id":"ada","tenant_id":"default"},"created_at_ms":1795900281230,"epoch":"2lia3fuh","agent":null,"status":"running","error":null,"ended_at_ms":null,"first_seq":1,"last_seq":2},"bytes":9532,"gone":false}','{"type":"RUN_STARTED","threadId":"t","runId":"an-old-run"}
{"type":"CUSTOM","name":"old","value":1}',1528786992212572);
INSERT INTO sqlite_sequence VALUES('run_appends',2);
INSERT INTO kbd_projects VALUES(1,'demo','1ef270959df35b3628d751943fbf2c937ef410127fb6e7796b0b157334a4d553',8,2);
INSERT INTO kbd_commands VALUES(1,1,'1ef270959df35b3628d751943fbf2c937ef410127fb6e7796b0b157334a4d553','159aee2a-8dcc-40c6-a826-3a5e7f3b59fe','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795900280691,'','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","title":"Plans","type":"board.create"},"commandId":"159aee2a-8dcc-40c6-a826-3a5e7f3b59fe","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":[]},"issuedAtMs":1795900280691,"schemaVersion":"2","signature":"Be7FReC0jSIzwlMABaGa47I4/tp7SYre7niSa7Bb2vaWyrZE6wCci0jPjw5HQlBLrLNeNj/qp3H8or863wf0Bw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,2,'6eaa8b4c22ae69793eb44e9695309062e3000917e7d3c12040674cd18adb5c3b','938b8ba1-f7aa-4451-813a-d0b7cdcc194b','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795900280709,'1','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"Doing","type":"column.create"},"commandId":"938b8ba1-f7aa-4451-813a-d0b7cdcc194b","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["1ef270959df35b3628d751943fbf2c937ef410127fb6e7796b0b157334a4d553"]},"issuedAtMs":1795900280709,"schemaVersion":"2","signature":"KMjOszw9ZVQfQz/UmMrbQyVnff04LuQjUsD4PISWqLjVf1KXNlkQ63cuMCdP6jPhcLnTPI8bNOBJloVL0KlMBw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,3,'2d3ae4ac97537069bd1e6e270d600006f9049de01f9d50d6a9a0f595146985ee','a1f2e30d-deaa-46d5-9372-916dbfc68a0e','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795900280722,'2','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","bodyHash":"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675","cardId":"33333333-2222-4333-8444-000000000003","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"An old card","type":"card.create"},"commandId":"a1f2e30d-deaa-46d5-9372-916dbfc68a0e","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["6eaa8b4c22ae69793eb44e9695309062e3000917e7d3c12040674cd18adb5c3b"]},"issuedAtMs":1795900280722,"schemaVersion":"2","signature":"XeVTmMOAIBzXg5wGPQgZN6uXWc2xhrCvep8TpyJ0AwBNhOAF68mi9kViYggfYMJfy8Qt94bgLYsIFkvoLqL/BA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,4,'e3ae93c291d8dbb237ce4e602a05db6a0fb9095cf16f17231096c88322ba4391','65101f31-e59f-4751-afeb-a8cdfe0f75fc','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795900280734,'3','',0,NULL,'{"command":{"bodyHash":"80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af","cardId":"33333333-2222-4333-8444-000000000003","commentId":"33333333-2222-4333-8444-000000000004","type":"comment.add"},"commandId":"65101f31-e59f-4751-afeb-a8cdfe0f75fc","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["2d3ae4ac97537069bd1e6e270d600006f9049de01f9d50d6a9a0f595146985ee"]},"issuedAtMs":1795900280734,"schemaVersion":"2","signature":"CVg1hRn2TGFQ4c6umc0r54Eu+3DZGGAzvOXr4wyatargd+eqi6zMzLUAlR5+YJPHdBx/a5+K60lJnMeUk7x2Cw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,5,'34b2294f94ff8b548af381729330214a336b6b2de244396cc99a709fc5d7623e','7d5a8074-5c6f-43a4-bb83-ca471b2c64c0','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795900280743,'4','',0,NULL,'{"command":{"commentId":"33333333-2222-4333-8444-000000000004","type":"comment.redact"},"commandId":"7d5a8074-5c6f-43a4-bb83-ca471b2c64c0","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["e3ae93c291d8dbb237ce4e602a05db6a0fb9095cf16f17231096c88322ba4391"]},"issuedAtMs":1795900280743,"schemaVersion":"2","signature":"crBA13YcCeRnC0BtEy2O8UKbMT2nOra34urj6YV1qZDBKA64u9MV0L6TCfuEwHAbMryY3YrWPuuJxavyp2KnBw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,6,'2e73ccb49b6f4ca2550b68b5936da8e03d49cce88bcfc72a1d03380ccad5c9f7','38b96870-139d-4e02-92f0-a8297e282800','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795900280749,'5','',0,NULL,'{"command":{"agent":"ada","cardId":"33333333-2222-4333-8444-000000000003","claimId":"33333333-2222-4333-8444-000000000001","leaseMs":60000,"type":"claim.acquire"},"commandId":"38b96870-139d-4e02-92f0-a8297e282800","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["34b2294f94ff8b548af381729330214a336b6b2de244396cc99a709fc5d7623e"]},"issuedAtMs":1795900280749,"schemaVersion":"2","signature":"3F1RzZI+HIIHwTtfhdbW6pI9NVpYKy1dmm1zAgR6XA/u9hkTtArfud1BfCYLs1+A8tcg9bXEMafZUvLpvvKQCQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,7,'619ea01b57d8d753c79f0abe1dbb4f63e8fb32b0f54fd737d8c96fa1a429684f','2b8e5765-d68b-4bf5-9e4e-b6dd030dfd31','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795900280765,'6','',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"One title","type":"card.update"},"commandId":"2b8e5765-d68b-4bf5-9e4e-b6dd030dfd31","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["2e73ccb49b6f4ca2550b68b5936da8e03d49cce88bcfc72a1d03380ccad5c9f7"]},"issuedAtMs":1795900280765,"schemaVersion":"2","signature":"jZ4M7XG3i58cQdccTexzzReeVYrJFnFDId5viOdBKYA/7f9qGWnWHbku5sEOl3+PYWuY5DJAdePJCFz0TnumBg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,8,'c2b2f7b5b2386bfcad9d7e00fb5f577d9d4aa16e5cee9246ff55c68b57bfb122','5e7c5761-5ee1-485c-9b82-5dfeaab1b6cd','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795900280771,'6','7 0',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"Another title","type":"card.update"},"commandId":"5e7c5761-5ee1-485c-9b82-5dfeaab1b6cd","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["2e73ccb49b6f4ca2550b68b5936da8e03d49cce88bcfc72a1d03380ccad5c9f7"]},"issuedAtMs":1795900280771,"schemaVersion":"2","signature":"ydoJ/gNUQnLjO3emEY9HfIF5fMlcc8coBId4WBVwmMvVZJkrvIjQ3B4WeDcBjLi4QPdG7mrvqhRCXgEtYiC5DQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_tips VALUES(1,'','619ea01b57d8d753c79f0abe1dbb4f63e8fb32b0f54fd737d8c96fa1a429684f',7);
INSERT INTO kbd_tips VALUES(1,'','c2b2f7b5b2386bfcad9d7e00fb5f577d9d4aa16e5cee9246ff55c68b57bfb122',8);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','619ea01b57d8d753c79f0abe1dbb4f63e8fb32b0f54fd737d8c96fa1a429684f',7);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','c2b2f7b5b2386bfcad9d7e00fb5f577d9d4aa16e5cee9246ff55c68b57bfb122',8);
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','+',1,'null');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','archived',1,'false');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','title',1,'"Plans"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','+',3,'null');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','archived',3,'false');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','bodyHash',3,'"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','claim',6,'{"agent":"ada","claimId":"33333333-2222-4333-8444-000000000001","expiresAtMs":1795900340749,"leaseMs":60000,"of":"2e73ccb49b6f4ca2550b68b5936da8e03d49cce88bcfc72a1d03380ccad5c9f7","type":"claim.acquire"}');
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
INSERT INTO kbd_views VALUES(1,'comments','33333333-2222-4333-8444-000000000004','{"commentId":"33333333-2222-4333-8444-000000000004","cardId":"33333333-2222-4333-8444-000000000003","bodyHash":null,"redacted":true,"issuedAtMs":1795900280734,"deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}',0,'33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_views VALUES(1,'claims','2e73ccb49b6f4ca2550b68b5936da8e03d49cce88bcfc72a1d03380ccad5c9f7','{"claimId":"33333333-2222-4333-8444-000000000001","cardId":"33333333-2222-4333-8444-000000000003","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","agent":"ada","leaseMs":60000,"issuedAtMs":1795900280749,"expiresAtMs":1795900340749,"tie":"3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556","generation":1,"state":"held"}',0,'33333333-2222-4333-8444-000000000001','33333333-2222-4333-8444-000000000003');
INSERT INTO kbd_views VALUES(1,'conflicts','0a3caff512296289ff22c8e951557748697e8b19eadd2dd7fd29a0d2d19c60d0','{"conflictId":"0a3caff512296289ff22c8e951557748697e8b19eadd2dd7fd29a0d2d19c60d0","kind":"field","entity":{"type":"card","id":"33333333-2222-4333-8444-000000000003"},"register":"card/33333333-2222-4333-8444-000000000003/title","candidates":[{"id":"619ea01b57d8d753c79f0abe1dbb4f63e8fb32b0f54fd737d8c96fa1a429684f","value":"One title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795900280765},{"id":"c2b2f7b5b2386bfcad9d7e00fb5f577d9d4aa16e5cee9246ff55c68b57bfb122","value":"Another title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795900280771}],"shown":"619ea01b57d8d753c79f0abe1dbb4f63e8fb32b0f54fd737d8c96fa1a429684f"}',0,'card/33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_names VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',1,'comment/33333333-2222-4333-8444-000000000004',1);
INSERT INTO kbd_names VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',1,'card/33333333-2222-4333-8444-000000000003',0);
INSERT INTO kbd_content VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',21,'VGhlIHRleHQgb2YgdGhlIGNhcmQu',NULL,0);
INSERT INTO kbd_content VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',15,'VGhpcyBnb2VzIGF3YXku',1795900280745,1);
INSERT INTO audit VALUES(1,1795900280492,'enrolment','demo','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','owner','ok','119614b8f22d91b023997ca33ffe3adefff7348cffe00fbf05073e99d6e8a7d9');
INSERT INTO audit VALUES(2,1795900280700,'command','demo','1ef270959df35b3628d751943fbf2c937ef410127fb6e7796b0b157334a4d553','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','5bf2cfb1618c3d2d0cf0911855c7dcde79739eaf04f54f023d1d6ee990b67c45');
INSERT INTO audit VALUES(3,1795900280716,'command','demo','6eaa8b4c22ae69793eb44e9695309062e3000917e7d3c12040674cd18adb5c3b','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','2db771b6f7ded67375e9d813d1e8dabaee7dadd0012407505d11cbccd2dd0460');
INSERT INTO audit VALUES(4,1795900280727,'command','demo','2d3ae4ac97537069bd1e6e270d600006f9049de01f9d50d6a9a0f595146985ee','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','496884deefa6fb77c5e187476ebe157d4acbc12e7941a66b486e3601e1da413b');
INSERT INTO audit VALUES(5,1795900280738,'command','demo','e3ae93c291d8dbb237ce4e602a05db6a0fb9095cf16f17231096c88322ba4391','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','c25b7f7002f6a27313f9feee6b0855f10e1c2645b809e04b1517e79b435f971c');
INSERT INTO audit VALUES(6,1795900280745,'command','demo','34b2294f94ff8b548af381729330214a336b6b2de244396cc99a709fc5d7623e','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','611c1499ad162f7c81cc734071cc87b9e024499b020821483a6aa512a54ac0e6');
INSERT INTO audit VALUES(7,1795900280753,'claim','demo','2e73ccb49b6f4ca2550b68b5936da8e03d49cce88bcfc72a1d03380ccad5c9f7','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','6742018bb4d81ac4cfe74d4e46817948330121fbee5d8bf70f7991dd92561508');
INSERT INTO audit VALUES(8,1795900280767,'command','demo','619ea01b57d8d753c79f0abe1dbb4f63e8fb32b0f54fd737d8c96fa1a429684f','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','845b9c3f1313c0210e3390d62d16897ab4a9cb8859b81d2474fc8b17fa3ca08e');
INSERT INTO audit VALUES(9,1795900280773,'command','demo','c2b2f7b5b2386bfcad9d7e00fb5f577d9d4aa16e5cee9246ff55c68b57bfb122','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','13a70125e2a523d8efb2e6a01a21905ab49cde65800e5e40abecef1e30609473');
INSERT INTO audit VALUES(10,1795900280773,'fork','demo','c2b2f7b5b2386bfcad9d7e00fb5f577d9d4aa16e5cee9246ff55c68b57bfb122','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','device_forked','bf3234091289221b4363e2315f7ac70fc6e8f4b87554989e0e3d4ca146cd7e06');
INSERT INTO audit VALUES(11,1795900280778,'push','demo','33d6e128-74a8-4372-8099-a75d60048593','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','b17f1b267a4fbdcc584d03b5552f6e8cb422b45c27f642b87bf81aad6500e1dc');
INSERT INTO audit VALUES(12,1795900280890,'peer',NULL,'1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','owner','ok','684929b05c1bad5c6d762e7cb3e03294a970d83bc6ec8daec0a9187f00d1855a');
INSERT INTO audit_checkpoints VALUES(12,'684929b05c1bad5c6d762e7cb3e03294a970d83bc6ec8daec0a9187f00d1855a',1795900281546,'79883ac3f44fa21f7f88b9e5efc959804f24043d3a0e2ba7a38abde32dcd3188','2Ob3yCJZA/2d1TOwpb7peZGwGbnxLT+GUi6NDB8NbsoKWIKH0dRFLHuBPqd5QTh+9lzQ4XMx3IvxQWJ8dQa0DA==');
INSERT INTO kbd_content_ways VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af','demo','',0,1795900280745);
INSERT INTO kbd_content_ways VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675','demo','',0,NULL);
INSERT INTO kbd_claims VALUES(1,'33333333-2222-4333-8444-000000000003',6,'2e73ccb49b6f4ca2550b68b5936da8e03d49cce88bcfc72a1d03380ccad5c9f7','33333333-2222-4333-8444-000000000001','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ada','3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556',1,1,0,1795900280749,1795900340749,1795900340749,1795900340749,1795900250749,NULL,0,0,0,0,1795900340749);
INSERT INTO kbd_claim_entries VALUES(1,6,6,1795900280749,1795900340749);
INSERT INTO peers VALUES('1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','lamp','["192.0.2.7:8420"]','["demo"]',2550308069284324);
INSERT INTO peer_pairings VALUES('65373433656533346239666161636237306633393930653262633263326530346134353031393763316361663533613366346264396564346334306231653663',NULL,'["demo"]',0,1795900881099,NULL,487762881145919);
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
