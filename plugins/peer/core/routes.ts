/** The routes between peers as data, and those by which the owner has this node ask a peer. */
import { documented } from '../../../core/documented.ts'
import type { RouteSpec } from '../../../core/http/route.ts'

const PEER = '/api/v2/peer'
const PROJECT = `${PEER}/projects/:project`

/** Paths that are built here, too. */
export const paths: {
  readonly pushes: string
  readonly commands: string
  readonly acks: string
  project(project: string): string
} = {
  pushes: `${PEER}/pushes`,
  commands: `${PEER}/commands`,
  acks: `${PEER}/acks`,
  project: (project) => `${PEER}/projects/${project}`,
}

const json = { type: 'application/json', limit: 'peer.max_body_bytes' }

/** The names of the routes of feature `peer.core`. */
export type PeerRoute = 'push' | 'give' | 'take' | 'frontier' | 'content' | 'putContent' | 'acks' | 'pull'

/** The names of the routes that peers ask: all but that by which the owner has this node pull. */
export const peerRoutes: readonly Exclude<PeerRoute, 'pull'>[] = [
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
  pull: {
    surface: 'local',
    method: 'POST',
    path: '/api/v1/peers/:peer/pull',
    body: { type: 'application/json' },
    summary: documented('Fetches what a peer has of a project and this node has not.'),
  },
}
