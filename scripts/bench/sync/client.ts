/** A load generator over a Unix socket: as little work per request as possible, so that it measures the service. */
import { connect, type Socket } from 'node:net'

/** How a run came out. */
export interface Load {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** How many answers had each status. */
  readonly statuses: Readonly<Record<string, number>>
}

/** The bytes of a push request. */
export function toPush(body: Uint8Array): Buffer {
  return toPost('/api/v2/sync/pushes', body)
}

/** The bytes of a request that hands in a command. */
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

/** Sends every request once over `concurrency` connections, each with one request on its way. */
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

/** Where all connections read to: what came is looked at before anything else is read. */
const shared = Buffer.allocUnsafe(65_536)

/** One connection; reads an answer by its content-length, which every plain answer of the service has. */
async function open(socketPath: string): Promise<Line> {
  /** What came of an answer that did not come at once. */
  let held = ''
  const callback = (size: number): boolean => {
    held += shared.toString('latin1', 0, size)
    const end = held.indexOf('\r\n\r\n')
    if (end < 0) return true
    const length = Number(/content-length: (\d+)/.exec(held)?.[1] ?? 0)
    if (held.length < end + 4 + length) return true
    const status = held.slice(9, 12)
    held = held.slice(end + 4 + length)
    line.answered(status)
    return true
  }
  const socket = connect({ path: socketPath, onread: { buffer: shared, callback } })
  const line: Line = { socket, sentMs: 0, answered: () => undefined }
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  socket.removeAllListeners('error')
  return line
}
