/** A load generator over a Unix socket. It does little work per request, so that the service is the bottleneck. */
import { connect, type Socket } from 'node:net'

/** The results of a run. */
export interface Load {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Number of answers by status. */
  readonly statuses: Readonly<Record<string, number>>
}

/** The bytes of a push request. */
export function toPush(body: Uint8Array): Buffer {
  return toPost('/api/v2/sync/pushes', body)
}

/** The bytes of a request that submits a command. */
export function toCommand(project: string, body: Uint8Array): Buffer {
  return toPost(`/api/v1/kbd/projects/${project}/commands`, body)
}

function toPost(path: string, body: Uint8Array): Buffer {
  const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.byteLength}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), body])
}

/** The bytes of a request for a receipt. */
export function toRead(pushId: string): Buffer {
  return Buffer.from(`GET /api/v2/sync/pushes/${pushId} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
}

/** Sends every request once over `concurrency` connections, each with one request in flight. */
export async function run(socketPath: string, requests: readonly Buffer[], concurrency: number): Promise<Load> {
  const latencies = new Float64Array(requests.length)
  const statuses: Record<string, number> = {}
  const lines = await Promise.all(Array.from({ length: concurrency }, () => open(socketPath)))
  let next = 0
  let answered = 0
  const startMs = performance.now()
  await new Promise<void>((resolve, reject) => {
    const sendNext = (line: Line): void => {
      if (next === requests.length) return
      line.sentMs = performance.now()
      line.socket.write(requests[next++]!)
    }
    for (const line of lines) {
      line.socket.once('error', reject).once('close', () => reject(new Error('The service closed a connection.')))
      line.answered = (status) => {
        latencies[answered++] = performance.now() - line.sentMs
        statuses[status] = (statuses[status] ?? 0) + 1
        if (answered === requests.length) resolve()
        else sendNext(line)
      }
      sendNext(line)
    }
  })
  const seconds = (performance.now() - startMs) / 1000
  for (const { socket } of lines) socket.removeAllListeners('close').destroy()
  latencies.sort()
  const at = (share: number): number => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]!
  return { perSecond: requests.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99), statuses }
}

interface Line {
  readonly socket: Socket
  sentMs: number
  answered(status: string): void
}

/** The read buffer of all connections. A chunk is processed before the next one is read. */
const shared = Buffer.allocUnsafe(65_536)

/** Opens one connection. Answers are delimited by content-length, which every plain answer of the service has. */
async function open(socketPath: string): Promise<Line> {
  /** The received part of an incomplete answer. */
  let received = ''
  const callback = (size: number): boolean => {
    received += shared.toString('latin1', 0, size)
    const end = received.indexOf('\r\n\r\n')
    if (end < 0) return true
    const length = Number(/content-length: (\d+)/.exec(received)?.[1] ?? 0)
    if (received.length < end + 4 + length) return true
    const status = received.slice(9, 12)
    received = received.slice(end + 4 + length)
    line.answered(status)
    return true
  }
  const socket = connect({ path: socketPath, onread: { buffer: shared, callback } })
  const line: Line = { socket, sentMs: 0, answered: () => undefined }
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  socket.removeAllListeners('error')
  return line
}
