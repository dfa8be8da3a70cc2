/** The OpenAPI schemas of boards. */
import { closed, type JsonSchema, orNull } from '../../../core/declare/json-schema.ts'
import type { ParameterSpec } from '../../../core/declare/operation.ts'
import { commandSchema } from './command-schemas.ts'

/** A time. */
export const TIME: JsonSchema = { type: 'integer', description: 'Unix time in milliseconds.' }
/** A number of things. */
export const COUNT: JsonSchema = { type: 'integer', minimum: 0 }
/** A text. */
export const TEXT: JsonSchema = { type: 'string' }
/** A SHA-256 in hex: the id of a command, a conflict or a content. */
export const HASH: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{64}$' }
/** The header of an answer with a tag. */
export const ETAG: Readonly<Record<string, string>> = { ETag: 'The tag of the frontier that the body shows.' }
/** The header of a request for a body that is not of the given tag. */
export const IF_NONE_MATCH: ParameterSpec = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The tag of an earlier answer.',
  schema: TEXT,
}
/** A list. */
export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
const mapOf = (values: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties: values })

const frontier = closed('BoardFrontier', { heads: listOf(HASH) })
/** The standing of a project. */
export const standing: Readonly<Record<string, JsonSchema>> = { frontier, headCount: COUNT, revision: COUNT }
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
/** The members that a card has in every answer. */
export const cardMembers: Readonly<Record<string, JsonSchema>> = {
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
/** A comment. */
export const comment: JsonSchema = closed('Comment', {
  commentId: TEXT,
  cardId: orNull(TEXT),
  bodyHash: orNull(HASH),
  redacted: { type: 'boolean' },
  issuedAtMs: TIME,
  deviceId: TEXT,
})
/** A link. */
export const link: JsonSchema = closed('Link', {
  linkId: TEXT,
  from: orNull(TEXT),
  to: orNull(TEXT),
  kind: { type: ['string', 'null'], description: '`blocks`, `relates`, `duplicates` or `url`.' },
})
/** A claim. */
export const claim: JsonSchema = closed('Claim', {
  claimId: TEXT,
  cardId: TEXT,
  deviceId: { type: 'string', description: 'The key id of the device.' },
  agent: orNull(TEXT),
  leaseMs: COUNT,
  issuedAtMs: { ...TIME, description: 'The time of the entry that is shown. A claim counts from 30 s before it on.' },
  expiresAtMs: TIME,
  tie: HASH,
  generation: { type: 'integer', minimum: 1 },
  state: { enum: ['held', 'released', 'void', 'expired', 'future'] },
})
/** A conflict. */
export const conflict: JsonSchema = closed('Conflict', {
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
/** A signed command. */
export const envelope: JsonSchema = closed('CommandEnvelope', {
  schemaVersion: { const: '2' },
  commandId: TEXT,
  domain: { type: 'string', pattern: '^kbd-control:[a-z0-9][a-z0-9._-]{0,63}$' },
  expectedFrontier: frontier,
  concurrency: { enum: ['strict', 'merge'] },
  command: commandSchema,
  issuedAtMs: TIME,
  signerKeyId: { type: 'string', pattern: '^ed25519:[0-9a-f]{64}$' },
  signature: TEXT,
})
/** A command in a list. */
export const listedCommand: JsonSchema = {
  ...closed('ListedCommand', {
    id: HASH,
    envelope,
    fromFuture: {
      type: 'boolean',
      description: 'True if its time was more than 30 s ahead of the clock of this node.',
    },
  }),
  required: ['id', 'envelope'],
}
/** The answer to a command. */
export const entered: JsonSchema = closed('CommandEntered', {
  commandId: TEXT,
  id: HASH,
  ...standing,
  conflicts: listOf(HASH),
})

const peerFault: JsonSchema = {
  enum: ['wrong_key', 'not_listed', 'unreachable', 'timeout', 'bad_answer', 'false_acknowledgement', 'version'],
}
/** A peer of this node. */
export const peerSchema: JsonSchema = closed('Peer', {
  endpointId: HASH,
  label: orNull(TEXT),
  transport: TEXT,
  addresses: listOf(TEXT),
  state: { enum: ['never', 'connected', 'unreachable', 'refused'] },
  lastSeenAtMs: orNull(TIME),
  lastFailure: {
    anyOf: [{ type: 'null' }, closed('PeerFault', { code: peerFault, message: TEXT, atMs: TIME })],
  },
  failingSinceMs: orNull(TIME),
  allowedProjects: listOf(TEXT),
  projects: {
    type: 'object',
    additionalProperties: closed('PeerProject', {
      frontier: standing['frontier']!,
      behind: COUNT,
      unknownHeads: COUNT,
    }),
  },
})
