/**
 * A load generator on plain sockets. It sends prepared bytes and counts answers, so that it uses less CPU time than the
 * servers.
 */
import { connect, type Socket } from 'node:net'

/** The results of one run. */
export interface Load {
  readonly answers: number
  readonly seconds: number
  /** Answers whose status was not 200. */
  readonly refused: number
  /** Milliseconds from request to answer, ascending. */
  readonly latencies: Float64Array
}

/** How to load a server. */
export interface LoadOptions {
  readonly port: number
  /** Headers of the requests, in rotation. */
  readonly headers: readonly string[]
  readonly connections: number
  readonly seconds: number
  /** Milliseconds between an answer and the next request of a connection; 0 sends it at once. */
  readonly pauseMs?: number
  /** Milliseconds between the first requests of consecutive connections; 0 starts all connections at once. */
  readonly staggerMs?: number
  /** The complete request, which replaces `GET /bench` with one of `headers`. */
  readonly request?: string
  /**
   * Whether each connection has a different local address (127.0.1.1 and following, which Linux accepts without
   * configuration).
   */
  readonly manyAddresses?: boolean
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** Loads a server on this machine. */
export async function load(options: LoadOptions): Promise<Load> {
  const get = (header: string): string =>
    `GET /bench HTTP/1.1\r\nHost: 127.0.0.1\r\n${header === '' ? '' : `${header}\r\n`}\r\n`
  const requests = (options.request === undefined ? options.headers.map(get) : [options.request]).map((one) =>
    Buffer.from(one),
  )
  const latencies: number[] = []
  let next = 0
  let refused = 0
  const started = performance.now()
  const endAt = started + options.seconds * 1000

  const drive = (number: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket: Socket = connect({
        host: '127.0.0.1',
        port: options.port,
        noDelay: true,
        ...(options.manyAddresses ? { localAddress: `127.0.1.${number + 1}` } : {}),
      })
      let sentAt = 0
      let pending: Buffer = Buffer.alloc(0)
      const send = (): void => {
        sentAt = performance.now()
        if (sentAt >= endAt) {
          socket.destroy()
          resolve()
        } else socket.write(requests[next++ % requests.length]!)
      }
      socket.on('connect', () => setTimeout(send, number * (options.staggerMs ?? 0)))
      socket.on('error', reject)
      socket.on('data', (chunk: Buffer) => {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
        if (!isWhole(pending)) return
        if (pending.toString('latin1', 9, 12) !== '200') refused++
        pending = Buffer.alloc(0)
        latencies.push(performance.now() - sentAt)
        if (options.pauseMs === undefined) send()
        else setTimeout(send, options.pauseMs)
      })
    })
  await Promise.all(Array.from({ length: options.connections }, (_, number) => drive(number)))
  const seconds = (performance.now() - started) / 1000
  return { answers: latencies.length, seconds, refused, latencies: Float64Array.from(latencies).sort() }
}

/** The latency in milliseconds that `share` of the answers stay below. */
export function percentile({ latencies }: Load, share: number): number {
  return latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN
}

/** Sends every header at least once, so that the caches of the server are filled. */
export async function warmUp(options: Omit<LoadOptions, 'seconds'>): Promise<void> {
  for (let sent = 0; sent < Math.max(options.headers.length, 5_000); ) {
    const { answers } = await load({ ...options, headers: rotate(options.headers, sent), seconds: 0.5 })
    sent += answers
  }
}

function rotate(headers: readonly string[], by: number): string[] {
  const at = by % headers.length
  return [...headers.slice(at), ...headers.slice(0, at)]
}

/** Whether an answer with a Content-Length is complete. */
function isWhole(bytes: Buffer): boolean {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd < 0) return false
  const length = /content-length: *(\d+)/i.exec(bytes.toString('latin1', 0, headEnd))?.[1]
  return bytes.length >= headEnd + HEAD_END.length + Number(length ?? 0)
}
