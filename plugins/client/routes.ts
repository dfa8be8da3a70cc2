/**
 * The JSON routes of the service, as types. Generated from openapi.json by `make renew`, and not edited by hand.
 */

/** The schemas of requests and answers, by their names in the contract. */
export interface Schemas {
  readonly Agent: {
    readonly name: string
    readonly summary: string | null
    readonly lastFailure?: Schemas['AgentFailure']
  }
  /** The last call that failed since the start of this node, for callers with `svc:runs:read`. */
  readonly AgentFailure: {
    readonly code: string
    readonly atMs: number
  } | null
  readonly Agents: {
    readonly agents: readonly Schemas['Agent'][]
  }
  readonly AnyApiKeyWish: {
    /** Required without `replaces`. */
    readonly user_id?: string
    /** Required without `replaces`. */
    readonly tenant_id?: string
    /** 1 to 100 characters. */
    readonly name?: string
    /** Any scopes; none where absent, or those of the replaced key. */
    readonly scopes?: readonly string[]
    /** Seconds. */
    readonly expires_in?: number
    /** The id of a key of the same user, which ends after `overlap`. */
    readonly replaces?: string
    /** Seconds. */
    readonly overlap?: number
  }
  readonly ApiKeyRecord: {
    readonly id: string
    readonly name: string
    readonly prefix: string
    readonly user_id: string
    readonly tenant_id: string
    readonly scopes: readonly string[]
    /** Unix time in milliseconds. */
    readonly created_at_ms: number
    /** Unix time in milliseconds. */
    readonly expires_at_ms: number
    /** Unix time in milliseconds. */
    readonly last_used_at_ms: number | null
    /** Unix time in milliseconds. */
    readonly revoked_at_ms: number | null
    /** The user who made the key for its owner; absent if the owner did. */
    readonly made_by?: string
  }
  readonly ApiKeyWish: {
    /** 1 to 100 characters. */
    readonly name: string
    /** A subset of the caller's; all of them where absent. */
    readonly scopes?: readonly string[]
    /** Seconds. */
    readonly expires_in?: number
    /** The user who gets the key; the caller where absent. Another user of the tenant with the scopes `svc:keys:manage` and `svc:act`. */
    readonly user_id?: string
  }
  readonly ApiKeys: {
    readonly keys: readonly Schemas['ApiKeyRecord'][]
    /** With `all=true`: the `before` of the next page; null on the last one. Absent without it. */
    readonly next?: string | null
  }
  readonly ApiKeysPage: {
    readonly keys: readonly Schemas['ApiKeyRecord'][]
    /** The `before` of the next page; null on the last one. */
    readonly next: string | null
  }
  readonly AuditCheckpoint: {
    readonly context: 'svc-audit-checkpoint-1'
    readonly seq: number
    readonly hash: string
    /** Unix time in milliseconds. */
    readonly atMs: number
    readonly endpointId: string
    readonly signature: string
  } | null
  readonly AuditEntry: {
    readonly seq: number
    /** Unix time in milliseconds. */
    readonly atMs: number
    readonly kind: string
    readonly project: string | null
    readonly subject: string | null
    /** A key id, or `owner`. */
    readonly actor: string
    /** `ok` or a code. */
    readonly outcome: string
    readonly hash: string
    /** The user who handed it in over the network; absent on the other surfaces. */
    readonly user?: string
  }
  readonly AuditHead: {
    readonly seq: number
    readonly hash: string
  }
  readonly AuditPage: {
    readonly entries: readonly Schemas['AuditEntry'][]
    readonly head: Schemas['AuditHead']
  }
  readonly AuditVerdict: {
    readonly ok: boolean
    readonly count: number
    readonly head: Schemas['AuditHead']
    /** The `seq` of the first entry that is wrong or missing. */
    readonly firstBad: number | null
    readonly checkpoint: Schemas['AuditCheckpoint']
  }
  readonly Board: {
    readonly boardId: string
    readonly title: string | null
    readonly archived: boolean | null
  }
  readonly BoardFrontier: {
    readonly heads: readonly string[]
  }
  readonly Callers: {
    /** Unix time in milliseconds. */
    readonly now_ms: number
    readonly callers: readonly ({
      readonly user: string | null
      readonly tenant: string | null
      readonly requests: number
      /** Those that were answered with 401, 403 or 429. */
      readonly refused: number
      /** Unix time in milliseconds. */
      readonly since_ms: number
      /** Unix time in milliseconds. */
      readonly last_seen_ms: number
      readonly address: string
      readonly streams: readonly {
        readonly route: string
        readonly address: string
        /** Unix time in milliseconds. */
        readonly since_ms: number
      }[]
    })[]
  }
  readonly Candidate: {
    readonly id: string
    readonly value: unknown
    readonly deviceId: string
    /** Unix time in milliseconds. */
    readonly issuedAtMs: number
  }
  readonly Card: {
    readonly cardId: string
    readonly title: string | null
    readonly bodyHash: string | null
    readonly place: Schemas['Place']
    readonly priority: number | null
    readonly assignee: string | null
    readonly archived: boolean | null
    readonly labels: readonly string[]
    /** The id of the claim in force, expired or not. */
    readonly claim: string | null
  }
  readonly CardDetail: {
    readonly cardId: string
    readonly title: string | null
    readonly bodyHash: string | null
    readonly place: Schemas['Place']
    readonly priority: number | null
    readonly assignee: string | null
    readonly archived: boolean | null
    readonly labels: readonly string[]
    /** The id of the claim in force, expired or not. */
    readonly claim: string | null
    readonly comments: readonly Schemas['Comment'][]
    readonly links: readonly Schemas['Link'][]
  }
  readonly Check: {
    readonly status: 'ok' | 'failed'
    readonly required: boolean
  }
  readonly CheckDay: {
    readonly name: string
    readonly surface: 'runtime' | 'local'
    readonly required: boolean
    /** Whether the check passed each time that it was looked at in the minute. */
    readonly values: readonly (boolean | null)[]
  }
  readonly Claim: {
    readonly claimId: string
    readonly cardId: string
    /** The key id of the device. */
    readonly deviceId: string
    readonly agent: string | null
    readonly leaseMs: number
    /** The time of the entry that is shown. A claim counts from 30 s before it on. */
    readonly issuedAtMs: number
    /** Unix time in milliseconds. */
    readonly expiresAtMs: number
    readonly tie: string
    readonly generation: number
    readonly state: 'held' | 'released' | 'void' | 'expired' | 'future'
  }
  readonly Claims: {
    readonly claims: readonly Schemas['Claim'][]
    /** Unix time in milliseconds. */
    readonly nowMs: number
  }
  readonly Column: {
    readonly columnId: string
    readonly boardId: string | null
    readonly title: string | null
    readonly rank: string | null
    readonly wipLimit: number | null
    readonly archived: boolean | null
  }
  readonly Command: unknown
  readonly CommandEntered: {
    readonly commandId: string
    readonly id: string
    readonly frontier: Schemas['BoardFrontier']
    readonly headCount: number
    readonly revision: number
    readonly conflicts: readonly string[]
  }
  readonly CommandEnvelope: {
    readonly schemaVersion: '2'
    readonly commandId: string
    readonly domain: string
    readonly expectedFrontier: Schemas['BoardFrontier']
    readonly concurrency: 'strict' | 'merge'
    readonly command: Schemas['Command']
    /** Unix time in milliseconds. */
    readonly issuedAtMs: number
    readonly signerKeyId: string
    readonly signature: string
  }
  readonly Commands: {
    readonly commands: readonly Schemas['ListedCommand'][]
    /** The `after` of the next page; null at the end. */
    readonly next: string | null
  }
  readonly Comment: {
    readonly commentId: string
    readonly cardId: string | null
    readonly bodyHash: string | null
    readonly redacted: boolean
    /** Unix time in milliseconds. */
    readonly issuedAtMs: number
    readonly deviceId: string
  }
  readonly Conflict: {
    readonly conflictId: string
    readonly kind: 'field' | 'place' | 'claim' | 'archive_edit'
    readonly entity: Schemas['ConflictEntity']
    readonly register: string
    readonly candidates: readonly Schemas['Candidate'][]
    readonly shown: string
  }
  readonly ConflictEntity: {
    readonly type: string
    readonly id: string
  }
  readonly Conflicts: {
    readonly conflicts: readonly Schemas['Conflict'][]
    /** The `after` of the next page; null at the end. */
    readonly next: string | null
    readonly frontier: Schemas['BoardFrontier']
    readonly headCount: number
    readonly revision: number
  }
  readonly ContentKept: {
    readonly sha256: string
  }
  readonly CreatedApiKey: {
    readonly key: string
    readonly record: Schemas['ApiKeyRecord']
  }
  readonly Day: {
    /** Unix time in milliseconds at which the first minute begins. */
    readonly fromMs: number
    /** Milliseconds from one value to the next. */
    readonly stepMs: number
    readonly checks: readonly Schemas['CheckDay'][]
    /** Requests to the runtime surface; those of probes, collectors and consoles are not counted. */
    readonly requests: readonly (number | null)[]
    /** Answers with a status of 500 or more. */
    readonly errors: readonly (number | null)[]
    /** Answers with status 401, 403 or 429. */
    readonly refusals: readonly (number | null)[]
    /** 95th percentile of the times to an answer, in milliseconds; null also without a request. */
    readonly p95Ms: readonly (number | null)[]
    /** Most open event streams. */
    readonly streams: readonly (number | null)[]
    /** Starts of the service. */
    readonly starts: readonly (number | null)[]
    /** Least room that the service might still use on the disk of the store, in bytes. */
    readonly freeBytes: readonly (number | null)[]
  }
  readonly EntityChange: {
    readonly identifier: string
    readonly operation: 'insert' | 'update' | 'delete'
    /** Any JSON value. */
    readonly data: unknown
  }
  readonly ErasedUser: {
    readonly tenant_id: string
    readonly user_id: string
    readonly keys: number
    readonly runs: number
    readonly reasons: number
  }
  readonly ExchangeRequest: {
    /** The key, if it is not in `X-API-Key`. */
    readonly api_key?: string
    /** The user of the tenant for whom the token is. The key needs the scope `svc:act`, and `security.delegation` must be true. */
    readonly subject?: string
    /** Scopes, separated by blanks. Those that the key lacks are left out, and with `subject` the reserved ones. */
    readonly scope?: string
    /** Seconds, at most `security.exchange_ttl_seconds`. */
    readonly expires_in?: number
  }
  readonly ExchangedToken: {
    readonly access_token: string
    readonly issued_token_type: 'urn:ietf:params:oauth:token-type:access_token'
    readonly token_type: 'Bearer'
    /** Seconds. */
    readonly expires_in: number
    readonly scope: string
  }
  readonly Failure: {
    readonly code: string
    readonly message: string
    readonly retryable: boolean
  }
  /** Heads in ascending order, at most 64. */
  readonly Frontier: {
    readonly heads: readonly string[]
  }
  readonly InvitationUse: {
    readonly code: string
    readonly publicKey: string
    /** Ed25519 over the canonical form of code, context `svc-device-invite-1` and publicKey, as base64. */
    readonly signature: string
  }
  readonly InvitedDevice: {
    readonly keyId: string
    readonly scopes: readonly string[]
    readonly label: string | null
    readonly expiresAtMs: number | null
  }
  readonly JoinWish: {
    readonly addresses: null | readonly string[]
    readonly code: string
    readonly devices: boolean
    readonly label: string | null
    readonly projects: readonly string[]
  }
  readonly Joined: {
    readonly endpointId: string
    readonly label: string | null
    readonly projects: readonly string[]
    readonly enrolled: number
    readonly devicesExchanged: boolean
  }
  readonly Link: {
    readonly linkId: string
    readonly from: string | null
    readonly to: string | null
    /** `blocks`, `relates`, `duplicates` or `url`. */
    readonly kind: string | null
  }
  readonly ListedCommand: {
    readonly id: string
    readonly envelope: Schemas['CommandEnvelope']
    /** True if its time was more than 30 s ahead of the clock of this node. */
    readonly fromFuture?: boolean
  }
  readonly ListedRuns: {
    readonly runs: readonly Schemas['Run'][]
    /** The `before` of the next page; null at the end. */
    readonly next: string | null
    readonly removed?: Schemas['RemovedRuns']
  }
  readonly NodeStatus: {
    readonly version: string
    readonly profile: string
    readonly endpointId: string
    readonly projects: readonly Schemas['ProjectStatus'][]
    readonly outbox: Schemas['OutboxStatus']
    readonly peers: Schemas['PeersStatus']
  }
  readonly OpenApiDocument: Readonly<Record<string, unknown>>
  readonly OpenPairing: {
    readonly code: string
    readonly expiresAtMs: number
  }
  readonly OutboxStatus: {
    readonly pending: number
    readonly oldestAtMs: number | null
  }
  readonly PairedDevice: {
    readonly publicKey: string
    readonly scopes: readonly string[]
    readonly label: string | null
    readonly expiresAtMs: number | null
  }
  readonly PairingWish: {
    readonly addresses: null | readonly string[]
    readonly devices: boolean
    readonly label: string | null
    readonly projects: readonly string[]
  }
  readonly Peer: {
    readonly endpointId: string
    readonly label: string | null
    readonly transport: string
    readonly addresses: readonly string[]
    readonly state: 'never' | 'connected' | 'unreachable' | 'refused'
    /** Unix time in milliseconds. */
    readonly lastSeenAtMs: number | null
    readonly lastFailure: null | Schemas['PeerFault']
    /** Unix time in milliseconds. */
    readonly failingSinceMs: number | null
    readonly allowedProjects: readonly string[]
    readonly projects: Readonly<Record<string, Schemas['PeerProject']>>
  }
  readonly PeerAck: {
    readonly signerKeyId: string
    readonly auditHead: null | string
    readonly signature: string
  }
  readonly PeerAcknowledgement: {
    readonly context: 'svc-peer-ack-1'
    readonly pushId: string
    readonly endpointId: string
    readonly canonicalPayloadHash: string
    readonly state: 'received' | 'applied' | 'rejected'
    readonly failure: null | Schemas['PeerRejection']
    readonly appliedFrontier: null | Schemas['PeerFrontier']
    readonly auditHead: string
    readonly signature: string
  }
  readonly PeerAcks: {
    readonly acks: readonly Schemas['PeerAcknowledgement'][]
  }
  readonly PeerCommandPage: {
    /** Signed commands, parents first. */
    readonly commands: readonly Readonly<Record<string, unknown>>[]
    readonly frontier: Schemas['PeerFrontier']
    readonly more: boolean
  }
  readonly PeerCommands: {
    readonly project: string
    readonly pushId: null | string
    /** Signed commands, parents first. */
    readonly commands: readonly Readonly<Record<string, unknown>>[]
  }
  readonly PeerCommandsAnswer: {
    readonly accepted: number
    readonly frontier: Schemas['PeerFrontier']
    readonly ack: null | Schemas['PeerAcknowledgement']
  }
  readonly PeerEnter: {
    readonly addresses: readonly string[]
    readonly devices: null | readonly Schemas['PairedDevice'][]
    readonly secret: string
  }
  readonly PeerEntered: {
    readonly projects: readonly string[]
    readonly devices: null | readonly Schemas['PairedDevice'][]
  }
  readonly PeerFault: {
    readonly code: 'wrong_key' | 'not_listed' | 'unreachable' | 'timeout' | 'bad_answer' | 'false_acknowledgement' | 'version'
    readonly message: string
    /** Unix time in milliseconds. */
    readonly atMs: number
  }
  readonly PeerFrontier: {
    readonly heads: readonly string[]
  }
  readonly PeerKept: {
    readonly sha256: string
  }
  readonly PeerNeed: {
    readonly have: Schemas['PeerFrontier']
    readonly content: readonly string[]
  }
  readonly PeerProject: {
    readonly frontier: Schemas['BoardFrontier']
    readonly behind: number
    readonly unknownHeads: number
  }
  readonly PeerPush: {
    /** A PushRequest with its signature. */
    readonly push: Readonly<Record<string, unknown>>
    readonly frontier: null | Schemas['PeerFrontier']
    /** Signed commands, parents first. */
    readonly commands: readonly Readonly<Record<string, unknown>>[]
  }
  readonly PeerPushAnswer: {
    readonly ack: Schemas['PeerAcknowledgement']
    readonly need: null | Schemas['PeerNeed']
  }
  readonly PeerRecord: {
    readonly state: 'received' | 'applied' | 'rejected'
    /** Unix time in milliseconds. */
    readonly receivedAtMs: number | null
    /** Unix time in milliseconds. */
    readonly appliedAtMs: number | null
    /** Unix time in milliseconds. */
    readonly rejectedAtMs: number | null
    /** Unix time in milliseconds. */
    readonly updatedAtMs: number
    readonly failure: null | Schemas['Failure']
    readonly appliedFrontier: null | Schemas['Frontier']
    readonly ack: null | Schemas['PeerAck']
  }
  readonly PeerRejection: {
    readonly code: string
    readonly message: string
    readonly retryable: boolean
  }
  readonly PeerStanding: {
    readonly frontier: Schemas['PeerFrontier']
    readonly headCount: number
    readonly revision: number
    readonly root: null | string
  }
  readonly Peers: {
    readonly peers: readonly Schemas['Peer'][]
  }
  readonly PeersStatus: {
    readonly known: number
    readonly connected: number
  }
  readonly Place: {
    readonly boardId: string
    readonly columnId: string
    readonly rank: string
  } | null
  readonly Project: {
    readonly project: string
    readonly root: string | null
    readonly revision: number
    readonly frontier: Schemas['BoardFrontier']
    readonly headCount: number
    readonly boards: Readonly<Record<string, Schemas['Board']>>
    readonly columns: Readonly<Record<string, Schemas['Column']>>
    readonly cards: Readonly<Record<string, Schemas['Card']>>
    readonly claims: Readonly<Record<string, Schemas['Claim']>>
    readonly conflicts: Readonly<Record<string, Schemas['Conflict']>>
    readonly unplaced: readonly string[]
  }
  readonly ProjectHead: {
    readonly project: string
    readonly root: string | null
    readonly frontier: Schemas['BoardFrontier']
    readonly headCount: number
    readonly revision: number
  }
  readonly ProjectStatus: {
    readonly project: string
    readonly frontier: Schemas['BoardFrontier']
    readonly headCount: number
    readonly revision: number
  }
  readonly Projects: {
    readonly projects: readonly Schemas['ProjectHead'][]
  }
  readonly Published: {
    readonly status: 'accepted'
  }
  readonly PullWish: {
    readonly project: string
  }
  readonly Pulled: {
    readonly commands: number
    readonly content: number
    readonly frontier: Schemas['PeerFrontier']
  }
  readonly PushReceipt: {
    readonly schemaVersion: '1.7'
    readonly pushId: string
    readonly canonicalPayloadHash: string
    readonly domain: string
    readonly targets: readonly string[]
    readonly localState: 'accepted' | 'prepared' | 'applied_locally' | 'broadcast' | 'failed'
    /** The heads of the project that the push pinned; null where it has no commands. */
    readonly frontier: null | Schemas['Frontier']
    /** The number of commands below that frontier; null where the project has none. */
    readonly revision: number | null
    /** The endpoint id of the peer that handed the push in; null for a push of this node. */
    readonly origin: null | string
    /** By endpoint id; a target without an entry has confirmed nothing. */
    readonly perPeer: Readonly<Record<string, Schemas['PeerRecord']>>
    /** Unix time in milliseconds. */
    readonly createdAtMs: number
    /** Unix time in milliseconds. */
    readonly updatedAtMs: number
    readonly events: readonly Schemas['ReceiptEvent'][]
  }
  readonly PushRequest: {
    readonly schemaVersion: '1.7'
    /** A UUID (RFC 9562) other than nil and max; stored and compared in lower case. */
    readonly requestId: string
    /** `kbd-control:<project>` or `kbd-content:<project>`. */
    readonly domain: string
    /** Endpoint ids of peers, unique, at most 256: each an Ed25519 public key in lower-case hex. */
    readonly targetEndpointIds: readonly string[]
    readonly expectedFrontier: null | Schemas['Frontier']
    /** Unix time in milliseconds. */
    readonly issuedAtMs: number
    readonly signerKeyId: string
    /** Standard base64 of 64 bytes: Ed25519 over the RFC 8785 form of all other members. */
    readonly signature: string
  }
  readonly Readiness: {
    readonly status: 'ready' | 'unavailable'
    readonly profile: string
    readonly checks: Readonly<Record<string, Schemas['Check']>>
  }
  readonly ReceiptEvent: {
    readonly sequence: number
    readonly kind: 'accepted' | 'prepared' | 'applied_locally' | 'broadcast' | 'failed' | 'peer_received' | 'peer_applied' | 'peer_rejected' | 'peer_delivery_failed'
    /** Unix time in milliseconds. */
    readonly atMs: number
    readonly localState?: 'accepted' | 'prepared' | 'applied_locally' | 'broadcast' | 'failed'
    readonly peer?: string
    readonly peerState?: 'received' | 'applied' | 'rejected'
    readonly failure?: Schemas['Failure']
  }
  readonly RemovedRuns: {
    /** Runs that this process has removed, or has seen removed. */
    readonly count: number
    /** Unix time in milliseconds since when they are counted. How many were removed before is not known. */
    readonly since_ms: number
  }
  readonly Revocation: {
    /** 1 to 256 bytes, without control characters, not `*`. */
    readonly user_id: string
    readonly tenant_id: string
    /** The only token that is revoked; absent if the user is. */
    readonly jti?: string
    /** Unix time in milliseconds. */
    readonly not_before_ms: number
    readonly reason: string | null
    /** Unix time in milliseconds. */
    readonly lifted_at_ms: number | null
  }
  readonly RevocationLifted: {
    /** 1 to 256 bytes, without control characters, not `*`. */
    readonly user_id: string
    readonly tenant_id: string
    /** The only token that is revoked; absent if the user is. */
    readonly jti?: string
    /** Unix time in milliseconds. */
    readonly not_before_ms: number
    readonly reason: string | null
    /** False if the revocation ends with the process; else absent. */
    readonly durable?: boolean
    /** Unix time in milliseconds. */
    readonly lifted_at_ms?: number
  }
  readonly RevocationMade: {
    /** 1 to 256 bytes, without control characters, not `*`. */
    readonly user_id: string
    readonly tenant_id: string
    /** The only token that is revoked; absent if the user is. */
    readonly jti?: string
    /** Unix time in milliseconds. */
    readonly not_before_ms: number
    readonly reason: string | null
    /** False if the revocation ends with the process; else absent. */
    readonly durable?: boolean
  }
  readonly RevocationWish: {
    /** 1 to 256 bytes, without control characters, not `*`. */
    readonly user_id: string
    /** The only token that is revoked; absent if the user is. */
    readonly jti?: string
    readonly reason?: string
  }
  readonly Revocations: {
    readonly revocations: readonly Schemas['Revocation'][]
    /** The `before` of the next page; null on the last one. */
    readonly next: string | null
  }
  readonly Run: {
    readonly run_id: string
    readonly thread_id: string
    readonly owner: Schemas['RunOwner']
    readonly status: 'running' | 'finished' | 'failed' | 'cancelled'
    readonly created_at_ms: number
    readonly ended_at_ms: number | null
    readonly first_seq: number
    readonly last_seq: number
    readonly epoch: string
    /** The agent whose answer the run is; null for a run of appends. */
    readonly agent: string | null
    readonly error: Schemas['RunError'] | null
  }
  /** Why the run failed: the code and the beginning of the message of its RUN_ERROR. */
  readonly RunError: {
    readonly code: string | null
    readonly message: string
  }
  readonly RunOwner: {
    readonly user_id: string | null
    readonly tenant_id: string | null
  }
  readonly RunWish: {
    readonly run_id?: string
    readonly thread_id?: string
  }
  readonly RunningBuild: {
    readonly name: string
    readonly version: string
    readonly profile: string
    readonly platform: string
    readonly node: string
    readonly commit: string
    readonly bundleSha256: string
    readonly features: readonly Schemas['RunningFeature'][]
  }
  readonly RunningFeature: {
    readonly id: string
    readonly variant: string | null
  }
  readonly Runs: {
    readonly runs: readonly Schemas['Run'][]
    /** The `before` of the next page; null at the end. */
    readonly next: string | null
  }
  readonly SearchAnswer: {
    readonly results: readonly Schemas['SearchResult'][]
    readonly frontier: Schemas['SearchFrontier']
    /** The number of heads of that project; null as above. */
    readonly headCount: number | null
  }
  /** The frontier of the searched project; null if all projects were searched. */
  readonly SearchFrontier: {
    readonly heads: readonly string[]
  } | null
  readonly SearchResult: {
    readonly kind: 'board' | 'card' | 'column' | 'comment'
    readonly id: string
    readonly project: string
    /** Of a comment, the title of its card. */
    readonly title: string | null
    /** The words around the first match. */
    readonly snippet: string
    /** Higher is better. */
    readonly score: number
  }
  readonly SettingsInForce: {
    readonly settings: readonly {
      readonly key: string
      /** Any JSON value; a secret is `[redacted]`. */
      readonly value: unknown
      /** `default`, a file with its key, or a variable. */
      readonly source: string
      /** `true` if SIGHUP applies a new value, `contents` if it applies new contents of the file. */
      readonly reload?: unknown
    }[]
  }
  readonly Status: {
    readonly status: 'ok'
  }
  readonly Tenants: {
    readonly tenants: readonly string[]
  }
  readonly UnsignedPush: {
    readonly domain: string
    /** Any JSON value. */
    readonly payload: unknown
    /** A UUID (RFC 9562) other than nil and max; stored and compared in lower case. */
    readonly requestId?: string
    readonly targetEndpointIds?: readonly string[]
  }
  readonly UnsignedPushAnswer: {
    readonly pushId: string
    readonly status: string
  }
}

