/** A push and its stages as spans. */
import type { TraceContext } from '../../../core/http/request.ts'
import type { Span, Tracing } from '../../telemetry/api.ts'
import type { PushStage } from '../engine/submit.ts'

/** The spans of one push. */
export interface PushSpans {
  /** Ends the stage before and begins another. */
  stage(name: PushStage): void
  /** Ends what is open; `error` marks the stage that failed, and the push. */
  end(result: string, error?: unknown): void
}

/** Begins the span of a push under that of its request. Without tracing there is nothing to do. */
export function tracePush(tracing: Tracing | undefined, request: TraceContext | undefined): PushSpans {
  if (tracing === undefined) return untraced
  const push = tracing.start('push', request)
  let stage: Span | undefined
  return {
    stage: (name) => {
      stage?.end()
      stage = tracing.start(`push ${name}`, push.context)
    },
    end: (result, error) => {
      stage?.end({}, error)
      push.end({ 'push.result': result }, error)
    },
  }
}

const untraced: PushSpans = { stage: () => undefined, end: () => undefined }
