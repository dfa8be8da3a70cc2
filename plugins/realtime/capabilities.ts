/** What the realtime features give to other plugins at run time. */
import type { Live, LiveBus, RunStore, Runs, Streams } from './api.ts'
import type { LiveFeeds } from './live/api.ts'

/** The capabilities of the realtime features. */
export interface RealtimeCapabilities {
  /** Entity-change streams: publish, enrol topics. */
  Live: Live
  /** Runs of this process, or of its cluster. */
  Runs: Runs
  /** Admission and care of event streams: limits, heartbeats, ages. */
  Streams: Streams
  /** The entity-change streams as the other features of this plugin read them. */
  LiveHub: LiveFeeds
  /** What joins the entity-change streams of several nodes; without one, each has its own. */
  LiveBus: LiveBus
  /** What keeps runs for several nodes or over restarts. Without one, or if it is undefined, each process has its own runs. */
  RunStore: RunStore | undefined
}

declare module '../../core/plugin.ts' {
  interface Capabilities extends RealtimeCapabilities {}
}
