/** A load generator on plain sockets: it sends prepared bytes and counts answers, so that it costs less than servers. */
import { connect, type Socket } from 'node:net'

/** What one run found. */
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
  /** Milliseconds between the first requests of one connection and the next; 0 lets all begin at once. */
  readonly staggerMs?: number
  /** What is asked for; `GET /bench` where absent, a whole request where given, without regard to `headers`. */
  readonly request?: string
  /** Whether each connection comes from an address of its own (127.0.1.1 and on, which Linux has without being told). */
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

/** The latency that `share` of the answers kept below. */
export function percentile({ latencies }: Load, share: number): number {
  return latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN
}

/** Sends every header once, so that what a server remembers is there. */
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

/** Whether an answer with a Content-Length is there in full. */
function isWhole(bytes: Buffer): boolean {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd < 0) return false
  const length = /content-length: *(\d+)/i.exec(bytes.toString('latin1', 0, headEnd))?.[1]
  return bytes.length >= headEnd + HEAD_END.length + Number(length ?? 0)
}
