/** Boards as streams of AG-UI events, and read by users of the runtime surface. */
import { described, documented } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { refusal } from '../../../core/declare/operation.ts'
import { deprecated, integer } from '../../../core/declare/settings.ts'
import { type Reply, streamHeaders } from '../../../core/http/reply.ts'
import { pathParam, type SvcRequest } from '../../../core/http/request.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import type { Random } from '../../../core/kernel/environment.ts'
import type {} from '../../realtime/capabilities.ts'
import type { Streams } from '../../realtime/streams/api.ts'
import type {} from '../../sync/capabilities.ts'
import { NO_PROJECT, UNAVAILABLE } from '../api/answers.ts'
import { ETAG, IF_NONE_MATCH, projectSchema } from '../api/schemas.ts'
import type { Boards } from '../capabilities.ts'
import { fail } from '../errors.ts'
import { taggedReply } from '../tagged-reply.ts'
import { FOLLOWED, STREAMS_FULL } from './answers.ts'
import { contract } from './contract.ts'
import { encodeEvents, runFinished, runStarted } from './events.ts'
import { createFollowers, type Followers } from './followers.ts'
import { publishLive, READ_SCOPE } from './live-topic.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'kbd.agent-ui': true
  }
}

/**
 * Most bytes of former snapshots of one project that stalled readers hold. Equal to the default of
 * `kbd.snapshot_cache_bytes`.
 */
const MAX_HELD_BYTES = 33_554_432

/** Feature `kbd.agent-ui`. */
export const feature: FeatureValue<'kbd.agent-ui'> = defineFeature({
  id: 'kbd.agent-ui',
  about: described({
    at: import.meta.url,
    summary: 'Boards as streams of AG-UI events, on the local surface and, to read, on the runtime surface',
    stability: 'experimental',
    since: '0.1.0',
    requires: ['kbd.api', 'realtime.streams'],
    platform: 'node',
    contract,
  }),
  needs: { Boards: 'required', Live: 'optional', Streams: 'required', SyncShared: 'required' },
  settings: {
    'kbd.stream_max_bytes': deprecated(
      integer({
        default: 1_048_576,
        min: 1_024,
        unit: 'bytes',
        summary: documented(
          'Commands kept for readers that are behind. A reader further behind gets the whole project.',
        ),
      }),
      documented('A reader further behind gets the whole board, which is what it needs then.'),
    ),
  },
  setup({ settings, log, random, get, onStop }) {
    const boards = get('Boards')
    const { liveTenant, sha256 } = get('SyncShared')
    const followers = createFollowers({
      snapshot: boards.snapshot,
      maxBytes: settings['kbd.stream_max_bytes'],
      maxHeldBytes: MAX_HELD_BYTES,
      onError: (error) => log.error('A board could not be read for its stream readers.', { error }),
    })
    onStop(boards.watch((applied) => followers.applied(applied)))
    const live = get('Live')
    if (live !== undefined) onStop(publishLive(live, boards, liveTenant))
    const hash = (text: string): string => sha256(new TextEncoder().encode(text))
    return { boards, followers, hash, liveTenant, random, streams: get('Streams') }
  },
  routes: (route) => [
    route('local GET /api/v1/agent-ui/projects/:project/stream', {
      about: described({
        id: 'boardStream',
        summary: 'A board as events of AG-UI: the whole, then what each command did.',
        answers: { 200: FOLLOWED, 404: NO_PROJECT, 503: STREAMS_FULL },
      }),
      handler: async ({ request }, board) => follow(request, await projectOf(request, board), board),
    }),
    route('GET /api/svc/kbd/:project/stream', {
      about: described({
        id: 'boardMirrorStream',
        summary: 'A board as events of AG-UI: the whole, then what each command did.',
        access: { scopes: ['kbd:read'] },
        answers: {
          200: FOLLOWED,
          403: refusal('forbidden'),
          404: NO_PROJECT,
          429: refusal('rate_limited'),
          503: STREAMS_FULL,
        },
      }),
      handler: async ({ request }, board) => follow(request, await permitted(request, board), board),
    }),
    route('GET /api/svc/kbd/:project', {
      about: described({
        id: 'boardMirror',
        summary: 'A project as it stands, for callers with the scope kbd:read in the tenant of the boards.',
        access: { scopes: ['kbd:read'] },
        parameters: [IF_NONE_MATCH],
        answers: {
          200: { description: 'The project.', schema: projectSchema, headers: ETAG },
          304: { description: 'The project has not changed.', headers: ETAG },
          503: UNAVAILABLE,
          403: refusal('forbidden'),
          404: NO_PROJECT,
        },
      }),
      async handler({ request }, board) {
        const project = await permitted(request, board)
        const standing = await board.boards.read((reads) => reads.standing(project))
        return taggedReply(request, { name: project, standing, hash: board.hash }, async () => {
          const { standing: shown, bytes } = await board.boards.snapshot(project)
          return { standing: shown, body: bytes }
        })
      },
    }),
  ],
})

/** What answers the requests. */
interface Readable {
  readonly boards: Boards
  readonly followers: Followers
  /** The tenant of the boards on the runtime surface. */
  readonly liveTenant: string
  readonly random: Random
  readonly streams: Streams
}

/** The project of a request. @throws SvcError `project_not_found` */
async function projectOf(request: SvcRequest, { boards }: Pick<Readable, 'boards'>): Promise<string> {
  const project = pathParam(request, 'project')
  if (!(await boards.exists(project))) throw fail('project_not_found')
  return project
}

/** The project of a request of a user. Another tenant gets the same answer as for a project that does not exist. */
function permitted(request: SvcRequest, board: Pick<Readable, 'boards' | 'liveTenant'>): Promise<string> {
  const { scopes, tenant } = request.identity
  if (!scopes.includes(READ_SCOPE)) throw httpFail('forbidden', { message: 'Boards need the scope kbd:read.' })
  if (tenant !== board.liveTenant) throw fail('project_not_found')
  return projectOf(request, board)
}

/** Opens the stream of a project. */
function follow(request: SvcRequest, project: string, { followers, random, streams }: Readable): Reply {
  const runId = random.uuid()
  const last = encodeEvents([runFinished(project, runId)])
  const open = streams.admit(request, { name: 'boards', log: true, last })
  return {
    status: 200,
    headers: streamHeaders,
    stream: (sink) => followers.follow(project, open(sink), runStarted(project, runId)),
  }
}
