/** The console claims nothing false: with the service up, stopped, and up again, in each view, by role and name. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../../support/wait-for.ts'
import { callsOf, openConsole, pageTest, startPageNode, violationsIn } from './pages.ts'

const VIEWS = ['/', '/runs', '/live', '/boards', '/pushes', '/access', '/audit', '/build', '/api'] as const
/** Texts that say something about the present state of the service. */
const PRESENT =
  /\bHealthy\b|\d problems?\b|\bready\b|\bup for\b|\bNo runs yet\b|\bNo push yet\b|\bNo peer yet\b|\bNo API key yet\b|\bno project yet\b|\bNothing has happened\b|\bNo event yet\b|\boutbox empty\b|\blive\b/

const verdict = (page: Page, name: RegExp | string) =>
  page.getByRole('region', { name: 'Verdict' }).getByRole('heading', { name })
const textOf = (page: Page): Promise<string> => page.locator('main').innerText()

pageTest('nothing false is on the page with the service up, stopped, and restarted', async (browser) => {
  const node = await startPageNode()
  const shown = await openConsole(node, browser)
  const { page } = shown

  await verdict(page, 'Healthy').waitFor()
  assert.match(await page.getByRole('navigation', { name: 'Views' }).innerText(), /server-full \d/)
  await page.getByText(/up for/).waitFor()
  await page.getByRole('img', { name: 'passes' }).first().waitFor()
  assert.equal(await violationsIn(page), [])
  // The page has polled several times, and no other program has sent a request.
  await page.locator('.gauge', { hasText: 'Requests' }).getByText('0.0').waitFor()

  await node.stop()
  await verdict(page, /^Not reachable since \d\d:\d\d$/).waitFor()
  // No check passes any more.
  await page.getByRole('img', { name: 'passes' }).first().waitFor({ state: 'detached' })
  await page.getByRole('img', { name: 'not known' }).first().waitFor()
  assert.equal(await page.locator('.gauge-value').allInnerTexts(), ['–', '–', '–', '–'])
  assert.is(PRESENT.exec(await textOf(page))?.[0], undefined)
  await page
    .getByRole('status')
    .getByText(/has not answered since/)
    .first()
    .waitFor()
  assert.equal(await violationsIn(page), [])

  await node.restart()
  await verdict(page, 'Healthy').waitFor()
  await page
    .getByRole('img', { name: /checks passed, \d+ are not known/ })
    .first()
    .waitFor()
  await page.getByText(/up for \d+ (?:ms|s)/).waitFor()
  await shown.go('/runs')
  await page.getByRole('heading', { name: 'No runs yet' }).waitFor()

  await node.stop()
  for (const view of VIEWS) {
    await shown.go(view)
    // The builds are read by the console itself.
    if (view !== '/build')
      await page
        .getByText(/Not known|Not reachable|Not the present state/)
        .first()
        .waitFor()
    if (view !== '/build') assert.is(PRESENT.exec(await textOf(page))?.[0], undefined, view)
  }

  await shown.end()
  await page
    .getByText(/console has ended/)
    .first()
    .waitFor()
  assert.not.match(await page.locator('body').innerText(), /connects again|Failed to fetch/)
  assert.equal(shown.faults, [])
  await shown.close()
})

pageTest('a service that hangs is not healthy, and is again when it goes on', async (browser) => {
  const node = await startPageNode()
  const shown = await openConsole(node, browser)
  const { page } = shown
  await verdict(page, 'Healthy').waitFor()
  await page.getByRole('img', { name: 'passes' }).first().waitFor()
  node.hang()
  try {
    await verdict(page, 'Healthy').waitFor({ state: 'detached' })
    await page.getByRole('img', { name: 'passes' }).first().waitFor({ state: 'detached' })
    // Each panel reads for itself, so one may still say it for a moment.
    await waitFor(
      'nothing is said of its health',
      async () => !/\bHealthy\b|\d problems?\b|\bup for\b/.test(await textOf(page)),
    )
    await page.locator('.gauge', { hasText: 'Requests' }).getByText('–').waitFor()
  } finally {
    node.goOn()
  }
  await verdict(page, 'Healthy').waitFor()
  await page.getByRole('img', { name: 'passes' }).first().waitFor()
  assert.equal(shown.faults, [])
  await shown.close()
  await node.stop()
})

pageTest(
  'a run says what failed, what is missing, and that it does not exist; filters stay in the address',
  async (browser) => {
    const node = await startPageNode({ SVC_REALTIME__RUN_MAX_EVENTS: '4' })
    const shown = await openConsole(node, browser, '--write')
    const { page } = shown
    const call = await callsOf(node)
    const append = (run: string, ...events: readonly object[]): Promise<void> =>
      call('POST', `/api/svc/runs/${run}/events`, events)
    await call('POST', '/api/svc/runs', { run_id: 'broken', thread_id: 't1' })
    await append('broken', { type: 'RUN_STARTED', threadId: 't1', runId: 'broken' })
    await append('broken', { type: 'RUN_ERROR', message: 'The tool board_show timed out.', code: 'tool_timeout' })
    await call('POST', '/api/svc/runs', { run_id: 'long', thread_id: 't2' })
    await append('long', { type: 'RUN_STARTED', threadId: 't2', runId: 'long' })
    for (let value = 1; value <= 6; value++) await append('long', { type: 'CUSTOM', name: 'step', value })

    await verdict(page, '1 problem').waitFor()
    await page.getByText("1 run of the console's user failed in the last 24 hours; the last one is broken.").waitFor()
    await page.getByRole('link', { name: 'Show it' }).click()
    await page.getByRole('link', { name: /broken.*tool_timeout: The tool board_show timed out\./s }).click()
    assert.is(await page.getByRole('link', { name: /^long/ }).count(), 0, 'the filter stays')
    assert.match(page.url(), /\/runs\/broken\?status=failed$/)
    await page.getByRole('region', { name: 'Run broken' }).getByText('Failed:').waitFor()

    await page.getByRole('combobox', { name: 'Status' }).selectOption('cancelled')
    await page.getByText('Nothing in the runs matches.').waitFor()
    await page.getByRole('combobox', { name: 'Status' }).selectOption('')
    await page.getByRole('link', { name: /long.*4 events, 3 removed/s }).click()
    const note = page.getByRole('note').filter({ hasText: 'missing' })
    assert.match(
      await note.innerText(),
      /begins here at event 4: 3 earlier events are missing\..*has removed the older ones/s,
    )
    await page.getByRole('button', { name: 'Cancel the run' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the run' }).click()
    await page.getByRole('link', { name: /long.*cancelled/s }).waitFor()

    await shown.go('/runs/nobody')
    await page.getByRole('alert').getByText('There is no such run').waitFor()
    assert.not.match(await textOf(page), /No event yet|0 events/)
    assert.equal(await violationsIn(page), [])
    assert.equal(shown.faults, [])
    await shown.close()
    await node.stop()
  },
)

test.run()
