/** The OpenAPI part of `peer.core`. */
import { closed, type JsonSchema } from '../../../core/json-schema.ts'
import { type Operations, type ParameterSpec, refusal, retryAfter } from '../../../core/operation.ts'

const HASH: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{64}$' }
const COUNT: JsonSchema = { type: 'integer', minimum: 0 }
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [{ type: 'null' }, schema] })
const FRONTIER = closed('PeerFrontier', { heads: listOf(HASH) })
const COMMANDS: JsonSchema = {
  type: 'array',
  description: 'Signed commands, parents first.',
  items: { type: 'object' },
}

/** A signed acknowledgement of a push. The signature covers the RFC 8785 form of the eight other members. */
const ACK = closed('PeerAcknowledgement', {
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
const STORE = { ...refusal('receipt_store_unavailable', 'authority_unavailable'), headers: retryAfter }
const HAVE: ParameterSpec = {
  name: 'have',
  in: 'query',
  description: 'Ids of commands that the caller has, up to 64, with commas between.',
  schema: { type: 'string' },
}
const AFTER: ParameterSpec = {
  name: 'after',
  in: 'query',
  description: 'The last command of the page before.',
  schema: HASH,
}

const TEXTS = listOf({ type: 'string' })
const TEXT_OR_NULL: JsonSchema = { type: ['string', 'null'] }
const PAIRED_DEVICES = orNull(
  listOf(
    closed('PairedDevice', {
      publicKey: HASH,
      scopes: TEXTS,
      label: TEXT_OR_NULL,
      expiresAtMs: { type: ['integer', 'null'] },
    }),
  ),
)

/** By surface, method and path. */
export const operations: Operations = {
  'peer POST /api/v2/peer/pushes': {
    id: 'peerPush',
    request: closed('PeerPush', {
      push: { type: 'object', description: 'A PushRequest with its signature.' },
      frontier: orNull(FRONTIER),
      commands: COMMANDS,
    }),
    answers: {
      200: {
        description: 'The acknowledgement of the push, and what is needed before the final one.',
        schema: closed('PeerPushAnswer', {
          ack: ACK,
          need: orNull(closed('PeerNeed', { have: FRONTIER, content: listOf(HASH) })),
        }),
      },
      400: refusal('malformed_json', 'malformed_request', 'unsupported_schema_version', 'canonicalization_failed'),
      401: refusal('signature_invalid'),
      403: refusal('signer_unknown', 'domain_prohibited', 'transport_forbidden', 'not_listed'),
      404: refusal('scope_not_found', 'domain_not_found'),
      409: refusal('frontier_unknown'),
      422: refusal('target_invalid', 'request_stale'),
      503: STORE,
    },
  },
  'peer POST /api/v2/peer/commands': {
    id: 'peerCommands',
    request: closed('PeerCommands', {
      project: { type: 'string' },
      pushId: orNull({ type: 'string' }),
      commands: COMMANDS,
    }),
    answers: {
      200: {
        description: 'All of them were taken, or wait for the rest of their push.',
        schema: closed('PeerCommandsAnswer', { accepted: COUNT, frontier: FRONTIER, ack: orNull(ACK) }),
      },
      400: refusal('malformed_json', 'malformed_request', 'unsupported_schema_version', 'canonicalization_failed'),
      401: refusal('signature_invalid'),
      403: refusal('signer_unknown', 'transport_forbidden', 'not_listed'),
      404: refusal('scope_not_found', 'push_not_found'),
      409: refusal('frontier_unknown', 'project_mismatch', 'push_finished'),
      422: refusal('command_invalid'),
      503: STORE,
    },
  },
  'peer GET /api/v2/peer/projects/:project/commands': {
    id: 'peerTake',
    parameters: [HAVE, AFTER],
    answers: {
      200: {
        description: 'A page; the next one begins after its last command.',
        schema: closed('PeerCommandPage', { commands: COMMANDS, frontier: FRONTIER, more: { type: 'boolean' } }),
      },
      400: refusal('malformed_request'),
      404: refusal('scope_not_found'),
      503: STORE,
    },
  },
  'peer GET /api/v2/peer/projects/:project/frontier': {
    id: 'peerFrontier',
    answers: {
      200: {
        description: 'Where the project stands.',
        schema: closed('PeerStanding', { frontier: FRONTIER, headCount: COUNT, revision: COUNT, root: orNull(HASH) }),
      },
      404: refusal('scope_not_found'),
      503: STORE,
    },
  },
  'peer GET /api/v2/peer/projects/:project/content/:sha256': {
    id: 'peerContent',
    answers: {
      200: { description: 'The text.', media: 'application/octet-stream' },
      400: refusal('malformed_request'),
      404: refusal('scope_not_found', 'content_not_found'),
      503: STORE,
    },
  },
  'peer PUT /api/v2/peer/projects/:project/content/:sha256': {
    id: 'peerPutContent',
    answers: {
      200: {
        description: 'A command of the project names it, and it came in under the project before.',
        schema: closed('PeerKept', { sha256: HASH }),
      },
      201: {
        description: 'Kept: it is new, or no command of the project names it yet.',
        schema: closed('PeerKept', { sha256: HASH }),
      },
      404: refusal('scope_not_found'),
      422: refusal('content_mismatch'),
      503: STORE,
    },
  },
  'peer POST /api/v2/peer/acks': {
    id: 'peerAcks',
    request: closed('PeerAcks', { acks: listOf(ACK) }),
    answers: {
      204: { description: 'Acknowledgements of pushes that were sent to the caller were written; others are ignored.' },
      400: refusal('malformed_json', 'malformed_request', 'canonicalization_failed'),
      503: STORE,
    },
  },
  'peer POST /api/v2/peer/pairings': {
    id: 'peerEnter',
    request: closed('PeerEnter', { addresses: TEXTS, devices: PAIRED_DEVICES, secret: { type: 'string' } }),
    answers: {
      200: {
        description: 'The caller has an entry now. The devices are null unless both sides exchange them.',
        schema: closed('PeerEntered', { projects: TEXTS, devices: PAIRED_DEVICES }),
      },
      400: refusal('malformed_json', 'malformed_request', 'canonicalization_failed'),
      403: refusal('pairing_invalid', 'not_listed', 'transport_forbidden'),
      503: STORE,
    },
  },
  'local POST /api/v1/peers/pairings': {
    id: 'offerPairing',
    request: closed('PairingWish', {
      addresses: orNull(TEXTS),
      devices: { type: 'boolean' },
      label: TEXT_OR_NULL,
      projects: TEXTS,
    }),
    answers: {
      201: {
        description: 'The code, which lets one node enter itself here.',
        schema: closed('OpenPairing', { code: { type: 'string' }, expiresAtMs: COUNT }),
      },
      400: refusal('malformed_json', 'malformed_request', 'canonicalization_failed'),
      404: refusal('scope_not_found'),
      503: STORE,
    },
  },
  'local POST /api/v1/peers/join': {
    id: 'joinPeer',
    request: closed('JoinWish', {
      addresses: orNull(TEXTS),
      code: { type: 'string' },
      devices: { type: 'boolean' },
      label: TEXT_OR_NULL,
      projects: TEXTS,
    }),
    answers: {
      200: {
        description: 'Both nodes have an entry of each other.',
        schema: closed('Joined', {
          endpointId: HASH,
          label: TEXT_OR_NULL,
          projects: TEXTS,
          enrolled: COUNT,
          devicesExchanged: { type: 'boolean' },
        }),
      },
      400: refusal('malformed_json', 'malformed_request', 'canonicalization_failed'),
      409: refusal('project_exists', 'peer_label_taken'),
      502: refusal('peer_delivery_failed'),
      503: STORE,
    },
  },
  'local POST /api/v1/peers/:peer/pull': {
    id: 'pull',
    request: closed('PullWish', { project: { type: 'string' } }),
    answers: {
      200: {
        description: 'What was new, and where the project stands now.',
        schema: closed('Pulled', { commands: COUNT, content: COUNT, frontier: FRONTIER }),
      },
      400: refusal('malformed_json', 'malformed_request', 'canonicalization_failed'),
      401: refusal('signature_invalid'),
      403: refusal('signer_unknown', 'transport_forbidden'),
      404: refusal('peer_not_found', 'scope_not_found'),
      409: refusal('project_mismatch', 'frontier_unknown'),
      422: refusal('command_invalid'),
      502: refusal('peer_delivery_failed'),
      503: STORE,
    },
  },
}
