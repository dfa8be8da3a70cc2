/** How far the reader has scrolled is in the address: a reload and the keys of the browser show the same place. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { callsOf, openConsole, pageTest, startPageNode } from './pages.ts'

pageTest('a list is at the same place after a reload, after another view, and by its address', async (browser) => {
  const node = await startPageNode()
  const call = await callsOf(node)
  for (let number = 0; number < 60; number++) await call('POST', '/api/svc/runs', { run_id: `run-${number}` })
  const console = await openConsole(node, browser)
  const { page } = console
  const topOf = (): Promise<number> => page.getByLabel('Runs', { exact: true }).evaluate((box) => box.scrollTop)
  const untilAt = (top: number): Promise<unknown> =>
    page.waitForFunction((wanted) => document.querySelector('[data-scroll="runs"]')?.scrollTop === wanted, top)

  await console.go('/runs')
  await page.getByRole('link', { name: /run-59/ }).hover()
  await page.mouse.wheel(0, 700)
  await page.waitForFunction(() => /runs=\d+/.test(location.hash))
  const top = await topOf()
  assert.ok(top > 300, String(top))
  assert.is(new URL(page.url()).hash, `#runs=${top}`)

  await page.reload()
  await untilAt(top)
  await page.getByRole('link', { name: 'Audit' }).click()
  await page.getByRole('heading', { name: 'Audit' }).waitFor()
  assert.is(new URL(page.url()).hash, '')
  await page.goBack()
  await untilAt(top)

  await page
    .getByRole('link', { name: /run-4\d/ })
    .first()
    .hover()
  await page.mouse.wheel(0, -5_000)
  await page.waitForFunction(() => location.hash === '')
  await page.reload()
  await page.getByRole('link', { name: /run-59/ }).waitFor()
  assert.is(await topOf(), 0)
  assert.equal(console.faults, [])
  await console.close()
  await node.stop()
})

pageTest('where the reader has scrolled among live events is in the address', async (browser) => {
  const node = await startPageNode()
  const call = await callsOf(node)
  const console = await openConsole(node, browser)
  const { page } = console
  await console.go('/live')
  await page.getByText('live', { exact: true }).waitFor()
  for (let number = 0; number < 80; number++) await call('POST', '/api/svc/runs', { run_id: `r${number}` })
  await page.getByText('80 events').waitFor()
  const list = page.getByLabel('Events', { exact: true })
  await list.hover()
  await page.mouse.wheel(0, -600)
  await page.waitForFunction(() => /live=\d+/.test(location.hash))
  assert.is(new URL(page.url()).hash, `#live=${await list.evaluate((box) => box.scrollTop)}`)
  assert.equal(console.faults, [])
  await console.close()
  await node.stop()
})

test.run()
