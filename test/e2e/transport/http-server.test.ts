/** Tests the `HttpServer` capability, with which plugins open their own listeners. */
import { existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import { feature as nodeHttp } from '../../../plugins/transport/node-http/feature.ts'
import { type Rig, startRig } from './rig.ts'

const test = suite('HttpServer')
let rig: Rig
let folder = ''
test.before.each(async () => {
  rig = await startRig([nodeHttp])
  folder = mkdtempSync(join(tmpdir(), 'svc-http-'))
})
test.after.each(async () => {
  await rig.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Sends a request to a Unix socket and returns everything received until the connection closes. */
function ask(path: string): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(path)
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(text))
    socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  })
}

test('a Unix socket is bound synchronously in listen, under a temporary name', async () => {
  const temporary = join(folder, 't')
  const path = join(folder, 'final')
  const before = process.umask()
  const listener = await rig.kernel.capability('HttpServer').serve(rig.kernel.surface('runtime'), {
    address: { path: temporary },
    bind: (listen) => {
      process.umask(0o177)
      listen()
      process.umask(before)
      renameSync(temporary, path)
    },
  })
  assert.is(listener.port, undefined)
  assert.is(listener.address, temporary)
  assert.is(statSync(path).mode & 0o777, 0o600)
  assert.match(await ask(path), /^HTTP\/1.1 200 OK/)
  await listener.drain()
  await listener.close()
  assert.ok(existsSync(path), 'a socket that was renamed is not removed')
})

test('a connection that is not admitted is closed before a byte of it is read', async () => {
  const path = join(folder, 's')
  const verdicts: (boolean | Error)[] = [false, new Error('no answer'), true]
  const listener = await rig.kernel.capability('HttpServer').serve(rig.kernel.surface('runtime'), {
    address: { path },
    admit: (socket) => {
      assert.is((socket as Socket).bytesRead, 0)
      const verdict = verdicts.shift()!
      if (verdict instanceof Error) throw verdict
      return verdict
    },
  })
  assert.is(await ask(path), '')
  assert.is(await ask(path), '')
  assert.match(await ask(path), /^HTTP\/1.1 200 OK/)
  assert.is(rig.records.filter(({ message }) => message === 'A connection could not be checked.').length, 1)
  await listener.close()
})

test('a listener that cannot be opened reports the reason', async () => {
  const serve = rig.kernel.capability('HttpServer').serve(rig.kernel.surface('runtime'), {
    address: { path: join(folder, 'no', 'such', 'folder') },
  })
  await serve.then(
    () => assert.unreachable(),
    (error: unknown) => {
      assert.ok(isSvcError(error, 'ERR_LISTEN_FAILED'))
      assert.match(error.message, /no\/such\/folder/)
    },
  )
})

test.run()
