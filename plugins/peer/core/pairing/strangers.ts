/**
 * Connections of nodes that have no entry. They are admitted only while a pairing is open, few at a time and for a
 * short time. Each may send one request: the one that enters its node.
 */

import { networkOf } from '../../../../core/http/client-address.ts'
import type { SvcRequest } from '../../../../core/http/request.ts'
import type { Clock } from '../../../../core/kernel/environment.ts'
import { dropOldest } from '../../../../core/kernel/values.ts'
import type { PeerConnection } from '../../api.ts'

/** The admitted strangers. */
export interface Strangers {
  /** Whether a connection is admitted. */
  admit(connection: PeerConnection): Promise<boolean>
  /** Removes a connection. Returns false if it is not the connection of a stranger. */
  left(connection: PeerConnection): boolean
  /** Whether a connection is the connection of a stranger. */
  has(connection: PeerConnection): boolean
  /** Whether this request is the one that its connection may send. */
  mayAsk(request: SvcRequest): boolean
}

/** Most connections of strangers. */
const MAX_CONNECTIONS = 8
/** Most connections of strangers from one network. */
const MAX_OF_NETWORK = 2
/**
 * Most connections of one network in a minute. This bounds the work; the 128 bits of a secret cannot be guessed in any
 * case.
 */
const MAX_IN_MINUTE = 10
/** Networks whose connections are counted. */
const MAX_NETWORKS = 1_024
const MINUTE_MS = 60_000

/** Creates an empty set. A connection is destroyed after `limitMs`. */
export function createStrangers(isOpen: () => Promise<boolean>, clock: Clock, limitMs: number): Strangers {
  const timers = new Map<PeerConnection, unknown>()
  const asked = new WeakMap<PeerConnection, SvcRequest>()
  const recent = new Map<string, { count: number; readonly sinceMs: number }>()
  const isTooOften = (network: string): boolean => {
    const nowMs = clock.monotonic()
    const counter = recent.get(network)
    if (counter !== undefined && nowMs - counter.sinceMs < MINUTE_MS) return ++counter.count > MAX_IN_MINUTE
    recent.delete(network)
    if (recent.size >= MAX_NETWORKS) dropOldest(recent)
    recent.set(network, { count: 1, sinceMs: nowMs })
    return false
  }
  const hasRoom = (network: string): boolean =>
    timers.size < MAX_CONNECTIONS &&
    [...timers.keys()].filter(({ address }) => networkOf(address) === network).length < MAX_OF_NETWORK
  return {
    async admit(connection) {
      const network = networkOf(connection.address)
      if (!(await isOpen()) || !hasRoom(network) || isTooOften(network)) return false
      timers.set(
        connection,
        clock.setTimeout(() => connection.destroy(), limitMs),
      )
      return true
    },
    left(connection) {
      const timer = timers.get(connection)
      clock.clearTimeout(timer)
      return timers.delete(connection)
    },
    has: (connection) => timers.has(connection),
    mayAsk(request) {
      const connection = request.peer as PeerConnection
      if (!timers.has(connection)) return false
      // The guard runs a second time once the body has come.
      const first = asked.get(connection) ?? request
      asked.set(connection, first)
      return first === request
    },
  }
}
