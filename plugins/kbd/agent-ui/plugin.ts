/** Boards as streams of AG-UI events, and read by users of the runtime surface. */
import { httpFail } from '../../../core/catalogue.ts'
import { documented } from '../../../core/documented.ts'
import { streamHeaders } from '../../../core/http/event-stream.ts'
import { pathParam } from '../../../core/http/path-param.ts'
import type { Reply } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import type { RouteSpec } from '../../../core/http/route.ts'
import { definePlugin, type Plugin } from '../../../core/plugin.ts'
import { integer } from '../../../core/settings/kinds.ts'
import type {} from '../../realtime/capabilities.ts'
import type {} from '../../sync/capabilities.ts'
import type {} from '../capabilities.ts'
import { fail } from '../errors.ts'
import { taggedReply } from '../tagged-reply.ts'
import { encodeEvents, runFinished, runStarted } from './events.ts'
import { createFollowers } from './followers.ts'
import { publishLive, READ_SCOPE } from './live-topic.ts'

const followed = documented('A board as events of AG-UI: the whole, then what each command did.')
const local: RouteSpec = {
  surface: 'local',
  method: 'GET',
  path: '/api/v1/agent-ui/projects/:project/stream',
  summary: followed,
}
const mirror: RouteSpec = {
  surface: 'runtime',
  method: 'GET',
  path: '/api/svc/kbd/:project',
  summary: documented('A project as it stands, for callers with the scope kbd:read in the tenant of the boards.'),
}
const mirrorStream: RouteSpec = { ...mirror, path: '/api/svc/kbd/:project/stream', summary: followed }

/**
 * Most bytes of former snapshots of one project that stalled readers hold. Equal to the default of
 * `kbd.snapshot_cache_bytes`.
 */
const MAX_HELD_BYTES = 33_554_432

/** Feature `kbd.agent-ui`. */
export const plugin: Plugin = definePlugin({
  name: 'kbd.agent-ui',
  feature: 'kbd.agent-ui',
  requires: ['Boards', 'Streams', 'SyncShared'],
  wants: ['Live'],
  routes: [local, mirror, mirrorStream],
  settings: {
    'kbd.stream_max_bytes': integer({
      default: 1_048_576,
      min: 1_024,
      unit: 'bytes',
      summary: documented('Commands kept for readers that are behind. A reader further behind gets the whole project.'),
    }),
  },
  setup(ctx) {
    const { settings, log, random } = ctx
    const [boards, streams] = [ctx.use('Boards'), ctx.use('Streams')]
    const { liveTenant, sha256 } = ctx.use('SyncShared')
    const hash = (text: string): string => sha256(new TextEncoder().encode(text))
    const followers = createFollowers({
      snapshot: boards.snapshot,
      maxBytes: settings['kbd.stream_max_bytes'],
      maxHeldBytes: MAX_HELD_BYTES,
      onError: (error) => log.error('A board could not be read for its stream readers.', { error }),
    })
    ctx.onStop(boards.watch((applied) => followers.applied(applied)))
    const live = ctx.find('Live')
    if (live !== undefined) ctx.onStop(publishLive(live, boards, liveTenant))

    const projectOf = async (request: SvcRequest): Promise<string> => {
      const project = pathParam(request, 'project')
      if (!(await boards.exists(project))) throw fail('project_not_found')
      return project
    }
    /** The project of a request. Another tenant gets the same answer as for a project that does not exist. */
    const permitted = (request: SvcRequest): Promise<string> => {
      const { scopes, tenant } = request.identity
      if (!scopes.includes(READ_SCOPE)) throw httpFail('forbidden', { message: 'Boards need the scope kbd:read.' })
      if (tenant !== liveTenant) throw fail('project_not_found')
      return projectOf(request)
    }
    const follow = (request: SvcRequest, project: string): Reply => {
      const runId = random.uuid()
      const last = encodeEvents([runFinished(project, runId)])
      const open = streams.admit(request, { name: 'boards', log: true, last })
      return {
        status: 200,
        headers: streamHeaders,
        stream: (sink) => followers.follow(project, open(sink), runStarted(project, runId)),
      }
    }

    ctx.route(local, async (request) => follow(request, await projectOf(request)))
    ctx.route(mirrorStream, async (request) => follow(request, await permitted(request)))
    ctx.route(mirror, async (request) => {
      const project = await permitted(request)
      const standing = await boards.read((reads) => reads.standing(project))
      return taggedReply(request, { name: project, standing, hash }, async () => {
        const { standing: shown, bytes } = await boards.snapshot(project)
        return { standing: shown, body: bytes }
      })
    })
  },
})
