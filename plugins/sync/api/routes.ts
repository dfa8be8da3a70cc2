/** The routes of the local sync API as data. */
import type { RouteSpec } from '../../../core/http/route.ts'

/** Path of a push of the first version. */
export const UNSIGNED_PATH = '/api/v1/sync/push'
/** Path of the pushes of the present version. */
export const PUSHES_PATH = '/api/v2/sync/pushes'

/** Every route of feature `sync.api`. */
export const routes: Readonly<Record<'health' | 'ready' | 'push' | 'receipt' | 'events' | 'unsigned', RouteSpec>> = {
  health: { surface: 'local', method: 'GET', path: '/health', summary: 'Whether the process answers; reads no state.' },
  ready: {
    surface: 'local',
    method: 'GET',
    path: '/ready',
    summary: 'Whether pushes can be taken: authority, devices and receipt store are there and readable.',
  },
  push: {
    surface: 'local',
    method: 'POST',
    path: PUSHES_PATH,
    body: { type: 'application/json', limit: 'sync.max_body_bytes' },
    summary: 'Takes a signed push and answers with its durable receipt.',
  },
  receipt: {
    surface: 'local',
    method: 'GET',
    path: `${PUSHES_PATH}/:push_id`,
    summary: 'The receipt of a push as it stands now.',
  },
  events: {
    surface: 'local',
    method: 'GET',
    path: `${PUSHES_PATH}/:push_id/events`,
    summary: 'The events of a push as they come (SSE), strictly after a sequence.',
  },
  unsigned: {
    surface: 'local',
    method: 'POST',
    path: UNSIGNED_PATH,
    body: { type: 'application/json', limit: 'sync.max_body_bytes' },
    summary: 'Deprecated: takes an unsigned push, on the Unix socket only.',
  },
}
