/** The service as it ships behind a proxy with TLS, and what a client sends through it. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { connect } from 'node:tls'
import * as assert from 'uvu/assert'
import { distDir } from '../../../scripts/build/paths.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { until } from '../../../scripts/until.ts'
import { type Child, startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'

const program = join(distDir('server-full'), 'svc.mjs')

/** Why the service cannot be started; undefined where it can. */
export const unbuilt: string | undefined = existsSync(program) ? undefined : `${program} has not been built`

interface Reply {
  readonly status: number
  readonly text: string
}

/** The service behind a proxy. */
export interface Rig {
  readonly service: Child
  readonly port: number
  readonly certificate: string
  readonly token: string
  stop(): Promise<void>
}

/** Where a proxy listens and what it leads to, with a folder of its own. */
export interface ProxyPlace {
  readonly folder: string
  readonly port: number
  /** The port of the service. */
  readonly behind: number
  /** Files: a certificate for `svc.example`, and its key. */
  readonly crt: string
  readonly key: string
}

/** Starts the service and a proxy in front of it; `signal` ends the proxy. */
export async function startBehind(
  startProxy: (place: ProxyPlace) => Child,
  signal: NodeJS.Signals,
  more: Readonly<Record<string, string>> = {},
): Promise<Rig> {
  const folder = folderWith({})
  const [port, behind] = [await freePort(), await freePort()]
  const environment = {
    HOME: folder,
    SVC_SERVER__MODE: 'runtime',
    SVC_SERVER__PORT: String(behind),
    SVC_SERVER__TRUSTED_PROXIES: '127.0.0.1/32',
    SVC_SECURITY__JWT_SECRET: 'behind-a-proxy-secret-of-at-least-32-bytes',
    ...more,
  }
  const service = startChild(process.execPath, {
    args: ['--disable-warning=ExperimentalWarning', program],
    env: environment,
  })
  await service.waitFor(/Listening/, 30_000)
  const token = execFileSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', program, 'token', '--sub', 'ada'],
    {
      env: environment,
      encoding: 'utf8',
    },
  ).trim()
  const [crt, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')]
  const subject = ['-subj', '/CN=svc.example', '-addext', 'subjectAltName=DNS:svc.example']
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ed25519', '-nodes', '-days', '1', '-keyout', key, '-out', crt, ...subject],
    {
      stdio: 'pipe',
    },
  )
  const proxy = startProxy({ folder, port, behind, crt, key })
  const rig: Rig = {
    service,
    port,
    certificate: readFileSync(crt, 'utf8'),
    token,
    async stop() {
      await proxy.stop(signal)
      await service.stop()
    },
  }
  const passes = (): Promise<boolean> =>
    send(rig, '/health').then(
      ({ status }) => status === 200,
      () => false,
    )
  try {
    await until('the proxy passes a request on', passes, 60_000)
    return rig
  } catch (error) {
    await rig.stop()
    throw new Error(proxy.err, { cause: error })
  }
}

const options = ({ port, certificate, token }: Rig, path: string) => ({
  host: '127.0.0.1',
  port,
  path,
  servername: 'svc.example',
  ca: certificate,
  headers: { host: 'svc.example', authorization: `Bearer ${token}` },
})

/** Sends a request through the proxy. */
export function send(rig: Rig, path: string, body?: unknown, more: Record<string, string> = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const base = options(rig, path)
    const headers = { ...base.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...more }
    const sent = request({ ...base, method: body === undefined ? 'GET' : 'POST', headers, agent: false }, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      reply.once('end', () => resolve({ status: reply.statusCode!, text }))
    })
    sent.once('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Reads a stream until its text matches. `opened` runs when the response head has arrived. */
function readUntil(rig: Rig, path: string, expression: RegExp, opened: () => Promise<void>): Promise<string> {
  return new Promise((resolve, reject) => {
    const reading = request({ ...options(rig, path), agent: false }, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
        if (!expression.test(text)) return
        resolve(text)
        reading.destroy()
      })
      reply.once('end', () => reject(new Error(`The stream ended: ${reply.statusCode} ${text}`)))
      opened().catch(reject)
    })
    reading.once('error', reject)
    reading.setTimeout(20_000, () => reading.destroy(new Error('Nothing came for 20 s.')))
    reading.end()
  })
}

/** Sends raw bytes and returns everything received until the connection closes. */
export function sendRaw({ port, certificate }: Rig, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect({ host: '127.0.0.1', port, servername: 'svc.example', ca: certificate })
    socket.setEncoding('latin1').on('data', (piece: string) => (text += piece))
    socket.once('error', reject)
    socket.once('close', () => resolve(text))
    socket.write(bytes)
  })
}

/** A run is made, its events come in chunks, and its reader sees each event when it happens. */
export async function checkEvents(rig: Rig): Promise<void> {
  const made = await send(rig, '/api/svc/runs', { run_id: 'r1' })
  assert.is(made.status, 201, made.text)
  const { thread_id: threadId } = JSON.parse(made.text) as { thread_id: string }
  const events = [
    { type: 'RUN_STARTED', runId: 'r1', threadId },
    { type: 'CUSTOM', name: 'seen', value: 'through the proxy' },
  ]
  // The events are appended after the stream has opened, so the reader gets them only if the proxy does not buffer.
  const seen = await readUntil(rig, '/api/svc/runs/r1/stream', /through the proxy/, async () => {
    const appended = await send(rig, '/api/svc/runs/r1/events', events, { 'transfer-encoding': 'chunked' })
    assert.is(appended.status, 200, appended.text)
  })
  assert.match(seen, 'through the proxy')
}
