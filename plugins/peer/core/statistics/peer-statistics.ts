/** What is counted of each peer: its connections, requests and bytes, and how the last exchanges with it went. */
import type { PeerConnection, PeerFault } from '../../api.ts'

/** One peer. */
export interface Tally {
  readonly connections: Set<PeerConnection>
  /** Requests of the peer that are not answered yet. */
  exchanges: number
  /** Bytes that it may send and be sent now. */
  spare: number
  spareAtMs: number
  lastSeenAtMs: number | null
  lastFailure: PeerFault | null
  /** Whether the last exchange, in either direction, came about; null before the first. */
  reached: boolean | null
  /** By project: the heads that it last had. */
  readonly heads: Map<string, readonly string[]>
  /** By project: the heads that it ever had, the newest first. A node does not lose what lies below them. */
  readonly past: Map<string, readonly string[]>
}

/** All peers. */
export interface Tallies {
  of(endpointId: string): Tally
  /** Whether the peer has bytes left; what it may have grows with time. */
  hasBytes(endpointId: string): boolean
  spend(endpointId: string, bytes: number): void
  /** Records an exchange that came about. Returns whether the peer could not be reached before. */
  seen(endpointId: string): boolean
  failed(endpointId: string, code: PeerFault['code'], message: string): void
  /** What a peer has of a project, as far as is known. */
  learn(endpointId: string, project: string, heads: readonly string[]): void
}

/** Peers that are remembered; the oldest without a connection go first. */
const MAX_PEERS = 4_096
/** Projects of a peer whose heads are remembered. */
const MAX_PROJECTS = 1_024
/** Ids of earlier heads that are remembered for each project of a peer. */
const MAX_PAST_IDS = 256
/** Failures after which a request of the peer shows that it can be reached again. */
const AWAY: ReadonlySet<PeerFault['code'] | undefined> = new Set(['unreachable', 'timeout', 'not_listed', 'version'])
const MINUTE_MS = 60_000

/** Makes the tallies; `bytesPerMinute` is for each peer. */
export function createTallies(bytesPerMinute: number, clock: { now(): number; monotonic(): number }): Tallies {
  const tallies = new Map<string, Tally>()
  const of = (endpointId: string): Tally => {
    let tally = tallies.get(endpointId)
    if (tally === undefined) {
      if (tallies.size >= MAX_PEERS) {
        const idle = [...tallies].find(([, { connections }]) => connections.size === 0)
        if (idle !== undefined) tallies.delete(idle[0])
      }
      tally = {
        connections: new Set(),
        exchanges: 0,
        spare: bytesPerMinute,
        spareAtMs: clock.monotonic(),
        lastSeenAtMs: null,
        lastFailure: null,
        reached: null,
        heads: new Map(),
        past: new Map(),
      }
      tallies.set(endpointId, tally)
    }
    return tally
  }
  return {
    of,
    hasBytes(endpointId) {
      const tally = of(endpointId)
      const nowMs = clock.monotonic()
      const grown = ((nowMs - tally.spareAtMs) / MINUTE_MS) * bytesPerMinute
      tally.spare = Math.min(bytesPerMinute, tally.spare + grown)
      tally.spareAtMs = nowMs
      return tally.spare > 0
    },
    spend: (endpointId, bytes) => void (of(endpointId).spare -= bytes),
    seen(endpointId) {
      const tally = of(endpointId)
      const wasAway = tally.reached === false && AWAY.has(tally.lastFailure?.code)
      tally.lastSeenAtMs = clock.now()
      tally.reached = true
      return wasAway
    },
    failed(endpointId, code, message) {
      const tally = of(endpointId)
      tally.lastFailure = { code, message, atMs: clock.now() }
      tally.reached = false
    },
    learn(endpointId, project, heads) {
      const { heads: latest, past } = of(endpointId)
      for (const known of [latest, past]) {
        const before = past.get(project) ?? []
        known.delete(project)
        if (known.size >= MAX_PROJECTS) known.delete(known.keys().next().value!)
        known.set(project, known === latest ? heads : [...new Set([...heads, ...before])].slice(0, MAX_PAST_IDS))
      }
    },
  }
}
