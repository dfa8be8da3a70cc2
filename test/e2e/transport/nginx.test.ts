/** Tests the nginx configuration docs/examples/deploy/nginx.conf in front of the shipped service. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { distDir, root } from '../../../scripts/build/paths.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { type Child, startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { testUnless } from '../../support/skip.ts'

const program = join(distDir('server-full'), 'svc.mjs')
const cannot = existsSync(program)
  ? spawnSync('nginx', ['-v']).error === undefined
    ? undefined
    : 'nginx is not installed'
  : `${program} has not been built`

interface Reply {
  readonly status: number
  readonly text: string
}

/** A service behind nginx. */
interface Rig {
  readonly service: Child
  readonly port: number
  readonly certificate: string
  readonly token: string
  stop(): Promise<void>
}

async function start(more: Readonly<Record<string, string>> = {}): Promise<Rig> {
  const folder = folderWith({})
  const [port, behind] = [await freePort(), await freePort()]
  const environment = {
    HOME: folder,
    SVC_SERVER__MODE: 'runtime',
    SVC_SERVER__PORT: String(behind),
    SVC_SERVER__TRUSTED_PROXIES: '127.0.0.1/32',
    SVC_SECURITY__JWT_SECRET: 'behind-nginx-secret-of-at-least-32-bytes',
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
  const recipe = readFileSync(join(root, 'docs/examples/deploy/nginx.conf'), 'utf8')
    .replace('127.0.0.1:8080', `127.0.0.1:${behind}`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('/etc/ssl/svc.example.crt', crt)
    .replace('/etc/ssl/svc.example.key', key)
  // `http2 on` is a directive since nginx 1.25.1. Older versions have it as a parameter of `listen`.
  const version = /nginx\/(\d+)\.(\d+)/.exec(spawnSync('nginx', ['-v'], { encoding: 'utf8' }).stderr)!
  const old = Number(version[1]) === 1 && Number(version[2]) < 26
  const fitting = old ? recipe.replace('  http2 on;\n', '').replace(' ssl;', ' ssl http2;') : recipe
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const main = folderWith({
    'svc.conf': fitting,
    'nginx.conf': `daemon off; pid ${folder}/nginx.pid; error_log stderr;
events {}
http { access_log off; ${temporary.join(' ')} include svc.conf; }
`,
  })
  const nginx = startChild('nginx', { args: ['-p', main, '-c', join(main, 'nginx.conf'), '-e', 'stderr'] })
  const rig: Rig = {
    service,
    port,
    certificate: readFileSync(crt, 'utf8'),
    token,
    async stop() {
      await nginx.stop('SIGQUIT')
      await service.stop()
    },
  }
  for (let tries = 0; tries < 200; tries++) {
    const reply = await send(rig, '/health').catch(() => undefined)
    if (reply?.status === 200) return rig
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  await rig.stop()
  throw new Error(`nginx did not pass a request on: ${nginx.err}`)
}

const options = ({ port, certificate, token }: Rig, path: string) => ({
  host: '127.0.0.1',
  port,
  path,
  servername: 'svc.example',
  ca: certificate,
  headers: { host: 'svc.example', authorization: `Bearer ${token}` },
})

function send(rig: Rig, path: string, body?: unknown, more: Record<string, string> = {}): Promise<Reply> {
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
function sendRaw({ port, certificate }: Rig, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect({ host: '127.0.0.1', port, servername: 'svc.example', ca: certificate })
    socket.setEncoding('latin1').on('data', (piece: string) => (text += piece))
    socket.once('error', reject)
    socket.once('close', () => resolve(text))
    socket.write(bytes)
  })
}

testUnless(test, cannot, 'nginx forwards no field with an empty name to uWebSockets.js', async () => {
  const rig = await start({ SVC_SERVER__TRANSPORT: 'uws', SVC_SERVER__UWS_BEHIND_PROXY: 'true' })
  try {
    assert.match(rig.service.out + rig.service.err, /less strictly than node:http/)
    const inner = 'GET /api/svc/auth/keys HTTP/1.1\r\nHost: svc.example\r\n\r\n'
    const head = 'HTTP/1.1\r\nHost: svc.example\r\n: x\r\n'
    for (const raw of [
      `GET /health ${head}\r\n`,
      `GET /health ${head}Content-Length: ${inner.length}\r\n\r\n${inner}`,
    ]) {
      const text = await sendRaw(rig, raw)
      assert.match(text, /^HTTP\/1\.1 400 /)
      assert.is(text.match(/HTTP\/1\.1 \d/g)?.length, 1, text)
    }
    const made = await send(rig, '/api/svc/runs', { run_id: 'r1' })
    assert.is(made.status, 201, made.text)
  } finally {
    await rig.stop()
  }
})

testUnless(test, cannot, 'nginx forwards requests, chunked bodies and, without delay, each event', async () => {
  const rig = await start()
  try {
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
  } finally {
    await rig.stop()
  }
})

test.run()
