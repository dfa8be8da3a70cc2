/**
 * The service as it ships behind a proxy with TLS, and what a client sends through it. The proxy reads the files of
 * docs/examples/deploy/ as they are, at their places and with their ports, in a network and a mount namespace of the
 * test.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { dirname, join } from 'node:path'
import { connect } from 'node:tls'
import * as assert from 'uvu/assert'
import { distDir, root } from '../../../scripts/build/paths.ts'
import { until } from '../../../scripts/until.ts'
import { type Child, startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'

const program = join(distDir('server-full'), 'svc.mjs')

/** Why the service cannot be started, or no namespace can be made; undefined where both can. */
export const cannotStart: string | undefined = ((): string | undefined => {
  if (!existsSync(program)) return `${program} has not been built`
  if (process.platform !== 'linux' || process.getuid!() !== 0) return 'only root on Linux may give a proxy its own /etc'
  const made = spawnSync('unshare', ['--net', '--mount', 'ip', 'link', 'set', 'lo', 'up'])
  return made.status === 0 ? undefined : 'unshare --net and ip do not work here'
})()

/** A proxy, and how it is installed. */
export interface ProxySetup {
  /** The recipe of docs/examples/deploy/. Its first line begins with the path at which it belongs. */
  readonly recipe: string
  /**
   * A command that makes the recipe known to the proxy, and one that removes what the package of a distribution shows
   * by default.
   */
  readonly prepare?: string
  /** Runs the proxy in the foreground. */
  readonly command: string
  /** Ends the proxy. */
  readonly signal: NodeJS.Signals
  /** Folders that the start script of the package makes. */
  readonly folders?: readonly string[]
}

interface Reply {
  readonly status: number
  readonly text: string
}

/** The service behind a proxy. */
export interface Rig {
  readonly service: Child
  /** A Unix socket that leads to port 443 of the proxy. */
  readonly entry: string
  readonly certificate: string
  readonly token: string
  /** The answer of the service itself, without the proxy. */
  direct(path: string): string
  stop(): Promise<void>
}

/** Connects each client of a Unix socket to port 443, where only processes of the namespace can connect. */
const RELAY = `const { connect, createServer } = require('node:net')
createServer({ allowHalfOpen: true }, (client) => {
  const proxy = connect({ port: 443, host: '127.0.0.1', allowHalfOpen: true })
  client.pipe(proxy).pipe(client)
  client.on('error', () => proxy.destroy()).on('close', () => proxy.destroy())
  proxy.on('error', () => client.destroy()).on('close', () => client.destroy())
}).listen(process.argv[1], () => console.log('relay'))`

const ASK = `fetch('http://127.0.0.1:8080' + process.argv[1]).then((reply) => reply.text()).then(console.log)`

/** Starts the service and a proxy in front of it. */
export async function startBehind(proxy: ProxySetup, more: Readonly<Record<string, string>> = {}): Promise<Rig> {
  const folder = folderWith({})
  makeCertificate(folder)
  place(folder, proxy)

  const folders = ['/run/lock', '/var/log/nginx', '/var/log/apache2', ...(proxy.folders ?? [])].join(' ')
  // In memory, so that it goes with the namespace. The recipe and the certificate are already in the folder.
  const copied = `mount -t tmpfs tmpfs /mnt; cp -a /etc/. /mnt; cp -a ${folder}/etc/. /mnt; mount --bind /mnt /etc`
  const mounts = `${copied}; mount -t tmpfs tmpfs /run; mount -t tmpfs tmpfs /var/log; mkdir -p ${folders}`
  const entry = join(folder, 'entry.sock')
  const relay = startChild('unshare', {
    args: [
      ...['--net', '--mount', 'sh', '-euc', `ip link set lo up; ${mounts}; exec "$@"`],
      ...['sh', process.execPath, '-e', RELAY, entry],
    ],
  })
  await relay.waitFor(/relay/)
  const within = ['--target', String(relay.pid), '--net', '--mount']
  const environment = {
    HOME: folder,
    SVC_SERVER__MODE: 'runtime',
    SVC_SERVER__TRUSTED_PROXIES: '127.0.0.1/32',
    SVC_SECURITY__JWT_SECRET: 'behind-a-proxy-secret-of-at-least-32-bytes',
    ...more,
  }
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', program]
  const service = startChild('nsenter', { args: [...within, ...node], env: environment })
  await service.waitFor(/Listening/)
  const token = execFileSync(node[0]!, [...node.slice(1), 'token', '--sub', 'ada'], {
    env: environment,
    encoding: 'utf8',
  })
  const started = startChild('nsenter', {
    args: [...within, 'sh', '-c', `${proxy.prepare ?? ':'} && exec ${proxy.command}`],
    env: { HOME: folder, PATH: process.env['PATH'], XDG_DATA_HOME: join(folder, 'data') },
  })
  const rig: Rig = {
    service,
    entry,
    certificate: readFileSync(join(folder, 'tls.crt'), 'utf8'),
    token: token.trim(),
    direct: (path) => execFileSync('nsenter', [...within, process.execPath, '-e', ASK, path], { encoding: 'utf8' }),
    async stop() {
      await started.stop(proxy.signal)
      await service.stop()
      await relay.stop()
    },
  }
  const passes = (): Promise<boolean> =>
    send(rig, '/health').then(
      ({ status }) => status === 200,
      () => false,
    )
  try {
    const ended = started.exited.then(() => Promise.reject(new Error('the proxy has ended')))
    await Promise.race([until('the proxy passes a request on', passes, 60_000), ended])
    return rig
  } catch (error) {
    await rig.stop()
    throw new Error(started.out + started.err, { cause: error })
  }
}

