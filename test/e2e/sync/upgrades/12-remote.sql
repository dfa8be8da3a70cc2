-- commit: 2fd07fb6
-- known: {"push":"c44ce69d-245d-4545-b232-4c11a6c42b29","receipt":{"schemaVersion":"1.7","pushId":"c44ce69d-245d-4545-b232-4c11a6c42b29","canonicalPayloadHash":"545b8a04129938594e01909ab0cf9f56a405402e82eaf3c2e19171c09cf3d07b","domain":"kbd-control:demo","targets":[],"localState":"applied_locally","frontier":{"heads":["4f0ff124eb324576637d2e54e9184ab8f5a4edc49f55e6ea424f1ab55b2956cf","9d54fb1c48deaaee3b6d81339c61f33616b17aff25d87df1a188d63d384da3d0"]},"revision":8,"origin":null,"perPeer":{},"createdAtMs":1795900740587,"updatedAtMs":1795900740587,"events":[{"sequence":1,"kind":"accepted","atMs":1795900740587,"localState":"accepted"},{"sequence":2,"kind":"prepared","atMs":1795900740587,"localState":"prepared"},{"sequence":3,"kind":"applied_locally","atMs":1795900740587,"localState":"applied_locally"}]},"frontier":{"heads":["4f0ff124eb324576637d2e54e9184ab8f5a4edc49f55e6ea424f1ab55b2956cf","9d54fb1c48deaaee3b6d81339c61f33616b17aff25d87df1a188d63d384da3d0"]},"key":"svc_81M0BO0uiULryxA6_KeEjEmTSX2IorO5uZBQBLBROVMPhH8hIiF3W0TOdYtd1oBQ5I","run":{"run_id":"an-old-run","thread_id":"thread_jqkx24dxlwm2f5q5","owner":{"user_id":"ada","tenant_id":"default"},"created_at_ms":1795900742764,"epoch":"47xd3w6n","agent":null,"status":"running","error":null,"ended_at_ms":null,"first_seq":1,"last_seq":2},"revoked":"eve"}
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
INSERT INTO meta VALUES('mark','da00c635dfb71828c2332e4421160c0c');
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
INSERT INTO meta VALUES('migration:realtime.runs','independent');
INSERT INTO meta VALUES('migration:sync.invitations','independent');
INSERT INTO meta VALUES('migration:sync.push-owners','independent');
INSERT INTO meta VALUES('migration:sync.receipts','needed');
INSERT INTO meta VALUES('migration:sync.sums','needed');
INSERT INTO projects VALUES('demo','[]',1795900739427,485041403131120);
INSERT INTO devices VALUES('ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','04a48d29-5fc7-418b-aa24-01d772bff3c1','["kbd-control:demo"]','old','active',1795900739427,NULL,NULL,NULL,2593422573269450);
INSERT INTO receipts VALUES(1,'c44ce69d-245d-4545-b232-4c11a6c42b29','545b8a04129938594e01909ab0cf9f56a405402e82eaf3c2e19171c09cf3d07b','kbd-control:demo','[]','applied_locally','{}','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','3oJPLIVgoI0yGNv60MZSkDnH/SxxqpfXxXosBJdnz+CmdXC351mIXVtPGPZ3qq7OG9gKXjp4+fWXnnbv3Bw0Aw==',NULL,3,1795900740587,1795900740587,NULL,'{"heads":["4f0ff124eb324576637d2e54e9184ab8f5a4edc49f55e6ea424f1ab55b2956cf","9d54fb1c48deaaee3b6d81339c61f33616b17aff25d87df1a188d63d384da3d0"]}',8,NULL,3797623551100318);
INSERT INTO events VALUES(1,1,'{"sequence":1,"kind":"accepted","atMs":1795900740587,"localState":"accepted"}',2999064386678458);
INSERT INTO events VALUES(1,2,'{"sequence":2,"kind":"prepared","atMs":1795900740587,"localState":"prepared"}',3717328337967830);
INSERT INTO events VALUES(1,3,'{"sequence":3,"kind":"applied_locally","atMs":1795900740587,"localState":"applied_locally"}',4413394886703591);
INSERT INTO api_keys VALUES(1,'81M0BO0uiULryxA6','{"name":"old","owner":{"user":"ada","tenant":"default"},"scopes":["svc:users:revoke"],"hash":"$argon2id$v=19$m=19456,t=2,p=1$yfX53MVtjCylWcrLSoFyqg$uHrLkLpfIGkI1SYAHpy1VyNcSOvmi+BrUT6PDKOHZ10"}',1795900742063,2111260742063,NULL,NULL,810331225092196);
INSERT INTO revocations VALUES('["default","eve",null]',1795900742845,1795900742845,1795900742845,NULL,NULL,1785293989677664);
INSERT INTO run_appends VALUES(1,'["default","ada","an-old-run"]',0,'{"id":"2joeotovujlqsyvt","record":{"run_id":"an-old-run","thread_id":"thread_jqkx24dxlwm2f5q5","owner":{"user_id":"ada","tenant_id":"default"},"status":"running","created_at_ms":1795900742764,"ended_at_ms":null,"first_seq":1,"last_seq":0,"epoch":"47xd3w6n","agent":null,"error":null},"bytes":8192,"gone":false}','',61615436342715);
INSERT INTO run_appends VALUES(2,'["default","ada","an-old-run"]',0,'{"id":"bqay3t6iou46r7nh","record":{"run_id":"an-old-run","thread_id":"thread_jqkx24dxlwm2f5q5","owner":{"user_id":"ada","tenant_id":"default"},"created_at_ms":1795900742764,"epoch":"47xd3w6n","agent":null,"status":"running","error":null,"ended_at_ms":null,"first_seq":1,"last_seq":2},"bytes":9532,"gone":false}','{"type":"RUN_STARTED","threadId":"t","runId":"an-old-run"}
{"type":"CUSTOM","name":"old","value":1}',1796949097178649);
INSERT INTO sqlite_sequence VALUES('run_appends',2);
INSERT INTO kbd_projects VALUES(1,'demo','70095ded752deab1b2adb0b7b622e986a080732b7c73c9b73fcac0686aa09ca3',8,2);
INSERT INTO kbd_commands VALUES(1,1,'70095ded752deab1b2adb0b7b622e986a080732b7c73c9b73fcac0686aa09ca3','22f31d1a-95cb-4b9d-83a8-00da2d61ed80','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795900740166,'','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","title":"Plans","type":"board.create"},"commandId":"22f31d1a-95cb-4b9d-83a8-00da2d61ed80","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":[]},"issuedAtMs":1795900740166,"schemaVersion":"2","signature":"gMS67gFVaTWQU+tegrhj+9at7k2nU6Zfxfeyij0uhsRnpavVyqrUmjLK4ry3xqX4tLyxDjbYfwuY0THY4Ie/BA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,2,'1ee827e0e4e58359c8038b71fde6257a91b4b3c0b9690189f416c361ea80ef63','eec2306c-e9ea-4f0a-8191-46458bfb12b2','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795900740219,'1','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"Doing","type":"column.create"},"commandId":"eec2306c-e9ea-4f0a-8191-46458bfb12b2","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["70095ded752deab1b2adb0b7b622e986a080732b7c73c9b73fcac0686aa09ca3"]},"issuedAtMs":1795900740219,"schemaVersion":"2","signature":"vfCMEStggWetwGGtwFO06Mgp/jMk+qnA8WLK/u7F0Ls+852hkF2T0NOWo7mLK80Ow1WLFbpkEBKzs3R5cV+rAQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,3,'00298a2e1f63c4259bfa335da56bf00ad1506428e3a98fd60fa30ed94c6b4156','37118f07-5dec-4dfc-8afc-472eebeaa198','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795900740237,'2','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","bodyHash":"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675","cardId":"33333333-2222-4333-8444-000000000003","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"An old card","type":"card.create"},"commandId":"37118f07-5dec-4dfc-8afc-472eebeaa198","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["1ee827e0e4e58359c8038b71fde6257a91b4b3c0b9690189f416c361ea80ef63"]},"issuedAtMs":1795900740237,"schemaVersion":"2","signature":"8caxYttI1nUE4ZslPZ4is0VBBL4POUmrA0o2caVGle4nJnzC0cdwh9XbsK5lkEmnkH7EdDfoTNkUFT84RYSoBw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,4,'5692f9fe12b189669702ec9a079ba6b4ff252b9c6e2ba23cc4e8c4eee31415dc','0b836b85-4e58-44ab-a3e3-35d5dfe6b5cb','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795900740264,'3','',0,NULL,'{"command":{"bodyHash":"80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af","cardId":"33333333-2222-4333-8444-000000000003","commentId":"33333333-2222-4333-8444-000000000004","type":"comment.add"},"commandId":"0b836b85-4e58-44ab-a3e3-35d5dfe6b5cb","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["00298a2e1f63c4259bfa335da56bf00ad1506428e3a98fd60fa30ed94c6b4156"]},"issuedAtMs":1795900740264,"schemaVersion":"2","signature":"kXve8NkNGz3k1/JcY6v2pnPDdh8dpELAXogOwtvx8UT1ojdf9k9+6dpvKHvnJfGR5pOB/V2bNuP4dRRmafn7AQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,5,'a0f39561483d0f086b45ab6bd721ed47320468b5108a4adedb1d101cbe837b3b','f35b304d-d1c4-49ff-b819-44ce6abb3be4','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795900740314,'4','',0,NULL,'{"command":{"commentId":"33333333-2222-4333-8444-000000000004","type":"comment.redact"},"commandId":"f35b304d-d1c4-49ff-b819-44ce6abb3be4","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["5692f9fe12b189669702ec9a079ba6b4ff252b9c6e2ba23cc4e8c4eee31415dc"]},"issuedAtMs":1795900740314,"schemaVersion":"2","signature":"f6e6Dwi3dCi1l4ky9qptwpc6MdYAujSqPd/n1nwsUjzv5q4s8ir5VnrdUYzvVBqAiHm4lh1ZV2c7VJwu3VI+Dw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,6,'a3eec58389e5e467bc4f9a6ee270223218255270c0ab8b118281408c1ba65785','5ef88a29-f92f-4eab-8fdf-170e792efdfc','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795900740461,'5','',0,NULL,'{"command":{"agent":"ada","cardId":"33333333-2222-4333-8444-000000000003","claimId":"33333333-2222-4333-8444-000000000001","leaseMs":60000,"type":"claim.acquire"},"commandId":"5ef88a29-f92f-4eab-8fdf-170e792efdfc","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["a0f39561483d0f086b45ab6bd721ed47320468b5108a4adedb1d101cbe837b3b"]},"issuedAtMs":1795900740461,"schemaVersion":"2","signature":"7NFNt6BBVchYWuRLzTBFjNKgi9d2OFQQ+JivYASbE/Pyv0tv7tC2i6+SLBufCzBLOsbshumABDBXS7Nhm00ZBw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,7,'4f0ff124eb324576637d2e54e9184ab8f5a4edc49f55e6ea424f1ab55b2956cf','1c16cb17-0018-4c19-bd43-6a288a2dc5d2','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795900740501,'6','',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"One title","type":"card.update"},"commandId":"1c16cb17-0018-4c19-bd43-6a288a2dc5d2","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["a3eec58389e5e467bc4f9a6ee270223218255270c0ab8b118281408c1ba65785"]},"issuedAtMs":1795900740501,"schemaVersion":"2","signature":"qeNzKtF+HN/V2vAdTSbemptMkoY1aD6So93g+aar0/CLxLar8gRqBpkaVmrOIFZGv5glJBRvzyPXjlrMRJvgAw==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,8,'9d54fb1c48deaaee3b6d81339c61f33616b17aff25d87df1a188d63d384da3d0','fdf408d7-8fd0-4527-afbb-a1ae7f2f9486','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795900740553,'6','7 0',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"Another title","type":"card.update"},"commandId":"fdf408d7-8fd0-4527-afbb-a1ae7f2f9486","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["a3eec58389e5e467bc4f9a6ee270223218255270c0ab8b118281408c1ba65785"]},"issuedAtMs":1795900740553,"schemaVersion":"2","signature":"DjkMAD/72Khb+G2jvPY1/KcEWxwUI0gu2qvAS2ppB5LEF8sFIhYdMkMf+1x7hsnqHKcx3nqo4Rujs5XgCdG9BQ==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_tips VALUES(1,'','4f0ff124eb324576637d2e54e9184ab8f5a4edc49f55e6ea424f1ab55b2956cf',7);
INSERT INTO kbd_tips VALUES(1,'','9d54fb1c48deaaee3b6d81339c61f33616b17aff25d87df1a188d63d384da3d0',8);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','4f0ff124eb324576637d2e54e9184ab8f5a4edc49f55e6ea424f1ab55b2956cf',7);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','9d54fb1c48deaaee3b6d81339c61f33616b17aff25d87df1a188d63d384da3d0',8);
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','+',1,'null');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','archived',1,'false');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','title',1,'"Plans"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','+',3,'null');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','archived',3,'false');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','bodyHash',3,'"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','claim',6,'{"agent":"ada","claimId":"33333333-2222-4333-8444-000000000001","expiresAtMs":1795900800461,"leaseMs":60000,"of":"a3eec58389e5e467bc4f9a6ee270223218255270c0ab8b118281408c1ba65785","type":"claim.acquire"}');
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
INSERT INTO kbd_views VALUES(1,'comments','33333333-2222-4333-8444-000000000004','{"commentId":"33333333-2222-4333-8444-000000000004","cardId":"33333333-2222-4333-8444-000000000003","bodyHash":null,"redacted":true,"issuedAtMs":1795900740264,"deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}',0,'33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_views VALUES(1,'claims','a3eec58389e5e467bc4f9a6ee270223218255270c0ab8b118281408c1ba65785','{"claimId":"33333333-2222-4333-8444-000000000001","cardId":"33333333-2222-4333-8444-000000000003","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","agent":"ada","leaseMs":60000,"issuedAtMs":1795900740461,"expiresAtMs":1795900800461,"tie":"3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556","generation":1,"state":"held"}',0,'33333333-2222-4333-8444-000000000001','33333333-2222-4333-8444-000000000003');
INSERT INTO kbd_views VALUES(1,'conflicts','5251e778b24c23f5de902a06f5ace6b2c1650611838053ec34ddc6ad6336400f','{"conflictId":"5251e778b24c23f5de902a06f5ace6b2c1650611838053ec34ddc6ad6336400f","kind":"field","entity":{"type":"card","id":"33333333-2222-4333-8444-000000000003"},"register":"card/33333333-2222-4333-8444-000000000003/title","candidates":[{"id":"4f0ff124eb324576637d2e54e9184ab8f5a4edc49f55e6ea424f1ab55b2956cf","value":"One title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795900740501},{"id":"9d54fb1c48deaaee3b6d81339c61f33616b17aff25d87df1a188d63d384da3d0","value":"Another title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795900740553}],"shown":"4f0ff124eb324576637d2e54e9184ab8f5a4edc49f55e6ea424f1ab55b2956cf"}',0,'card/33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_names VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',1,'comment/33333333-2222-4333-8444-000000000004',1);
INSERT INTO kbd_names VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',1,'card/33333333-2222-4333-8444-000000000003',0);
INSERT INTO kbd_content VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',21,'VGhlIHRleHQgb2YgdGhlIGNhcmQu',NULL,0);
INSERT INTO kbd_content VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',15,'VGhpcyBnb2VzIGF3YXku',1795900740445,1);
INSERT INTO audit VALUES(1,1795900739427,'enrolment','demo','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','owner','ok','b0b112bc66126d0d669be7fc523ceca4906b4cc3be7c2eb8b4e8064e9feee5aa',NULL);
INSERT INTO audit VALUES(2,1795900740183,'command','demo','70095ded752deab1b2adb0b7b622e986a080732b7c73c9b73fcac0686aa09ca3','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','f1e1241be32b2de7a580bcbf7ceb50799ecc1a59325c8bcdb0fba41185d97779',NULL);
INSERT INTO audit VALUES(3,1795900740223,'command','demo','1ee827e0e4e58359c8038b71fde6257a91b4b3c0b9690189f416c361ea80ef63','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','df4bc4f1a1e28fc3b2ed2f22ae1d71fefe2888f856bd644536341522b70f6e81',NULL);
INSERT INTO audit VALUES(4,1795900740254,'command','demo','00298a2e1f63c4259bfa335da56bf00ad1506428e3a98fd60fa30ed94c6b4156','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','04565398393ec83e4d465310ae9659b3ca7b3f6d55b1e553a500f692ff0ae73e',NULL);
INSERT INTO audit VALUES(5,1795900740280,'command','demo','5692f9fe12b189669702ec9a079ba6b4ff252b9c6e2ba23cc4e8c4eee31415dc','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','bdbd3f4601ba975519c18efedb194628496d0700052edac83052e32c75792f85',NULL);
INSERT INTO audit VALUES(6,1795900740445,'command','demo','a0f39561483d0f086b45ab6bd721ed47320468b5108a4adedb1d101cbe837b3b','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','b0d4b91c2fbaa5797d5a59f886d31ee2c77a0517beb6b33d700dd0cd42f02477',NULL);
INSERT INTO audit VALUES(7,1795900740470,'claim','demo','a3eec58389e5e467bc4f9a6ee270223218255270c0ab8b118281408c1ba65785','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','f9c606ae4ec9e2ac9d4f34dd205808f5ca651c0fd38328b9d797f72f8dc01e7c',NULL);
INSERT INTO audit VALUES(8,1795900740519,'command','demo','4f0ff124eb324576637d2e54e9184ab8f5a4edc49f55e6ea424f1ab55b2956cf','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','f41f3215e658d26442f25f52536d08caf2e570ba4c272f775976d61d887d5706',NULL);
INSERT INTO audit VALUES(9,1795900740568,'command','demo','9d54fb1c48deaaee3b6d81339c61f33616b17aff25d87df1a188d63d384da3d0','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','6bd5ef78c32abf6d0d54fbc74aeb489e741a854a940356d6a8235f46db80148f',NULL);
INSERT INTO audit VALUES(10,1795900740568,'fork','demo','9d54fb1c48deaaee3b6d81339c61f33616b17aff25d87df1a188d63d384da3d0','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','device_forked','dc8301aec1cf2224be618058645515599f2a1261c19834a11f4444c73f140ee7',NULL);
INSERT INTO audit VALUES(11,1795900740587,'push','demo','c44ce69d-245d-4545-b232-4c11a6c42b29','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','1d871b0e28783333758af4ed0900b2e8bb41508dfcbc630bf81f6a4ad2590a18',NULL);
INSERT INTO audit VALUES(12,1795900741216,'peer',NULL,'1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','owner','ok','03fcc71ccd5b3ddf499d21a6c45c5f83f339345177193dc26d39b57113612b45',NULL);
INSERT INTO audit_checkpoints VALUES(12,'03fcc71ccd5b3ddf499d21a6c45c5f83f339345177193dc26d39b57113612b45',1795900743280,'37bd5c0a428d740b23c9908461e8bf47ddc213850284bd6b9b0358a5776e4e1f','xtdRsIZwbW4DSCPKj2wdBoCmge0OxdFqvqh6buxzkTP0+Jg12+kTLbk6UjPNHqInNuOLNJs+2K8SLs+pCFcqBg==');
INSERT INTO kbd_content_ways VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af','demo','',0,1795900740445);
INSERT INTO kbd_content_ways VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675','demo','',0,NULL);
INSERT INTO kbd_claims VALUES(1,'33333333-2222-4333-8444-000000000003',6,'a3eec58389e5e467bc4f9a6ee270223218255270c0ab8b118281408c1ba65785','33333333-2222-4333-8444-000000000001','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ada','3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556',1,1,0,1795900740461,1795900800461,1795900800461,1795900800461,1795900710461,NULL,0,0,0,0,1795900800461);
INSERT INTO kbd_claim_entries VALUES(1,6,6,1795900740461,1795900800461);
INSERT INTO peers VALUES('1398f62c6d1a457c51ba6a4b5f3dbd2f69fca93216218dc8997e416bd17d93ca','lamp','["192.0.2.7:8420"]','["demo"]',2550308069284324);
INSERT INTO peer_pairings VALUES('32646331663033313663656265626134656335383836646630666362353362636435633338363739623736323562373863623265613732376634383034646462',NULL,'["demo"]',0,1795901341995,NULL,2703829424873786);
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
