import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import { type Clock, systemClock } from '../../../core/kernel/environment.ts'
import { checkSocketPath, temporaryPath } from '../../../plugins/transport/unix/socket-path.ts'
import { notRoot } from '../../support/faults.ts'
import { testUnless } from '../../support/skip.ts'
import { createFolder, createSigner, signed } from '../../unit/sync/platforms.ts'
import { pushOf, type Send, sendTo, startDaemon, stopDaemons } from './daemon.ts'

test.after.each(stopDaemons)

/** The code and the message of the error that makes a start fail, or 'started'. */
async function refusalOf(given: Readonly<Record<string, unknown>>, folder = createFolder()): Promise<string> {
  try {
    const daemon = await startDaemon({ folder, given })
    await daemon.stop()
    return 'started'
  } catch (error) {
    assert.ok(isSvcError(error), String(error))
    const cause = isSvcError(error.cause) ? error.cause : error
    return `${cause.code}: ${cause.message}`
  }
}

/** Sends bytes over a connection, and returns everything that is received until it is closed. */
function exchange(socket: Socket, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', (chunk) => (text += String(chunk)))
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
    socket.write(bytes)
  })
}

test('the socket has mode 0600 in a folder with mode 0700, from the moment of its creation', async () => {
  const folder = createFolder()
  const run = join(folder, 'run')
  mkdirSync(run, { mode: 0o700 })
  // Another process lists the folder all the time.
  const watcher = spawn('sh', ['-c', `while [ -d "${run}" ]; do stat -c '%F %a' "${run}"/* 2>/dev/null; done`])
  let seen = ''
  watcher.stdout.on('data', (chunk) => (seen += String(chunk)))
  const sightings = (): string[] => [...seen.matchAll(/^socket (\d+)$/gm)].map(([, mode]) => mode!)
  for (let i = 0; i < 15; i++) {
    const before = sightings().length
    const daemon = await startDaemon({ folder })
    assert.is(lstatSync(daemon.socketPath).mode & 0o777, 0o600)
    assert.is(lstatSync(run).mode & 0o777, 0o700)
    for (const end = Date.now() + 60_000; sightings().length === before && Date.now() < end; )
      await new Promise((resolve) => setTimeout(resolve, 5))
    await daemon.stop()
    assert.not(existsSync(daemon.socketPath), 'removed on stop')
  }
  watcher.kill()
  assert.ok(sightings().length >= 15, 'the socket was seen')
  assert.equal([...new Set(sightings())], ['600'])
})

test('a stale socket is replaced, but a file that is not a socket is not', async () => {
  const folder = createFolder()
  mkdirSync(join(folder, 'run'), { mode: 0o700 })
  const path = join(folder, 'run', 's.sock')
  const stale = createServer().listen(join(folder, 'run', 'old'))
  await new Promise((resolve) => stale.once('listening', resolve))
  // A hard link keeps the socket file after its process has unlinked the original name.
  linkSync(join(folder, 'run', 'old'), path)
  await new Promise((resolve) => stale.close(resolve))
  assert.ok(lstatSync(path).isSocket())
  const daemon = await startDaemon({ folder })
  assert.is((await daemon.send({ path: '/health' })).status, 200)
  await daemon.stop()
  writeFileSync(path, 'precious')
  assert.match(await refusalOf({}, folder), /^ERR_SOCKET_PATH/)
  assert.is(lstatSync(path).isFile(), true)
})

test('a second service on the same path does not start, and the first continues', async () => {
  const first = await startDaemon()
  const second = await refusalOf({ 'sync.socket_path': first.socketPath })
  assert.match(second, /^ERR_SOCKET_LOCKED/)
  assert.is((await first.send({ path: '/health' })).status, 200)
  await first.stop()
  await startDaemon({ folder: first.folder })
})

