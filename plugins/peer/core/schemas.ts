/** Shapes and parameters of the routes between peers, for the documentation. */
import { closed, type JsonSchema } from '../../../core/declare/json-schema.ts'
import { type AnswerSpec, type ParameterSpec, refusal, retryAfter } from '../../../core/declare/operation.ts'

/** A SHA-256 or a key, in hex. */
export const HASH: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{64}$' }
/** A number of things. */
export const COUNT: JsonSchema = { type: 'integer', minimum: 0 }
/** A list. */
export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
/** A shape, or null. */
export const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [{ type: 'null' }, schema] })
/** Where a project stands. */
export const FRONTIER: JsonSchema = closed('PeerFrontier', { heads: listOf(HASH) })
/** Signed commands. */
export const COMMANDS: JsonSchema = {
  type: 'array',
  description: 'Signed commands, parents first.',
  items: { type: 'object' },
}

/** A signed acknowledgement of a push. The signature covers the RFC 8785 form of the eight other members. */
export const ACK: JsonSchema = closed('PeerAcknowledgement', {
  context: { const: 'svc-peer-ack-1' },
  pushId: { type: 'string' },
  endpointId: HASH,
  canonicalPayloadHash: HASH,
  state: { enum: ['received', 'applied', 'rejected'] },
  failure: orNull(
    closed('PeerRejection', { code: { type: 'string' }, message: { type: 'string' }, retryable: { type: 'boolean' } }),
  ),
  appliedFrontier: orNull(FRONTIER),
  auditHead: HASH,
  signature: { type: 'string' },
})
/** The store cannot be read or written. */
export const STORE: AnswerSpec = {
  ...refusal('receipt_store_unavailable', 'authority_unavailable'),
  headers: retryAfter,
}
/** What the caller has. */
export const HAVE: ParameterSpec = {
  name: 'have',
  in: 'query',
  description: 'Ids of commands that the caller has, up to 64, with commas between.',
  schema: { type: 'string' },
}
/** Where a page begins. */
export const AFTER: ParameterSpec = {
  name: 'after',
  in: 'query',
  description: 'The last command of the page before.',
  schema: HASH,
}

/** A list of texts. */
export const TEXTS: JsonSchema = listOf({ type: 'string' })
/** A text, or null. */
export const TEXT_OR_NULL: JsonSchema = { type: ['string', 'null'] }
/** Devices that the nodes of a pairing exchange. */
export const PAIRED_DEVICES: JsonSchema = orNull(
  listOf(
    closed('PairedDevice', {
      publicKey: HASH,
      scopes: TEXTS,
      label: TEXT_OR_NULL,
      expiresAtMs: { type: ['integer', 'null'] },
    }),
  ),
)
