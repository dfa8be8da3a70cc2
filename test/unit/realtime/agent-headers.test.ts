/**
 * Headers of agents in files: read at the start and again when the settings are, and nothing else of an agent changes
 * then.
 */
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toFetch } from '../../../core/http/fetch.ts'
import { systemClock } from '../../../core/kernel/environment.ts'
import { createKernel } from '../../../core/kernel/kernel.ts'
import type { Reloaded } from '../../../core/kernel/reload.ts'
import { secretFiles } from '../../../plugins/cli/secret-file.ts'
import { headersOf } from '../../../plugins/realtime/agents/agent-starter.ts'
import { feature as agents } from '../../../plugins/realtime/agents/feature.ts'
import { agentsOf } from '../../../plugins/realtime/agents/settings.ts'
import { feature as runs } from '../../../plugins/realtime/runs/feature.ts'
import { feature as streams } from '../../../plugins/realtime/streams/feature.ts'
import { said, say, startAgent } from '../../e2e/realtime/agent-server.ts'
import { folderWith } from '../../support/folder.ts'
import { keepLog, make, registryOf } from '../../support/kernels.ts'
import { failure } from '../../support/throws.ts'

/** A service with one agent, whose header is in the file `header` of the folder of the configuration. */
async function start() {
  const agent = await startAgent({
    quick: (response, ids) => say(response, said(ids, 'hello')),
  })
  const folder = folderWith()
  const write = (text: string): void => {
    writeFileSync(join(folder, 'header'), text)
    chmodSync(join(folder, 'header'), 0o600)
  }
  write('Bearer first\n')
  const readSecret = secretFiles(join(folder, 'config.json'))
  const setting = (path: string, more: object = {}) => ({
    config: {
      name: 'config.json',
      value: {
        realtime: {
          agents: {
            one: { url: agent.url + path, headers: { Authorization: { file: 'header' }, 'x-own': 'kept', ...more } },
          },
        },
      },
    },
    readSecret,
  })
  const log = keepLog()
  const guard = make('guard', {
    setup: (ctx) =>
      ctx.guard('runtime', () => ({ kind: 'user', user: 'ann', tenant: 'acme', scopes: [], credential: null })),
  })
  const path = '/quick'
  const kernel = createKernel(registryOf([streams, runs, agents, guard]), { settings: setting(path), log })
  await kernel.start()
  const fetch = toFetch(kernel.surface('runtime'), systemClock.monotonic)
  let turn = 0
  const call = async (): Promise<string> => {
    const runId = `r${turn++}`
    const input = { runId, threadId: 't', tools: [], context: [], forwardedProps: {}, state: {}, messages: [] }
    const answer = await fetch(
      new Request('http://svc.test/api/svc/agents/one', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify(input),
      }),
    )
    return answer.text()
  }
  return {
    ...{ log, write, call },
    reload: (to: string = path, more: object = {}): Pick<Reloaded, 'changed' | 'restart'> => {
      const { changed, restart } = kernel.reload!(setting(to, more))
      return { changed, restart }
    },
    last: () => agent.requests.at(-1)?.headers,
    stop: async () => {
      await kernel.stop()
      await agent.close()
    },
  }
}

test('the header of a call is what its file had when the settings were read last', async () => {
  const { write, call, reload, last, stop, log } = await start()
  await call()
  assert.equal([last()?.['authorization'], last()?.['x-own']], ['Bearer first', 'kept'])
  write('Bearer second')
  await call()
  assert.is(last()?.['authorization'], 'Bearer first', 'not before a reload')
  assert.equal(reload(), { changed: ['realtime.agents'], restart: [] })
  await call()
  assert.equal([last()?.['authorization'], last()?.['x-own']], ['Bearer second', 'kept'])
  assert.equal(reload(), { changed: [], restart: [] })
  assert.not.match(JSON.stringify(log.records), /Bearer (?:first|second)/)
  await stop()
})

test('another address, or a header that is in the configuration itself, needs a restart', async () => {
  const { write, call, reload, last, stop } = await start()
  write('Bearer second')
  for (const [path, more] of [
    ['/other', {}],
    ['/quick', { 'x-own': 'another' }],
    ['/quick', { authorization: 'Bearer itself' }],
  ] as const)
    assert.equal(reload(path, more), { changed: [], restart: ['realtime.agents'] }, path)
  await call()
  assert.equal([last()?.['authorization'], last()?.['x-own']], ['Bearer first', 'kept'])
  await stop()
})

test('contents that no header can have, and an empty file, change nothing', async () => {
  const { write, call, reload, last, stop } = await start()
  for (const text of ['Bearer two\nlines', '']) {
    write(text)
    const { message } = failure('ERR_SETTINGS_INVALID', () => reload())
    assert.match(message, /realtime\.agents/)
    assert.not.match(message, /Bearer/)
  }
  await call()
  assert.is(last()?.['authorization'], 'Bearer first')
  await stop()
})

test('an agent learns for whom a run is and who acts, in percent-encoding, and nothing else of the request', () => {
  const agent = agentsOf({ one: { url: 'http://127.0.0.1/', headers: { 'X-Own': 'secret' } } })['one']!
  const identity = { kind: 'user', user: 'änn', tenant: 'acme', scopes: ['a'], credential: null } as const
  const fixed = {
    ...{ 'x-own': 'secret', 'content-type': 'application/json', accept: 'text/event-stream' },
    ...{ 'accept-encoding': 'identity', 'svc-user': '%C3%A4nn', 'svc-tenant': 'acme', 'svc-run': 'r%2F1' },
  }
  assert.equal(headersOf(agent, { identity, trace: undefined }, 'r/1'), fixed)
  const acting = { ...identity, actor: 'the backend' }
  assert.equal(headersOf(agent, { identity: acting, trace: undefined }, 'r/1'), {
    ...fixed,
    'svc-actor': 'the%20backend',
  })
})

test.run()
