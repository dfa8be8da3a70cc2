import type { TraceContext } from '../../../../core/http/request.ts'

/** Pushes whose traces are remembered; after a restart, or behind so many others, a delivery begins one of its own. */
const MAX_TRACES = 4_096

/** The traces of the newest pushes, so that what is asked of peers about a push continues its trace. */
export function createTraces(): {
  of(pushId: string): TraceContext | undefined
  remember(pushId: string, trace: TraceContext): void
} {
  const traces = new Map<string, TraceContext>()
  return {
    of: (pushId) => traces.get(pushId),
    remember(pushId, trace) {
      if (traces.size >= MAX_TRACES) traces.delete(traces.keys().next().value!)
      traces.set(pushId, trace)
    },
  }
}
