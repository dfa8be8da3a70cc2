import { join } from 'node:path'
import { build } from 'esbuild'
import type { BrowserContext, Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../../scripts/until.ts'
import { WAIT_MS } from '../../runner/limit.ts'
import { folderWith } from '../../support/folder.ts'
import { browserless, launchProfile } from '../../support/pages.ts'
import { testUnless } from '../../support/skip.ts'
import { type Service, startService } from './start-service.ts'

const event = (n: number): { topic: string; identifier: string; operation: 'update'; data: number } => ({
  topic: 'todos',
  identifier: 'a',
  operation: 'update',
  data: n,
})

interface Bench {
  readonly service: Service
  readonly context: BrowserContext
  open(): Promise<Page>
  stop(): Promise<void>
}

async function setUp(): Promise<Bench> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '../../../plugins/client/index.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  })
  const service = await startService({ realtime: { topics: ['todos'], max_age_ms: 600_000 } }, outputFiles[0]!.text)
  const context = await launchProfile(folderWith())
  return {
    service,
    context,
    open: async () => {
      const page = await context.newPage()
      await page.goto(`${service.origin}/page`)
      return page
    },
    stop: async () => {
      await context.close()
      await service.stop()
    },
  }
}

/** Subscribes a page with the library. The received data is in `window.received`. */
async function listen(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { createClient } = (await import(
      `${location.origin}/client.js`
    )) as typeof import('../../../plugins/client/index.ts')
    const client = createClient({ schedule: { firstMs: 50 } })
    const page = window as unknown as { received: unknown[]; states: string[]; stop: () => void }
    page.received = []
    page.states = []
    client.live.onState((state) => page.states.push(state))
    page.stop = client.live.on('todos', ({ data }) => page.received.push(data))
  })
}

const received = (page: Page): Promise<unknown[]> =>
  page.evaluate(() => (window as unknown as { received: unknown[] }).received)
const isOpen = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => (window as unknown as { states: string[] }).states.at(-1) === 'open')

function browserTest(name: string, run: (bench: Bench) => Promise<void>): void {
  testUnless(test, browserless, name, async () => {
    const bench = await setUp()
    try {
      await run(bench)
    } finally {
      await bench.stop()
    }
  })
}

browserTest(
  'the EventSource of the browser reads the live stream on a page of the same origin',
  async ({ service, open }) => {
    const page = await open()
    await page.evaluate(() => {
      const source = new EventSource('/api/live')
      const page = window as unknown as { received: unknown[]; open: boolean }
      page.received = []
      source.onopen = () => {
        page.open = true
      }
      source.onmessage = ({ data }) => page.received.push((JSON.parse(data as string) as { data: unknown }).data)
    })
    await page.waitForFunction(() => (window as unknown as { open: boolean }).open)
    for (let n = 0; n < 3; n++) service.send({ do: 'publish', tenant: 'acme', events: [event(n)] })
    await until('three events', async () => (await received(page)).length === 3, WAIT_MS)
    assert.equal(await received(page), [0, 1, 2])
  },
)

browserTest(
  'two tabs share one connection, and when the owning tab closes, the other tab takes over',
  async ({ service, open }) => {
    const [first, second] = [await open(), await open()]
    for (const page of [first, second]) {
      await listen(page)
      await isOpen(page)
    }
    assert.is((await service.report()).streams, 1)
    service.send({ do: 'publish', tenant: 'acme', events: [event(1), event(2)] })
    for (const page of [first, second]) {
      await until('both events', async () => (await received(page)).length === 2, WAIT_MS)
      assert.equal(await received(page), [1, 2])
    }
    await first.close()
    await until(
      'the hand-over',
      async () => {
        const states = await second.evaluate(() => (window as unknown as { states: string[] }).states.slice(-2))
        return states[0] === 'connecting' && states[1] === 'open' && (await service.report()).streams === 1
      },
      WAIT_MS,
    )
    service.send({ do: 'publish', tenant: 'acme', events: [event(3)] })
    await until('an event after the hand-over', async () => (await received(second)).length === 3, WAIT_MS)
    assert.equal(await received(second), [1, 2, 3])
    const third = await open()
    await listen(third)
    await isOpen(third)
    assert.is((await service.report()).streams, 1)
    await second.evaluate(() => (window as unknown as { stop: () => void }).stop())
    await isOpen(third)
    await third.evaluate(() => (window as unknown as { stop: () => void }).stop())
    await until('the end of the last connection', async () => (await service.report()).streams === 0, WAIT_MS)
  },
)

browserTest('a reader of a run loses no event while tabs close and connections end', async ({ service, open }) => {
  const [first, second] = [await open(), await open()]
  const headers = { 'content-type': 'application/json' }
  await fetch(`${service.origin}/api/svc/runs`, { method: 'POST', headers, body: '{"run_id":"r"}' })
  service.send({ do: 'append', user: 'ann', run: 'r', events: [{ type: 'RUN_STARTED', threadId: 't', runId: 'r' }] })
  const follow = (page: Page): Promise<void> =>
    page.evaluate(async () => {
      const { createClient } = (await import(
        `${location.origin}/client.js`
      )) as typeof import('../../../plugins/client/index.ts')
      const page = window as unknown as { values: unknown[]; done: Promise<string> }
      page.values = []
      page.done = createClient({ schedule: { firstMs: 20 } }).run('r', {
        onEvent: (event) => event.type === 'CUSTOM' && page.values.push(event['value']),
      }).done
    })
  await follow(first)
  await follow(second)
  for (let n = 1; n <= 30; n++) {
    service.send({ do: 'append', user: 'ann', run: 'r', events: [{ type: 'CUSTOM', name: 'n', value: n }] })
    if (n === 10) await first.close()
    if (n === 20) {
      await second.context().setOffline(true)
      await second.context().setOffline(false)
    }
  }
  service.send({ do: 'append', user: 'ann', run: 'r', events: [{ type: 'RUN_FINISHED', threadId: 't', runId: 'r' }] })
  assert.is(await second.evaluate(() => (window as unknown as { done: Promise<string> }).done), 'ended')
  assert.equal(
    await second.evaluate(() => (window as unknown as { values: unknown[] }).values),
    Array.from({ length: 30 }, (_, index) => index + 1),
  )
})

test.run()