test('a second service on the same store does not start, even with another socket or without one', async () => {
  const first = await startDaemon()
  const dir = join(first.folder, 'state')
  for (const given of [{}, { 'server.mode': 'runtime' }])
    assert.match(await refusalOf({ 'storage.dir': dir, ...given }), /^store_locked: .*Another service uses this/)
  assert.is((await first.send({ path: '/health' })).status, 200)
  await first.stop()
  assert.is(await refusalOf({ 'storage.dir': dir }), 'started')
})

test('a reader that holds the log of the store is a warning and a failed check, until it has ended', async () => {
  // The watch looks every 10 s.
  const setTimeout: Clock['setTimeout'] = (run, delayMs) =>
    systemClock.setTimeout(run, delayMs === 10_000 ? 20 : delayMs)
  const daemon = await startDaemon({ clock: { setTimeout } })
  const until = async (status: string): Promise<void> => {
    for (const end = Date.now() + 60_000; ; ) {
      const answer = await daemon.send({ path: '/ready' })
      assert.is(answer.status, 200, 'pushes are still taken')
      const { checks } = answer.json() as unknown as { checks: Record<string, unknown> }
      if (JSON.stringify(checks['store_log']) === JSON.stringify({ status, required: false })) return
      assert.ok(Date.now() < end, answer.text)
    }
  }
  await until('ok')
  const path = join(daemon.folder, 'state', 'sync.db')
  const browser = new DatabaseSync(path)
  browser.exec('BEGIN; SELECT count(*) FROM meta')
  await daemon.kernel.capability('ReceiptStore').write(({ rows }) => {
    for (let i = 0; i < 9_000; i++) rows("INSERT INTO meta VALUES ('t' || ?, ?)", i, 'x'.repeat(8_000))
  })
  await until('failed')
  browser.close()
  await until('ok')
  assert.is(statSync(`${path}-wal`).size, 0, 'the file is given back')
  assert.match(daemon.logs(), /Another process reads an old state of the receipt store.*was given back/s)
})

test('a stop removes the socket only if it is the own socket', async () => {
  const daemon = await startDaemon()
  unlinkSync(daemon.socketPath)
  const other = createServer().listen(daemon.socketPath)
  await new Promise((resolve) => other.once('listening', resolve))
  await daemon.stop()
  assert.ok(lstatSync(daemon.socketPath).isSocket())
  await new Promise((resolve) => other.close(resolve))
})

test('a path of the maximum length works, and one more byte is refused with the limit', async () => {
  const most = process.platform === 'darwin' ? 103 : 107
  const folder = createFolder()
  const base = join(folder, 'run')
  const path = join(base, 'x'.repeat(most - Buffer.byteLength(base) - 1))
  assert.is(Buffer.byteLength(path), most)
  const daemon = await startDaemon({ folder, given: { 'sync.socket_path': path } })
  assert.is((await daemon.send({ path: '/health' })).status, 200)
  await daemon.stop()
  assert.match(await refusalOf({ 'sync.socket_path': `${path}x` }, folder), new RegExp(`^ERR_SOCKET_PATH.*${most}`))
  // The limit is in bytes, not in characters.
  assert.throws(
    () => checkSocketPath(`/tmp/${'é'.repeat(52)}`),
    (error: unknown) => isSvcError(error, 'ERR_SOCKET_PATH'),
  )
  assert.ok(Buffer.byteLength(temporaryPath(path)) <= most)
  await startDaemon({ folder, given: { 'sync.socket_path': join(base, 's') } })
})

