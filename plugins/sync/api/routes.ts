/** The routes of the local sync API. */

import { documented } from '../../../core/documented.ts'
import type { RouteSpec } from '../../../core/http/route.ts'

/** Path of a push of the first version. */
export const UNSIGNED_PATH = '/api/v1/sync/push'
/** Path of the pushes of the present version. */
export const PUSHES_PATH = '/api/v2/sync/pushes'

/** Every route of feature `sync.api`. */
export const routes: Readonly<
  Record<'health' | 'ready' | 'build' | 'push' | 'receipt' | 'events' | 'unsigned', RouteSpec>
> = {
  health: {
    surface: 'local',
    method: 'GET',
    path: '/health',
    summary: documented('Whether the process answers; reads no state.'),
  },
  ready: {
    surface: 'local',
    method: 'GET',
    path: '/ready',
    summary: documented('Whether pushes can be taken: authority, devices and receipt store are there and readable.'),
  },
  build: {
    surface: 'local',
    method: 'GET',
    path: '/api/v1/build',
    summary: documented('Which build runs: its version, profile, commit and features.'),
  },
  push: {
    surface: 'local',
    method: 'POST',
    path: PUSHES_PATH,
    body: { type: 'application/json', limit: 'sync.max_body_bytes' },
    summary: documented('Takes a signed push and answers with its durable receipt.'),
  },
  receipt: {
    surface: 'local',
    method: 'GET',
    path: `${PUSHES_PATH}/:push_id`,
    summary: documented('The receipt of a push as it stands now.'),
  },
  events: {
    surface: 'local',
    method: 'GET',
    path: `${PUSHES_PATH}/:push_id/events`,
    summary: documented('The events of a push as they come (SSE), strictly after a sequence.'),
  },
  unsigned: {
    surface: 'local',
    method: 'POST',
    path: UNSIGNED_PATH,
    body: { type: 'application/json', limit: 'sync.max_body_bytes' },
    summary: documented('Deprecated: takes an unsigned push, on the Unix socket only.'),
  },
}
