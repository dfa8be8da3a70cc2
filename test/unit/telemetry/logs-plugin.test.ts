import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { definePlugin } from '../../../core/declare/plugin.ts'
import { createKernel, type Kernel } from '../../../core/kernel/kernel.ts'
import type { LoggedEntry } from '../../../core/kernel/log.ts'
import { feature as probes } from '../../../plugins/probes/feature.ts'
import { variant as consoleVariant } from '../../../plugins/telemetry/logs/console.ts'
import { feature as logs } from '../../../plugins/telemetry/logs/feature.ts'
import { registryOf } from '../../support/kernels.ts'
import { makeRequest } from '../../support/requests.ts'

async function run(
  environment: Record<string, string>,
  use: (kernel: Kernel) => Promise<void>,
  output?: (entry: LoggedEntry, line: string) => void,
): Promise<{ entries: LoggedEntry[]; lines: string }> {
  const entries: LoggedEntry[] = []
  let lines = ''
  const host = definePlugin({
    name: 'host',
    feature: 'test',
    provides: ['LogOutput'],
    setup: (ctx) =>
      ctx.provide('LogOutput', (entry, line) => {
        entries.push(entry)
        lines += line
        output?.(entry, line)
      }),
  })
  const kernel = createKernel(registryOf([probes, logs.with(consoleVariant), host]), { settings: { environment } })
  await kernel.start()
  try {
    await use(kernel)
  } finally {
    await kernel.stop()
  }
  return { entries, lines }
}

const get = async (kernel: Kernel, path: string, headers = {}): Promise<void> => {
  await kernel.surface('runtime').handle(makeRequest(path, { headers, startedMs: performance.now() }))
}

test('without a filter the log shows debug entries of the service, and no trace entries', async () => {
  const { entries } = await run({}, async ({ log }) => {
    log.debug('shown')
    log.trace('not shown')
  })
  assert.ok(entries.some(({ message, level }) => message === 'shown' && level === 'DEBUG'))
  assert.not(entries.some(({ message }) => message === 'not shown'))
})

test('RUST_LOG sets the filter, and SVC_LOGS__FILTER has precedence', async () => {
  const ask = async (kernel: Kernel): Promise<void> => get(kernel, '/health')
  assert.is((await run({ RUST_LOG: 'svc::http=info' }, ask)).entries.length, 1)
  assert.is((await run({ RUST_LOG: 'off' }, ask)).entries.length, 0)
  assert.is((await run({ RUST_LOG: '' }, ask)).entries.length, 1, 'an empty variable counts as absent')
  assert.is((await run({ RUST_LOG: 'off', SVC_LOGS__FILTER: 'svc::http' }, ask)).entries.length, 1)
})

test('the printed line of an entry is the entry', async () => {
  const { entries, lines } = await run({}, (kernel) => get(kernel, '/health'))
  assert.equal(
    lines
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as unknown),
    JSON.parse(JSON.stringify(entries)),
  )
})

test('an error in the log function of a host does not reach the service', async () => {
  const { entries } = await run(
    {},
    (kernel) => get(kernel, '/health'),
    () => {
      throw new Error('full')
    },
  )
  assert.ok(entries.length > 0)
})

test('without a host the console gets the lines, one call each', async () => {
  const calls: unknown[][] = []
  const { log } = console
  console.log = (...args: unknown[]) => void calls.push(args)
  try {
    const kernel = createKernel(registryOf([probes, logs.with(consoleVariant)]), {})
    await kernel.start()
    await get(kernel, '/health')
    await kernel.stop()
  } finally {
    console.log = log
  }
  assert.ok(calls.length > 0)
  for (const [line, ...more] of calls) {
    assert.equal(more, [])
    assert.is((JSON.parse(String(line)) as LoggedEntry).target.slice(0, 3), 'svc')
    assert.not.match(String(line), '\n')
  }
})

test.run()
