/** What the owner of the machine sees of a running service: settings in force, callers, streams. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../../scripts/until.ts'
import { tokenFor } from '../../conformance/caller.ts'
import { startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { testUnless } from '../../support/skip.ts'
import { type BuiltService, shippedProgram, startBuilt, startEnvironment, unbuilt } from '../telemetry/built-service.ts'

const authorization = (user: string) => ({ authorization: `Bearer ${tokenFor({ user })}` })

testUnless(
  test,
  unbuilt,
  'svc who lists users with their requests and open streams, until the streams end',
  async () => {
    const service = await startBuilt()
    try {
      const runs = `${service.base}/api/svc/runs`
      const headers = { ...authorization('ada'), 'content-type': 'application/json' }
      const made = await fetch(runs, { method: 'POST', headers, body: '{"run_id":"r1"}' })
      assert.is(made.status, 201)
      const stop = new AbortController()
      const stream = await fetch(`${runs}/r1/stream`, { headers, signal: stop.signal })
      assert.is(stream.status, 200)
      assert.is((await fetch(runs, { headers: { authorization: 'Bearer nothing' } })).status, 401)
      const text = await service.command('who')
      assert.match(text, /^USER +TENANT +STREAMS +REQUESTS +REFUSED +LAST +ADDRESS\n/)
      assert.match(
        text,
        /^ada +default +1 +2 +0 +\d+s +127\.0\.0\.1\n {2}\/api\/svc\/runs\/:run_id\/stream {2}127\.0\.0\.1 {2}\d+s$/m,
      )
      assert.match(text, /^- +- +0 +1 +1 +/m)
      assert.is(await service.command('who', '--user', 'nobody'), '')
      const streamsOf = async (user: string): Promise<number> =>
        JSON.parse(await service.command('who', '--user', user, '--json'))[0].streams.length
      assert.is(await streamsOf('ada'), 1)
      stop.abort()
      await until('the stream is gone', async () => (await streamsOf('ada')) === 0, 60_000)
    } finally {
      await service.stop()
    }
  },
)

async function shown(service: BuiltService, file: string, key: string): Promise<{ value: unknown; source: string }> {
  return JSON.parse(await service.command('print-config', '--running', '--json', '--config', file))[key]
}

testUnless(
  test,
  unbuilt,
  'print-config --running shows the settings in force, whatever the file says now',
  async () => {
    const folder = folderWith({ 'svc.json': '{"logs":{"filter":"info"},"server":{"max_body_bytes":4096}}' })
    const file = join(folder, 'svc.json')
    const env = startEnvironment(folder)
    const child = startChild(process.execPath, { args: ['--no-warnings', shippedProgram, '--config', file], env })
    const command = async (...args: string[]): Promise<string> => {
      const run = startChild(process.execPath, { args: ['--no-warnings', shippedProgram, ...args], env })
      const { code } = await run.exited
      assert.is(code, 0, run.err)
      return run.out
    }
    const service = { command } as BuiltService
    try {
      await child.waitFor(/"socket":/, 60_000)
      writeFileSync(file, '{"logs":{"filter":"debug"},"server":{"max_body_bytes":8192}}')
      assert.equal((await shown(service, file, 'server.max_body_bytes')).value, 4_096)
      assert.equal((await shown(service, file, 'logs.filter')).value, 'info')
      child.kill('SIGHUP')
      await child.waitFor(/some need a restart/, 60_000)
      assert.equal((await shown(service, file, 'logs.filter')).value, 'debug')
      const kept = await shown(service, file, 'server.max_body_bytes')
      assert.equal(kept, { value: 4_096, source: `${file}: server.max_body_bytes` })
      assert.equal((await shown(service, file, 'security.jwt_secret')).value, '[redacted]')
      assert.match(await command('print-config', '--running', '--set'), /^logs\.filter +"debug" /m)
      assert.not.match(await command('print-config', '--running'), readFileSync(file, 'utf8'))
    } finally {
      await child.stop()
    }
  },
)

test.run()
