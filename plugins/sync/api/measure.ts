/** Measures pushes: span, duration and result. Also records refused pushes. */
import type { InstrumentsOf } from '../../../core/declare/metric.ts'
import type { Clock } from '../../../core/environment.ts'
import { isSvcError } from '../../../core/errors.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import type { Tracing } from '../../telemetry/api.ts'
import type { PeerTransport } from '../api.ts'
import type { PushAudit, RemotePushCaller } from '../capabilities.ts'
import type { Submission } from '../engine/admission/admitted.ts'
import type { PushStage, Submit } from '../engine/admission/submit-push.ts'
import { toRefused } from '../engine/audit/refused.ts'
import type { pushMetrics } from './metrics.ts'

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
