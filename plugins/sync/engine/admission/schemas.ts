/** The shapes of the sync API as JSON Schema (2020-12): checked at run time and printed in the OpenAPI contract. */
import { documented } from '../../../../core/declare/described.ts'
import { closed, type JsonSchema } from '../../../../core/declare/json-schema.ts'
import { PUSH_SCHEMA_VERSION } from '../../../protocol/pushes.ts'

const HEX_64: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{64}$' }
const MILLISECONDS: JsonSchema = { type: 'integer', description: documented('Unix time in milliseconds.') }
const MILLISECONDS_OR_NULL: JsonSchema = {
  type: ['integer', 'null'],
  description: documented('Unix time in milliseconds.'),
}
const LOCAL_STATES = ['accepted', 'prepared', 'applied_locally', 'broadcast', 'failed']
const LOCAL_STATE: JsonSchema = { enum: LOCAL_STATES }
const PEER_STATE: JsonSchema = { enum: ['received', 'applied', 'rejected'] }

/** A UUID (RFC 9562) in either case, except the nil and the max UUID. */
const UUID: JsonSchema = {
  type: 'string',
  description: documented('A UUID (RFC 9562) other than nil and max; stored and compared in lower case.'),
  pattern:
    '^(?!0{8}-0{4}-0{4}-0{4}-0{12}$)(?![fF]{8}-[fF]{4}-[fF]{4}-[fF]{4}-[fF]{12}$)' +
    '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
}

const FRONTIER: JsonSchema = {
  title: 'Frontier',
  description: documented('Heads in ascending order, at most 64.'),
  type: 'object',
  required: ['heads'],
  additionalProperties: false,
  properties: { heads: { type: 'array', items: HEX_64, uniqueItems: true } },
}

const FAILURE: JsonSchema = {
  title: 'Failure',
  type: 'object',
  required: ['code', 'message', 'retryable'],
  additionalProperties: false,
  properties: { code: { type: 'string' }, message: { type: 'string' }, retryable: { type: 'boolean' } },
}

/** Body of `POST /api/v2/sync/pushes`. */
export const pushRequestSchema: JsonSchema = /* @__PURE__ */ closed('PushRequest', {
  schemaVersion: { const: PUSH_SCHEMA_VERSION },
  requestId: UUID,
  domain: { type: 'string', description: documented('`kbd-control:<project>` or `kbd-content:<project>`.') },
  targetEndpointIds: {
    type: 'array',
    description: documented(
      'Endpoint ids of peers, unique, at most 256: each an Ed25519 public key in lower-case hex.',
    ),
    items: { type: 'string' },
  },
  expectedFrontier: { anyOf: [{ type: 'null' }, FRONTIER] },
  issuedAtMs: MILLISECONDS,
  signerKeyId: { type: 'string', pattern: '^ed25519:[0-9a-f]{64}$' },
  signature: {
    type: 'string',
    description: documented('Standard base64 of 64 bytes: Ed25519 over the RFC 8785 form of all other members.'),
    pattern: '^[A-Za-z0-9+/]{85}[AQgw](==)?$',
  },
})

/** Body of `POST /api/v1/sync/push`. */
export const unsignedPushSchema: JsonSchema = {
  title: 'UnsignedPush',
  type: 'object',
  required: ['domain', 'payload'],
  additionalProperties: false,
  properties: {
    domain: { type: 'string' },
    payload: { description: 'Any JSON value.' },
    requestId: UUID,
    targetEndpointIds: { type: 'array', items: { type: 'string' } },
  },
}

/** One event of a receipt. */
export const receiptEventSchema: JsonSchema = {
  title: 'ReceiptEvent',
  type: 'object',
  required: ['sequence', 'kind', 'atMs'],
  additionalProperties: false,
  properties: {
    sequence: { type: 'integer', minimum: 1 },
    kind: {
      enum: /* @__PURE__ */ LOCAL_STATES.concat(
        'peer_received',
        'peer_applied',
        'peer_rejected',
        'peer_delivery_failed',
      ),
    },
    atMs: MILLISECONDS,
    localState: LOCAL_STATE,
    peer: HEX_64,
    peerState: PEER_STATE,
    failure: FAILURE,
  },
}

/** The receipt of a push. */
export const pushReceiptSchema: JsonSchema = /* @__PURE__ */ closed('PushReceipt', {
  schemaVersion: { const: PUSH_SCHEMA_VERSION },
  pushId: { type: 'string', format: 'uuid' },
  canonicalPayloadHash: HEX_64,
  domain: { type: 'string' },
  targets: { type: 'array', items: HEX_64 },
  localState: LOCAL_STATE,
  frontier: {
    description: 'The heads of the project that the push pinned; null where it has no commands.',
    anyOf: [{ type: 'null' }, FRONTIER],
  },
  revision: {
    type: ['integer', 'null'],
    description: 'The number of commands below that frontier; null where the project has none.',
  },
  origin: {
    description: 'The endpoint id of the peer that handed the push in; null for a push of this node.',
    anyOf: [{ type: 'null' }, HEX_64],
  },
  perPeer: {
    type: 'object',
    description: 'By endpoint id; a target without an entry has confirmed nothing.',
    additionalProperties: /* @__PURE__ */ closed('PeerRecord', {
      state: PEER_STATE,
      receivedAtMs: MILLISECONDS_OR_NULL,
      appliedAtMs: MILLISECONDS_OR_NULL,
      rejectedAtMs: MILLISECONDS_OR_NULL,
      updatedAtMs: MILLISECONDS,
      failure: { anyOf: [{ type: 'null' }, FAILURE] },
      appliedFrontier: { anyOf: [{ type: 'null' }, FRONTIER] },
      ack: {
        anyOf: [
          { type: 'null' },
          /* @__PURE__ */ closed('PeerAck', {
            signerKeyId: { type: 'string' },
            auditHead: { anyOf: [{ type: 'null' }, HEX_64] },
            signature: { type: 'string' },
          }),
        ],
      },
    }),
  },
  createdAtMs: MILLISECONDS,
  updatedAtMs: MILLISECONDS,
  events: { type: 'array', items: receiptEventSchema },
})