test('a folder that is a link, has a loose mode or belongs to another user is refused', async () => {
  const folder = createFolder()
  mkdirSync(join(folder, 'real'), { mode: 0o700 })
  symlinkSync(join(folder, 'real'), join(folder, 'link'))
  assert.match(await refusalOf({ 'sync.socket_path': join(folder, 'link', 's') }), /^ERR_SOCKET_DIRECTORY.*is a link/)
  for (const mode of [0o755, 0o770, 0o500, 0o701]) {
    chmodSync(join(folder, 'real'), mode)
    assert.match(await refusalOf({ 'sync.socket_path': join(folder, 'real', 's') }), /^ERR_SOCKET_DIRECTORY.*has mode/)
  }
  mkdirSync(join(folder, 'group'), { mode: 0o700 })
  chmodSync(join(folder, 'group'), 0o2700)
  assert.is(await refusalOf({ 'sync.socket_path': join(folder, 'group', 'inner', 's') }), 'started')
  if (notRoot !== undefined) return console.log('SKIPPED in part: only root can make a folder of another user')
  chmodSync(join(folder, 'real'), 0o700)
  execFileSync('chown', ['65534', join(folder, 'real')])
  assert.match(await refusalOf({ 'sync.socket_path': join(folder, 'real', 's') }), /^ERR_SOCKET_DIRECTORY.*belongs to/)
})

testUnless(
  test,
  notRoot,
  'another user is disconnected before a byte is read, even if the file system allows access',
  async () => {
    const daemon = await startDaemon()
    for (let at = daemon.socketPath; at !== '/tmp' && at !== '/'; at = join(at, '..')) chmodSync(at, 0o777)
    const script = `
    const socket = require('node:net').connect(${JSON.stringify(daemon.socketPath)})
    let text = ''
    socket.on('connect', () => socket.write('GET /health HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n'))
    socket.on('data', (chunk) => (text += chunk)).on('error', () => {})
    socket.on('close', () => console.log(JSON.stringify(text)))`
    const run = (uid: number): Promise<string> =>
      new Promise((resolve) => {
        const child = spawn(process.execPath, ['-e', script], { uid, gid: uid, cwd: '/' })
        let out = ''
        child.stdout.on('data', (chunk) => (out += String(chunk)))
        child.once('close', () => resolve(out.trim()))
      })
    assert.is(await run(65_534), '""')
    assert.match(await run(0), /200 OK/)
    await daemon.stop()
  },
)

test('loopback TCP checks token, Host and Origin, and v1 is refused there with deprecation headers', async () => {
  const folder = createFolder()
  const tokenFile = join(folder, 'token')
  const token = 'a-token-of-more-than-thirty-two-characters'
  writeFileSync(tokenFile, `${token}\n`, { mode: 0o600 })
  const daemon = await startDaemon({ folder, given: { 'sync.tcp': '127.0.0.1:0', 'sync.token_file': tokenFile } })
  const alice = createSigner()
  await daemon.enrol(alice, ['kbd-control:demo'])
  const port = Number(/:(\d+)"/.exec(daemon.logs())![1])
  const bearer = { authorization: `Bearer ${token}` }
  const tcp = (send: Send) => sendTo({ host: '127.0.0.1', port }, send)
  const host = `127.0.0.1:${port}`
  const cases: [string, Record<string, string>, number, string?][] = [
    ['no token', { host }, 401, 'credential_missing'],
    ['a wrong token', { host, authorization: `Bearer ${token}x` }, 401, 'credential_invalid'],
    ['another scheme', { host, authorization: `Basic ${token}` }, 401, 'credential_invalid'],
    ['the token', { host, ...bearer }, 200],
    ['a lower-case scheme', { host, authorization: `bearer ${token}` }, 200],
    ['localhost', { host: `localhost:${port}`, ...bearer }, 200],
    ['[::1]', { host: `[::1]:${port}`, ...bearer }, 200],
    ['another name', { host: `evil.example:${port}`, ...bearer }, 403, 'transport_forbidden'],
    ['another port', { host: '127.0.0.1:1', ...bearer }, 403, 'transport_forbidden'],
    ['no port', { host: '127.0.0.1', ...bearer }, 403, 'transport_forbidden'],
    ['an origin', { host, ...bearer, origin: 'http://localhost' }, 403, 'transport_forbidden'],
    ['a null origin', { host, ...bearer, origin: 'null' }, 403, 'transport_forbidden'],
  ]
  for (const path of ['/health', '/ready']) {
    for (const [name, headers, status, code] of cases) {
      const answer = await tcp({ path, headers })
      assert.is(answer.status, status, `${path}, ${name}`)
      assert.is(answer.json().error?.code, code, `${path}, ${name}`)
      assert.is(
        Object.keys(answer.headers).some((header) => header.startsWith('access-control')),
        false,
      )
      if (status === 401)
        assert.is(
          answer.headers['www-authenticate'],
          code === 'credential_missing' ? 'Bearer realm="svc"' : 'Bearer realm="svc", error="invalid_token"',
        )
    }
  }
  const push = pushOf(signed(alice, { issuedAtMs: Date.now() }))
  assert.is((await tcp({ ...push, headers: { ...push.headers, ...bearer, host } })).status, 201)
  for (const [headers, status, code] of [
    [{ ...bearer, host }, 403, 'transport_forbidden'],
    [{ host }, 401, 'credential_missing'],
  ] as const) {
    const send = {
      method: 'POST',
      path: '/api/v1/sync/push',
      headers: { 'content-type': 'application/json', ...headers },
    }
    const v1 = await tcp({ ...send, body: '{"domain":"kbd-content:demo","payload":1}' })
    assert.equal([v1.status, v1.json().error!.code], [status, code])
    assert.match(String(v1.headers['deprecation']), /^@\d+$/)
  }
  const none = await exchange(connect(port, '127.0.0.1'), 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n')
  assert.match(none, /^HTTP\/1.1 400/, 'no Host at all')
  const fields = `Host: ${host}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`
  for (const [target, status] of [
    ['http://evil.example/health', 403],
    [`http://evil.example:${port}/health`, 403],
    [`http://${host}/health`, 200],
  ] as const) {
    const answer = await exchange(connect(port, '127.0.0.1'), `GET ${target} HTTP/1.1\r\n${fields}`)
    assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), target)
  }
  assert.not(daemon.logs().includes(token))
})

