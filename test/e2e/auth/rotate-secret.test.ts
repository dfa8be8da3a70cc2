/**
 * The rotation of docs/operating.md against the shipped program, with its own commands, while callers use it without a
 * pause.
 */
import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { chmodSync, readFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../../scripts/build/paths.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { WAIT_MS } from '../../runner/limit.ts'
import { startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { testUnless } from '../../support/skip.ts'
import { waitFor } from '../../support/wait-for.ts'
import { hasProgram } from '../../unit/telemetry/programs.ts'
import { shippedProgram as program, unbuilt } from '../telemetry/built-service.ts'

const OLD = 'the old secret, of at least thirty-two bytes'
const CALLERS = 8

/** The commands of the page, by step. */
function steps(): readonly string[] {
  const page = readFileSync(join(root, 'docs/operating.md'), 'utf8')
  const block = /### Rotating a secret\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(page)?.[1]
  assert.ok(block, 'the page has a block')
  const parts = block!.split(/^# \d\. .*\n/m)
  assert.is(parts.length, 4, 'cd and three steps')
  return parts.slice(1)
}

function tokenOf(secret: string): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'HS256' })}.${part({ sub: 'ada', exp: Math.floor(Date.now() / 1_000) + 3_600 })}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

const unable =
  unbuilt ??
  (hasProgram('openssl') ? undefined : 'openssl is not installed') ??
  (process.platform === 'win32' ? 'no sh' : undefined)

testUnless(test, unable, 'a rotation under load logs nobody out until the old secret is removed', async () => {
  const config = {
    security: { jwt_secret: { file: 'jwt_secret' }, jwt_secret_previous: [{ file: 'jwt_secret_previous' }] },
  }
  const folder = folderWith({
    'config.json': JSON.stringify(config),
    jwt_secret: `${OLD}\n`,
    jwt_secret_previous: `${OLD}\n`,
  })
  for (const name of ['jwt_secret', 'jwt_secret_previous']) chmodSync(join(folder, name), 0o600)
  const port = await freePort()
  const service = startChild(process.execPath, {
    args: [program, '--config', join(folder, 'config.json')],
    env: { HOME: folder, XDG_RUNTIME_DIR: folder, SVC_SERVER__PORT: String(port), RUST_LOG: 'info,svc::http=warn' },
    cwd: folder,
  })
  const agent = new Agent({ keepAlive: true })
  const open = (path: string, token: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` }
      request({ host: '127.0.0.1', port, path, headers, agent }, resolve).once('error', reject).end()
    })
  const status = async (token: string): Promise<number> => {
    const reply = await open('/none', token)
    await reply.resume().toArray()
    return reply.statusCode!
  }
  /** Runs a step of the page, and waits for the line of the reload. */
  let reloads = 0
  const run = async (step: string): Promise<void> => {
    const script = step.replaceAll('systemctl reload svc', `kill -HUP ${service.pid}`)
    const { status: code, stderr } = spawnSync('sh', ['-euc', `umask 077\n${script}`], {
      cwd: folder,
      encoding: 'utf8',
    })
    assert.is(code, 0, stderr)
    const line = await service.waitFor(new RegExp(`(?:"The settings were [\\s\\S]*?){${++reloads}}\\n`))
    assert.not.match(line[0], 'not read again')
  }
  try {
    await service.waitFor(/"socket":/, WAIT_MS)
    const old = tokenOf(OLD)
    let good: readonly string[] = [old]
    let calls = 0
    let stopped = false
    // Callers with a good token are never refused. A token counts as good from its step on, and until the step that
    // ends it.
    const callers = Array.from({ length: CALLERS }, async (_, at) => {
      for (let turn = at; !stopped; turn++) {
        const token = good[turn % good.length]!
        const answered = await status(token)
        if (good.includes(token)) assert.is(answered, 404, `call ${calls}`)
        calls++
      }
    })
    const failed = Promise.all(callers)
    failed.catch(() => {})
    /** Waits for some rounds of all callers. */
    const busy = async (): Promise<void> => {
      const enough = calls + CALLERS * 10
      await Promise.race([failed, waitFor('some rounds of all callers', () => calls >= enough)])
    }
    const stream = await open('/api/live', old)
    assert.is(stream.statusCode, 200)
    let hasEnded = false
    stream.resume().once('close', () => {
      hasEnded = true
    })
    await busy()
    const [makeNew, changePlaces, removeOld] = steps()

    await run(makeNew!)
    const fresh = tokenOf(readFileSync(join(folder, 'jwt_secret_previous'), 'utf8').trim())
    good = [old, fresh]
    await busy()
    const kept = await open('/api/live', fresh)
    assert.is(kept.statusCode, 200)
    let keptEnded = false
    kept.resume().once('close', () => {
      keptEnded = true
    })

    await run(changePlaces!)
    await busy()
    assert.not.ok(hasEnded, 'the stream of the old secret goes on')

    good = [fresh]
    await busy()
    await run(removeOld!)
    assert.is(await status(old), 401)
    await waitFor('the end of the stream of the old secret', () => hasEnded)
    await busy()
    assert.not.ok(keptEnded, 'the stream of the new secret goes on')
    stopped = true
    await failed
    kept.destroy()
    assert.not.match(service.out + service.err, OLD)
    assert.not.match(service.out + service.err, readFileSync(join(folder, 'jwt_secret'), 'utf8').trim())
  } finally {
    agent.destroy()
    await service.stop()
  }
})

for (const [name, files, environment, expected] of [
  [
    'a value and a file',
    { one: OLD },
    { SVC_SECURITY__JWT_SECRET: OLD, SVC_SECURITY__JWT_SECRET_FILE: 'one' },
    /is set too/,
  ],
  ['a file that is not there', {}, { SVC_SECURITY__JWT_SECRET_FILE: 'gone' }, /there is no such file/],
  ['a secret in the place of its path', {}, { SVC_SECURITY__JWT_SECRET_FILE: OLD }, /there is no such file/],
  ['a short secret', { one: 'short' }, { SVC_SECURITY__JWT_SECRET_FILE: 'one' }, /shorter than the 32 bytes/],
] as const)
  testUnless(test, unbuilt, `check-config and the start refuse ${name} with 78, and quote no secret`, async () => {
    const folder = folderWith(files)
    for (const file of Object.keys(files)) chmodSync(join(folder, file), 0o600)
    for (const args of [[program, 'check-config'], [program]]) {
      const child = startChild(process.execPath, { args, env: { HOME: folder, ...environment }, cwd: folder })
      assert.is((await child.exited).code, 78)
      assert.match(child.err, expected)
      assert.not.match(child.out + child.err, OLD)
    }
  })

test.run()
