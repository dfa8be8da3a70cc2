/** The routes of the local sync API. */
import { described } from '../../../core/declare/described.ts'
import { closed } from '../../../core/declare/json-schema.ts'
import type { BuildInfo } from '../../../core/declare/manifest.ts'
import { readySchema, statusSchema } from '../../../core/declare/operation.ts'
import type { RouteMaker, RouteValue } from '../../../core/declare/route.ts'
import { json } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import type { Handler } from '../../../core/http/route.ts'
import type { PushReceipt } from '../api.ts'
import type { PushHandlers } from '../capabilities.ts'
import { pushRequestSchema, unsignedPushSchema } from '../engine/admission/schemas.ts'
import { unixOnly } from '../errors.ts'
import { cursorParameters, eventsAnswers, pushAnswers, receiptAnswers, unsignedAnswers } from './answers.ts'

/** What answers the requests. */
export interface SyncState {
  /** The build that runs. */
  readonly build: ReturnType<typeof toRunningBuild>
  readonly handlers: PushHandlers
  /** Takes a push of the first version. */
  readonly pushUnsigned: (request: SvcRequest) => Promise<{ readonly receipt: PushReceipt }>
  readonly ready: Handler
}

type SyncRoute = (route: RouteMaker<SyncState>) => RouteValue<SyncState>

const noStore = { 'cache-control': 'no-store' }
const TEXT = { type: 'string' } as const

const health: SyncRoute = (route) =>
  route('local GET /health', {
    about: described({
      id: 'localHealth',
      summary: 'Whether the process answers; reads no state.',
      answers: { 200: { description: 'Alive.', schema: statusSchema } },
    }),
    handler: () => json(200, { status: 'ok' }, noStore),
  })

const ready: SyncRoute = (route) =>
  route('local GET /ready', {
    about: described({
      id: 'localReady',
      summary: 'Whether pushes can be taken: authority, devices and receipt store are there and readable.',
      answers: {
        200: { description: 'Pushes can be taken.', schema: readySchema },
        503: { description: 'They cannot.', schema: readySchema },
      },
    }),
    handler: ({ request }, { ready }) => ready(request),
  })

const build: SyncRoute = (route) =>
  route('local GET /api/v1/build', {
    about: described({
      id: 'build',
      summary: 'Which build runs: its version, profile, commit and features.',
      answers: {
        200: {
          description: 'The build that runs. A file of the same name may have been replaced since its start.',
          schema: closed('RunningBuild', {
            name: TEXT,
            version: TEXT,
            profile: TEXT,
            platform: TEXT,
            node: TEXT,
            commit: TEXT,
            bundleSha256: TEXT,
            features: {
              type: 'array',
              items: closed('RunningFeature', { id: TEXT, variant: { type: ['string', 'null'] } }),
            },
          }),
        },
      },
    }),
    handler: (_call, { build }) => json(200, build, noStore),
  })

const push: SyncRoute = (route) =>
  route('local POST /api/v2/sync/pushes', {
    about: described({
      id: 'push',
      summary: 'Takes a signed push and answers with its durable receipt.',
      request: pushRequestSchema,
      answers: pushAnswers,
    }),
    body: { type: 'application/json', limit: 'sync.max_body_bytes' },
    handler: ({ request }, { handlers }) => handlers.push(request),
  })

const receipt: SyncRoute = (route) =>
  route('local GET /api/v2/sync/pushes/:push_id', {
    about: described({
      id: 'receipt',
      summary: 'The receipt of a push as it stands now.',
      answers: receiptAnswers,
    }),
    handler: ({ request }, { handlers }) => handlers.receipt(request),
  })

const events: SyncRoute = (route) =>
  route('local GET /api/v2/sync/pushes/:push_id/events', {
    about: described({
      id: 'receiptEvents',
      summary: 'The events of a push as they come (SSE), strictly after a sequence.',
      parameters: cursorParameters,
      answers: eventsAnswers,
    }),
    handler: ({ request }, { handlers }) => handlers.events(request),
  })

const unsigned: SyncRoute = (route) =>
  route('local POST /api/v1/sync/push', {
    about: described({
      id: 'pushUnsigned',
      summary: 'Deprecated: takes an unsigned push, on the Unix socket only.',
      access: { transport: 'unix' },
      request: unsignedPushSchema,
      deprecated: true,
      answers: unsignedAnswers,
    }),
    body: { type: 'application/json', limit: 'sync.max_body_bytes' },
    async handler({ request }, { pushUnsigned }) {
      if (request.peer.transport !== 'unix') throw unixOnly()
      const { receipt } = await pushUnsigned(request)
      return json(202, { pushId: receipt.pushId, status: receipt.localState })
    },
  })

/** The routes of `sync.api`. */
export function syncRoutes(route: RouteMaker<SyncState>): readonly RouteValue<SyncState>[] {
  return [health, ready, build, push, receipt, events, unsigned].map((one) => one(route))
}

/** Which build runs. Summaries and settings are not part of it: `svc build-info` prints them. */
export function toRunningBuild(manifest: BuildInfo): Readonly<Record<string, unknown>> {
  const { name, version, profile, platform, node, commit = 'unknown', bundleSha256, features } = manifest
  const listed = features.map(({ id, variant = null }) => ({ id, variant }))
  return { name, version, profile, platform, node, commit, bundleSha256, features: listed }
}