test('--tcp accepts only loopback addresses, and needs a valid token file', async () => {
  const folder = createFolder()
  const file = join(folder, 'token')
  const given = { 'sync.tcp': '0', 'sync.token_file': file }
  for (const address of ['0.0.0.0:1', '192.168.0.1:1', 'example.com:1', '::1:1', '70000', 'localhost'])
    assert.match(await refusalOf({ 'sync.tcp': address, 'sync.token_file': file }), /^ERR_SETTINGS_INVALID/, address)
  assert.match(await refusalOf({ 'sync.tcp': '0' }), /^ERR_SETTINGS_INVALID/)
  assert.match(await refusalOf(given), /^ERR_TOKEN_FILE.*cannot be opened/)
  const write = (text: string, mode: number): void => {
    rmSync(file, { recursive: true, force: true })
    writeFileSync(file, text, { mode })
    chmodSync(file, mode)
  }
  write('short', 0o600)
  assert.match(await refusalOf(given), /fewer than 32/)
  write(`${'a'.repeat(31)}\n`, 0o600)
  assert.match(await refusalOf(given), /fewer than 32/, 'the line end does not count')
  write(`${'a'.repeat(32)} b`, 0o600)
  assert.match(await refusalOf(given), /characters/)
  for (const mode of [0o644, 0o640, 0o400, 0o700]) {
    write('a'.repeat(40), mode)
    assert.match(await refusalOf(given), /^ERR_TOKEN_FILE.*has mode/)
  }
  write('a'.repeat(40), 0o600)
  symlinkSync(file, `${file}.link`)
  assert.match(await refusalOf({ ...given, 'sync.token_file': `${file}.link` }), /is a link/)
  assert.match(await refusalOf({ ...given, 'sync.token_file': folder }), /no regular file/)
  if (notRoot === undefined) {
    execFileSync('chown', ['65534', file])
    assert.match(await refusalOf(given), /belongs to user/)
  }
})

test('mode runtime opens no socket', async () => {
  const daemon = await startDaemon({ given: { 'server.mode': 'runtime' } })
  assert.not(existsSync(daemon.socketPath))
})

test.run()
