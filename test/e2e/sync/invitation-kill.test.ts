/**
 * The shipped program is killed at each statement of a use of an invitation, and started again: the use is executed
 * once, and the same request is answered again.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createDeviceKey, signInvitation } from '../../../plugins/protocol/sign/index.ts'
import { type Child, startChild } from '../../support/child.ts'
import { testUnless } from '../../support/skip.ts'
import { createNode, programArgs } from '../kbd/node.ts'
import { sendTo } from './daemon.ts'
import { tokenOf } from './remote-node.ts'
import { isLostConnection, unbuilt, untilHealthy } from './shipped.ts'

const test = suite('invitations under kill -9')
/** Fewer statements than a use has would mean that the kills did not reach it. */
const FEWEST = 5

const node = createNode({ SVC_SYNC__REMOTE: 'true' })
const killFile = join(node.folder, 'kill-at')

interface Running {
  readonly child: Child
  readonly origin: string
}

async function start(): Promise<Running> {
  const args = ['--import', join(import.meta.dirname, 'kill-at-statement.mjs'), ...programArgs]
  const env = { ...node.env, RUST_LOG: 'info', KILL_FILE: killFile }
  const child = startChild(process.execPath, { args, cwd: node.folder, env })
  const [, port] = await child.waitFor(/"address":"[^"]*:(\d+)"/, 60_000)
  await untilHealthy(child, { folder: node.folder, state: node.env['SVC_STORAGE__DIR']!, socketPath: node.socketPath })
  return { child, origin: `http://127.0.0.1:${port}` }
}

/** The status of a use; undefined if the program was killed. */
async function use({ origin }: Running, body: string, user: string): Promise<number | undefined> {
  const token = tokenOf(node.env['SVC_SECURITY__JWT_SECRET']!, { sub: user })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  try {
    const answer = await fetch(`${origin}/api/v2/sync/devices`, { method: 'POST', headers, body })
    await answer.text()
    return answer.status
  } catch (error) {
    if (isLostConnection((error as Error).cause ?? error) || isClosed(error)) return undefined
    throw error
  }
}

const isClosed = (error: unknown): boolean => (error as { cause?: { code?: string } }).cause?.code === 'UND_ERR_SOCKET'

testUnless(test, unbuilt, 'a use that is killed at any statement is executed once, and answered again', async () => {
  let running = await start()
  const seen: string[] = []
  /** Uses a new code while the program is killed at a point. Returns whether the program was killed. */
  const killAt = async (at: string): Promise<boolean> => {
    const [key, code] = [await createDeviceKey(), await node.svc('device', 'invite', '--scope', 'kbd-control:demo')]
    const body = JSON.stringify(await signInvitation(key, code))
    writeFileSync(killFile, at)
    const first = await use(running, body, `user-${at}`)
    rmSync(killFile)
    if (first === undefined) {
      assert.equal(await running.child.exited, { code: null, signal: 'SIGKILL' })
      running = await start()
    } else assert.is(first, 201)
    const again = await use(running, body, `user-${at}`)
    seen.push(`${at} ${first ?? 'killed'} ${again}`)
    const isExecuted = first !== undefined || at === 'end'
    assert.is(again, isExecuted ? 200 : 201, seen.at(-1))
    assert.is(await use(running, body, `user-${at}`), 200)
    const devices = (await node.svc('device', 'list')).split('\n').filter((line) => line.startsWith(key.keyId))
    assert.is(devices.length, 1)
    const path = '/api/v1/audit?kind=enrolment&limit=1000'
    const { entries } = (await sendTo(node, { path })).json() as unknown as { entries: { subject: string }[] }
    assert.is(entries.filter(({ subject }) => subject === key.keyId).length, 1, 'enrolled once')
    return first === undefined
  }
  let statements = 0
  while (await killAt(String(statements))) statements++
  assert.ok(statements >= FEWEST, seen.join())
  assert.ok(await killAt('end'), 'killed between the commit and the answer')
  await running.child.stop()
  console.log(`killed before each of ${statements} statements, and after the commit`)
})

test.run()
