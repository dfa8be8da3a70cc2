/** A day of the service, at one value a minute: readiness, requests, errors, times, streams and starts. Metrics stay with Prometheus. */
import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { defineErrors, type ErrorCatalogue } from '../../../core/errors.ts'
import { json } from '../../../core/http/reply.ts'
import { transport_forbidden } from '../../../core/shared-codes.ts'
import type { ReadinessReport } from '../../probes/api.ts'
import type {} from '../../probes/capabilities.ts'
import type {} from '../../realtime/capabilities.ts'
import type {} from '../../sync/capabilities.ts'
import { answers } from './answers.ts'
import { contract } from './contract.ts'
import type { CheckBits } from './minute.ts'
import { createRecorder } from './recorder.ts'

declare module '../../../core/feature.ts' {
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

/** Feature `telemetry.history`. */
export const feature: FeatureValue<'telemetry.history'> = defineFeature({
  id: 'telemetry.history',
  about: described({
    at: import.meta.url,
    summary:
      'A day of readiness, requests, errors, times, streams and starts, at one value a minute, kept in the store',
    stability: 'experimental',
    since: '0.6.0',
    requires: ['probes', 'sync.api', 'sync.store-sqlite'],
    platform: 'node',
    storePart: () => import('./store-part.ts'),
    contract,
  }),
  needs: { LocalReadiness: 'required', Readiness: 'required', ReceiptStore: 'required', Streams: 'required' },
  errors: historyFail,
  setup({ get, log, clock, ...ctx }) {
    const [readiness, localReport, streams] = [get('Readiness'), get('LocalReadiness'), get('Streams')]
    const unread: ReadonlySet<string> = new Set([...readiness.paths, METRICS_PATH])
    const recorder = createRecorder({
      ...{ clock, log },
      store: get('ReceiptStore'),
      async checks() {
        const [runtime, local] = await Promise.all([readiness.report(), localReport()])
        return { ...toBits('runtime', runtime), ...toBits('local', local) }
      },
      streams: () => streams.size,
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
