/** Tests the runtime surface over TLS with the shipped service. */

import { X509Certificate } from 'node:crypto'
import { appendFileSync, chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { freePort } from '../../../scripts/free-port.ts'
import { makePair } from '../../support/certificate.ts'
import { type Child, startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { testUnless } from '../../support/skip.ts'
import { shippedProgram as program, unbuilt } from '../telemetry/built-service.ts'

const svc = (command: readonly string[], env: NodeJS.ProcessEnv): Child =>
  startChild(process.execPath, { args: ['--disable-warning=ExperimentalWarning', program, ...command], env })

interface Rig {
  readonly folder: string
  readonly port: number
  readonly environment: NodeJS.ProcessEnv
  readonly service: Child
}

async function start(more: NodeJS.ProcessEnv = {}): Promise<Rig> {
  const folder = folderWith({})
  const { crt, key } = makePair(folder, 'server')
  const port = await freePort()
  const environment = {
    HOME: folder,
    SVC_SERVER__MODE: 'runtime',
    SVC_SERVER__PORT: String(port),
    SVC_SERVER__TLS__CERT: crt,
    SVC_SERVER__TLS__KEY: key,
    SVC_SECURITY__JWT_SECRET: 'over-tls-secret-of-at-least-32-bytes!!',
    ...more,
  }
  const service = svc([], environment)
  await service.waitFor(/"tls":true/)
  return { folder, port, environment, service }
}

function send(
  { port }: Rig,
  ca: string,
  version?: 'TLSv1.2' | 'TLSv1.3',
  path: string = '/health',
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const pinned = version === undefined ? {} : { minVersion: version, maxVersion: version }
    const sent = request({
      host: '127.0.0.1',
      port,
      servername: 'localhost',
      path,
      ca,
      agent: false,
      ...pinned,
    })
    sent.once('response', (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      reply.once('end', () => resolve({ status: reply.statusCode!, text }))
    })
    sent.once('error', reject).end()
  })
}

testUnless(test, unbuilt, 'TLS 1.2 and 1.3 are served, older versions and plain HTTP are not', async () => {
  const rig = await start()
  const ca = readFileSync(join(rig.folder, 'server.crt'), 'utf8')
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) assert.is((await send(rig, ca, version)).status, 200, version)
  const old = connectTls({
    host: '127.0.0.1',
    port: rig.port,
    ca,
    servername: 'localhost',
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  })
  assert.ok(
    await new Promise((resolve) => old.once('error', resolve).once('secureConnect', () => resolve(undefined))),
    'TLS 1.1 is refused',
  )
  const plain = connect(rig.port, '127.0.0.1', () => plain.write('GET /health HTTP/1.1\r\nHost: a\r\n\r\n'))
  let answer = ''
  plain.on('data', (bytes) => (answer += bytes.toString('latin1'))).on('error', () => undefined)
  await new Promise((resolve) => plain.once('close', resolve))
  assert.not.match(answer, 'HTTP/1.1 200')
  assert.is((await send(rig, ca)).status, 200, 'the service continues to serve')
  assert.is((await rig.service.stop()).code, 0)
})

testUnless(test, unbuilt, 'svc health connects over TLS and refuses another certificate', async () => {
  const rig = await start()
  const well = svc(['health'], rig.environment)
  assert.is((await well.exited).code, 0, well.err)
  const other = makePair(rig.folder, 'other')
  const wrong = svc(['health'], {
    ...rig.environment,
    SVC_SERVER__TLS__CERT: other.crt,
    SVC_SERVER__TLS__KEY: other.key,
  })
  assert.is((await wrong.exited).code, 1)
  assert.match(wrong.err, /another certificate/)
  await rig.service.stop()
})

