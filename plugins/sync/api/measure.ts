/** Measures pushes: span, duration and result. Also records refused pushes. */
import { isSvcError } from '../../../core/declare/errors.ts'
import {
  type Counter,
  counter,
  type Histogram,
  histogram,
  type InstrumentsOf,
  type Metric,
} from '../../../core/declare/metric.ts'
import type { Tracing } from '../../../core/declare/tracing.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import type { Clock } from '../../../core/kernel/environment.ts'
import type { PeerTransport } from '../api.ts'
import type { PushAudit, RemotePushCaller } from '../capabilities.ts'
import type { Submission } from '../engine/admission/admitted.ts'
import type { PushStage, Submit } from '../engine/admission/submit-push.ts'
import { toRefused } from '../engine/audit/refused.ts'

/** The parts of the measurement. */
export interface MeasureParts {
  readonly clock: Clock
  readonly metrics: InstrumentsOf<typeof pushMetrics>
  readonly tracing: Tracing | undefined
  readonly transport: PeerTransport | undefined
  readonly audit: () => PushAudit | undefined
}

/** Submits the body of a request and measures the submission. */
export type Measured = (request: SvcRequest, submit: Submit, caller?: RemotePushCaller) => Promise<Submission>

/** Creates the function that measures pushes. */
export function createMeasured({ clock, metrics, tracing, transport, audit }: MeasureParts): Measured {
  return async (request, submit, caller) => {
    const surface = caller === undefined ? 'local' : 'runtime'
    const body = await request.body()
    const startedMs = clock.monotonic()
    const span = tracing?.staged('push', request)
    const end = (result: string, error?: unknown): void => {
      metrics.pushes.add({ surface, result })
      metrics.pushSeconds.observe({ surface }, (clock.monotonic() - startedMs) / 1000)
      span?.end({ 'push.result': result }, error)
    }
    try {
      const onStage = (stage: PushStage): void => {
        span?.stage(stage)
        if (stage === 'verify') caller?.verifying()
      }
      const submission = await submit(body, onStage, caller)
      end(submission.status === 201 ? 'created' : 'replayed')
      const { pushId, targets } = submission.receipt
      if (targets.length > 0 && request.trace !== undefined) transport?.traced?.(pushId, request.trace)
      return submission
    } catch (error) {
      end(isSvcError(error) ? error.code : 'internal_error', error)
      const refused = toRefused(body, error, caller?.user)
      if (refused !== undefined) await audit()?.(refused)
      throw error
    }
  }
}

/** The metrics of pushes, by the names of their instruments. */
export const pushMetrics: {
  readonly pushes: Metric<Counter<'surface' | 'result'>> | undefined
  readonly pushSeconds: Metric<Histogram<'surface'>> | undefined
} = {
  /**
   * `surface` is `local`, or `runtime` for pushes over the network; `result` is `created`, `replayed` or an error code.
   */
  pushes: counter('svc_sync_pushes_total', {
    unit: 'pushes',
    help: 'Pushes by surface and result.',
    labels: ['surface', 'result'],
  }),
  pushSeconds: histogram('svc_sync_push_duration_seconds', {
    unit: 'seconds',
    help: 'Duration of pushes.',
    labels: ['surface'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
  }),
}
