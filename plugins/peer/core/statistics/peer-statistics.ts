/** Counts the connections, requests and bytes of each peer, and keeps how the last exchanges with it went. */

import { dropOldest } from '../../../../core/kernel/values.ts'
import type { PeerFault } from '../../../kbd/api.ts'
import type { PeerConnection } from '../../api.ts'

/** The counters of one peer. */
export interface PeerCounters {
  readonly connections: Set<PeerConnection>
  /** Requests of the peer without a response yet. */
  exchanges: number
  /** Bytes of bodies, in both directions, that the peer has left. */
  spare: number
  spareAtMs: number
  lastSeenAtMs: number | null
  lastFailure: PeerFault | null
  /** Of the first failure since the last successful exchange; null while the last exchange succeeded. */
  failingSinceMs: number | null
  /** Whether the last exchange, in either direction, succeeded; null before the first. */
  reached: boolean | null
  /** By project: the last known heads of the peer. */
  readonly heads: Map<string, readonly string[]>
  /** By project: all known heads of the peer, newest first. A node keeps the commands in the past of its heads. */
  readonly past: Map<string, readonly string[]>
}

/** The counters of all peers. */
export interface PeerStatistics {
  of(endpointId: string): PeerCounters
  /** Whether the peer has bytes left. Its bytes grow with time. */
  hasBytes(endpointId: string): boolean
  spend(endpointId: string, bytes: number): void
  /** Records a successful exchange. Returns whether the peer could not be reached before. */
  seen(endpointId: string): boolean
  /** Records a failed exchange. */
  failed(endpointId: string, code: PeerFault['code'], message: string): void
  /** Records the heads of a peer in a project. */
  learn(endpointId: string, project: string, heads: readonly string[]): void
  /** The peers that were seen, or whose heads changed, since the last call. */
  takeChanged(): readonly string[]
}

/** Most peers with counters. Beyond that, the oldest peer without a connection loses its counters. */
const MAX_PEERS = 4_096
/** Most projects of a peer whose heads are known. */
const MAX_PROJECTS = 1_024
/** Most known heads of a peer in one project. */
const MAX_PAST_IDS = 256
/** Failures that end when the peer sends a request: it can be reached again. */
const AWAY: ReadonlySet<PeerFault['code'] | undefined> = new Set(['unreachable', 'timeout', 'not_listed', 'version'])
const MINUTE_MS = 60_000

/** Creates the statistics. Each peer has `bytesPerMinute`. */
export function createPeerStatistics(
  bytesPerMinute: number,
  clock: { now(): number; monotonic(): number },
): PeerStatistics {
  const statistics = new Map<string, PeerCounters>()
  const changed = new Set<string>()
  const of = (endpointId: string): PeerCounters => {
    let counters = statistics.get(endpointId)
    if (counters === undefined) {
      if (statistics.size >= MAX_PEERS) {
        const idle = [...statistics].find(([, { connections }]) => connections.size === 0)
        if (idle !== undefined) statistics.delete(idle[0])
      }
      counters = {
        connections: new Set(),
        exchanges: 0,
        spare: bytesPerMinute,
        spareAtMs: clock.monotonic(),
        lastSeenAtMs: null,
        lastFailure: null,
        failingSinceMs: null,
        reached: null,
        heads: new Map(),
        past: new Map(),
      }
      statistics.set(endpointId, counters)
    }
    return counters
  }
  return {
    of,
    hasBytes(endpointId) {
      const counters = of(endpointId)
      const nowMs = clock.monotonic()
      const grown = ((nowMs - counters.spareAtMs) / MINUTE_MS) * bytesPerMinute
      counters.spare = Math.min(bytesPerMinute, counters.spare + grown)
      counters.spareAtMs = nowMs
      return counters.spare > 0
    },
    spend: (endpointId, bytes) => void (of(endpointId).spare -= bytes),
    seen(endpointId) {
      const counters = of(endpointId)
      const wasAway = counters.reached === false && AWAY.has(counters.lastFailure?.code)
      counters.lastSeenAtMs = clock.now()
      changed.add(endpointId)
      counters.reached = true
      counters.failingSinceMs = null
      return wasAway
    },
    failed(endpointId, code, message) {
      const counters = of(endpointId)
      counters.lastFailure = { code, message, atMs: clock.now() }
      counters.failingSinceMs ??= counters.lastFailure.atMs
      counters.reached = false
    },
    learn(endpointId, project, heads) {
      changed.add(endpointId)
      const { heads: latest, past } = of(endpointId)
      for (const headsByProject of [latest, past]) {
        const before = past.get(project) ?? []
        headsByProject.delete(project)
        if (headsByProject.size >= MAX_PROJECTS) dropOldest(headsByProject)
        headsByProject.set(
          project,
          headsByProject === latest ? heads : [...new Set([...heads, ...before])].slice(0, MAX_PAST_IDS),
        )
      }
    },
    takeChanged() {
      const taken = [...changed].filter((endpointId) => statistics.has(endpointId))
      changed.clear()
      return taken
    },
  }
}
