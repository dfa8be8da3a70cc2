/** The routes of boards as data. */

import { documented } from '../../../core/documented.ts'
import type { RouteSpec } from '../../../core/http/route.ts'

const PROJECTS = '/api/v1/kbd/projects'
const PROJECT = `${PROJECTS}/:project`
const CONTENT = '/api/v1/kbd/content/:sha256'

const read = (path: string, summary: string | undefined): RouteSpec => ({
  surface: 'local',
  method: 'GET',
  path,
  summary,
})

/** The names of the routes of feature `kbd.api`. */
export type KbdRoute =
  | 'status'
  | 'peers'
  | 'projects'
  | 'project'
  | 'card'
  | 'commands'
  | 'enter'
  | 'import'
  | 'claims'
  | 'conflicts'
  | 'conflict'
  | 'putContent'
  | 'content'

/** Every route of feature `kbd.api`. */
export const routes: Readonly<Record<KbdRoute, RouteSpec>> = {
  status: read('/api/v1/status', documented('The version, the projects, the outbox and the peers of this node.')),
  peers: read('/api/v1/peers', documented('The peers of this node.')),
  projects: read(PROJECTS, documented('All projects, with their frontiers and revisions.')),
  project: read(PROJECT, documented('A project as it stands.')),
  card: read(`${PROJECT}/cards/:card`, documented('A card with its comments and links.')),
  commands: read(`${PROJECT}/commands`, documented('The signed commands of a project, in the order of their arrival.')),
  enter: {
    surface: 'local',
    method: 'POST',
    path: `${PROJECT}/commands`,
    body: { type: 'application/json', limit: 'kbd.max_command_bytes' },
    summary: documented('Takes a signed command.'),
  },
  import: {
    surface: 'local',
    method: 'POST',
    path: '/api/v1/kbd/import',
    body: { type: 'application/x-ndjson', limit: 'kbd.max_import_bytes' },
    summary: documented('Takes exported boards: signed commands and texts, judged like those of a peer.'),
  },
  claims: read(`${PROJECT}/claims`, documented('The claims of a project, judged by the clock of this node.')),
  conflicts: read(`${PROJECT}/conflicts`, documented('The open conflicts of a project.')),
  conflict: read(`${PROJECT}/conflicts/:conflict`, documented('One open conflict.')),
  putContent: {
    surface: 'local',
    method: 'PUT',
    path: CONTENT,
    body: { type: 'application/octet-stream', limit: 'kbd.max_content_bytes' },
    summary: documented('Keeps a text under its SHA-256.'),
  },
  content: read(CONTENT, documented('A text by its SHA-256.')),
}
