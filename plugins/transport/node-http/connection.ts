/** What a server by node:http knows of its connections. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Peer } from '../../../core/http/request.ts'
import { plainAddress } from '../address.ts'

/** What is known of one connection. */
export interface Connection {
  readonly peer: Peer
  /** Its last answer is decided. */
  over: boolean
  /** Requests that wait for their replies: more than one where the client pipelines. */
  waiting: number
  /** The answer to the request that came last. */
  latest: ServerResponse | undefined
  /** Told at a stop to take its last bytes soon. */
  hurried: boolean
  /** How many bytes it had sent of a body, and since when, as a stop saw it. */
  sent: { readonly bytes: number; readonly atMs: number }
  /** Answers that wait for those before them to be sent: there are some where the client pipelines. */
  queued: Set<ServerResponse> | undefined
}

/** On the socket itself: a map by socket would be looked through with every collection of garbage. */
const CONNECTION: unique symbol = Symbol('connection')

/** A socket that a server looks after. */
export type Connected = Socket & { [CONNECTION]?: Connection }

/** What is known of a socket, if anything is yet. */
export function knownOf(socket: Connected): Connection | undefined {
  return socket[CONNECTION]
}

/** What is known of a socket; `isUnix` where it is a Unix socket's, `peer` where it is known who is at its other end. */
export function connectionOf(socket: Connected, isUnix: boolean, peer?: Peer): Connection {
  return (socket[CONNECTION] ??= {
    peer: peer ?? (isUnix ? unixPeer : { transport: 'tcp', address: plainAddress(socket.remoteAddress ?? '') }),
    over: false,
    waiting: 0,
    latest: undefined,
    hurried: false,
    sent: nothing,
    queued: undefined,
  })
}

/**
 * Keeps an answer that waits for its turn until it has it. node:http tells only the answer whose turn it is that the
 * connection is gone; the others hear it from here, so that nothing stays reserved for them.
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
