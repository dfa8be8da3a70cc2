/** The OpenAPI part of `kbd.api`. */
import { closed, type JsonSchema } from '../../../core/json-schema.ts'
import { type Operations, type ParameterSpec, refusal, retryAfter } from '../../../core/operation.ts'

const TIME: JsonSchema = { type: 'integer', description: 'Unix time in milliseconds.' }
const COUNT: JsonSchema = { type: 'integer', minimum: 0 }
const TEXT: JsonSchema = { type: 'string' }
const HASH: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{64}$' }
const orNull = (schema: JsonSchema): JsonSchema => ({ ...schema, type: [schema.type as 'string', 'null'] })
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
const mapOf = (values: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties: values })
const UNAVAILABLE = { ...refusal('receipt_store_unavailable'), headers: retryAfter }

const frontier = closed('BoardFrontier', { heads: listOf(HASH) })
const standing = { frontier, headCount: COUNT, revision: COUNT }
const place: JsonSchema = {
  title: 'Place',
  type: ['object', 'null'],
  required: ['boardId', 'columnId', 'rank'],
  additionalProperties: false,
  properties: { boardId: TEXT, columnId: TEXT, rank: TEXT },
}
const board = closed('Board', { boardId: TEXT, title: orNull(TEXT), archived: { type: ['boolean', 'null'] } })
const column = closed('Column', {
  columnId: TEXT,
  boardId: orNull(TEXT),
  title: orNull(TEXT),
  rank: orNull(TEXT),
  wipLimit: { type: ['integer', 'null'] },
  archived: { type: ['boolean', 'null'] },
})
const cardMembers: Readonly<Record<string, JsonSchema>> = {
  cardId: TEXT,
  title: orNull(TEXT),
  bodyHash: orNull(HASH),
  place,
  priority: { type: ['integer', 'null'], minimum: 0, maximum: 4 },
  assignee: orNull(TEXT),
  archived: { type: ['boolean', 'null'] },
  labels: listOf(TEXT),
  claim: { ...orNull(TEXT), description: 'The id of the claim in force, expired or not.' },
}
const comment = closed('Comment', {
  commentId: TEXT,
  cardId: orNull(TEXT),
  bodyHash: orNull(HASH),
  redacted: { type: 'boolean' },
  issuedAtMs: TIME,
  deviceId: TEXT,
})
const link = closed('Link', {
  linkId: TEXT,
  from: orNull(TEXT),
  to: orNull(TEXT),
  kind: { type: ['string', 'null'], description: '`blocks`, `relates`, `duplicates` or `url`.' },
})
const claim = closed('Claim', {
  claimId: TEXT,
  cardId: TEXT,
  deviceId: { type: 'string', description: 'The key id of the device.' },
  agent: orNull(TEXT),
  leaseMs: COUNT,
  expiresAtMs: TIME,
  tie: HASH,
  generation: { type: 'integer', minimum: 1 },
  state: { enum: ['held', 'released', 'void', 'expired'] },
})
const conflict = closed('Conflict', {
  conflictId: HASH,
  kind: { enum: ['field', 'place', 'claim', 'archive_edit'] },
  entity: closed('ConflictEntity', { type: TEXT, id: TEXT }),
  register: TEXT,
  candidates: listOf(closed('Candidate', { id: HASH, value: {}, deviceId: TEXT, issuedAtMs: TIME })),
  shown: HASH,
})
/** The body of GET project. */
export const projectSchema: JsonSchema = closed('Project', {
  project: TEXT,
  root: orNull(HASH),
  revision: COUNT,
  frontier,
  headCount: COUNT,
  boards: mapOf(board),
  columns: mapOf(column),
  cards: mapOf(closed('Card', cardMembers)),
  claims: mapOf(claim),
  conflicts: mapOf(conflict),
  unplaced: listOf(TEXT),
})
const envelope = closed('CommandEnvelope', {
  schemaVersion: { const: '2' },
  commandId: TEXT,
  domain: { type: 'string', pattern: '^kbd-control:[a-z0-9][a-z0-9._-]{0,63}$' },
  expectedFrontier: frontier,
  concurrency: { enum: ['strict', 'merge'] },
  command: { type: 'object', required: ['type'], properties: { type: TEXT } },
  issuedAtMs: TIME,
  signerKeyId: { type: 'string', pattern: '^ed25519:[0-9a-f]{64}$' },
  signature: TEXT,
})
const entered = closed('CommandEntered', { commandId: TEXT, id: HASH, ...standing, conflicts: listOf(HASH) })
const inQuery = (name: string, description: string, schema: JsonSchema = TEXT): ParameterSpec => ({
  name,
  in: 'query',
  description,
  schema,
})
const ok = (description: string, schema: JsonSchema) => ({ 200: { description, schema }, 503: UNAVAILABLE })
const NO_PROJECT = refusal('project_not_found')
const P = 'local GET /api/v1/kbd/projects'
const one = `${P}/:project`

