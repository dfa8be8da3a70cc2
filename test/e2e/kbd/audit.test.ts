/** The feature of the audit chain: a build without it, and the errors of its commands. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Command, type CommandIo, UsageError } from '../../../core/declare/command.ts'
import { runCommand } from '../../../plugins/cli/run-command.ts'
import { commands } from '../../../plugins/kbd/audit/commands.ts'
import { openService } from '../../../plugins/sync/api/commands/service.ts'
import { testManifest } from '../../support/kernels.ts'
import { storeParts } from '../../support/store-parts.ts'
import { createSigner } from '../../unit/sync/platforms.ts'
import { type Daemon, startDaemon, stopDaemons } from '../sync/daemon.ts'

test.after.each(stopDaemons)

const [audit] = commands as readonly [Command]

/** Runs a command as the program does, and returns the exit code and both outputs. */
async function run(command: Command, args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const outputs = { out: '', err: '' }
  const io: CommandIo = {
    environment: {},
    config: undefined,
    manifest: testManifest,
    commands: [],
    storeParts,
    out: (line) => void (outputs.out += `${line}\n`),
    err: (line) => void (outputs.err += `${line}\n`),
    setting: () => null,
    use: () => ((socket?: string) => openService(io, socket)) as never,
    find: () => undefined,
  }
  return { code: await runCommand(command, args, io), ...outputs }
}

const verify = ({ socketPath }: Daemon, ...more: readonly string[]) =>
  run(audit, ['verify', '--socket', socketPath, ...more])

test('without the feature its routes are 404, but the chain is written', async () => {
  const bare = await startDaemon({ without: ['kbd.audit'] })
  const { folder } = bare
  await bare.enrol(createSigner(), ['kbd-control:demo'])
  for (const path of ['/api/v1/audit', '/api/v1/audit/verify']) {
    // The OpenAPI document contains the routes, so the answer is not checked against it here.
    const answer = await bare.open({ path })
    const { error } = JSON.parse(Buffer.concat(await answer.toArray()).toString()) as { error: { code: string } }
    assert.equal([answer.statusCode, error.code], [404, 'not_found'], path)
  }
  const none = await verify(bare)
  assert.equal([none.code, none.out], [1, ''])
  assert.match(none.err, /^svc audit: 404 not_found/)
  await bare.stop()

  const whole = await startDaemon({ folder })
  const { json } = await whole.send({ path: '/api/v1/audit/verify' })
  assert.equal([json()['ok'], json()['count'], json()['checkpoint']], [true, 1, null])
  const verified = await verify(whole)
  assert.equal([verified.code, verified.err], [0, ''])
  assert.match(verified.out, /^1 entries, all as they were written; the head is [0-9a-f]{64}\n$/)
  assert.is((JSON.parse((await verify(whole, '--json')).out) as { count: number }).count, 1)
  await whole.stop()
  const away = await verify(whole)
  assert.equal([away.code, away.out], [1, ''])
  assert.match(away.err, /^svc audit: No service answers at /)
})

test('verify names a checkpoint of another key, and does not report its entry as changed', async () => {
  const first = await startDaemon()
  const { folder } = first
  await first.enrol(createSigner(), ['kbd-control:demo'])
  await first.stop()
  // As after a restore on another machine, which has another key.
  rmSync(join(folder, 'state', 'endpoint.key'))
  const second = await startDaemon({ folder })
  const verified = await verify(second)
  assert.is(verified.code, 1)
  assert.match(verified.out, /the key of this node did not sign the checkpoint at entry 1\./)
  await second.enrol(createSigner(), ['kbd-control:demo'])
  await second.stop()
  const third = await startDaemon({ folder })
  assert.is((await verify(third)).code, 0, 'the next checkpoint is signed with the new key')
})

test('an error of a command becomes a message and an exit code', async () => {
  const throwing = (error: unknown): Command => ({
    name: 'try',
    summary: '',
    help: 'Usage: svc try',
    run: () => Promise.reject(error),
  })
  assert.equal(await run(throwing(new UsageError('name one')), []), {
    code: 64,
    out: '',
    err: 'svc try: name one\n  Usage: svc try\n  Help: svc try --help\n',
  })
  const unknown = await run(audit, ['verify', '--fast'])
  assert.is(unknown.code, 64)
  assert.match(unknown.err, /^svc audit: Unknown option '--fast'[\s\S]*Usage: svc audit verify/)
  assert.equal(await run(throwing(new Error('it broke')), []), { code: 1, out: '', err: 'svc try: it broke\n' })
  assert.is((await run(throwing('a text'), [])).err, 'svc try: a text\n')
  assert.is((await run(audit, [])).code, 64)
})

test.run()
