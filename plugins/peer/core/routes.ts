/** The routes between peers, and the routes by which the owner of this node pairs it and pulls. */
import { documented } from '../../../core/documented.ts'
import type { RouteSpec } from '../../../core/http/route.ts'

const PEER = '/api/v2/peer'
const PROJECT = `${PEER}/projects/:project`

/** Paths of requests that this node sends. */
export const paths: {
  readonly pushes: string
  readonly commands: string
  readonly acks: string
  readonly pairings: string
  project(project: string): string
} = {
  pushes: `${PEER}/pushes`,
  commands: `${PEER}/commands`,
  acks: `${PEER}/acks`,
  pairings: `${PEER}/pairings`,
  project: (project) => `${PEER}/projects/${project}`,
}

const json = { type: 'application/json', limit: 'peer.max_body_bytes' }

/** The largest body of a pairing. It is small, because a caller without an entry may send it. */
const PAIRING_BYTES = 65_536

/** The names of the routes of feature `peer.core`. */
export type PeerRoute =
  | 'push'
  | 'give'
  | 'take'
  | 'frontier'
  | 'content'
  | 'putContent'
  | 'acks'
  | 'pull'
  | 'offer'
  | 'join'
  | 'enter'

/** The names of the routes for the owner of this node. */
type OwnerRoute = 'pull' | 'offer' | 'join'

/** The names of the routes for nodes that have an entry. */
export const peerRoutes: readonly Exclude<PeerRoute, OwnerRoute | 'enter'>[] = [
  'push',
  'give',
  'take',
  'frontier',
  'content',
  'putContent',
  'acks',
]

/** Every route of feature `peer.core`. */
export const routes: Readonly<Record<PeerRoute, RouteSpec>> = {
  push: {
    surface: 'peer',
    method: 'POST',
    path: paths.pushes,
    body: json,
    summary: documented('Takes a signed push of another node, and answers with a signed acknowledgement.'),
  },
  give: {
    surface: 'peer',
    method: 'POST',
    path: paths.commands,
    body: json,
    summary: documented('Takes signed commands, parents first.'),
  },
  take: {
    surface: 'peer',
    method: 'GET',
    path: `${PROJECT}/commands`,
    summary: documented('The commands that are not in the past of those that the caller has, parents first.'),
  },
  frontier: {
    surface: 'peer',
    method: 'GET',
    path: `${PROJECT}/frontier`,
    summary: documented('Where a project stands here.'),
  },
  content: {
    surface: 'peer',
    method: 'GET',
    path: `${PROJECT}/content/:sha256`,
    summary: documented('A text that a command of the project names.'),
  },
  putContent: {
    surface: 'peer',
    method: 'PUT',
    path: `${PROJECT}/content/:sha256`,
    body: { type: 'application/octet-stream', limit: 'peer.max_body_bytes' },
    summary: documented('Keeps a text under its SHA-256.'),
  },
  acks: {
    surface: 'peer',
    method: 'POST',
    path: paths.acks,
    body: json,
    summary: documented('Takes acknowledgements of the caller for pushes of this node.'),
  },
  enter: {
    surface: 'peer',
    method: 'POST',
    path: paths.pairings,
    body: { type: 'application/json', maxBytes: PAIRING_BYTES },
    summary: documented('Enters the calling node, which shows the secret of an open pairing. It needs no entry.'),
  },
  offer: {
    surface: 'local',
    method: 'POST',
    path: '/api/v1/peers/pairings',
    body: { type: 'application/json', maxBytes: PAIRING_BYTES },
    summary: documented('Opens a pairing for ten minutes and returns its code.'),
  },
  join: {
    surface: 'local',
    method: 'POST',
    path: '/api/v1/peers/join',
    body: { type: 'application/json', maxBytes: PAIRING_BYTES },
    summary: documented('Joins the node that made a pairing code: both nodes enter each other.'),
  },
  pull: {
    surface: 'local',
    method: 'POST',
    path: '/api/v1/peers/:peer/pull',
    body: { type: 'application/json' },
    summary: documented('Fetches what a peer has of a project and this node has not.'),
  },
}
