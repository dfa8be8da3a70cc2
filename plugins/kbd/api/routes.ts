/** The routes of boards on the local surface. */
import { described } from '../../../core/declare/described.ts'
import { closed, orNull } from '../../../core/declare/json-schema.ts'
import { refusal, retryAfter } from '../../../core/declare/operation.ts'
import type { RouteMaker, RouteValue } from '../../../core/declare/route.ts'
import {
  commandAnswers,
  commandsAnswers,
  contentAnswers,
  inQuery,
  NO_PROJECT,
  ok,
  pageParameters,
  projectsAnswers,
  putContentAnswers,
  UNAVAILABLE,
} from './answers.ts'
import type { ReadHandlers } from './read-handlers.ts'
import {
  COUNT,
  cardMembers,
  claim,
  comment,
  conflict as conflictSchema,
  ETAG,
  envelope,
  HASH,
  IF_NONE_MATCH,
  link,
  listOf,
  peerSchema,
  projectSchema,
  standing,
  TEXT,
  TIME,
} from './schemas.ts'
import type { StatusHandlers } from './status.ts'
import type { WriteHandlers } from './write-handlers.ts'

/** What answers the requests. */
export interface BoardState {
  readonly handlers: ReadHandlers & StatusHandlers & WriteHandlers
}

type BoardRoute = (route: RouteMaker<BoardState>) => RouteValue<BoardState>

const status: BoardRoute = (route) =>
  route('local GET /api/v1/status', {
    about: described({
      id: 'status',
      summary: 'The version, the projects, the outbox and the peers of this node.',
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
    }),
    handler: ({ request }, { handlers }) => handlers.status(request),
  })

const peers: BoardRoute = (route) =>
  route('local GET /api/v1/peers', {
    about: described({
      id: 'peers',
      summary: 'The peers of this node.',
      answers: { 200: { description: 'The peers.', schema: closed('Peers', { peers: listOf(peerSchema) }) } },
    }),
    handler: ({ request }, { handlers }) => handlers.peers(request),
  })

const projects: BoardRoute = (route) =>
  route('local GET /api/v1/kbd/projects', {
    about: described({
      id: 'boardProjects',
      summary: 'All projects, with their frontiers and revisions.',
      answers: projectsAnswers,
    }),
    handler: ({ request }, { handlers }) => handlers.projects(request),
  })

const project: BoardRoute = (route) =>
  route('local GET /api/v1/kbd/projects/:project', {
    about: described({
      id: 'boardProject',
      summary: 'A project as it stands.',
      parameters: [IF_NONE_MATCH],
      answers: {
        200: { description: 'The project.', schema: projectSchema, headers: ETAG },
        304: { description: 'The project has not changed.', headers: ETAG },
        404: NO_PROJECT,
        503: UNAVAILABLE,
      },
    }),
    handler: ({ request }, { handlers }) => handlers.project(request),
  })

const card: BoardRoute = (route) =>
  route('local GET /api/v1/kbd/projects/:project/cards/:card', {
    about: described({
      id: 'boardCard',
      summary: 'A card with its comments and links.',
      answers: {
        ...ok('The card.', closed('CardDetail', { ...cardMembers, comments: listOf(comment), links: listOf(link) })),
        404: refusal('project_not_found', 'entity_not_found'),
      },
    }),
    handler: ({ request }, { handlers }) => handlers.card(request),
  })

const commands: BoardRoute = (route) =>
  route('local GET /api/v1/kbd/projects/:project/commands', {
    about: described({
      id: 'boardCommands',
      summary: 'The signed commands of a project, in the order of their arrival.',
      parameters: pageParameters,
      answers: commandsAnswers,
    }),
    handler: ({ request }, { handlers }) => handlers.commands(request),
  })

const enter: BoardRoute = (route) =>
  route('local POST /api/v1/kbd/projects/:project/commands', {
    about: described({
      id: 'boardCommand',
      summary: 'Takes a signed command.',
      request: envelope,
      answers: commandAnswers,
    }),
    body: { type: 'application/json', limit: 'kbd.max_command_bytes' },
    handler: ({ request }, { handlers }) => handlers.enter(request),
  })

const importBoards: BoardRoute = (route) =>
  route('local POST /api/v1/kbd/import', {
    about: described({
      id: 'boardImport',
      summary: 'Takes exported boards: signed commands and texts, judged like those of a peer.',
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
    }),
    body: { type: 'application/x-ndjson', limit: 'kbd.max_import_bytes' },
    handler: ({ request }, { handlers }) => handlers.import(request),
  })

const claims: BoardRoute = (route) =>
  route('local GET /api/v1/kbd/projects/:project/claims', {
    about: described({
      id: 'boardClaims',
      summary: 'The claims of a project, judged by the clock of this node.',
      parameters: [inQuery('state', '`held` (if absent), `future`, `expired`, `released`, `void` or `all`.')],
      answers: {
        ...ok('Claims, by the clock of this node.', closed('Claims', { claims: listOf(claim), nowMs: TIME })),
        400: refusal('malformed_request'),
        404: NO_PROJECT,
      },
    }),
    handler: ({ request }, { handlers }) => handlers.claims(request),
  })

const conflicts: BoardRoute = (route) =>
  route('local GET /api/v1/kbd/projects/:project/conflicts', {
    about: described({
      id: 'boardConflicts',
      summary: 'The open conflicts of a project.',
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
            conflicts: listOf(conflictSchema),
            next: { ...orNull(HASH), description: 'The `after` of the next page; null at the end.' },
            ...standing,
          }),
        },
        304: { description: 'The project has not changed.', headers: ETAG },
        400: refusal('malformed_request'),
        404: NO_PROJECT,
        503: UNAVAILABLE,
      },
    }),
    handler: ({ request }, { handlers }) => handlers.conflicts(request),
  })

const conflict: BoardRoute = (route) =>
  route('local GET /api/v1/kbd/projects/:project/conflicts/:conflict', {
    about: described({
      id: 'boardConflict',
      summary: 'One open conflict.',
      answers: { ...ok('The conflict.', conflictSchema), 404: refusal('project_not_found', 'conflict_not_found') },
    }),
    handler: ({ request }, { handlers }) => handlers.conflict(request),
  })

const putContent: BoardRoute = (route) =>
  route('local PUT /api/v1/kbd/content/:sha256', {
    about: described({
      id: 'putContent',
      summary: 'Keeps a text under its SHA-256.',
      parameters: [
        inQuery('project', 'A project whose peers may read the text, no matter which device names it there.'),
      ],
      request: { type: 'string', format: 'binary' },
      answers: putContentAnswers,
    }),
    body: { type: 'application/octet-stream', limit: 'kbd.max_content_bytes' },
    handler: ({ request }, { handlers }) => handlers.putContent(request),
  })

const content: BoardRoute = (route) =>
  route('local GET /api/v1/kbd/content/:sha256', {
    about: described({
      id: 'content',
      summary: 'A text by its SHA-256.',
      answers: contentAnswers,
    }),
    handler: ({ request }, { handlers }) => handlers.content(request),
  })

/** The routes of `kbd.api`. */
export function boardRoutes(route: RouteMaker<BoardState>): readonly RouteValue<BoardState>[] {
  return [
    status,
    peers,
    projects,
    project,
    card,
    commands,
    enter,
    importBoards,
    claims,
    conflicts,
    conflict,
    putContent,
    content,
  ].map((one) => one(route))
}
