/** SIGTERM before a service has started is a normal stop. */
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type ChildExit, startChild } from '../../support/child.ts'

const test = suite('a stop while it starts')

async function stopped(env: Readonly<Record<string, string>>): Promise<ChildExit & { out: string; err: string }> {
  const child = startChild(process.execPath, {
    args: ['--disable-warning=ExperimentalWarning', fileURLToPath(new URL('./slow-start-child.ts', import.meta.url))],
    env: { ...process.env, ...env },
  })
  await child.waitFor(/starting/)
  const exit = await child.stop('SIGTERM')
  return { ...exit, out: child.out, err: child.err }
}

test('a stop during the start exits with 0 and logs that the service has stopped', async () => {
  const { code, out, err } = await stopped({})
  assert.is(code, 0, err)
  assert.is(err, '')
  assert.match(out, '"Stopped."')
  assert.not.match(out, 'ready')
})

test('a start that fails after the stop signal is still reported', async () => {
  const { code, err } = await stopped({ FAILS: 'yes' })
  assert.is(code, 1)
  assert.match(err, 'no disk')
})

test.run()
