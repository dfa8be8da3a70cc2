-- commit: 1396100a
-- known: {"push":"d67e4e6a-64dc-48b6-97ee-216b0a940491","receipt":{"schemaVersion":"1.7","pushId":"d67e4e6a-64dc-48b6-97ee-216b0a940491","canonicalPayloadHash":"a40c382720de655cbcd22c7243894dcf90f9fd00a425fb589bff18b979a9128d","domain":"kbd-control:demo","targets":[],"localState":"applied_locally","frontier":{"heads":["bf8bcc9ddb70afcd9a707c61b940abe2e8ac0ed30f6300779d493b689641fc0f","ddc3de4d613b31d16c837e5d6e1e0185530b08c800093d9eefe397f8ef80d526"]},"revision":8,"origin":null,"perPeer":{},"createdAtMs":1795611996750,"updatedAtMs":1795611996750,"events":[{"sequence":1,"kind":"accepted","atMs":1795611996750,"localState":"accepted"},{"sequence":2,"kind":"prepared","atMs":1795611996750,"localState":"prepared"},{"sequence":3,"kind":"applied_locally","atMs":1795611996750,"localState":"applied_locally"}]},"frontier":{"heads":["bf8bcc9ddb70afcd9a707c61b940abe2e8ac0ed30f6300779d493b689641fc0f","ddc3de4d613b31d16c837e5d6e1e0185530b08c800093d9eefe397f8ef80d526"]}}
PRAGMA application_id = 1937138514;
PRAGMA user_version = 3;
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
INSERT INTO meta VALUES('created_by','svc');
INSERT INTO projects VALUES('demo','[]',1795611994202,485041403131120);
INSERT INTO devices VALUES('ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','fe827ec7-c7dd-402e-ac89-e53d460fc75b','["kbd-control:demo"]','old','active',1795611994202,NULL,NULL,NULL,2456808193387746);
INSERT INTO receipts VALUES(1,'d67e4e6a-64dc-48b6-97ee-216b0a940491','a40c382720de655cbcd22c7243894dcf90f9fd00a425fb589bff18b979a9128d','kbd-control:demo','[]','applied_locally','{}','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','XNbGT+15rlqciiKZ8aEj6nxUW4FR1vurLI/SCA7ux5XPZolJZj7uCJHXzx4GibPuIYnm9ZiGqlq6J2J+r0LiCA==',NULL,3,1795611996750,1795611996750,NULL,'{"heads":["bf8bcc9ddb70afcd9a707c61b940abe2e8ac0ed30f6300779d493b689641fc0f","ddc3de4d613b31d16c837e5d6e1e0185530b08c800093d9eefe397f8ef80d526"]}',8,NULL,2588616739048947);
INSERT INTO events VALUES(1,1,'{"sequence":1,"kind":"accepted","atMs":1795611996750,"localState":"accepted"}',664234283577772);
INSERT INTO events VALUES(1,2,'{"sequence":2,"kind":"prepared","atMs":1795611996750,"localState":"prepared"}',2899653878136429);
INSERT INTO events VALUES(1,3,'{"sequence":3,"kind":"applied_locally","atMs":1795611996750,"localState":"applied_locally"}',347914748717536);
INSERT INTO kbd_projects VALUES(1,'demo','1d2f433c37dc91eed79576a86c6305d64016293a42daf5131b6b1cecafe6f5b8',8,2);
INSERT INTO kbd_commands VALUES(1,1,'1d2f433c37dc91eed79576a86c6305d64016293a42daf5131b6b1cecafe6f5b8','5bf53d07-ea86-4c15-8412-d0984369ffff','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611995765,'','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","title":"Plans","type":"board.create"},"commandId":"5bf53d07-ea86-4c15-8412-d0984369ffff","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":[]},"issuedAtMs":1795611995765,"schemaVersion":"2","signature":"eXE+X5f4lH4xLYNhhRs54n/oaWTYVh54Xeyolxa9sK6dTW/Lw4WFD5CxKuh1hNPYIOPDfUIKMuIOgC9MKxxXBA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,2,'9745fe793b1e477c13f92291d6b59c519e23d19220ed074294a558f70bc3572e','dd0ffbce-e250-4fbe-ae2d-6c1c3426ad43','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611996094,'1','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"Doing","type":"column.create"},"commandId":"dd0ffbce-e250-4fbe-ae2d-6c1c3426ad43","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["1d2f433c37dc91eed79576a86c6305d64016293a42daf5131b6b1cecafe6f5b8"]},"issuedAtMs":1795611996094,"schemaVersion":"2","signature":"IQDeJ8wBgAPx7pjBI0Qjxn5RHM6gQnVCLCNfV1xy/uIdMA/J2gX+VbXVT8lbze+fDmkYAAyq4kyPei0SrEAECA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,3,'85bd1772eb7fd959e92aa41466900f9fb68f7aa9430e99727dcb904ac730344d','829b74cc-41c5-4efb-93d6-f0bd9170cc86','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611996284,'2','',0,NULL,'{"command":{"boardId":"33333333-2222-4333-8444-000000000001","bodyHash":"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675","cardId":"33333333-2222-4333-8444-000000000003","columnId":"33333333-2222-4333-8444-000000000002","rank":"V","title":"An old card","type":"card.create"},"commandId":"829b74cc-41c5-4efb-93d6-f0bd9170cc86","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["9745fe793b1e477c13f92291d6b59c519e23d19220ed074294a558f70bc3572e"]},"issuedAtMs":1795611996284,"schemaVersion":"2","signature":"2iiZEs9r3BLXWMo1mNApHaBQGSUeVSMtBMATZK0+Q3rnhZH0eHSddkvMODEODHCBoyHJoxM8F4AZEZJwF6F1Cg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,4,'576c791ef1fb088cfcbb3e0ccd1aca85f4d31a4867d6a71c3612512602d13e97','0eb07625-f9b3-4cd2-9bc5-6b1c6b6cc1db','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611996352,'3','',0,NULL,'{"command":{"bodyHash":"80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af","cardId":"33333333-2222-4333-8444-000000000003","commentId":"33333333-2222-4333-8444-000000000004","type":"comment.add"},"commandId":"0eb07625-f9b3-4cd2-9bc5-6b1c6b6cc1db","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["85bd1772eb7fd959e92aa41466900f9fb68f7aa9430e99727dcb904ac730344d"]},"issuedAtMs":1795611996352,"schemaVersion":"2","signature":"mF2ab4eNNPGoBgpbdy3ymKE7Fr2Tk77gh56+UTNAQwkR2gGgvCytVzMdspWUFTywWPmVlfa4hNK793ShgSQiCA==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,5,'bb3e99032e140d29433ddd55c72fa93ca023210225db88330cc8bdc38b328791','478a406a-e971-43f1-8b2a-f877ea5c94a5','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611996384,'4','',0,NULL,'{"command":{"commentId":"33333333-2222-4333-8444-000000000004","type":"comment.redact"},"commandId":"478a406a-e971-43f1-8b2a-f877ea5c94a5","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["576c791ef1fb088cfcbb3e0ccd1aca85f4d31a4867d6a71c3612512602d13e97"]},"issuedAtMs":1795611996384,"schemaVersion":"2","signature":"95qxwnAfdaiKSrineUA9UP/bQ8NLBeo6ofnFNFTgRAtmUrpJz6ArWGssLCUmUnnW77SSuk0Y3WxZDkLQmhPFDg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,6,'ccee2f9def24697870915fe27a13f8c91d5b4d95167acaa8d9da771d7e17b54d','bef370ce-a472-45c8-940b-d6374fa7a2e0','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611996435,'5','',0,NULL,'{"command":{"agent":"ada","cardId":"33333333-2222-4333-8444-000000000003","claimId":"33333333-2222-4333-8444-000000000001","leaseMs":60000,"type":"claim.acquire"},"commandId":"bef370ce-a472-45c8-940b-d6374fa7a2e0","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["bb3e99032e140d29433ddd55c72fa93ca023210225db88330cc8bdc38b328791"]},"issuedAtMs":1795611996435,"schemaVersion":"2","signature":"NIPfxW+sQeIc54xMxAt8NNqpy9DwngDgxR72Pkb8C+Up3RkvS7QLUqbATpV80GGDjMukoYjaM7cFRx4T75oTAg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,7,'bf8bcc9ddb70afcd9a707c61b940abe2e8ac0ed30f6300779d493b689641fc0f','178ba7be-e377-49d0-8aee-df2bb537d866','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611996601,'6','',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"One title","type":"card.update"},"commandId":"178ba7be-e377-49d0-8aee-df2bb537d866","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["ccee2f9def24697870915fe27a13f8c91d5b4d95167acaa8d9da771d7e17b54d"]},"issuedAtMs":1795611996601,"schemaVersion":"2","signature":"ibjqH8bfYnP+ZmpTK5WihKk5O6xIijyUzbXYScsVPx2O+o5gldqiC+f6Y1EsRYhfRrTG/BLkBS5HdzMkfV3HAg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_commands VALUES(1,8,'ddc3de4d613b31d16c837e5d6e1e0185530b08c800093d9eefe397f8ef80d526','74e997c2-7a51-46ec-a385-000f78ba9d60','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c',1795611996684,'6','7 0',0,NULL,'{"command":{"cardId":"33333333-2222-4333-8444-000000000003","title":"Another title","type":"card.update"},"commandId":"74e997c2-7a51-46ec-a385-000f78ba9d60","concurrency":"merge","domain":"kbd-control:demo","expectedFrontier":{"heads":["ccee2f9def24697870915fe27a13f8c91d5b4d95167acaa8d9da771d7e17b54d"]},"issuedAtMs":1795611996684,"schemaVersion":"2","signature":"bnlTEEGTnTVTO6QkVHniySkXcPdW8IpuoT9aUqIVAgPmjosE19+E81Mhpg/KCiIm5A+zB/rTX1U1mmSu3r0IDg==","signerKeyId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}');
INSERT INTO kbd_tips VALUES(1,'','bf8bcc9ddb70afcd9a707c61b940abe2e8ac0ed30f6300779d493b689641fc0f',7);
INSERT INTO kbd_tips VALUES(1,'','ddc3de4d613b31d16c837e5d6e1e0185530b08c800093d9eefe397f8ef80d526',8);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','bf8bcc9ddb70afcd9a707c61b940abe2e8ac0ed30f6300779d493b689641fc0f',7);
INSERT INTO kbd_tips VALUES(1,'ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ddc3de4d613b31d16c837e5d6e1e0185530b08c800093d9eefe397f8ef80d526',8);
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','+',1,'null');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','archived',1,'false');
INSERT INTO kbd_entries VALUES(1,'board/33333333-2222-4333-8444-000000000001','title',1,'"Plans"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','+',3,'null');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','archived',3,'false');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','bodyHash',3,'"f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675"');
INSERT INTO kbd_entries VALUES(1,'card/33333333-2222-4333-8444-000000000003','claim',6,'{"agent":"ada","claimId":"33333333-2222-4333-8444-000000000001","expiresAtMs":1795612056435,"leaseMs":60000,"of":"ccee2f9def24697870915fe27a13f8c91d5b4d95167acaa8d9da771d7e17b54d","type":"claim.acquire"}');
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
INSERT INTO kbd_views VALUES(1,'comments','33333333-2222-4333-8444-000000000004','{"commentId":"33333333-2222-4333-8444-000000000004","cardId":"33333333-2222-4333-8444-000000000003","bodyHash":null,"redacted":true,"issuedAtMs":1795611996352,"deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}',0,'33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_views VALUES(1,'claims','ccee2f9def24697870915fe27a13f8c91d5b4d95167acaa8d9da771d7e17b54d','{"claimId":"33333333-2222-4333-8444-000000000001","cardId":"33333333-2222-4333-8444-000000000003","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","agent":"ada","leaseMs":60000,"expiresAtMs":1795612056435,"tie":"3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556","generation":1,"state":"held"}',0,'33333333-2222-4333-8444-000000000001','33333333-2222-4333-8444-000000000003');
INSERT INTO kbd_views VALUES(1,'conflicts','cd7265289cd6daa714c79250c7f9de471cc28924211ad703a380890ebd4ae46c','{"conflictId":"cd7265289cd6daa714c79250c7f9de471cc28924211ad703a380890ebd4ae46c","kind":"field","entity":{"type":"card","id":"33333333-2222-4333-8444-000000000003"},"register":"card/33333333-2222-4333-8444-000000000003/title","candidates":[{"id":"bf8bcc9ddb70afcd9a707c61b940abe2e8ac0ed30f6300779d493b689641fc0f","value":"One title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795611996601},{"id":"ddc3de4d613b31d16c837e5d6e1e0185530b08c800093d9eefe397f8ef80d526","value":"Another title","deviceId":"ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","issuedAtMs":1795611996684}],"shown":"bf8bcc9ddb70afcd9a707c61b940abe2e8ac0ed30f6300779d493b689641fc0f"}',0,'card/33333333-2222-4333-8444-000000000003',NULL);
INSERT INTO kbd_claims VALUES(1,'33333333-2222-4333-8444-000000000003',6,'ccee2f9def24697870915fe27a13f8c91d5b4d95167acaa8d9da771d7e17b54d','33333333-2222-4333-8444-000000000001','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ada','3ed7551dab0e91157f08b7f7bead7da070e440fde5d3e072ef94d525d01ca556',1,1,0,0,0,1795612056435);
INSERT INTO kbd_names VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',1,'comment/33333333-2222-4333-8444-000000000004',1);
INSERT INTO kbd_names VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',1,'card/33333333-2222-4333-8444-000000000003',0);
INSERT INTO kbd_content VALUES('f69f11a39e226d273b9c9dd547b999efe649beb4d109933ecb573bfbf8a95675',21,'VGhlIHRleHQgb2YgdGhlIGNhcmQu',NULL,NULL);
INSERT INTO kbd_content VALUES('80b212281967541c66271bd2d1d756cdaa7cb605c7ef705772bd56ce0233c9af',15,'VGhpcyBnb2VzIGF3YXku',NULL,1795611996405);
INSERT INTO audit VALUES(1,1795611994202,'enrolment','demo','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','owner','ok','b3307a33199c7e937774a00b6f48eb63d419be7577f03e8ea87a15ac373c8bea');
INSERT INTO audit VALUES(2,1795611996035,'command','demo','1d2f433c37dc91eed79576a86c6305d64016293a42daf5131b6b1cecafe6f5b8','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','e5c76c359fc1d9da08c9d8d61e3424ad85b650f35bb82bcee1c1f0f7f601c388');
INSERT INTO audit VALUES(3,1795611996109,'command','demo','9745fe793b1e477c13f92291d6b59c519e23d19220ed074294a558f70bc3572e','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','8d9f6c172248319dc651b5ee98f6757e41b10d703390598e2862a6beda86ff80');
INSERT INTO audit VALUES(4,1795611996314,'command','demo','85bd1772eb7fd959e92aa41466900f9fb68f7aa9430e99727dcb904ac730344d','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','a344b595138cde93a46c995422edc8ac13699b84445a5ae02b531f42274a17b1');
INSERT INTO audit VALUES(5,1795611996362,'command','demo','576c791ef1fb088cfcbb3e0ccd1aca85f4d31a4867d6a71c3612512602d13e97','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','70a1b36cc72a29838115907082602f5f8f180ee904add4ce95c9f05cafe899bf');
INSERT INTO audit VALUES(6,1795611996405,'command','demo','bb3e99032e140d29433ddd55c72fa93ca023210225db88330cc8bdc38b328791','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','8ff1119e1f0c9d0dcd60fe85b8d9d114963d128e59fb1635a7c029b89b04d75b');
INSERT INTO audit VALUES(7,1795611996501,'claim','demo','ccee2f9def24697870915fe27a13f8c91d5b4d95167acaa8d9da771d7e17b54d','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','8fc787fdd5c45e574402b45f754eae2ee96c9989e70c92d0543d35a83668ad1e');
INSERT INTO audit VALUES(8,1795611996622,'command','demo','bf8bcc9ddb70afcd9a707c61b940abe2e8ac0ed30f6300779d493b689641fc0f','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','92ad748ef419f100d4086a9a35e71a6138a5b7b9165a0f5bb309380a2cde5370');
INSERT INTO audit VALUES(9,1795611996710,'command','demo','ddc3de4d613b31d16c837e5d6e1e0185530b08c800093d9eefe397f8ef80d526','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','ba8d73d0b9fa0748e668d94f82d797b232d43c7c8b12d4b749e1235331c83310');
INSERT INTO audit VALUES(10,1795611996710,'fork','demo','ddc3de4d613b31d16c837e5d6e1e0185530b08c800093d9eefe397f8ef80d526','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','device_forked','ff0a4351399f046adf64a4a4f34fb13ee3515d56f0e644c29e21ae8507ce74d5');
INSERT INTO audit VALUES(11,1795611996749,'push','demo','d67e4e6a-64dc-48b6-97ee-216b0a940491','ed25519:ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c','ok','cb7fec48c7cbd75212514167d2bec55b0efa855d5db4684ea7dddf675abdbbe0');
INSERT INTO audit_checkpoints VALUES(11,'cb7fec48c7cbd75212514167d2bec55b0efa855d5db4684ea7dddf675abdbbe0',1795611996798,'9d5dcf79b3c3a566c06fbf5f78e6157f60c234d2d12c571fb987a24a421da398','cmuAWGSdELJcpAJ2LoRva2L5M8k840ehHIBdVLd0xEIHdd6VExqNZCKLRXh7FZcT4Ac7UUmrXVCfaIGifMOqDQ==');
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
