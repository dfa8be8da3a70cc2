/**
 * A load generator on plain sockets. It sends prepared bytes and counts answers, so that it uses less CPU time than the
 * service.
 */
import { connect } from 'node:net'
import { whole } from './figures.ts'

/** How to load a server. */
export interface LoadOptions {
  readonly to: { readonly port: number } | { readonly path: string }
  readonly requests: readonly Buffer[]
  readonly connections: number
  /** Sends the requests in rotation for this time. Without it, every request is sent once. */
  readonly seconds?: number
  /** The status that every answer must have; undefined allows every status. */
  readonly status: number | undefined
  /**
   * Milliseconds between an answer and the next request of a connection; without it, the next request follows at once.
   */
  readonly pauseMs?: number
  /** Milliseconds between the first requests of consecutive connections; without it, all connections start at once. */
  readonly staggerMs?: number
}

/** The results of one run. */
export interface Load {
  readonly answers: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** The bytes of a request. Headers are lines, such as `Authorization: Bearer …`. */
export function toRequest(method: string, path: string, headers: readonly string[] = [], body?: Uint8Array): Buffer {
  const about = body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${body.byteLength}`]
  const head = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...headers, ...about, '', ''].join('\r\n')
  return Buffer.concat([Buffer.from(head), body ?? new Uint8Array()])
}

/**
 * Loads a server on this machine. Each connection has one request in flight.
 * @throws Error if an answer has another status, or if a connection breaks
 */
export async function load({ to, requests, connections, seconds, status, ...pauses }: LoadOptions): Promise<Load> {
  const latencies: number[] = []
  const startMs = performance.now()
  const endMs = seconds === undefined ? Number.POSITIVE_INFINITY : startMs + seconds * 1_000
  let next = 0
  const nextRequest = (): Buffer | undefined =>
    performance.now() >= endMs || (seconds === undefined && next === requests.length)
      ? undefined
      : requests[next++ % requests.length]

  const drive = (number: number): Promise<void> =>
    new Promise((resolve, reject) => {
      let sentMs = 0
      const send = (): void => {
        const request = nextRequest()
        sentMs = performance.now()
        if (request !== undefined) return void socket.write(request)
        socket.removeAllListeners('close').destroy()
        resolve()
      }
      const callback = answersOf((answer) => {
        if (status !== undefined && answer !== String(status)) reject(new Error(`expected ${status}, got ${answer}`))
        latencies.push(performance.now() - sentMs)
        if (pauses.pauseMs === undefined) send()
        else setTimeout(send, pauses.pauseMs)
      })
      const socket = connect({ ...to, host: '127.0.0.1', noDelay: true, onread: { buffer: shared, callback } })
      socket.once('connect', () => setTimeout(send, number * (pauses.staggerMs ?? 0)))
      socket.once('error', reject).once('close', () => reject(new Error('The server closed a connection.')))
    })
  await Promise.all(Array.from({ length: connections }, (_, number) => drive(number)))
  const perSecond = latencies.length / ((performance.now() - startMs) / 1_000)
  latencies.sort((a, b) => a - b)
  const at = (share: number): number => latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN
  return { answers: latencies.length, perSecond, p50Ms: at(0.5), p99Ms: at(0.99) }
}

/**
 * Sends every request, and at least 5 000 requests, so that the caches of the server are filled and its code is
 * compiled.
 */
export async function warmUp({ requests, ...options }: Omit<LoadOptions, 'seconds'>): Promise<void> {
  const count = Math.max(5_000, requests.length)
  const repeated = Array.from({ length: count }, (_, index) => requests[index % requests.length]!)
  await load({ ...options, requests: repeated })
}

/** The text of the results, for a line of a table. */
export function textOf({ perSecond, p50Ms, p99Ms }: Load): [rate: string, p50: string, p99: string] {
  return [`${whole(perSecond)}/s`, `p50 ${p50Ms.toFixed(2)} ms`, `p99 ${p99Ms.toFixed(2)} ms`]
}

/** The read buffer of all connections. A chunk is processed before the next one is read. */
const shared = Buffer.allocUnsafe(65_536)

/** Calls `take` with the status of each complete answer. Answers are delimited by Content-Length. */
function answersOf(take: (status: string) => void): (size: number) => boolean {
  let received = ''
  return (size) => {
    received += shared.toString('latin1', 0, size)
    const headEnd = received.indexOf('\r\n\r\n')
    if (headEnd < 0) return true
    const length = Number(/content-length: *(\d+)/i.exec(received.slice(0, headEnd))?.[1] ?? 0)
    if (received.length < headEnd + 4 + length) return true
    const status = received.slice(9, 12)
    received = received.slice(headEnd + 4 + length)
    take(status)
    return true
  }
}