testUnless(
  test,
  unbuilt,
  'SIGHUP loads a renewed certificate; a certificate that does not match its key changes nothing',
  async () => {
    const rig = await start()
    const [crt, key] = [join(rig.folder, 'server.crt'), join(rig.folder, 'server.key')]
    const before = readFileSync(crt, 'utf8')
    const renewed = makePair(rig.folder, 'renewed')

    copyFileSync(renewed.crt, crt)
    process.kill(rig.service.pid, 'SIGHUP')
    await rig.service.waitFor(/was not renewed; the old one stays/)
    assert.is((await send(rig, before)).status, 200)

    copyFileSync(renewed.key, key)
    process.kill(rig.service.pid, 'SIGHUP')
    await rig.service.waitFor(/The TLS certificate was renewed/)
    assert.is((await send(rig, readFileSync(crt, 'utf8'))).status, 200)
    const refused = await send(rig, before).then(
      () => 'served',
      ({ code }: NodeJS.ErrnoException) => code,
    )
    assert.not.equal(refused, 'served')

    // The same certificate with another one behind it.
    copyFileSync(renewed.crt, crt)
    appendFileSync(crt, before)
    process.kill(rig.service.pid, 'SIGHUP')
    await rig.service.waitFor(/certificate was renewed[\s\S]*certificate was renewed/)
    assert.not.match(rig.service.out, /BEGIN/, 'the files are not logged')
    await rig.service.stop()
  },
)

testUnless(test, unbuilt, 'a renewed certificate is loaded within seconds without SIGHUP', async () => {
  const rig = await start()
  const renewed = makePair(rig.folder, 'renewed', 'DNS:localhost', 9)
  /** Compares the metric with the end of a certificate. */
  const checkEnd = async (file: string): Promise<void> => {
    const cert = readFileSync(file, 'utf8')
    const { text } = await send(rig, cert, undefined, '/metrics')
    const end = Date.parse(new X509Certificate(cert).validTo) / 1_000
    assert.ok(text.includes(`svc_tls_certificate_end_seconds{surface="runtime"} ${end}\n`), text.slice(-2_000))
  }
  await checkEnd(join(rig.folder, 'server.crt'))
  copyFileSync(renewed.key, join(rig.folder, 'server.key'))
  copyFileSync(renewed.crt, join(rig.folder, 'server.crt'))
  await rig.service.waitFor(/The TLS certificate was renewed/)
  assert.is((await send(rig, readFileSync(renewed.crt, 'utf8'))).status, 200)
  await checkEnd(renewed.crt)
  await rig.service.stop()
})

testUnless(
  test,
  unbuilt,
  'a start with unusable certificate files ends with exit code 78 and names the file and the reason',
  async () => {
    const folder = folderWith({})
    const [one, other] = [makePair(folder, 'one'), makePair(folder, 'other')]
    const open = join(folder, 'open.key')
    copyFileSync(one.key, open)
    chmodSync(open, 0o644)
    const text = join(folder, 'text.crt')
    writeFileSync(text, 'not a certificate')
    const cases: readonly [cert: string, key: string, why: RegExp, more?: NodeJS.ProcessEnv][] = [
      [one.crt, other.key, /server\.tls\.key: .*other\.key is not the key of the certificate/],
      [one.crt, open, /server\.tls\.key: .*open\.key can be read by every user/],
      [text, one.key, /server\.tls\.cert: .*text\.crt has no certificate in PEM/],
      [one.crt, join(folder, 'missing.key'), /server\.tls\.key: .*missing\.key cannot be read \(ENOENT\)/],
      [one.crt, one.key, /uWebSockets\.js does not serve TLS here/, { SVC_SERVER__TRANSPORT: 'uws' }],
    ]
    for (const [cert, key, why, more] of cases) {
      const child = svc([], {
        HOME: folder,
        SVC_SERVER__MODE: 'runtime',
        SVC_SERVER__PORT: '0',
        SVC_SERVER__TLS__CERT: cert,
        SVC_SERVER__TLS__KEY: key,
        SVC_SECURITY__JWT_SECRET: 'over-tls-secret-of-at-least-32-bytes!!',
        ...more,
      })
      assert.is((await child.exited).code, 78, child.err)
      assert.match(child.err, why)
    }
  },
)

testUnless(test, unbuilt, 'a stop does not wait for clients that never end their handshake', async () => {
  const rig = await start()
  const silent = connect(rig.port, '127.0.0.1')
  await new Promise((resolve) => silent.once('connect', resolve))
  const closed = new Promise((resolve) => silent.once('close', resolve))
  silent.on('error', () => undefined).resume()
  const sinceMs = performance.now()
  assert.is((await rig.service.stop()).code, 0)
  await closed
  assert.ok(performance.now() - sinceMs < 8_000, 'the stop does not wait for the 10 s limit of the handshake')
})

test.run()
