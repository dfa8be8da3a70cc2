/** The traces of pushes, so that the requests of a delivery continue the trace of the push. */

import type { TraceContext } from '../../../../core/http/request.ts'
import { dropOldest } from '../../../../core/kernel/values.ts'

/** Pushes whose traces are kept. A delivery of any other push, and any after a restart, starts a trace. */
const MAX_TRACES = 4_096

/** The traces of the newest pushes. */
export interface Traces {
  of(pushId: string): TraceContext | undefined
  remember(pushId: string, trace: TraceContext): void
}

/** Creates an empty set of traces. */
export function createTraces(): Traces {
  const traces = new Map<string, TraceContext>()
  return {
    of: (pushId) => traces.get(pushId),
    remember(pushId, trace) {
      if (traces.size >= MAX_TRACES) dropOldest(traces)
      traces.set(pushId, trace)
    },
  }
}
