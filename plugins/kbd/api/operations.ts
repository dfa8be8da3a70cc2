/** The OpenAPI part of `kbd.api`. */
import { closed, type JsonSchema, orNull } from '../../../core/json-schema.ts'
import { type Operations, type ParameterSpec, refusal, retryAfter } from '../../../core/operation.ts'
import {
  COUNT,
  cardMembers,
  claim,
  comment,
  conflict,
  ETAG,
  entered,
  envelope,
  HASH,
  IF_NONE_MATCH,
  link,
  listedCommand,
  listOf,
  projectSchema,
  standing,
  TEXT,
  TIME,
} from './schemas.ts'

const UNAVAILABLE = { ...refusal('receipt_store_unavailable'), headers: retryAfter }
const FAULT: JsonSchema = {
  enum: ['wrong_key', 'not_listed', 'unreachable', 'timeout', 'bad_answer', 'false_acknowledgement', 'version'],
}
const peer = closed('Peer', {
  endpointId: HASH,
  label: orNull(TEXT),
  transport: TEXT,
  addresses: listOf(TEXT),
  state: { enum: ['never', 'connected', 'unreachable', 'refused'] },
  lastSeenAtMs: orNull(TIME),
  lastFailure: {
    anyOf: [{ type: 'null' }, closed('PeerFault', { code: FAULT, message: TEXT, atMs: TIME })],
  },
  allowedProjects: listOf(TEXT),
  projects: {
    type: 'object',
    additionalProperties: closed('PeerProject', { frontier: standing['frontier']!, behind: COUNT }),
  },
})
const inQuery = (name: string, description: string, schema: JsonSchema = TEXT): ParameterSpec => ({
  name,
  in: 'query',
  description,
  schema,
})
const ok = (description: string, schema: JsonSchema) => ({ 200: { description, schema }, 503: UNAVAILABLE })
const NO_PROJECT = refusal('project_not_found')
const PROJECTS = 'local GET /api/v1/kbd/projects'
const PROJECT = `${PROJECTS}/:project`

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
    answers: { 200: { description: 'The peers.', schema: closed('Peers', { peers: listOf(peer) }) } },
  },
  [PROJECTS]: {
    id: 'boardProjects',
    answers: ok(
      'All projects.',
      closed('Projects', {
        projects: listOf(closed('ProjectHead', { project: TEXT, root: orNull(HASH), ...standing })),
      }),
    ),
  },
  [PROJECT]: {
    id: 'boardProject',
    parameters: [IF_NONE_MATCH],
    answers: {
      200: { description: 'The project.', schema: projectSchema, headers: ETAG },
      304: { description: 'The project has not changed.', headers: ETAG },
      404: NO_PROJECT,
      503: UNAVAILABLE,
    },
  },
  [`${PROJECT}/cards/:card`]: {
    id: 'boardCard',
    answers: {
      ...ok('The card.', closed('CardDetail', { ...cardMembers, comments: listOf(comment), links: listOf(link) })),
      404: refusal('project_not_found', 'entity_not_found'),
    },
  },
  [`${PROJECT}/commands`]: {
    id: 'boardCommands',
    parameters: [
      inQuery('after', 'The id of a command. The list begins after it.'),
      inQuery('limit', '1 to 1 000; 100 if absent.'),
    ],
    answers: {
      ...ok(
        'Signed commands.',
        closed('Commands', {
          commands: listOf(listedCommand),
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
        description: 'Accepted before. The body shows the present values.',
        schema: entered,
        headers: { 'Idempotent-Replayed': 'Always `true`.' },
      },
      201: { description: 'Accepted, and on disk.', schema: entered },
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
        description: 'Imported. The numbers count what was new.',
        schema: closed('Imported', { commands: COUNT, content: COUNT }),
      },
      400: refusal('malformed_json', 'malformed_request', 'unsupported_schema_version', 'canonicalization_failed'),
      401: refusal('signature_invalid', 'credential_missing', 'credential_invalid'),
      403: refusal('signer_unknown', 'transport_forbidden'),
      404: refusal('scope_not_found'),
      409: refusal('project_mismatch', 'frontier_unknown'),
      422: refusal('content_mismatch', 'command_invalid'),
      429: refusal('content_full'),
      503: { ...refusal('receipt_store_unavailable', 'authority_unavailable'), headers: retryAfter },
    },
  },
  [`${PROJECT}/claims`]: {
    id: 'boardClaims',
    parameters: [inQuery('state', '`held` (if absent), `future`, `expired`, `released`, `void` or `all`.')],
    answers: {
      ...ok('Claims, by the clock of this node.', closed('Claims', { claims: listOf(claim), nowMs: TIME })),
      400: refusal('malformed_request'),
      404: NO_PROJECT,
    },
  },
  [`${PROJECT}/conflicts`]: {
    id: 'boardConflicts',
    parameters: [
      inQuery('after', 'The id of a conflict. The list begins after it.'),
      inQuery('limit', '1 to 1 000; 100 if absent. A page of large conflicts ends sooner.'),
      IF_NONE_MATCH,
    ],
    answers: {
      200: {
        description: 'Open conflicts, by conflictId.',
        headers: ETAG,
        schema: closed('Conflicts', {
          conflicts: listOf(conflict),
          next: { ...orNull(HASH), description: 'The `after` of the next page; null at the end.' },
          ...standing,
        }),
      },
      304: { description: 'The project has not changed.', headers: ETAG },
      400: refusal('malformed_request'),
      404: NO_PROJECT,
      503: UNAVAILABLE,
    },
  },
  [`${PROJECT}/conflicts/:conflict`]: {
    id: 'boardConflict',
    answers: { ...ok('The conflict.', conflict), 404: refusal('project_not_found', 'conflict_not_found') },
  },
  'local PUT /api/v1/kbd/content/:sha256': {
    id: 'putContent',
    parameters: [inQuery('project', 'A project whose peers may read the text, no matter which device names it there.')],
    request: { type: 'string', format: 'binary' },
    answers: {
      200: {
        description: 'Stored before, and not hidden by a redaction.',
        schema: closed('ContentKept', { sha256: HASH }),
      },
      201: { description: 'Stored.', schema: closed('ContentKept', { sha256: HASH }) },
      400: refusal('malformed_request'),
      404: refusal('scope_not_found'),
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
