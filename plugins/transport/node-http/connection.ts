/** The state of the connections of a node:http server. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Peer } from '../../../core/http/request.ts'
import { plainAddress } from '../address.ts'

/** The state of one connection. */
export interface Connection {
  readonly peer: Peer
  /** Whether its last answer is decided. */
  over: boolean
  /** Requests that wait for their replies; more than one if the client pipelines. */
  waiting: number
  /** The answer to the newest request. */
  latest: ServerResponse | undefined
  /** The answer whose plain body is being sent piece by piece, or was the last one sent so. */
  sending: ServerResponse | undefined
  /** Called at a stop: the client has to take its last bytes soon. */
  hurried: boolean
  /** The bytes of a body that the client had sent, and since when, at the last check of a stop. */
  sent: { readonly bytes: number; readonly atMs: number }
  /** Answers that wait for earlier ones to be sent, if the client pipelines. */
  queued: Set<ServerResponse> | undefined
}

/** A member of the socket itself, because every garbage collection would visit a map by socket. */
const CONNECTION: unique symbol = Symbol('connection')

/** A socket of a server. */
export type Connected = Socket & { [CONNECTION]?: Connection }

/** The state of a socket, if there is one yet. */
export function knownOf(socket: Connected): Connection | undefined {
  return socket[CONNECTION]
}

/** The state of a socket. `isUnix` is for Unix sockets; `peer` is set if the peer is authenticated. */
export function connectionOf(socket: Connected, isUnix: boolean, peer?: Peer): Connection {
  return (socket[CONNECTION] ??= {
    peer: peer ?? (isUnix ? unixPeer : { transport: 'tcp', address: plainAddress(socket.remoteAddress ?? '') }),
    over: false,
    waiting: 0,
    latest: undefined,
    sending: undefined,
    hurried: false,
    sent: nothing,
    queued: undefined,
  })
}

/**
 * Keeps an answer until its turn. node:http reports the end of the connection only to the answer whose turn it is; the
 * others are notified here, so that nothing stays reserved for them.
 */
export function holdQueued(response: ServerResponse, connection: Connection, socket: Socket): void {
  if (connection.queued === undefined) {
    const queued = new Set<ServerResponse>()
    connection.queued = queued
    socket.once('close', () => {
      for (const one of queued) {
        one.destroyed = true
        one.emit('close')
      }
    })
  }
  const { queued } = connection
  queued.add(response)
  response.once('socket', () => queued.delete(response))
}

const nothing = { bytes: -1, atMs: 0 }

const unixPeer: Peer = Object.freeze({ transport: 'unix', address: '' })
