/**
 * The first questions of an operator, each answered in the console by role and name: with the service up, restarted,
 * and stopped. In each state nothing false is on the page.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createFileStore } from '../../../plugins/sync/store-sqlite/file-store.ts'
import { createMinute, type Minute, minuteOf } from '../../../plugins/telemetry/history/minute.ts'
import { putMinute } from '../../../plugins/telemetry/history/statements.ts'
import { isDeep } from '../../support/count.ts'
import { storeParts } from '../../support/store-parts.ts'
import {
  callsOf,
  type OpenConsole,
  openConsole,
  type PageNode,
  pageTest,
  startPageNode,
  violationsIn,
} from './pages.ts'

/** What may not be on the page while the service does not answer. */
const PRESENT = /\b(?:1|\d+) problems?\b|\bup for\b|\bconnected of\b|\blive\b/
type State = 'up' | 'restarted' | 'stopped'

/** Waits until something is visible. */
const answer = (locator: Locator): Promise<void> => locator.first().waitFor()
const textOf = (page: Page): Promise<string> => page.locator('main').innerText()
const goTo = (page: Page, view: string): Promise<void> =>
  page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: new RegExp(`^${view}`) })
    .click()

/** Writes the last two hours to the store of a node that does not run: an hour ago, its store could not be written. */
async function writeHours(node: PageNode): Promise<void> {
  const path = join(node.folder, 'state', 'sync.db')
  const store = createFileStore({ path, now: () => performance.now(), parts: storeParts })
  const last = minuteOf(Date.now())
  const minuteBefore = (ago: number): Minute => {
    const ok = ago > 70 || ago < 50 ? 1 : 0
    const checks = { 'runtime persistence': 2 | ok, 'local receipt_store': 2 | ok }
    return { ...createMinute(last - ago).read(), checks, requests: 7, p95Ms: 4.2 }
  }
  await store.write((ledger) => {
    for (let ago = 120; ago > 2; ago--) putMinute(ledger, minuteBefore(ago))
  })
  await store.close()
}

