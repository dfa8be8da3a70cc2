/** Starts a kernel with a listener, and opens raw client sockets. */
import { connect, type Socket } from 'node:net'
import { definePlugin, type Plugin } from '../../../core/declare/plugin.ts'
import { anonymous } from '../../../core/http/identity.ts'
import type { Handler, RouteSpec } from '../../../core/http/route.ts'
import { createKernel, type Kernel } from '../../../core/kernel/kernel.ts'
import type { LogRecord } from '../../../core/kernel/log.ts'
import { feature as probes } from '../../../plugins/probes/feature.ts'
import { openPaths, testManifest } from '../../support/kernels.ts'

/** A test route. */
export interface TestRoute extends Partial<RouteSpec> {
  readonly path: string
  readonly handler: Handler
}

/** A running service. */
export interface Rig {
  readonly kernel: Kernel
  readonly port: number
  readonly records: readonly LogRecord[]
  /** The statuses of requests that the servers refused before routing. */
  readonly refusals: readonly number[]
  /** Opens a connection and sends `bytes`. */
  dial(bytes?: string | Uint8Array): Dialled
  stop(): Promise<void>
}

/** One client connection. */
export interface Dialled {
  readonly socket: Socket
  /** Everything received so far, as latin1. */
  text(): string
  /** Waits until `done` accepts the received text, for at most `limitMs`. */
  until(done: (text: string) => boolean, limitMs?: number): Promise<string>
  /** Waits until the server closes the connection, and returns everything received. */
  closed(limitMs?: number): Promise<string>
}

/** Starts the transports with `routes` and a guard that admits every request. */
export async function startRig(
  transports: readonly Plugin[],
  routes: readonly TestRoute[] = [],
  settings: Readonly<Record<string, unknown>> = {},
): Promise<Rig> {
  const specs = routes.map(({ handler, ...route }) => {
    const spec: RouteSpec = { surface: 'runtime', method: 'GET', summary: 'A test.', ...route }
    return { spec, handler }
  })
  const app = definePlugin({
    name: 'app',
    feature: 'app',
    routes: specs.map(({ spec }) => spec),
    setup(ctx) {
      ctx.guard('runtime', () => anonymous)
      for (const { spec, handler } of specs) ctx.route(spec, handler)
    },
  })
  const records: LogRecord[] = []
  const refusals: number[] = []
  const counts = definePlugin({
    name: 'counts',
    feature: 'counts',
    provides: ['MetricSink'],
    setup(ctx) {
      const nothing = (): void => undefined
      ctx.provide('MetricSink', {
        declare: nothing,
        record: ({ name }, { status }) => {
          if (name === 'svc_http_refused_total') refusals.push(Number(status))
        },
        move: nothing,
        begin: nothing,
      })
    },
  })
  const kernel = createKernel(
    {
      manifest: testManifest,
      plugins: [...transports, counts, probes, app],
      storeParts: [],
      absent: { settings: {}, capabilities: {} },
      open: openPaths,
    },
    {
      settings: { config: { name: 'test', value: { server: { port: 0, shutdown_grace_ms: 2_000, ...settings } } } },
      log: { enabled: () => true, write: (record) => void records.push(record) },
    },
  )
  await kernel.start()
  const listening = records.find(({ message }) => message === 'Listening.')
  const port = Number(String(listening?.fields?.['address']).split(':').at(-1))
  const sockets = new Set<Socket>()
  return {
    kernel,
    port,
    records,
    refusals,
    dial: (bytes) => {
      const dialled = dial(port, bytes)
      sockets.add(dialled.socket)
      return dialled
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await kernel.stop()
    },
  }
}

/** Opens a connection to a local port. */
export function dial(port: number, bytes?: string | Uint8Array): Dialled {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen: true })
  let text = ''
  let over = false
  const listeners = new Set<() => void>()
  const changed = (): void => {
    for (const listener of listeners) listener()
  }
  const ended = (): void => {
    over = true
    changed()
  }
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    changed()
  })
  socket.on('end', () => {
    socket.end()
    ended()
  })
  socket.on('error', ended)
  socket.on('close', ended)
  if (bytes !== undefined) socket.write(bytes)
  const wait = (done: () => boolean, limitMs: number, what: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        if (!done()) return
        stop()
        resolve(text)
      }
      const timer = setTimeout(() => {
        stop()
        reject(
          new Error(`${what} did not come within ${limitMs} ms; received: ${JSON.stringify(text.slice(0, 2_000))}`),
        )
      }, limitMs)
      const stop = (): void => {
        clearTimeout(timer)
        listeners.delete(check)
      }
      listeners.add(check)
      check()
    })
  return {
    socket,
    text: () => text,
    until: (done, limitMs = 20_000) => wait(() => done(text), limitMs, 'The answer'),
    closed: (limitMs = 20_000) => wait(() => over, limitMs, 'The close'),
  }
}

/**
 * Parses the responses in a byte stream. Bodies have a Content-Length or are chunked. Responses to HEAD are not
 * supported.
 */
export function responses(text: string): { status: number; headers: Record<string, string>; body: string }[] {
  const found = []
  let rest = text
  while (rest.startsWith('HTTP/')) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) break
    const [line, ...fields] = rest.slice(0, end).split('\r\n')
    const headers: Record<string, string> = {}
    for (const field of fields) {
      const colon = field.indexOf(':')
      headers[field.slice(0, colon).toLowerCase()] = field.slice(colon + 1).trim()
    }
    rest = rest.slice(end + 4)
    let body = ''
    if (headers['transfer-encoding'] === 'chunked') {
      for (;;) {
        const cut = rest.indexOf('\r\n')
        if (cut < 0) break
        const size = Number.parseInt(rest.slice(0, cut), 16)
        body += rest.slice(cut + 2, cut + 2 + size)
        rest = rest.slice(cut + 4 + size)
        if (size === 0) break
      }
    } else {
      const length = Number(headers['content-length'] ?? 0)
      body = rest.slice(0, length)
      rest = rest.slice(length)
    }
    found.push({ status: Number(line!.split(' ')[1]), headers, body })
  }
  return found
}
