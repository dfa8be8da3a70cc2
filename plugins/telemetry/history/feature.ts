/**
 * A day of the service, at one value a minute: readiness, requests, errors, times, streams and starts. Metrics stay
 * with Prometheus.
 */
import { described } from '../../../core/declare/described.ts'
import { defineErrors, type ErrorCatalogue } from '../../../core/declare/errors.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { transport_forbidden } from '../../../core/declare/shared-codes.ts'
import { json } from '../../../core/http/reply.ts'
import { defineContract } from '../../../core/testing/contract.ts'
import type { ReadinessReport } from '../../probes/api.ts'
import type {} from '../../probes/capabilities.ts'
import type {} from '../../realtime/capabilities.ts'
import type {} from '../../store/capabilities.ts'
import type { Day } from '../api.ts'
import { answers } from './answers.ts'
import type { CheckBits } from './minute.ts'
import { createRecorder } from './recorder.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'telemetry.history': true
  }
}

/** The refusals of the route. */
export const historyFail: ErrorCatalogue<'transport_forbidden'> = defineErrors({ transport_forbidden })

/** A header of requests of a program that looks at the service, such as a console. They are not traffic of users. */
const OBSERVER_HEADER = 'svc-observer'
/** The path of collectors, whose requests are no traffic of users either. */
const METRICS_PATH = '/metrics'

const path = '/api/v1/history'

/** Why these cases need one node: several nodes share the runtime surface alone. */
const oneNode = 'the socket belongs to one node'

/** Feature `telemetry.history`. */
export const feature: FeatureValue<'telemetry.history'> = defineFeature({
  id: 'telemetry.history',
  about: described({
    at: import.meta.url,
    summary:
      'A day of readiness, requests, errors, times, streams and starts, at one value a minute, kept in the store',
    stability: 'experimental',
    since: '0.1.0',
    requires: ['probes', 'sync.api', 'sync.store-sqlite'],
    platform: 'node',
    storePart: () => import('./store-part.ts'),
    contract: defineContract({
      present: [
        {
          name: 'GET /api/v1/history on the socket: the last 1 440 minutes, with the start of the service in them',
          surface: 'local',
          oneNode,
          steps: async (target) => {
            const answer = await target.request({ path })
            if (answer.status !== 200 || answer.headers['cache-control'] !== 'no-store') throw new Error(answer.text)
            const { fromMs, stepMs, checks, ...lists } = answer.json() as Day
            if (stepMs !== 60_000 || fromMs % stepMs !== 0) throw new Error(`${fromMs} ${stepMs}`)
            const all = [...Object.values(lists), ...checks.map(({ values }) => values)]
            for (const values of all) if (values.length !== 1_440) throw new Error(`${values.length} values`)
            if (lists.starts.reduce<number>((sum, starts) => sum + (starts ?? 0), 0) < 1) throw new Error('no start')
          },
        },
        {
          name: 'the runtime surface has no history',
          send: { path, as: { user: 'ada' } },
          expect: { status: 404, body: { error: { code: 'not_found' } } },
        },
      ],
      absent: [
        {
          name: 'GET /api/v1/history is not there',
          send: { path, as: { user: 'ada' } },
          expect: { status: 404, body: { error: { code: 'not_found' } } },
        },
      ],
    }),
  }),
  needs: { LocalReadiness: 'required', Readiness: 'required', NodeStore: 'required', Streams: 'required' },
  errors: historyFail,
  setup({ get, log, clock, ...ctx }) {
    const [readiness, localReport, streams] = [get('Readiness'), get('LocalReadiness'), get('Streams')]
    const store = get('NodeStore')
    const unread: ReadonlySet<string> = new Set([...readiness.paths, METRICS_PATH])
    const recorder = createRecorder({
      ...{ clock, log },
      store,
      async checks() {
        const [runtime, local] = await Promise.all([readiness.report(), localReport()])
        return { ...toBits('runtime', runtime), ...toBits('local', local) }
      },
      streams: () => streams.size,
      freeBytes: () => store.freeBytes?.() ?? null,
    })
    ctx.hook('runtime', {
      onReply(request, { status }, durationMs) {
        if (!unread.has(request.route) && request.header(OBSERVER_HEADER) === undefined)
          recorder.count(status, durationMs)
      },
    })
    ctx.onReady(recorder.start)
    ctx.onStop(recorder.stop)
    return recorder
  },
  routes: (route) => [
    route('local GET /api/v1/history', {
      about: described({
        id: 'history',
        summary: 'The last day at one value a minute, for the owner of the machine.',
        access: { transport: 'unix' },
        answers,
      }),
      async handler({ request }, { day }) {
        // Over TCP a token is enough, which others may have; the socket admits the owner of the machine alone.
        if (request.peer.transport !== 'unix')
          throw historyFail('transport_forbidden', { message: 'This route is open on the Unix socket only.' })
        return json(200, await day(), { 'cache-control': 'no-store' })
      },
    }),
  ],
})

/** The results of the checks of a surface. */
function toBits(surface: 'runtime' | 'local', { checks }: ReadinessReport): Readonly<Record<string, CheckBits>> {
  return Object.fromEntries(
    Object.entries(checks).map(([name, { status, required }]) => [
      `${surface} ${name}`,
      (status === 'ok' ? 1 : 0) | (required ? 2 : 0),
    ]),
  )
}
