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
  const latencies: number[] = []
  const statuses: Record<string, number> = {}
  let next = 0
  const worker = async (): Promise<void> => {
    const line = await open(socketPath)
    while (next < requests.length) {
      const startMs = performance.now()
      const status = await line.send(requests[next++]!)
      latencies.push(performance.now() - startMs)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    line.socket.destroy()
  }
  const startMs = performance.now()
  await Promise.all(Array.from({ length: concurrency }, worker))
  const seconds = (performance.now() - startMs) / 1000
  latencies.sort((a, b) => a - b)
  const at = (share: number): number => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]!
  return { perSecond: requests.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99), statuses }
}

interface Line {
  readonly socket: Socket
  send(request: Buffer): Promise<string>
}

/** One connection; reads an answer by its content-length, which every plain answer of the service has. */
async function open(socketPath: string): Promise<Line> {
  const socket = connect(socketPath)
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let waiting: ((status: string) => void) | undefined
  let held = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    held += String(chunk)
    const end = held.indexOf('\r\n\r\n')
    if (end < 0) return
    const length = Number(/content-length: (\d+)/.exec(held)?.[1] ?? 0)
    if (held.length < end + 4 + length) return
    const status = held.slice(9, 12)
    held = held.slice(end + 4 + length)
    waiting?.(status)
  })
  return {
    socket,
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = resolve
        socket.once('error', reject)
        socket.write(request, () => socket.off('error', reject))
      }),
  }
}
