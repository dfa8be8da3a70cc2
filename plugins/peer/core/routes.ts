/** The routes between peers, and the routes by which the owner of this node pairs it and pulls. */
import { described } from '../../../core/declare/described.ts'
import { closed } from '../../../core/declare/json-schema.ts'
import { refusal } from '../../../core/declare/operation.ts'
import type { RouteMaker, RouteValue } from '../../../core/declare/route.ts'
import type { Reply } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import type { PeerNode } from './peer-node.ts'
import type { PeerRequest } from './receiving/receive.ts'
import {
  ACK,
  AFTER,
  COMMANDS,
  COUNT,
  FRONTIER,
  HASH,
  HAVE,
  listOf,
  orNull,
  PAIRED_DEVICES,
  STORE,
  TEXT_OR_NULL,
  TEXTS,
} from './schemas.ts'

/** What answers the requests. */
export interface PeerState {
  /** This node. It is made at the first call, because it uses what is set up after this feature. */
  readonly node: () => PeerNode
  /** Answers a node that has an entry. Refusals are recorded in the audit chain. */
  receive(what: PeerRequest, request: SvcRequest): Promise<Reply>
}

type PeerRoute = (route: RouteMaker<PeerState>) => RouteValue<PeerState>

/** The largest body of a pairing. It is small, because a caller without an entry may send it. */
const PAIRING_BYTES = 65_536

const push: PeerRoute = (route) =>
  route('peer POST /api/v2/peer/pushes', {
    about: described({
      id: 'peerPush',
      summary: 'Takes a signed push of another node, and answers with a signed acknowledgement.',
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
    }),
    body: { type: 'application/json', limit: 'peer.max_body_bytes' },
    handler: ({ request }, { receive }) => receive('push', request),
  })

const give: PeerRoute = (route) =>
  route('peer POST /api/v2/peer/commands', {
    about: described({
      id: 'peerCommands',
      summary: 'Takes signed commands, parents first.',
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
    }),
    body: { type: 'application/json', limit: 'peer.max_body_bytes' },
    handler: ({ request }, { receive }) => receive('give', request),
  })

const take: PeerRoute = (route) =>
  route('peer GET /api/v2/peer/projects/:project/commands', {
    about: described({
      id: 'peerTake',
      summary: 'Lists the commands that are not in the past of those that the caller has, parents first.',
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
    }),
    handler: ({ request }, { receive }) => receive('take', request),
  })

const frontier: PeerRoute = (route) =>
  route('peer GET /api/v2/peer/projects/:project/frontier', {
    about: described({
      id: 'peerFrontier',
      summary: 'The frontier of a project on this node.',
      answers: {
        200: {
          description: 'The frontier, its number of heads, the revision and the root.',
          schema: closed('PeerStanding', { frontier: FRONTIER, headCount: COUNT, revision: COUNT, root: orNull(HASH) }),
        },
        404: refusal('scope_not_found'),
        503: STORE,
      },
    }),
    handler: ({ request }, { receive }) => receive('frontier', request),
  })

const content: PeerRoute = (route) =>
  route('peer GET /api/v2/peer/projects/:project/content/:sha256', {
    about: described({
      id: 'peerContent',
      summary: 'A text that a command of the project names.',
      answers: {
        200: { description: 'The text.', media: 'application/octet-stream' },
        400: refusal('malformed_request'),
        404: refusal('scope_not_found', 'content_not_found'),
        503: STORE,
      },
    }),
    handler: ({ request }, { receive }) => receive('content', request),
  })

const putContent: PeerRoute = (route) =>
  route('peer PUT /api/v2/peer/projects/:project/content/:sha256', {
    about: described({
      id: 'peerPutContent',
      summary: 'Keeps a text under its SHA-256.',
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
    }),
    body: { type: 'application/octet-stream', limit: 'peer.max_body_bytes' },
    handler: ({ request }, { receive }) => receive('putContent', request),
  })

const acks: PeerRoute = (route) =>
  route('peer POST /api/v2/peer/acks', {
    about: described({
      id: 'peerAcks',
      summary: 'Takes acknowledgements of the caller for pushes of this node.',
      request: closed('PeerAcks', { acks: listOf(ACK) }),
      answers: {
        204: {
          description: 'Acknowledgements of pushes that were sent to the caller were written; others are ignored.',
        },
        400: refusal('malformed_json', 'malformed_request', 'canonicalization_failed'),
        503: STORE,
      },
    }),
    body: { type: 'application/json', limit: 'peer.max_body_bytes' },
    handler: ({ request }, { receive }) => receive('acks', request),
  })

const enter: PeerRoute = (route) =>
  route('peer POST /api/v2/peer/pairings', {
    about: described({
      id: 'peerEnter',
      summary: 'Enters the calling node, which shows the secret of an open pairing. It needs no entry.',
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
    }),
    body: { type: 'application/json', maxBytes: PAIRING_BYTES },
    handler: ({ request }, { node }) => node().pairing.enter(request),
  })

const offer: PeerRoute = (route) =>
  route('local POST /api/v1/peers/pairings', {
    about: described({
      id: 'offerPairing',
      summary: 'Opens a pairing for ten minutes and returns its code.',
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
    }),
    body: { type: 'application/json', maxBytes: PAIRING_BYTES },
    handler: ({ request }, { node }) => node().pairing.offer(request),
  })

const join: PeerRoute = (route) =>
  route('local POST /api/v1/peers/join', {
    about: described({
      id: 'joinPeer',
      summary: 'Joins the node that made a pairing code: both nodes enter each other.',
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
    }),
    body: { type: 'application/json', maxBytes: PAIRING_BYTES },
    handler: ({ request }, { node }) => node().pairing.join(request),
  })

const pull: PeerRoute = (route) =>
  route('local POST /api/v1/peers/:peer/pull', {
    about: described({
      id: 'pull',
      summary: 'Fetches what a peer has of a project and this node has not.',
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
    }),
    body: { type: 'application/json' },
    handler: ({ request }, { node }) => node().pull(request),
  })

/** The routes of `peer.core`. */
export function peerRoutes(route: RouteMaker<PeerState>): readonly RouteValue<PeerState>[] {
  return [push, give, take, frontier, content, putContent, acks, enter, offer, join, pull].map((one) => one(route))
}
