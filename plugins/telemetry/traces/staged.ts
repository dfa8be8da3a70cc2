/** Spans with stages. */
import type { TraceContext } from '../../../core/http/request.ts'
import type { Span, StagedSpan, Tracing } from '../api.ts'

/** Starts a span with stages. Each stage ends the stage before it. */
export function startStaged(start: Tracing['start'], name: string, parent: TraceContext | undefined): StagedSpan {
  const whole = start(name, parent)
  let open: Span | undefined
  return {
    stage(stage) {
      open?.end()
      open = start(`${name} ${stage}`, whole.context)
    },
    end(attributes, error) {
      open?.end({}, error)
      whole.end(attributes, error)
    },
  }
}