/** By surface, method and path. */
export const operations: Operations = {
  'local GET /api/v1/status': {
    id: 'status',
    answers: ok(
      'This node.',
      closed('NodeStatus', {
        version: TEXT,
        profile: TEXT,
        endpointId: HASH,
        projects: listOf(closed('ProjectStatus', { project: TEXT, ...standing })),
        outbox: closed('OutboxStatus', { pending: COUNT, oldestAtMs: { type: ['integer', 'null'] } }),
        peers: closed('PeersStatus', { known: COUNT, connected: COUNT }),
      }),
    ),
  },
  'local GET /api/v1/peers': {
    id: 'peers',
    answers: { 200: { description: 'The peers.', schema: closed('Peers', { peers: listOf({ type: 'object' }) }) } },
  },
  [P]: {
    id: 'boardProjects',
    answers: ok(
      'All projects.',
      closed('Projects', {
        projects: listOf(closed('ProjectHead', { project: TEXT, root: orNull(HASH), ...standing })),
      }),
    ),
  },
  [one]: {
    id: 'boardProject',
    parameters: [{ name: 'If-None-Match', in: 'header', description: 'A tag of before.', schema: TEXT }],
    answers: {
      200: { description: 'The project.', schema: projectSchema, headers: { ETag: 'The tag of its frontier.' } },
      304: { description: 'It stands where it stood.', headers: { ETag: 'The tag of its frontier.' } },
      404: NO_PROJECT,
      503: UNAVAILABLE,
    },
  },
  [`${one}/cards/:card`]: {
    id: 'boardCard',
    answers: {
      ...ok('The card.', closed('CardDetail', { ...cardMembers, comments: listOf(comment), links: listOf(link) })),
      404: refusal('project_not_found', 'entity_not_found'),
    },
  },
  [`${one}/commands`]: {
    id: 'boardCommands',
    parameters: [
      inQuery('after', 'The id of a command: only those taken after it.'),
      inQuery('limit', '1 to 1 000; 100 where absent.'),
    ],
    answers: {
      ...ok(
        'Signed commands.',
        closed('Commands', {
          commands: listOf(closed('ListedCommand', { id: HASH, envelope })),
          next: { ...orNull(HASH), description: 'The `after` of the next page; null at the end.' },
        }),
      ),
      400: refusal('malformed_request'),
      404: NO_PROJECT,
    },
  },
  'local POST /api/v1/kbd/projects/:project/commands': {
    id: 'boardCommand',
    request: envelope,
    answers: {
      200: {
        description: 'Taken before; the values of now.',
        schema: entered,
        headers: { 'Idempotent-Replayed': 'Always `true`.' },
      },
      201: { description: 'Taken, and on disk.', schema: entered },
      400: refusal('malformed_json', 'malformed_request', 'unsupported_schema_version', 'canonicalization_failed'),
      401: refusal('signature_invalid', 'credential_missing', 'credential_invalid'),
      403: refusal('signer_unknown', 'signer_revoked', 'signer_not_in_scope', 'transport_forbidden'),
      404: refusal('scope_not_found', 'entity_not_found', 'conflict_not_found'),
      409: refusal(
        'command_id_conflict',
        'frontier_mismatch',
        'frontier_unknown',
        'frontier_too_wide',
        'device_behind',
        'project_full',
        'entity_exists',
        'conflict_stale',
        'claim_held',
        'claim_not_held',
        'claim_limit',
      ),
      422: refusal('request_stale', 'request_from_future', 'command_invalid', 'frontier_too_old'),
      503: { ...refusal('receipt_store_unavailable', 'authority_unavailable'), headers: retryAfter },
    },
  },
  'local POST /api/v1/kbd/import': {
    id: 'boardImport',
    request: { type: 'string', description: 'One JSON object a line: `{command}` or `{content, sha256}`.' },
    answers: {
      200: {
        description: 'Taken: how many were new.',
        schema: closed('Imported', { commands: COUNT, content: COUNT }),
      },
      400: refusal('malformed_json', 'malformed_request', 'unsupported_schema_version', 'canonicalization_failed'),
      401: refusal('signature_invalid', 'credential_missing', 'credential_invalid'),
      403: refusal('signer_unknown', 'transport_forbidden'),
      404: refusal('scope_not_found'),
      409: refusal('project_mismatch', 'frontier_unknown'),
      422: refusal('content_mismatch', 'command_invalid', 'request_from_future'),
      429: refusal('content_full'),
      503: { ...refusal('receipt_store_unavailable', 'authority_unavailable'), headers: retryAfter },
    },
  },
  [`${one}/claims`]: {
    id: 'boardClaims',
    parameters: [inQuery('state', '`held` (where absent), `expired`, `released`, `void` or `all`.')],
    answers: {
      ...ok('Claims, by the clock of this node.', closed('Claims', { claims: listOf(claim), nowMs: TIME })),
      400: refusal('malformed_request'),
      404: NO_PROJECT,
    },
  },
  [`${one}/conflicts`]: {
    id: 'boardConflicts',
    answers: {
      ...ok('Open conflicts.', closed('Conflicts', { conflicts: listOf(conflict), ...standing })),
      404: NO_PROJECT,
    },
  },
  [`${one}/conflicts/:conflict`]: {
    id: 'boardConflict',
    answers: { ...ok('The conflict.', conflict), 404: refusal('project_not_found', 'conflict_not_found') },
  },
  'local PUT /api/v1/kbd/content/:sha256': {
    id: 'putContent',
    request: { type: 'string', format: 'binary' },
    answers: {
      200: { description: 'Here before.', schema: closed('ContentKept', { sha256: HASH }) },
      201: { description: 'Kept.', schema: closed('ContentKept', { sha256: HASH }) },
      400: refusal('malformed_request'),
      422: refusal('content_mismatch'),
      429: refusal('content_full'),
      503: UNAVAILABLE,
    },
  },
  'local GET /api/v1/kbd/content/:sha256': {
    id: 'content',
    answers: {
      200: { description: 'The bytes.', media: 'application/octet-stream' },
      400: refusal('malformed_request'),
      404: refusal('content_not_found'),
      503: UNAVAILABLE,
    },
  },
}
