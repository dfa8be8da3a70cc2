-- commit: b7a14fbf
-- known: {"push":"b6905789-8c82-4094-84aa-7e8ac964459a","receipt":{"schemaVersion":"1.7","pushId":"b6905789-8c82-4094-84aa-7e8ac964459a","canonicalPayloadHash":"b47bfd03401ebfcb96795b04051f919048b0fbee7b1f11443abbf87080e5eb0d","domain":"kbd-control:demo","targets":[],"localState":"applied_locally","frontier":{"heads":["a5990c48cd25c7aed0bd9eefb145f5d38bcf8f7a5edc5df5f5f35d3cfe097345","c7788f94445d883056da12da2571ed4ea21b278d2394fb35153442ca2e1064ef"]},"revision":8,"origin":null,"perPeer":{},"createdAtMs":1795611227256,"updatedAtMs":1795611227256,"events":[{"sequence":1,"kind":"accepted","atMs":1795611227256,"localState":"accepted"},{"sequence":2,"kind":"prepared","atMs":1795611227256,"localState":"prepared"},{"sequence":3,"kind":"applied_locally","atMs":1795611227256,"localState":"applied_locally"}]},"frontier":{"heads":["a5990c48cd25c7aed0bd9eefb145f5d38bcf8f7a5edc5df5f5f35d3cfe097345","c7788f94445d883056da12da2571ed4ea21b278d2394fb35153442ca2e1064ef"]}}
PRAGMA application_id = 1937138514;
PRAGMA user_version = 4;
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
INSERT INTO projects VALUES('demo','[]',1795611225830,485041403131120);
INSERT INTO devices VALUES('ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','79b85798-440a-462a-b5a2-73444343879a','["kbd-control:demo"]','old','active',1795611225830,NULL,NULL,NULL,4451562298088428);
INSERT INTO receipts VALUES(1,'b6905789-8c82-4094-84aa-7e8ac964459a','b47bfd03401ebfcb96795b04051f919048b0fbee7b1f11443abbf87080e5eb0d','kbd-control:demo','[]','applied_locally','{}','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','9H40bm4DdkXmaN9Q2fVdGQtiyPmmM7Ro9oV1welc/aDCu1cepsw4PPCp1awRBqnj8cEgfJx6xqOkiSOglXtMAw==',NULL,3,1795611227256,1795611227256,NULL,'{"heads":["a5990c48cd25c7aed0bd9eefb145f5d38bcf8f7a5edc5df5f5f35d3cfe097345","c7788f94445d883056da12da2571ed4ea21b278d2394fb35153442ca2e1064ef"]}',8,NULL,572055625891879);
INSERT INTO events VALUES(1,1,'{"sequence":1,"kind":"accepted","atMs":1795611227256,"localState":"accepted"}',3963081140683872);
INSERT INTO events VALUES(1,2,'{"sequence":2,"kind":"prepared","atMs":1795611227256,"localState":"prepared"}',2232122643926679);
INSERT INTO events VALUES(1,3,'{"sequence":3,"kind":"applied_locally","atMs":1795611227256,"localState":"applied_locally"}',16400592003231);
INSERT INTO kbd_projects VALUES(1,'demo','9e45bb5727dcaf490f7142806224c6323d1fc58ca11af4427a4296e0ec345683',8,2);
INSERT INTO kbd_commands VALUES(1,1,'9e45bb5727dcaf490f7142806224c6323d1fc58ca11af4427a4296e0ec345683','60743e67-245b-4ca5-a8a1-a16346734a3c','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611226903,'','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","title":"Plans","type":"board.create"},"commandId":"60743e67-245b-4ca5-a8a1-a16346734a3c","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":[]},"issuedAtMs":1795611226903,"schemaVersion":"2","signature":"7x5pAG3rYmccmFTMQitk220NuX/rUSEPWdUqbcOvrTyV7hQy/Ga5HBh6Hi7pVw+VLJkrs9n24OxOeKxX2tMGDA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,2,'2110c0ff6aa87d68abbd334fff99a59c3d2d54821d329350f529c1d29e04391c','ec1e6a86-ff4f-432c-952d-cb6b06a7653b','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611226949,'1','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"Doing","type":"column.create"},"commandId":"ec1e6a86-ff4f-432c-952d-cb6b06a7653b","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["9e45bb5727dcaf490f7142806224c6323d1fc58ca11af4427a4296e0ec345683"]},"issuedAtMs":1795611226949,"schemaVersion":"2","signature":"NPOJXaMpxEg4CamC0IVhYR/z/vEBguJr4rBoLIgG8Qic1OmMSLPZjT2ZFTIwfkaii7YZO8sOCm1Qd932/oCHCw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,3,'74647a5efa80aebaabb02e87d506be4a5417278f94af1b8ef989adb86ecddbc6','9c429fb5-5184-41ad-a1d8-7a8818479c9d','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611226988,'2','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","bodyHash":"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675","cardId":"33333333-2222-4333-8444-000000000003","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"An old card","type":"card.create"},"commandId":"9c429fb5-5184-41ad-a1d8-7a8818479c9d","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["2110c0ff6aa87d68abbd334fff99a59c3d2d54821d329350f529c1d29e04391c"]},"issuedAtMs":1795611226988,"schemaVersion":"2","signature":"w9tUa3WGSP+YItZob2dytEaZ/qiamSg6FK03xvKP3wGNtPGU4Ge7khyTrej3Oki+fB8mfTc7xA8xN8n25DSfDg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,4,'f7bcedcede6c873b6c0594dea21c97b28fc7cf7e39809c790011df3deaa4c792','84c93107-7d45-4ec3-8315-e9ee2a5824f2','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611227030,'3','',0,NULL,'{"command":{"bodyHash":"80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af","cardId":"33333333-2222-4333-8444-000000000003","commentId":"33333333-2222-4333-8444-000000000004","type":"comment.add"},"commandId":"84c93107-7d45-4ec3-8315-e9ee2a5824f2","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["74647a5efa80aebaabb02e87d506be4a5417278f94af1b8ef989adb86ecddbc6"]},"issuedAtMs":1795611227030,"schemaVersion":"2","signature":"xVHDFa7jhtLzehyoo42O0jorUDP8tgoZmI5awgOQILakeZTz0WG71IlcDu/tNaUwOi8HNBSm3VySQmWlG0zUDA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,5,'cf7eef4606c2c1e0893f6a141634f08635dbbc4de6da5834bc6fdfeee6fe771d','f7c982ab-f9c9-4e4e-aba8-cf3d616fc637','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611227080,'4','',0,NULL,'{"command":{"commentId":"33333333-2222-4333-8444-000000000004","type":"comment.redact"},"commandId":"f7c982ab-f9c9-4e4e-aba8-cf3d616fc637","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["f7bcedcede6c873b6c0594dea21c97b28fc7cf7e39809c790011df3deaa4c792"]},"issuedAtMs":1795611227080,"schemaVersion":"2","signature":"Koe/2u594QWS23e1I8DoGqi7pLXCNv2B3NiSrFaywDy0QSDSWBvclWHo93FfhF74m56X7/R5J2FrabPcQYfSAw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,6,'ffdd31ce9590d0a1ec6712f7b72096409212260661557d27da0a4f4d6130c000','22a37e30-7e79-415c-b320-e35008c6ced6','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611227104,'5','',0,NULL,'{"command":{"agent":"ada","cardId":"33333333-2222-4333-8444-000000000003","claimId":"33333333-2222-4333-8444-000000000001","leaseMs":60000,"type":"claim.acquire"},"commandId":"22a37e30-7e79-415c-b320-e35008c6ced6","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["cf7eef4606c2c1e0893f6a141634f08635dbbc4de6da5834bc6fdfeee6fe771d"]},"issuedAtMs":1795611227104,"schemaVersion":"2","signature":"pE3GbGzO5UlVxaWDk6jbHItSbZQdEKWJxUWSxXBosuLGiuoZ6AhfTSDpzQTvFi/addiuJ2V2aNggsSgsyNV1Dg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,7,'c7788f94445d883056da12da2571ed4ea21b278d2394fb35153442ca2e1064ef','d3b2b315-69aa-45a5-bea1-f48375b40581','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611227145,'6','',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"One title","type":"card.update"},"commandId":"d3b2b315-69aa-45a5-bea1-f48375b40581","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["ffdd31ce9590d0a1ec6712f7b72096409212260661557d27da0a4f4d6130c000"]},"issuedAtMs":1795611227145,"schemaVersion":"2","signature":"7FDqCUgpS1qaupQbw4hSyfcoOSBLKyPyfBMaeNqt9rv4c7W0XaJZXsrfbCD75DVkSa3CRn8YQQybSbLdC1yyBg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,8,'a5990c48cd25c7aed0bd9eefb145f5d38bcf8f7a5edc5df5f5f35d3cfe097345','5ed77dd2-55e4-4ed9-ace9-78b0c57e1441','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611227201,'6','7 0',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"Another title","type":"card.update"},"commandId":"5ed77dd2-55e4-4ed9-ace9-78b0c57e1441","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["ffdd31ce9590d0a1ec6712f7b72096409212260661557d27da0a4f4d6130c000"]},"issuedAtMs":1795611227201,"schemaVersion":"2","signature":"P4AIJOQlILqBUFpougZpI78op2C0/TmcZetwePBMMKKoyf/N4BU5b1n1L0+9iBpc7egUide3dm6rePhKcXlFBw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_tips VALUES(1,'','a5990c48cd25c7aed0bd9eefb145f5d38bcf8f7a5edc5df5f5f35d3cfe097345',8);
INSERT INTO kbd_tips VALUES(1,'','c7788f94445d883056da12da2571ed4ea21b278d2394fb35153442ca2e1064ef',7);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','a5990c48cd25c7aed0bd9eefb145f5d38bcf8f7a5edc5df5f5f35d3cfe097345',8);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','c7788f94445d883056da12da2571ed4ea21b278d2394fb35153442ca2e1064ef',7);
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','+',1,'null');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','archived',1,'false');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','title',1,'"Plans"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','+',3,'null');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','archived',3,'false');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','bodyHash',3,'"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','claim',6,'{"agent":"ada","claimId":"33333333-2222-4333-8444-000000000001","expiresAtMs":1795611287104,"leaseMs":60000,"of":"ffdd31ce9590d0a1ec6712f7b72096409212260661557d27da0a4f4d6130c000","type":"claim.acquire"}');
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
INSERT INTO kbd_views VALUES(1,'comments','33333333-2222-4333-8444-000000000004','{"commentId":"33333333-2222-4333-8444-000000000004","cardId":"33333333-2222-4333-8444-000000000003","bodyHash":null,"redacted":true,"issuedAtMs":1795611227030,"deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}',0,'33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_views VALUES(1,'claims','ffdd31ce9590d0a1ec6712f7b72096409212260661557d27da0a4f4d6130c000','{"claimId":"33333333-2222-4333-8444-000000000001","cardId":"33333333-2222-4333-8444-000000000003","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","agent":"ada","leaseMs":60000,"expiresAtMs":1795611287104,"tie":"3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556","generation":1,"state":"held"}',0,'33333333-2222-4333-8444-000000000001','33333333-2222-4333-8444-000000000003');
INSERT INTO kbd_views VALUES(1,'conflicts','75a9e6eb6a43b54223e901286b4f262671fb45a800ae9c7e30c7d45f87ad9bf8','{"conflictId":"75a9e6eb6a43b54223e901286b4f262671fb45a800ae9c7e30c7d45f87ad9bf8","kind":"field","entity":{"type":"card","id":"33333333-2222-4333-8444-000000000003"},"register":"card/33333333-2222-4333-8444-000000000003/title","candidates":[{"id":"a5990c48cd25c7aed0bd9eefb145f5d38bcf8f7a5edc5df5f5f35d3cfe097345","value":"Another title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795611227201},{"id":"c7788f94445d883056da12da2571ed4ea21b278d2394fb35153442ca2e1064ef","value":"One title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795611227145}],"shown":"a5990c48cd25c7aed0bd9eefb145f5d38bcf8f7a5edc5df5f5f35d3cfe097345"}',0,'card/33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_claims VALUES(1,'33333333-2222-4333-8444-000000000003',6,'ffdd31ce9590d0a1ec6712f7b72096409212260661557d27da0a4f4d6130c000','33333333-2222-4333-8444-000000000001','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ada','3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556',1,1,0,0,0,1795611287104);
INSERT INTO kbd_names VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',1,'comment/33333333-2222-4333-8444-000000000004',1);
INSERT INTO kbd_names VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',1,'card/33333333-2222-4333-8444-000000000003',0);
INSERT INTO kbd_content VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',21,'VGhlIHRleHQgb2YgdGhlIGNhcmQu',NULL,NULL);
INSERT INTO kbd_content VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',15,'VGhpcyBnb2VzIGF3YXku',NULL,1795611227086);
INSERT INTO audit VALUES(1,1795611225830,'enrolment','demo','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','owner','ok','155fc05b452bb544ffba89b54b0307fe30c8aa672ab85de51379c0615225fa72');
INSERT INTO audit VALUES(2,1795611226926,'command','demo','9e45bb5727dcaf490f7142806224c6323d1fc58ca11af4427a4296e0ec345683','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','a107c859a173acd1ee510fa649594ae325424045328a77b8383f64bb6d8a8e03');
INSERT INTO audit VALUES(3,1795611226963,'command','demo','2110c0ff6aa87d68abbd334fff99a59c3d2d54821d329350f529c1d29e04391c','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','d5901dc5dee27085bff9f0bd78d68c6df3a706d0db283c8bb4e8af4ec1ba84b8');
INSERT INTO audit VALUES(4,1795611227014,'command','demo','74647a5efa80aebaabb02e87d506be4a5417278f94af1b8ef989adb86ecddbc6','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','797303c6325ef5ef46cf16275922472731ad480486e704555027ec75fe6014bf');
INSERT INTO audit VALUES(5,1795611227055,'command','demo','f7bcedcede6c873b6c0594dea21c97b28fc7cf7e39809c790011df3deaa4c792','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','a146f15e3a1b37b9ef720988a6e86f4ea99d78a175c10dc405bba4f2a9f30ef8');
INSERT INTO audit VALUES(6,1795611227086,'command','demo','cf7eef4606c2c1e0893f6a141634f08635dbbc4de6da5834bc6fdfeee6fe771d','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','a872ca0777570b13529b6685312bf1af50f13658a789bfa7dd3c94ec578b5ed3');
INSERT INTO audit VALUES(7,1795611227113,'claim','demo','ffdd31ce9590d0a1ec6712f7b72096409212260661557d27da0a4f4d6130c000','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','59a2fd8be9a84ae71e9b0e522c922515893bd69f0ab34c8b6fdd84ddd0d04a8a');
INSERT INTO audit VALUES(8,1795611227160,'command','demo','c7788f94445d883056da12da2571ed4ea21b278d2394fb35153442ca2e1064ef','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','f941eb1a2410402400691d21d80f30d0e4ccb8da61e75907266a13409fe946b6');
INSERT INTO audit VALUES(9,1795611227214,'command','demo','a5990c48cd25c7aed0bd9eefb145f5d38bcf8f7a5edc5df5f5f35d3cfe097345','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','a188c551d2f960604826767412613a7dc0bcc35696b59c1d990a271800592493');
INSERT INTO audit VALUES(10,1795611227214,'fork','demo','a5990c48cd25c7aed0bd9eefb145f5d38bcf8f7a5edc5df5f5f35d3cfe097345','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','device_forked','b1e177169cf29ff299da1867e917e23abcdc50b9c6950da4294b7480bc0d4c0a');
INSERT INTO audit VALUES(11,1795611227247,'push','demo','b6905789-8c82-4094-84aa-7e8ac964459a','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','89e32ab5dbe54d115c15f55e75a10e9278d3773e89b414517e7541f187818bca');
INSERT INTO audit VALUES(12,1795611227907,'peer',NULL,'1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','owner','ok','6412d255add6483f93a74ba925ae8d56a043afc2db8c12bbc6dcdf0b8c5ea580');
INSERT INTO audit_checkpoints VALUES(12,'6412d255add6483f93a74ba925ae8d56a043afc2db8c12bbc6dcdf0b8c5ea580',1795611228515,'8c1fc3a20be885891e52bd5607bd60f0d183b378cff3dc7791360d39970a3470','DtmgJzm5dFSb+FhtOqB6+uIGfwicAafC6Ew6KLBCjRGQSAfN4NlzAASryMYezc7AhS6CLLvBAWT422nLwUQiAQ==');
INSERT INTO peers VALUES('1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','lamp','["192.0.2.7:8420"]','["demo"]',2550308069284324);
CREATE INDEX outbox_by_peer ON outbox (endpoint_id, next_attempt_at_ms);
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
