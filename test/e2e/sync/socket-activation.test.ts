/** Socket activation: the service manager opens the local socket before the service starts. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { takeInheritedSocket } from '../../../plugins/transport/unix/feature.ts'
import { startChild } from '../../support/child.ts'
import { unless } from '../../support/skip.ts'
import { createFolder } from '../../unit/sync/platforms.ts'
import { sendTo } from './daemon.ts'
import { program, unbuilt } from './shipped.ts'

const noManager =
  spawnSync('systemd-socket-activate', ['--version']).error === undefined
    ? undefined
    : 'systemd-socket-activate is not installed'
const it = unless(test, noManager ?? unbuilt)

/** Starts systemd-socket-activate, which opens the socket and starts the service at the first connection. */
function startActivated(listensAt: string, configured: string, folder: string) {
  const settings = {
    HOME: folder,
    SVC_SERVER__MODE: 'sync',
    SVC_SECURITY__JWT_SECRET: 'activation-secret-of-at-least-32-bytes',
    SVC_STORAGE__DIR: join(folder, 'state'),
    SVC_SYNC__SOCKET_PATH: configured,
  }
  const passed = Object.entries(settings).flatMap(([name, value]) => ['-E', `${name}=${value}`])
  const args = ['-l', listensAt, ...passed, process.execPath, '--disable-warning=ExperimentalWarning', program]
  return startChild('systemd-socket-activate', { args, env: { PATH: process.env['PATH'] } })
}

it('a socket of the service manager is used, and not removed at the end', async () => {
  const folder = createFolder()
  const socketPath = join(folder, 'activated.sock')
  const child = startActivated(socketPath, socketPath, folder)
  await child.waitFor(/Listening on/)
  const reply = await sendTo({ socketPath }, { path: '/health' })
  assert.is(reply.status, 200)
  await child.stop()
  assert.ok(existsSync(socketPath), 'the socket belongs to the service manager')
})

it('a socket at another path than the configured one makes the start fail with both paths', async () => {
  const folder = createFolder()
  const [listensAt, configured] = [join(folder, 'one.sock'), join(folder, 'other.sock')]
  const child = startActivated(listensAt, configured, folder)
  await child.waitFor(/Listening on/)
  await sendTo({ socketPath: listensAt }, { path: '/health' }).catch(() => undefined)
  await child.exited
  assert.match(child.err, `listens on ${listensAt}, and sync.socket_path says ${configured}`)
})

test('sockets for another process are ignored, and more than one socket is refused', () => {
  const foreign = { LISTEN_PID: '1', LISTEN_FDS: '1' }
  assert.is(takeInheritedSocket(foreign, 42), undefined)
  assert.equal(foreign, { LISTEN_PID: '1', LISTEN_FDS: '1' })
  const ours: NodeJS.ProcessEnv = { LISTEN_PID: '42', LISTEN_FDS: '1', LISTEN_FDNAMES: 'svc' }
  assert.is(takeInheritedSocket(ours, 42), 3)
  assert.equal(ours, {}, 'a child process does not get the variables')
  assert.throws(() => takeInheritedSocket({ LISTEN_PID: '42', LISTEN_FDS: '2' }, 42), /takes exactly one/)
})

test.run()
