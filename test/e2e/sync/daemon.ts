/** A sync service in this process: the plugins of the product, composed for a test, with a client for its socket. */
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { definePlugin, type Plugin } from '../../../core/declare/plugin.ts'
import { type Clock, systemClock } from '../../../core/kernel/environment.ts'
import type { Kernel } from '../../../core/kernel/kernel.ts'
import { feature as agentUi } from '../../../plugins/kbd/agent-ui/feature.ts'
import { feature as boards } from '../../../plugins/kbd/api/feature.ts'
import { feature as audit } from '../../../plugins/kbd/audit/feature.ts'
import { feature as search } from '../../../plugins/kbd/search/feature.ts'
import { feature as live } from '../../../plugins/realtime/live/feature.ts'
import { feature as streams } from '../../../plugins/realtime/streams/feature.ts'
import { feature as api } from '../../../plugins/sync/api/feature.ts'
import type { PeerTransport } from '../../../plugins/sync/api.ts'
import { createDevices } from '../../../plugins/sync/engine/devices/devices.ts'
import { createProjectFamilies } from '../../../plugins/sync/engine/devices/project-families.ts'
import { feature as store } from '../../../plugins/sync/store-sqlite/feature.ts'
import { feature as http } from '../../../plugins/transport/node-http/feature.ts'
import { feature as unix } from '../../../plugins/transport/unix/feature.ts'
import { compose, keepLog } from '../../support/kernels.ts'
import { checkAnswerOf } from '../../support/openapi.ts'
import { createFolder, type Signer } from '../../unit/sync/platforms.ts'

export interface DaemonOptions {
  readonly folder?: string
  readonly given?: Readonly<Record<string, unknown>>
  readonly clock?: Partial<Clock>
  readonly transport?: PeerTransport
  /** Additional plugins. */
  readonly plugins?: readonly Plugin[]
  /** Features that are left out. */
  readonly without?: readonly string[]
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  json(): Record<string, unknown> & { error?: { code: string } }
}

export interface Send {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
}

export interface Daemon {
  readonly kernel: Kernel
  readonly folder: string
  readonly socketPath: string
  send(send: Send): Promise<Reply>
  open(send: Send): Promise<IncomingMessage>
  push(body: Uint8Array): Promise<Reply>
  enrol(signer: Signer, scopes: readonly string[]): Promise<void>
  revoke(signer: Signer): Promise<void>
  /** Everything logged so far, as JSON lines. */
  logs(): string
  stop(): Promise<void>
}

/** The services that run. */
const running = new Set<Daemon>()

/** Stops the services that a test has left running: for `after.each` of a suite. */
export async function stopDaemons(): Promise<void> {
  for (const daemon of running) await daemon.stop()
}

/** Starts a service with a separate socket. */
export async function startDaemon(options: DaemonOptions = {}): Promise<Daemon> {
  const folder = options.folder ?? createFolder()
  const socketPath = (options.given?.['sync.socket_path'] as string | undefined) ?? join(folder, 'run', 's.sock')
  const { without = [] } = options
  const own: Plugin[] = [store, streams, live, api, boards, audit, agentUi, search, http, unix]
  const plugins = [...own, ...(options.plugins ?? [])].filter(({ feature }) => !without.includes(feature))
  if (options.transport !== undefined) plugins.push(transportPlugin(options.transport))
  const clock: Clock = { ...systemClock, ...options.clock }
  const given = {
    'storage.dir': join(folder, 'state'),
    'sync.socket_path': socketPath,
    'server.mode': 'sync',
    'server.port': 0,
    ...options.given,
  }
  const log = keepLog()
  const kernel = compose(plugins, { given, environment: { clock }, log })
  await kernel.start()
  const receipts = kernel.capability('ReceiptStore')
  const devices = createDevices(receipts, createProjectFamilies(receipts), {
    now: clock.now,
    uuid: randomUUID,
  })
  const at = { socketPath }
  const daemon: Daemon = {
    kernel,
    folder,
    socketPath,
    send: (one) => sendTo(at, one),
    open: (one) => openAt(at, one),
    push: (body) => sendTo(at, pushOf(body)),
    enrol: async (signer, scopes) =>
      void (await devices.enrol({ publicKey: signer.publicKey, scopes, label: null, expiresAtMs: null })),
    revoke: async ({ keyId }) => void (await devices.revoke(keyId, null)),
    logs: () => log.records.map((record) => JSON.stringify(record)).join('\n'),
    async stop() {
      running.delete(daemon)
      await kernel.stop()
    },
  }
  running.add(daemon)
  return daemon
}

/** The request of a push. */
export function pushOf(body: Uint8Array | string): Send {
  return { method: 'POST', path: '/api/v2/sync/pushes', headers: { 'content-type': 'application/json' }, body }
}

/** Sends a request and reads the whole answer. */
export async function sendTo(at: { socketPath: string } | { host: string; port: number }, one: Send): Promise<Reply> {
  const answer = await openAt(at, one)
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += chunk as string
  if (text !== '' || answer.statusCode === 204)
    checkAnswerOf(one.method ?? 'GET', one.path, { status: answer.statusCode!, headers: answer.headers, text })
  return {
    status: answer.statusCode!,
    headers: answer.headers,
    text,
    json: () => JSON.parse(text) as Record<string, unknown>,
  }
}

/** Sends a request, and returns the answer with its body unread. */
function openAt(at: { socketPath: string } | { host: string; port: number }, one: Send): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const length = one.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(one.body)) }
    const outgoing = request(
      { ...at, method: one.method ?? 'GET', path: one.path, headers: { ...length, ...one.headers }, agent: false },
      resolve,
    )
    outgoing.once('error', (error) => {
      error.message += `: ${one.method ?? 'GET'} ${one.path}, ${outgoing.socket?.bytesWritten ?? 0} bytes written`
      reject(error)
    })
    outgoing.end(one.body)
  })
}

function transportPlugin(transport: PeerTransport): Plugin {
  return definePlugin({
    name: 'test.transport',
    feature: 'test.transport',
    provides: ['PeerTransport'],
    setup: (ctx) => ctx.provide('PeerTransport', transport),
  })
}