/** Each route: its request, its answers by status, and its error codes. */
export interface Routes {
  /** Creates an API key; the answer is the only place where it is ever shown. */
  readonly 'POST /api/auth/keys': {
    readonly body: Schemas['ApiKeyWish']
    readonly answers: { readonly 201: Schemas['CreatedApiKey'] }
    readonly codes: 'api_key_invalid' | 'credential_missing' | 'crypto_provider_conflict' | 'forbidden' | 'internal_error' | 'length_required' | 'malformed_json' | 'malformed_request' | 'not_ready' | 'overloaded' | 'payload_too_large' | 'rate_limited' | 'unsupported_media_type'
  }
  /** Lists the API keys of the caller, revoked ones too. */
  readonly 'GET /api/auth/keys': {
    readonly query?: { readonly user?: string; readonly all?: 'true'; readonly limit?: number; readonly before?: string }
    readonly answers: { readonly 200: Schemas['ApiKeys'] }
    readonly codes: 'api_key_invalid' | 'credential_missing' | 'crypto_provider_conflict' | 'forbidden' | 'internal_error' | 'malformed_request' | 'not_found' | 'not_ready' | 'overloaded' | 'rate_limited'
  }
  /** Revokes an API key of the caller, with all tokens exchanged for it and all streams opened with either. */
  readonly 'DELETE /api/auth/keys/{id}': {
    readonly path: { readonly id: string }
    readonly query?: { readonly user?: string }
    readonly answers: { readonly 204: undefined }
    readonly codes: 'api_key_invalid' | 'credential_missing' | 'crypto_provider_conflict' | 'forbidden' | 'internal_error' | 'not_found' | 'not_ready' | 'overloaded' | 'rate_limited'
  }
  /** Publishes a change in the tenant of the caller, who needs the scope live:publish. */
  readonly 'POST /api/live/{topic}': {
    readonly path: { readonly topic: string }
    readonly body: Schemas['EntityChange']
    readonly answers: { readonly 202: Schemas['Published'] }
    readonly codes: 'api_key_invalid' | 'credential_missing' | 'crypto_provider_conflict' | 'forbidden' | 'internal_error' | 'length_required' | 'malformed_json' | 'malformed_request' | 'not_found' | 'not_ready' | 'overloaded' | 'payload_too_large' | 'rate_limited' | 'unsupported_media_type'
  }
  /** The agents that the caller may call. */
  readonly 'GET /api/svc/agents': {
    readonly answers: { readonly 200: Schemas['Agents'] }
    readonly codes: 'api_key_invalid' | 'credential_missing' | 'crypto_provider_conflict' | 'forbidden' | 'internal_error' | 'not_ready' | 'overloaded' | 'rate_limited'
  }
  /** Exchanges an API key, in X-API-Key or as api_key in the body, for a short-lived bearer token. */
  readonly 'POST /api/svc/auth/exchange': {
    readonly body?: Schemas['ExchangeRequest']
    readonly answers: { readonly 200: Schemas['ExchangedToken'] }
    readonly codes: 'api_key_invalid' | 'crypto_provider_conflict' | 'forbidden' | 'internal_error' | 'length_required' | 'malformed_json' | 'malformed_request' | 'not_ready' | 'overloaded' | 'payload_too_large' | 'rate_limited' | 'unsupported_media_type'
  }
  /** Creates an API key; the answer is the only place where it is ever shown. */
  readonly 'POST /api/svc/auth/keys': {
    readonly body: Schemas['ApiKeyWish']
    readonly answers: { readonly 201: Schemas['CreatedApiKey'] }
    readonly codes: 'api_key_invalid' | 'credential_missing' | 'crypto_provider_conflict' | 'forbidden' | 'internal_error' | 'length_required' | 'malformed_json' | 'malformed_request' | 'not_ready' | 'overloaded' | 'payload_too_large' | 'rate_limited' | 'unsupported_media_type'
  }
  /** Lists the API keys of the caller, revoked ones too. */
  readonly 'GET /api/svc/auth/keys': {
    readonly query?: { readonly user?: string; readonly all?: 'true'; readonly limit?: number; readonly before?: string }
    readonly answers: { readonly 200: Schemas['ApiKeys'] }
    readonly codes: 'api_key_invalid' | 'credential_missing' | 'crypto_provider_conflict' | 'forbidden' | 'internal_error' | 'malformed_request' | 'not_found' | 'not_ready' | 'overloaded' | 'rate_limited'
  }
  /** Revokes an API key of the caller, with all tokens exchanged for it and all streams opened with either. */
  readonly 'DELETE /api/svc/auth/keys/{id}': {
    readonly path: { readonly id: string }
    readonly query?: { readonly user?: string }
    readonly answers: { readonly 204: undefined }
    readonly codes: 'api_key_invalid' | 'credential_missing' | 'crypto_provider_conflict' | 'forbidden' | 'internal_error' | 'not_found' | 'not_ready' | 'overloaded' | 'rate_limited'
  }
  /** Ends every credential of a user of the tenant that was issued before now, or one token of the user. */
  readonly 'POST /api/svc/auth/revocations': {
    readonly body: Schemas['RevocationWish']
    readonly answers: { readonly 201: Schemas['RevocationMade'] }
    readonly codes: 'api_key_invalid' | 'credential_missing' | 'crypto_provider_conflict' | 'forbidden' | 'internal_error' | 'length_required' | 'malformed_json' | 'malformed_request' | 'not_ready' | 'overloaded' | 'payload_too_large' | 'rate_limited' | 'unsupported_media_type'
  }
  /** The revocations of the tenant, newest first. */
  readonly 'GET /api/svc/auth/revocations': {
    readonly query?: { readonly limit?: number; readonly before?: string }
    readonly answers: { readonly 200: Schemas['Revocations'] }
    readonly codes: 'api_key_invalid' | 'credential_missing' | 'crypto_provider_conflict' | 'forbidden' | 'internal_error' | 'malformed_request' | 'not_ready' | 'overloaded' | 'rate_limited'
  }
  /** Lifts the revocation of a user: tokens without iat count again. What was issued before stays refused. */
  readonly 'DELETE /api/svc/auth/revocations/{user_id}': {
    readonly path: { readonly user_id: string }
    readonly answers: { readonly 204: undefined }
    readonly codes: 'api_key_invalid' | 'credential_missing' | 'crypto_provider_conflict' | 'forbidden' | 'internal_error' | 'not_found' | 'not_ready' | 'overloaded' | 'rate_limited'
  }
  /** All projects, with their frontiers and revisions, for users with kbd:read. */
  readonly 'GET /api/svc/kbd': {
    readonly answers: { readonly 200: Schemas['Projects'] }
    readonly codes: 'api_key_invalid' | 'credential_missing' | 'crypto_provider_conflict' | 'forbidden' | 'internal_error' | 'project_not_found' | 'rate_limited' | 'receipt_store_unavailable'
  }
  /** A project as it stands, for callers with the scope kbd:read in the tenant of the boards. */
  readonly 'GET /api/svc/kbd/{project}': {
    readonly path: { readonly project: string }
    readonly answers: { readonly 200: Schemas['Project']; readonly 304: undefined }
    readonly codes: 'api_key_invalid' | 'credential_missing' | 'crypto_provider_conflict' | 'forbidden' | 'internal_error' | 'project_not_found' | 'rate_limited' | 'receipt_store_unavailable'
  }
  /** The signed commands of a project, in the order of their arrival, for users with kbd:read. */
  readonly 'GET /api/svc/kbd/{project}/commands': {
    readonly path: { readonly project: string }
    readonly query?: { readonly after?: string; readonly limit?: string }
    readonly answers: { readonly 200: Schemas['Commands'] }
    readonly codes: 'api_key_invalid' | 'credential_missing' | 'crypto_provider_conflict' | 'forbidden' | 'internal_error' | 'malformed_request' | 'project_not_found' | 'rate_limited' | 'receipt_store_unavailable'
  }
  /** Takes a signed command of a device, from a user with kbd:write. */
  readonly 'POST /api/svc/kbd/{project}/commands': {
    readonly path: { readonly project: string }
    readonly body: Schemas['CommandEnvelope']
    readonly answers: { readonly 200: Schemas['CommandEntered']; readonly 201: Schemas['CommandEntered'] }
    readonly codes: 'authority_unavailable' | 'canonicalization_failed' | 'claim_held' | 'claim_limit' | 'claim_not_held' | 'command_id_conflict' | 'command_invalid' | 'conflict_not_found' | 'conflict_stale' | 'crypto_provider_conflict' | 'device_behind' | 'entity_exists' | 'entity_not_found' | 'forbidden' | 'frontier_mismatch' | 'frontier_too_old' | 'frontier_too_wide' | 'frontier_unknown' | 'internal_error' | 'length_required' | 'malformed_json' | 'malformed_request' | 'payload_too_large' | 'project_full' | 'rate_limited' | 'receipt_store_unavailable' | 'request_from_future' | 'request_stale' | 'scope_not_found' | 'signature_invalid' | 'signer_not_in_scope' | 'signer_revoked' | 'signer_unknown' | 'unsupported_media_type' | 'unsupported_schema_version'
  }
  /** Keeps a text for a command of the project, from a user with kbd:write. */
  readonly 'PUT /api/svc/kbd/{project}/content/{sha256}': {
    readonly path: { readonly project: string; readonly sha256: string }
    readonly answers: { readonly 200: Schemas['ContentKept']; readonly 201: Schemas['ContentKept'] }
    readonly codes: 'api_key_invalid' | 'content_full' | 'content_mismatch' | 'credential_missing' | 'crypto_provider_conflict' | 'forbidden' | 'internal_error' | 'length_required' | 'malformed_request' | 'payload_too_large' | 'rate_limited' | 'receipt_store_unavailable' | 'scope_not_found' | 'unsupported_media_type'
  }
  /** Opens a run of the caller. */
  readonly 'POST /api/svc/runs': {
    readonly query?: { readonly user?: string }
    readonly body?: Schemas['RunWish']
    readonly answers: { readonly 201: Schemas['Run'] }
    readonly codes: 'api_key_invalid' | 'credential_missing' | 'crypto_provider_conflict' | 'forbidden' | 'internal_error' | 'length_required' | 'malformed_json' | 'malformed_request' | 'overloaded' | 'payload_too_large' | 'rate_limited' | 'run_exists' | 'unsupported_media_type'
  }
  /** The runs of the caller, newest first, also in pages. */
  readonly 'GET /api/svc/runs': {
    readonly query?: { readonly user?: string; readonly status?: 'running' | 'finished' | 'failed' | 'cancelled'; readonly thread_id?: string; readonly limit?: number; readonly before?: string; readonly removed?: 'true' }
    readonly answers: { readonly 200: Schemas['ListedRuns'] }
    readonly codes: 'api_key_invalid' | 'credential_missing' | 'crypto_provider_conflict' | 'forbidden' | 'internal_error' | 'malformed_request' | 'not_ready' | 'overloaded' | 'rate_limited'
  }
  /** One run of the caller. */
  readonly 'GET /api/svc/runs/{run_id}': {
    readonly path: { readonly run_id: string }
    readonly query?: { readonly user?: string }
    readonly answers: { readonly 200: Schemas['Run'] }
    readonly codes: 'api_key_invalid' | 'credential_missing' | 'crypto_provider_conflict' | 'forbidden' | 'internal_error' | 'malformed_request' | 'not_found' | 'not_ready' | 'overloaded' | 'rate_limited'
  }
  /** Ends a run of the caller as cancelled. A run that has ended stays as it is. */
  readonly 'POST /api/svc/runs/{run_id}/cancel': {
    readonly path: { readonly run_id: string }
    readonly query?: { readonly user?: string }
    readonly answers: { readonly 200: Schemas['Run'] }
    readonly codes: 'api_key_invalid' | 'append_unknown' | 'credential_missing' | 'crypto_provider_conflict' | 'forbidden' | 'internal_error' | 'malformed_request' | 'not_found' | 'overloaded' | 'rate_limited'
  }
  /** Appends an AG-UI event, or a list of them, to a run of the caller: all or none. */
  readonly 'POST /api/svc/runs/{run_id}/events': {
    readonly path: { readonly run_id: string }
    readonly query?: { readonly user?: string }
    readonly body: Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[]
    readonly answers: { readonly 200: Schemas['Run'] }
    readonly codes: 'api_key_invalid' | 'append_unknown' | 'credential_missing' | 'crypto_provider_conflict' | 'forbidden' | 'internal_error' | 'length_required' | 'malformed_json' | 'malformed_request' | 'not_found' | 'overloaded' | 'payload_too_large' | 'rate_limited' | 'run_event_order' | 'run_position_mismatch' | 'unsupported_media_type'
  }
  /** Who calls the runtime surface now, and which streams are open, by user. */
  readonly 'GET /api/v1/admin/callers': {
    readonly answers: { readonly 200: Schemas['Callers'] }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'transport_forbidden'
  }
  /** The API keys of one or of all tenants, newest first, in pages. */
  readonly 'GET /api/v1/admin/keys': {
    readonly query?: { readonly tenant?: string; readonly user?: string; readonly limit?: number; readonly before?: string }
    readonly answers: { readonly 200: Schemas['ApiKeysPage'] }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'malformed_request' | 'not_found' | 'overloaded' | 'transport_forbidden'
  }
  /** Creates an API key of any user, with any scopes, also in the place of another key. */
  readonly 'POST /api/v1/admin/keys': {
    readonly body: Schemas['AnyApiKeyWish']
    readonly answers: { readonly 201: Schemas['CreatedApiKey'] }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'length_required' | 'malformed_request' | 'not_found' | 'overloaded' | 'payload_too_large' | 'rate_limited' | 'transport_forbidden' | 'unsupported_media_type'
  }
  /** Revokes an API key of any user. A second time changes nothing. */
  readonly 'POST /api/v1/admin/keys/{id}/revoke': {
    readonly path: { readonly id: string }
    readonly answers: { readonly 200: Schemas['ApiKeyRecord'] }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'malformed_request' | 'not_found' | 'overloaded' | 'transport_forbidden'
  }
  /** The runs of one or of all tenants, newest first, in pages. */
  readonly 'GET /api/v1/admin/runs': {
    readonly query?: { readonly tenant?: string; readonly user?: string; readonly run_id?: string; readonly status?: 'running' | 'finished' | 'failed' | 'cancelled'; readonly thread_id?: string; readonly limit?: number; readonly before?: string }
    readonly answers: { readonly 200: Schemas['Runs'] }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'malformed_request' | 'overloaded' | 'transport_forbidden'
  }
  /** Ends a run of any user as cancelled. A run that has ended stays as it is. */
  readonly 'POST /api/v1/admin/runs/{run_id}/cancel': {
    readonly path: { readonly run_id: string }
    readonly query?: { readonly tenant?: string; readonly user?: string }
    readonly answers: { readonly 200: Schemas['Run'] }
    readonly codes: 'append_unknown' | 'credential_invalid' | 'credential_missing' | 'internal_error' | 'malformed_request' | 'not_found' | 'overloaded' | 'transport_forbidden'
  }
  /** The settings in force, of the running service and not of its files. */
  readonly 'GET /api/v1/admin/settings': {
    readonly answers: { readonly 200: Schemas['SettingsInForce'] }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'transport_forbidden'
  }
  /** The tenants that have a user: in which it has API keys or runs, or is revoked. */
  readonly 'GET /api/v1/admin/tenants': {
    readonly query?: { readonly user?: string }
    readonly answers: { readonly 200: Schemas['Tenants'] }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'malformed_request' | 'overloaded' | 'transport_forbidden'
  }
  /** Removes the API keys and runs of a user of any tenant, and the reasons of its revocations. */
  readonly 'POST /api/v1/admin/users/erase': {
    readonly query?: { readonly tenant?: string; readonly user?: string }
    readonly answers: { readonly 200: Schemas['ErasedUser'] }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'malformed_request' | 'overloaded' | 'transport_forbidden'
  }
  /** Lifts the revocation of a user of any tenant: tokens without iat count again. What was issued before stays refused. */
  readonly 'POST /api/v1/admin/users/restore': {
    readonly query?: { readonly tenant?: string; readonly user?: string }
    readonly answers: { readonly 200: Schemas['RevocationLifted'] }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'malformed_request' | 'not_found' | 'overloaded' | 'transport_forbidden'
  }
  /** Ends every credential of a user of any tenant that was issued before now. */
  readonly 'POST /api/v1/admin/users/revoke': {
    readonly query?: { readonly tenant?: string; readonly user?: string; readonly reason?: string }
    readonly answers: { readonly 200: Schemas['RevocationMade'] }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'malformed_request' | 'overloaded' | 'transport_forbidden'
  }
  /** Entries of the audit chain, in order. */
  readonly 'GET /api/v1/audit': {
    readonly query?: { readonly after?: string; readonly limit?: string; readonly project?: string; readonly kind?: string }
    readonly answers: { readonly 200: Schemas['AuditPage'] }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'malformed_request' | 'receipt_store_unavailable' | 'transport_forbidden'
  }
  /** Walks the whole audit chain and compares every hash. */
  readonly 'GET /api/v1/audit/verify': {
    readonly answers: { readonly 200: Schemas['AuditVerdict'] }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'receipt_store_unavailable' | 'transport_forbidden'
  }
  /** Which build runs: its version, profile, commit and features. */
  readonly 'GET /api/v1/build': {
    readonly answers: { readonly 200: Schemas['RunningBuild'] }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'transport_forbidden'
  }
  /** The last day at one value a minute, for the owner of the machine. */
  readonly 'GET /api/v1/history': {
    readonly answers: { readonly 200: Schemas['Day'] }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'receipt_store_unavailable' | 'transport_forbidden'
  }
  /** All projects, with their frontiers and revisions. */
  readonly 'GET /api/v1/kbd/projects': {
    readonly answers: { readonly 200: Schemas['Projects'] }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'receipt_store_unavailable' | 'transport_forbidden'
  }
  /** A project as it stands. */
  readonly 'GET /api/v1/kbd/projects/{project}': {
    readonly path: { readonly project: string }
    readonly answers: { readonly 200: Schemas['Project']; readonly 304: undefined }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'project_not_found' | 'receipt_store_unavailable' | 'transport_forbidden'
  }
  /** A card with its comments and links. */
  readonly 'GET /api/v1/kbd/projects/{project}/cards/{card}': {
    readonly path: { readonly project: string; readonly card: string }
    readonly answers: { readonly 200: Schemas['CardDetail'] }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'entity_not_found' | 'internal_error' | 'project_not_found' | 'receipt_store_unavailable' | 'transport_forbidden'
  }
  /** The claims of a project, judged by the clock of this node. */
  readonly 'GET /api/v1/kbd/projects/{project}/claims': {
    readonly path: { readonly project: string }
    readonly query?: { readonly state?: string }
    readonly answers: { readonly 200: Schemas['Claims'] }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'malformed_request' | 'project_not_found' | 'receipt_store_unavailable' | 'transport_forbidden'
  }
  /** The signed commands of a project, in the order of their arrival. */
  readonly 'GET /api/v1/kbd/projects/{project}/commands': {
    readonly path: { readonly project: string }
    readonly query?: { readonly after?: string; readonly limit?: string }
    readonly answers: { readonly 200: Schemas['Commands'] }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'malformed_request' | 'project_not_found' | 'receipt_store_unavailable' | 'transport_forbidden'
  }
  /** Takes a signed command. */
  readonly 'POST /api/v1/kbd/projects/{project}/commands': {
    readonly path: { readonly project: string }
    readonly body: Schemas['CommandEnvelope']
    readonly answers: { readonly 200: Schemas['CommandEntered']; readonly 201: Schemas['CommandEntered'] }
    readonly codes: 'authority_unavailable' | 'canonicalization_failed' | 'claim_held' | 'claim_limit' | 'claim_not_held' | 'command_id_conflict' | 'command_invalid' | 'conflict_not_found' | 'conflict_stale' | 'credential_invalid' | 'credential_missing' | 'device_behind' | 'entity_exists' | 'entity_not_found' | 'frontier_mismatch' | 'frontier_too_old' | 'frontier_too_wide' | 'frontier_unknown' | 'internal_error' | 'length_required' | 'malformed_json' | 'malformed_request' | 'payload_too_large' | 'project_full' | 'receipt_store_unavailable' | 'request_from_future' | 'request_stale' | 'scope_not_found' | 'signature_invalid' | 'signer_not_in_scope' | 'signer_revoked' | 'signer_unknown' | 'transport_forbidden' | 'unsupported_media_type' | 'unsupported_schema_version'
  }
  /** The open conflicts of a project. */
  readonly 'GET /api/v1/kbd/projects/{project}/conflicts': {
    readonly path: { readonly project: string }
    readonly query?: { readonly after?: string; readonly limit?: string }
    readonly answers: { readonly 200: Schemas['Conflicts']; readonly 304: undefined }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'malformed_request' | 'project_not_found' | 'receipt_store_unavailable' | 'transport_forbidden'
  }
  /** One open conflict. */
  readonly 'GET /api/v1/kbd/projects/{project}/conflicts/{conflict}': {
    readonly path: { readonly project: string; readonly conflict: string }
    readonly answers: { readonly 200: Schemas['Conflict'] }
    readonly codes: 'conflict_not_found' | 'credential_invalid' | 'credential_missing' | 'internal_error' | 'project_not_found' | 'receipt_store_unavailable' | 'transport_forbidden'
  }
  /** The peers of this node. */
  readonly 'GET /api/v1/peers': {
    readonly answers: { readonly 200: Schemas['Peers'] }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'transport_forbidden'
  }
  /** Joins the node that made a pairing code: both nodes enter each other. */
  readonly 'POST /api/v1/peers/join': {
    readonly body: Schemas['JoinWish']
    readonly answers: { readonly 200: Schemas['Joined'] }
    readonly codes: 'authority_unavailable' | 'canonicalization_failed' | 'credential_invalid' | 'credential_missing' | 'internal_error' | 'length_required' | 'malformed_json' | 'malformed_request' | 'payload_too_large' | 'peer_delivery_failed' | 'peer_label_taken' | 'project_exists' | 'receipt_store_unavailable' | 'transport_forbidden' | 'unsupported_media_type'
  }
  /** Opens a pairing for ten minutes and returns its code. */
  readonly 'POST /api/v1/peers/pairings': {
    readonly body: Schemas['PairingWish']
    readonly answers: { readonly 201: Schemas['OpenPairing'] }
    readonly codes: 'authority_unavailable' | 'canonicalization_failed' | 'credential_invalid' | 'credential_missing' | 'internal_error' | 'length_required' | 'malformed_json' | 'malformed_request' | 'payload_too_large' | 'receipt_store_unavailable' | 'scope_not_found' | 'transport_forbidden' | 'unsupported_media_type'
  }
  /** Fetches what a peer has of a project and this node has not. */
  readonly 'POST /api/v1/peers/{peer}/pull': {
    readonly path: { readonly peer: string }
    readonly body: Schemas['PullWish']
    readonly answers: { readonly 200: Schemas['Pulled'] }
    readonly codes: 'authority_unavailable' | 'canonicalization_failed' | 'command_invalid' | 'frontier_unknown' | 'internal_error' | 'length_required' | 'malformed_json' | 'malformed_request' | 'payload_too_large' | 'peer_delivery_failed' | 'peer_not_found' | 'project_mismatch' | 'receipt_store_unavailable' | 'scope_not_found' | 'signature_invalid' | 'signer_unknown' | 'transport_forbidden' | 'unsupported_media_type'
  }
  /** Finds boards, columns, cards and comments by their words. */
  readonly 'GET /api/v1/search': {
    readonly query?: { readonly q?: string; readonly project?: string; readonly kind?: string; readonly limit?: string }
    readonly answers: { readonly 200: Schemas['SearchAnswer'] }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'malformed_request' | 'project_not_found' | 'receipt_store_unavailable' | 'search_query_invalid' | 'transport_forbidden'
  }
  /** The version, the projects, the outbox and the peers of this node. */
  readonly 'GET /api/v1/status': {
    readonly answers: { readonly 200: Schemas['NodeStatus'] }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'receipt_store_unavailable' | 'transport_forbidden'
  }
  /**
   * Deprecated: takes an unsigned push, on the Unix socket only.
   * @deprecated
   */
  readonly 'POST /api/v1/sync/push': {
    readonly body: Schemas['UnsignedPush']
    readonly answers: { readonly 202: Schemas['UnsignedPushAnswer'] }
    readonly codes: 'api_key_invalid' | 'canonicalization_failed' | 'credential_invalid' | 'credential_missing' | 'crypto_provider_conflict' | 'domain_not_found' | 'domain_prohibited' | 'envelope_preparation_failed' | 'internal_error' | 'length_required' | 'malformed_json' | 'malformed_request' | 'not_ready' | 'overloaded' | 'payload_too_large' | 'rate_limited' | 'receipt_store_unavailable' | 'request_id_conflict' | 'scope_not_found' | 'target_duplicate' | 'target_invalid' | 'transport_forbidden' | 'transport_unavailable' | 'unsupported_media_type'
  }
  /** Takes acknowledgements of the caller for pushes of this node. */
  readonly 'POST /api/v2/peer/acks': {
    readonly body: Schemas['PeerAcks']
    readonly answers: { readonly 204: undefined }
    readonly codes: 'authority_unavailable' | 'canonicalization_failed' | 'content_full' | 'internal_error' | 'length_required' | 'malformed_json' | 'malformed_request' | 'not_listed' | 'payload_too_large' | 'rate_limited' | 'receipt_store_unavailable' | 'transport_forbidden' | 'unsupported_media_type' | 'version_unsupported'
  }
  /** Takes signed commands, parents first. */
  readonly 'POST /api/v2/peer/commands': {
    readonly body: Schemas['PeerCommands']
    readonly answers: { readonly 200: Schemas['PeerCommandsAnswer'] }
    readonly codes: 'authority_unavailable' | 'canonicalization_failed' | 'command_invalid' | 'content_full' | 'frontier_unknown' | 'internal_error' | 'length_required' | 'malformed_json' | 'malformed_request' | 'not_listed' | 'payload_too_large' | 'project_mismatch' | 'push_finished' | 'push_not_found' | 'rate_limited' | 'receipt_store_unavailable' | 'scope_not_found' | 'signature_invalid' | 'signer_unknown' | 'transport_forbidden' | 'unsupported_media_type' | 'unsupported_schema_version' | 'version_unsupported'
  }
  /** Enters the calling node, which shows the secret of an open pairing. It needs no entry. */
  readonly 'POST /api/v2/peer/pairings': {
    readonly body: Schemas['PeerEnter']
    readonly answers: { readonly 200: Schemas['PeerEntered'] }
    readonly codes: 'authority_unavailable' | 'canonicalization_failed' | 'content_full' | 'internal_error' | 'length_required' | 'malformed_json' | 'malformed_request' | 'not_listed' | 'pairing_invalid' | 'payload_too_large' | 'rate_limited' | 'receipt_store_unavailable' | 'transport_forbidden' | 'unsupported_media_type' | 'version_unsupported'
  }
  /** Lists the commands that are not in the past of those that the caller has, parents first. */
  readonly 'GET /api/v2/peer/projects/{project}/commands': {
    readonly path: { readonly project: string }
    readonly query?: { readonly have?: string; readonly after?: string }
    readonly answers: { readonly 200: Schemas['PeerCommandPage'] }
    readonly codes: 'authority_unavailable' | 'content_full' | 'internal_error' | 'malformed_request' | 'not_listed' | 'rate_limited' | 'receipt_store_unavailable' | 'scope_not_found' | 'transport_forbidden' | 'version_unsupported'
  }
  /** Keeps a text under its SHA-256. */
  readonly 'PUT /api/v2/peer/projects/{project}/content/{sha256}': {
    readonly path: { readonly project: string; readonly sha256: string }
    readonly answers: { readonly 200: Schemas['PeerKept']; readonly 201: Schemas['PeerKept'] }
    readonly codes: 'authority_unavailable' | 'content_full' | 'content_mismatch' | 'internal_error' | 'length_required' | 'malformed_json' | 'malformed_request' | 'not_listed' | 'payload_too_large' | 'rate_limited' | 'receipt_store_unavailable' | 'scope_not_found' | 'transport_forbidden' | 'unsupported_media_type' | 'version_unsupported'
  }
  /** The frontier of a project on this node. */
  readonly 'GET /api/v2/peer/projects/{project}/frontier': {
    readonly path: { readonly project: string }
    readonly answers: { readonly 200: Schemas['PeerStanding'] }
    readonly codes: 'authority_unavailable' | 'content_full' | 'internal_error' | 'not_listed' | 'rate_limited' | 'receipt_store_unavailable' | 'scope_not_found' | 'transport_forbidden' | 'version_unsupported'
  }
  /** Takes a signed push of another node, and answers with a signed acknowledgement. */
  readonly 'POST /api/v2/peer/pushes': {
    readonly body: Schemas['PeerPush']
    readonly answers: { readonly 200: Schemas['PeerPushAnswer'] }
    readonly codes: 'authority_unavailable' | 'canonicalization_failed' | 'content_full' | 'domain_not_found' | 'domain_prohibited' | 'frontier_unknown' | 'internal_error' | 'length_required' | 'malformed_json' | 'malformed_request' | 'not_listed' | 'payload_too_large' | 'rate_limited' | 'receipt_store_unavailable' | 'request_stale' | 'scope_not_found' | 'signature_invalid' | 'signer_unknown' | 'target_invalid' | 'transport_forbidden' | 'unsupported_media_type' | 'unsupported_schema_version' | 'version_unsupported'
  }
  /** Enrols a device by the code of an invitation. The same again is answered for a day. */
  readonly 'POST /api/v2/sync/devices': {
    readonly body: Schemas['InvitationUse']
    readonly answers: { readonly 200: Schemas['InvitedDevice']; readonly 201: Schemas['InvitedDevice'] }
    readonly codes: 'api_key_invalid' | 'canonicalization_failed' | 'credential_missing' | 'crypto_provider_conflict' | 'forbidden' | 'internal_error' | 'invitation_invalid' | 'length_required' | 'malformed_json' | 'malformed_request' | 'not_found' | 'payload_too_large' | 'rate_limited' | 'receipt_store_unavailable' | 'unsupported_media_type'
  }
  /** Takes a signed push and answers with its durable receipt. */
  readonly 'POST /api/v2/sync/pushes': {
    readonly body: Schemas['PushRequest']
    readonly answers: { readonly 200: Schemas['PushReceipt']; readonly 201: Schemas['PushReceipt'] }
    readonly codes: 'authority_unavailable' | 'canonicalization_failed' | 'credential_invalid' | 'credential_missing' | 'crypto_provider_conflict' | 'domain_not_found' | 'domain_prohibited' | 'envelope_preparation_failed' | 'forbidden' | 'frontier_mismatch' | 'frontier_not_supported' | 'internal_error' | 'length_required' | 'malformed_json' | 'malformed_request' | 'payload_too_large' | 'rate_limited' | 'receipt_store_unavailable' | 'request_from_future' | 'request_id_conflict' | 'request_stale' | 'scope_not_found' | 'signature_invalid' | 'signer_not_in_scope' | 'signer_revoked' | 'signer_unknown' | 'target_duplicate' | 'target_invalid' | 'transport_forbidden' | 'transport_unavailable' | 'unsupported_media_type' | 'unsupported_schema_version'
  }
  /** The receipt of a push as it stands now. */
  readonly 'GET /api/v2/sync/pushes/{push_id}': {
    readonly path: { readonly push_id: string }
    readonly answers: { readonly 200: Schemas['PushReceipt'] }
    readonly codes: 'api_key_invalid' | 'credential_invalid' | 'credential_missing' | 'crypto_provider_conflict' | 'forbidden' | 'internal_error' | 'push_not_found' | 'rate_limited' | 'receipt_store_unavailable' | 'transport_forbidden'
  }
  /** Whether the process answers; checks no dependency. */
  readonly 'GET /health': {
    readonly answers: { readonly 200: Schemas['Status'] }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'method_not_allowed' | 'transport_forbidden'
  }
  /** The same as /health. */
  readonly 'GET /healthz': {
    readonly answers: { readonly 200: Schemas['Status'] }
    readonly codes: 'method_not_allowed'
  }
  /** The OpenAPI 3.1 contract of both surfaces. */
  readonly 'GET /openapi.json': {
    readonly answers: { readonly 200: Schemas['OpenApiDocument'] }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'transport_forbidden'
  }
  /** Whether pushes can be taken: authority, devices and receipt store are there and readable. */
  readonly 'GET /ready': {
    readonly answers: { readonly 200: Schemas['Readiness'] }
    readonly codes: 'credential_invalid' | 'credential_missing' | 'internal_error' | 'transport_forbidden'
  }
  /** Whether the service can do its work. */
  readonly 'GET /readyz': {
    readonly answers: { readonly 200: Schemas['Readiness'] }
    readonly codes: 'method_not_allowed'
  }
}