/** A run whose tool fails, with the times of its events, and many events after the failure. */
async function failRun(node: PageNode): Promise<void> {
  const at = Date.UTC(2026, 0, 1, 10)
  const call = await callsOf(node)
  await call('POST', '/api/svc/runs', { run_id: 'deploy', thread_id: 't1' })
  const filler = Array.from({ length: 150 }, (_, value) => ({ type: 'CUSTOM', name: 'progress', value }))
  await call('POST', '/api/svc/runs/deploy/events', [
    { type: 'RUN_STARTED', threadId: 't1', runId: 'deploy', timestamp: at },
    { type: 'STEP_STARTED', stepName: 'roll out', timestamp: at + 1_000 },
    { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'apply', timestamp: at + 2_000 },
    { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{"region":"oslo"}', timestamp: at + 2_100 },
    { type: 'TOOL_CALL_END', toolCallId: 'c1', timestamp: at + 2_200 },
    {
      type: 'TOOL_CALL_RESULT',
      messageId: 'm1',
      toolCallId: 'c1',
      content: '{"error":"quota of oslo exceeded"}',
      timestamp: at + 5_000,
    },
    ...filler,
    { type: 'STEP_FINISHED', stepName: 'roll out', timestamp: at + 61_000 },
    { type: 'RUN_ERROR', message: 'The roll-out failed.', code: 'deploy_failed', timestamp: at + 62_000 },
  ])
}

/** Pairs two nodes that share the project demo. */
async function pairNodes(desk: PageNode, lamp: PageNode): Promise<void> {
  await desk.svc('device', 'keygen', '--out', 'ada.key')
  await desk.svc('device', 'enroll', '--key', 'ada.key.pub', '--scope', 'kbd-control:demo', '--label', 'Ada')
  const code = await desk.svc('peer', 'pair', '--project', 'demo', '--devices', '--label', 'lamp')
  await lamp.svc('peer', 'join', code, '--devices', '--label', 'desk')
  await desk.svc('board', 'add', '--key', 'ada.key', '--board', 'Work')
}

const tasks: Readonly<Record<string, (shown: OpenConsole, node: PageNode, state: State) => Promise<void>>> = {
  'why did a run fail': async ({ page }, _node, state) => {
    await goTo(page, 'Runs')
    if (state === 'stopped') return answer(page.getByText(/Not known: the runs|Not the present state of the runs/))
    await page.getByRole('link', { name: /^deploy/ }).click()
    const failure = page.getByRole('region', { name: 'Failure' })
    await answer(failure.getByText('deploy_failed'))
    await answer(failure.getByText(/2 failures in the events; the first one: the tool apply answered .*quota of oslo/))
    await failure.getByRole('button', { name: 'Show the first failure' }).click()
    const tool = page.locator('.item[aria-current="true"]')
    await answer(tool.getByText('failed in 3 s'))
    assert.ok(await tool.evaluate((item) => item.getBoundingClientRect().top < window.innerHeight), 'it is in view')
    assert.match(page.url(), /\/runs\/deploy\?event=3$/)
    await page.getByRole('searchbox', { name: 'Search in the events of this run' }).fill('roll out')
    await answer(page.getByText('2 of 155 items'))
    await answer(page.getByRole('log').getByText('took 1 min'))
    await answer(page.getByRole('log').locator('time'))
    await failure.getByRole('button', { name: 'Show the first failure' }).click()
    await answer(tool.getByText('failed in 3 s'))
    assert.is(await page.getByRole('searchbox', { name: 'Search in the events of this run' }).inputValue(), '')
  },
  'is it healthy now, and was it an hour ago': async ({ page }, _node, state) => {
    await goTo(page, 'Overview')
    const verdict = page.getByRole('region', { name: 'Verdict' })
    if (state === 'stopped') return answer(verdict.getByRole('heading', { name: /^Not reachable since \d\d:\d\d$/ }))
    await answer(verdict.getByText("1 run of the console's user failed in the last 24 hours; the last one is deploy."))
    await answer(page.getByText(/^An hour ago, \d\d:\d\d:/))
    await answer(page.getByText(/Not ready\. Failed: .*receipt store of the local surface/))
    await page.getByRole('slider', { name: 'Minute' }).focus()
    for (let step = 0; step < 3; step++) await page.keyboard.press('PageDown')
    await answer(
      page
        .getByText(/Healthy\. All 2 checks passed\. 7 requests, 0 errors, 0 refusals, 95th percentile 4\.2 ms/)
        .or(page.getByText(/Not known: /)),
    )
    assert.match(page.url(), /minute=/)
    await page.getByRole('button', { name: 'An hour ago' }).click()
    await answer(page.getByText(/^An hour ago/))
  },
  'which build is it, and what is not in it': async ({ page }, _node, state) => {
    await answer(
      page
        .getByRole('navigation', { name: 'Views' })
        .getByText(state === 'stopped' ? 'build not known' : /server-full \d/),
    )
    await goTo(page, 'Build')
    await answer(page.getByRole('heading', { name: 'Proven absent' }))
    await answer(page.getByRole('cell', { name: /cluster\.nats/ }))
  },
  'make and revoke a key': async ({ page }, _node, state) => {
    await goTo(page, 'Keys and devices')
    if (state === 'stopped') return answer(page.getByText(/Not known: .*keys|Not the present state of .*keys/))
    const name = `robot of ${state}`
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('button', { name: 'I have kept it' }).click()
    const row = page.getByRole('listitem').filter({ hasText: name })
    await row.getByRole('button', { name: /^Revoke/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await answer(row.getByText('revoked', { exact: true }))
  },
  'enrol a device': async ({ page }, node, state) => {
    await goTo(page, 'Keys and devices')
    const file = `${state}.key`
    await node.svc('device', 'keygen', '--out', file)
    const label = `Phone of ${state}`
    // Devices are in the store of this node, which the console reads and writes itself.
    await page.getByRole('button', { name: 'Enrol a device' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('textarea').fill(readFileSync(join(node.folder, `${file}.pub`), 'utf8'))
    await dialog.getByLabel(/^Scopes/).fill('kbd-control:demo')
    await dialog.getByLabel('Label').fill(label)
    await dialog.getByRole('button', { name: 'Enrol', exact: true }).click()
    await answer(page.getByRole('listitem').filter({ hasText: label }))
  },
  'is a peer behind': async ({ page }, _node, state) => {
    await goTo(page, 'Pushes and peers')
    if (state === 'stopped') return answer(page.getByText(/Not known: the peers|Not the present state of the peers/))
    const peer = page.getByRole('listitem').filter({ hasText: 'lamp' })
    await answer(peer)
    await answer(peer.getByText(/up to date|\d commands? behind|not known/))
  },
}

pageTest('the questions of an operator are answered with the service up, restarted and stopped', async (browser) => {
  const [node, lamp] = [await startPageNode({ SVC_REALTIME__RUN_STORE: 'sqlite' }), await startPageNode()]
  await pairNodes(node, lamp)
  await node.stop()
  await writeHours(node)
  await node.restart()
  await failRun(node)
  const shown = await openConsole(node, browser, '--write')
  for (const state of ['up', 'restarted', 'stopped'] as const) {
    if (state !== 'up') await node.stop()
    if (state === 'restarted') await node.restart()
    for (const [name, task] of Object.entries(tasks)) {
      await task(shown, node, state).catch((error: Error) => {
        error.message = `${state}: ${name}: ${error.message}`
        throw error
      })
      if (state === 'stopped') assert.is(PRESENT.exec(await textOf(shown.page))?.[0], undefined, `${state}: ${name}`)
      // The views after a restart are those of before the restart, so `make test` looks for violations there alone.
      if (state !== 'restarted' || isDeep()) assert.equal(await violationsIn(shown.page), [], `${state}: ${name}`)
    }
  }
  assert.equal(shown.faults, [])
  await shown.close()
  await lamp.stop()
})

test.run()