function makeCertificate(folder: string): void {
  const [crt, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')]
  const subject = ['-subj', '/CN=svc.example', '-addext', 'subjectAltName=DNS:svc.example']
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30']
  execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', crt, ...subject], { stdio: 'pipe' })
}

/** Copies the recipe and the certificate to the places that the recipe names. */
function place(folder: string, { recipe }: ProxySetup): void {
  const from = join(root, 'docs/examples/deploy', recipe)
  const [, at] = /^# (\/etc\/\S+?)[:,]/.exec(readFileSync(from, 'utf8')) ?? []
  assert.ok(at, `the first line of ${recipe} names its place`)
  const put = (name: string, target: string): void => {
    mkdirSync(dirname(join(folder, target)), { recursive: true })
    copyFileSync(name, join(folder, target))
  }
  put(from, at!)
  const [crt, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')]
  put(crt, '/etc/ssl/svc.example.crt')
  put(key, '/etc/ssl/svc.example.key')
  writeFileSync(join(folder, 'both.pem'), readFileSync(crt, 'utf8') + readFileSync(key, 'utf8'))
  put(join(folder, 'both.pem'), '/etc/haproxy/svc.example.pem')
  // Where Caddy keeps a certificate that it obtained, so that it asks nobody for another one.
  const kept = '/data/caddy/certificates/acme-v02.api.letsencrypt.org-directory/svc.example/svc.example'
  put(crt, `${kept}.crt`)
  put(key, `${kept}.key`)
  writeFileSync(join(folder, `${kept}.json`), '{"sans":["svc.example"],"issuer_data":{}}')
}

const options = ({ entry, certificate, token }: Rig, path: string) => ({
  socketPath: entry,
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

/**
 * Reads a stream until its text matches. `opened` runs when the response head has arrived. Rejects if nothing comes for
 * `silentMs`.
 */
function readUntil(
  rig: Rig,
  path: string,
  expression: RegExp,
  opened: () => Promise<void>,
  silentMs = 60_000,
): Promise<string> {
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
    reading.setTimeout(silentMs, () => reading.destroy(new Error(`Nothing came for ${silentMs} ms.`)))
    reading.end()
  })
}

/** Sends raw bytes and returns everything received until the connection closes. */
export function sendRaw({ entry, certificate }: Rig, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect({ path: entry, servername: 'svc.example', ca: certificate })
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

/** The metrics are at no spelling of their path. */
export async function checkMetrics(rig: Rig): Promise<void> {
  assert.match(rig.direct('/metrics'), 'svc_http_requests_total', 'the service itself shows them')
  const paths = [
    '/metrics',
    '/metrics?x=1',
    '//metrics',
    '/./metrics',
    '/x/../metrics',
    '/%6detrics',
    '/metrics/',
    '/METRICS',
  ]
  for (const target of [...paths, 'https://svc.example/metrics', 'http://svc.example/metrics']) {
    const head = 'HTTP/1.1\r\nHost: svc.example\r\nConnection: close\r\n'
    const text = await sendRaw(rig, `GET ${target} ${head}\r\n`)
    assert.match(text, /^HTTP\/1\.1 4\d\d /, target)
    assert.not.match(text, 'svc_http_requests_total', target)
  }
}

/** Silence of a stream that is longer than the default time limits of the proxies, of which the longest is 60 s. */
export const SILENCE_MS = 64_000

/**
 * A stream stays open while nothing is sent, until the first heartbeat of a service with `realtime.heartbeat_ms`
 * {@link SILENCE_MS}.
 */
export async function checkSilence(rig: Rig): Promise<void> {
  const made = await send(rig, '/api/svc/runs', { run_id: 'silent' })
  assert.is(made.status, 201, made.text)
  const seen = await readUntil(rig, '/api/svc/runs/silent/stream', /^: /m, async () => undefined, 2 * SILENCE_MS)
  assert.ok(seen.length > 0)
}
