/** The capabilities that the realtime features provide. */

import type { Live, LiveBus, LiveFeeds } from './live/api.ts'
import type { AgentRuns, Runs } from './runs/api.ts'
import type { RunStore } from './runs/shared/api.ts'
import type { Streams } from './streams/api.ts'

/** The capabilities of the realtime features. */
export interface RealtimeCapabilities {
  /** Entity-change streams: publish, enrol topics. */
  Live: Live
  /** Runs of this process, or of its cluster. */
  Runs: Runs
  /** Runs to which this service appends what an agent sends. Undefined without `realtime.agents`. */
  AgentRuns: AgentRuns | undefined
  /** Admission and maintenance of event streams: limits, heartbeats, ages. */
  Streams: Streams
  /** The entity-change streams for the other realtime features. */
  LiveHub: LiveFeeds
  /** Carries entity events between nodes. Without a bus each node has its own streams. */
  LiveBus: LiveBus
  /**
   * Keeps runs for several nodes or over restarts. Without a store, or if it is undefined, each process has its own
   * runs.
   */
  RunStore: RunStore | undefined
}

declare module '../../core/declare/plugin.ts' {
  interface Capabilities extends RealtimeCapabilities {}
}
