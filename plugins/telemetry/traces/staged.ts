/** Work that goes through stages, as spans. */
import type { TraceContext } from '../../../core/http/request.ts'
import type { Span, StagedSpan, Tracing } from '../api.ts'

/** Starts the span of the whole; each stage ends the one before it. */
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
